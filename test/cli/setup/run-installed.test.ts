// Running the installed binary: what it prints, and what is said when it fails.
import { expect, test } from "bun:test";
import { runInstalled } from "../../../src/cli/setup/installed-binary.ts";

const sh = (script: string, timeoutMs?: number) =>
  runInstalled("/bin/sh", ["-c", script], { PATH: "/bin:/usr/bin", WORD: "given" }, timeoutMs);
const why = (script: string, timeoutMs?: number) =>
  sh(script, timeoutMs).then(
    () => "",
    ({ code, message }) => `${code}: ${message}`,
  );

test("its stdout is given as it is, in the environment that was named and no other", async () => {
  expect(await sh('echo "$WORD:$HOME"; echo aside >&2')).toBe("given:\n");
});

test.each([
  ["echo out; echo first >&2; echo second >&2; echo third >&2; exit 1", "first second"],
  ["echo one; echo two; echo three; exit 3", "one two"],
  ["exit 2", ""],
])("%s: it fails with its own last words", async (script, words) => {
  expect(await why(script)).toBe(`server_unreachable: /bin/sh -c ${script} failed: ${words}`);
});

test("one that is not there is said by name, and one that never ends is ended", async () => {
  const gone = runInstalled("/nowhere/memoir", ["start"], {});
  await expect(gone).rejects.toMatchObject({
    ...{
      code: "binary_missing",
      message: expect.stringContaining("/nowhere/memoir cannot be run"),
    },
  });
  expect(await why("exec sleep 600", 50)).toStartWith("server_unreachable: ");
});
