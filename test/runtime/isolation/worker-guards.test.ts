// What a plugin may not do to the process that it shares, in a process of its own.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { outcomeOf } from "../../support/outcome-of.ts";

/** What a process with the guards up says of what it tried, and how it ended. */
async function guarded(how: string) {
  const script = join(import.meta.dir, "guarded-process.ts");
  const child = Bun.spawn([process.execPath, script, how], { stdout: "pipe", stderr: "pipe" });
  const { code, out, err: errors } = await outcomeOf(child);
  expect(errors).toBe("");
  return { code, said: JSON.parse(out) as unknown[] };
}

test("what it prints is logged, what would end or change the whole process is refused", async () => {
  const { code, said } = await guarded("exit");
  const refused = (what: string) => `${what} concerns the whole server, and is refused`;
  expect(said).toEqual([
    ["info", 'printed {"a":1} inner bytes undefined'],
    ["info", "info"],
    ["warn", "warn"],
    ["error", "error"],
    ["debug", "debug"],
    ["debug", "trace"],
    ["debug", '{"deep":true}'],
    ["debug", "[1]"],
    ["info", "[object Object] 7"],
    ["info", "out"],
    ["written"],
    ["stdout", true],
    ["warn", "err"],
    ["stderr", true],
    ["terminal", [false, true, true]],
    ["chdir", refused("process.chdir")],
    ["abort", refused("process.abort")],
    ["capture", refused("an exception callback")],
    ["read mask", "number"],
    ["set mask", refused("process.umask")],
    ...[1, 2, 3].map(() => ["kill", refused("process.kill of the server itself")]),
    ["is alive", true],
    ["close 2", "nothing"],
    ["closed 0"],
    ["close 0", "nothing"],
    ["close a file", "nothing"],
    ["it is closed", expect.stringContaining("EBADF")],
    ["it is closed too", expect.stringContaining("EBADF")],
    ["stray", "Error: nobody caught"],
    ["stray", "Error: nobody waited"],
    ["exit", 3, "guarded-process.ts"],
  ]);
  expect(code).toBe(3);
});

test.each([
  ["exit without a code ends with the one that was set", "default", 5],
  ["closing the worker is an exit", "close", 0],
])("%s", async (_, how, wanted) => {
  const { code, said } = await guarded(how);
  expect(said.at(-1)).toEqual(["exit", wanted, "guarded-process.ts"]);
  expect(code).toBe(wanted);
});
