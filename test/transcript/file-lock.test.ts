// A lock file: one owner at a time, and what becomes of it when the owner is gone.
import { describe, expect, test } from "bun:test";
import { mkdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { isAlive, takeLock } from "../../src/transcript/in-use.ts";
import { inFolder } from "../support/in-folder.ts";

describe("a lock", () => {
  const withLock = (work: (path: string) => Promise<void>) =>
    inFolder((folder) => work(join(folder, "locks", "one.lock")));
  const made = async (path: string, owner: string) => {
    await mkdir(join(path, ".."), { recursive: true });
    await writeFile(path, owner);
  };

  test("is one's own until it is freed, and names its owner", () =>
    withLock(async (path) => {
      const free = await takeLock(path);
      expect(await readFile(path, "utf8")).toBe(String(process.pid));
      expect(await takeLock(path)).toBeUndefined();
      await free?.();
      const again = await takeLock(path);
      expect(again).toBeFunction();
      await again?.();
    }));

  test.each<[string, string, number, boolean]>([
    ["of somebody who lives", String(process.ppid), 0, false],
    ["of somebody who is gone", "999999999", 0, true],
    ["of a dead process that had our number", String(process.pid), 0, true],
    ["that is just being made", "", 0, false],
    ["that is older than ten minutes", String(process.ppid), 601, true],
    ["that is nearly so old", String(process.ppid), 590, false],
  ])("one %s", (_, owner, seconds, gives) =>
    withLock(async (path) => {
      await made(path, owner);
      const then = Date.now() / 1_000 - seconds;
      await utimes(path, then, then);
      const free = await takeLock(path);
      expect(free !== undefined).toBe(gives);
      await free?.();
    }),
  );

  test.skipIf(process.platform !== "linux")("one of a killed process that nobody waited for", () =>
    withLock(async (path) => {
      // The shell becomes a program that never asks what became of its child, which ends only then.
      const waits = "until grep -q sleep /proc/$PPID/comm; do sleep 0.01; done";
      const parent = Bun.spawn(["sh", "-c", `sh -c '${waits}' & echo $!; exec sleep 30`]);
      const { value } = await parent.stdout.getReader().read();
      const child = Number(new TextDecoder().decode(value));
      const state = async () => await readFile(`/proc/${child}/stat`, "utf8");
      while (!(await state()).includes(") Z ")) await Bun.sleep(5);
      await made(path, String(child));
      const free = await takeLock(path);
      expect(free).toBeFunction();
      await free?.();
      expect(isAlive(child)).toBe(false);
      parent.kill();
    }),
  );

  test("a process lives, or does not", () => {
    expect([isAlive(process.pid), isAlive(999_999_999)]).toEqual([true, false]);
  });
});
