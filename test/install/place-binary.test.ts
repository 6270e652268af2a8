// How the binary gets to its place, also when several installs run at once.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { placeBinary } from "../../src/install/place-binary.ts";

let folder = "";
const at = (name: string) => join(folder, name);
const accept = async () => {};
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "memoir-place-"));
  await writeFile(at("source"), "the program");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test("a copy, then nothing to do", async () => {
  expect(await placeBinary(at("source"), at("bin/memoir"), accept)).toBe("copied");
  expect(await placeBinary(at("source"), at("bin/memoir"), accept)).toBe("current");
  expect(await readdir(at("bin"))).toEqual(["memoir"]);
});

test("an install does not take another's copy away", async () => {
  const ended = await placeBinary(at("source"), at("bin/memoir"), async () => {
    // The other one begins while the first checks its copy.
    await placeBinary(at("source"), at("bin/memoir"), accept);
  });
  expect(ended).toBe("copied");
  expect(await readFile(at("bin/memoir"), "utf8")).toBe("the program");
});

test("what an interrupted install left goes after a while; other files stay", async () => {
  await mkdir(at("bin"));
  const old = new Date(Date.now() - 3_600_000);
  for (const name of ["memoir.a.tmp", "memoir.b.old", "memoir.txt", "other.tmp"]) {
    await writeFile(at(`bin/${name}`), "");
    await utimes(at(`bin/${name}`), old, old);
  }
  await placeBinary(at("source"), at("bin/memoir"), accept);
  expect((await readdir(at("bin"))).sort()).toEqual(["memoir", "memoir.txt", "other.tmp"]);
});
