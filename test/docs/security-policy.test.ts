// SECURITY.md names the report address and the keys that the binary has.
import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  addressProblem,
  readPublicKey,
  releaseAddress,
  releaseKeys,
  reportAddress,
} from "../../src/install/release-source.ts";

const policy = await readFile(join(import.meta.dir, "../../.github/SECURITY.md"), "utf8");

test("its keys are the binary's, in the same order, and each is one of minisign's", () => {
  const listed = [...policy.matchAll(/^- (?:`?(RW[\w+/]{54})`?|none has been set yet)$/gm)];
  expect(listed.map(([, key]) => key ?? "none")).toEqual(
    releaseKeys.length > 0 ? [...releaseKeys] : ["none"],
  );
  for (const key of releaseKeys) expect(readPublicKey(key)).toBeDefined();
});

test("faults are reported to the address that is set, and both addresses are safe ones", () => {
  const said = /^\*\*Report a vulnerability to:\*\* (.+)/m.exec(policy)?.[1] ?? "";
  if (reportAddress === "") expect(said).toStartWith("no address has been set yet");
  else expect(said).toContain(reportAddress);
  expect(addressProblem(releaseAddress)).toBeUndefined();
  expect(reportAddress).toMatch(/^(?:|https:\/\/.*[^/]|[^@\s]+@[^@\s]+)$/);
});
