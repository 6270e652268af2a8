// What a person who waits for a server is told: the step that the starting marker names, and nothing that only looks like one.
import { expect, test } from "bun:test";
import { utimes, writeFile } from "node:fs/promises";
import { memoirPaths } from "../../../src/home/paths.ts";
import { acquireLock } from "../../../src/server/life/lock.ts";
import {
  noteStarting,
  startingStep,
  startMarker,
  startServer,
} from "../../../src/server/life/start-server.ts";
import { inFolder } from "../../support/in-folder.ts";

test("the step of a server that is coming up, whatever stands in its file", () =>
  inFolder(async (home) => {
    const paths = memoirPaths(home);
    expect(await startingStep(paths)).toBeUndefined();
    const lock = await acquireLock(paths.serverLock);
    expect(await startingStep(paths)).toBe("starting");
    await noteStarting(paths, "opening 3 GB of memory…");
    expect(await startingStep(paths)).toBe("starting: opening 3 GB of memory…");
    for (const odd of [
      "7\n\u001b[2Jgone\n",
      "7\nhalf a li",
      `7\n${"x".repeat(300)}\n`,
      "\0\0\n\0\n",
    ]) {
      await writeFile(startMarker(paths), odd);
      expect(await startingStep(paths)).toBe("starting");
    }
    lock?.release();
  }));

test("a start of minutes is nobody else's to claim, and says what it does to the end", () =>
  inFolder(async (home) => {
    const paths = memoirPaths(home);
    const lock = await acquireLock(paths.serverLock);
    await noteStarting(paths, "opening its plugins");
    await utimes(startMarker(paths), 1, 1);
    expect(await startServer(paths, process.env, 0)).toBeUndefined();
    expect(await startingStep(paths)).toBe("starting: opening its plugins");
    lock?.release();
  }));
