// What a session that starts is told of its project's plugins, and what becomes of those that are not what was allowed.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoirPaths } from "../../../src/home/paths.ts";
import {
  localNotice,
  takeSnapshot,
  trustSnapshot,
} from "../../../src/runtime/plugins/project-plugins.ts";
import type { ClientEvent } from "../../../src/sdk/events.ts";
import { clientEvent } from "../../support/client-events.ts";
import { memoryLog } from "../../support/hooks.ts";

let room: string;
let home: string;
beforeEach(async () => {
  room = await realpath(await mkdtemp(join(tmpdir(), "memoir-announce-")));
  home = join(room, "home");
  await mkdir(home);
});
afterEach(() => rm(room, { recursive: true, force: true }));

async function project(name: string, text = "export default 1;"): Promise<string> {
  const folder = join(room, name, ".memoir/plugins");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "a.ts"), text);
  return folder;
}
const trust = async (folder: string) =>
  trustSnapshot(home, folder, await takeSnapshot(folder), { project: "shop", now: 1 });

/** What a session is told that starts in this project; how often plugins in force were put out of it. */
function announcing() {
  let changes = 0;
  const log = memoryLog();
  const options = {
    paths: memoirPaths(home),
    userHome: room,
    log,
    changed: async () => void changes++,
  };
  const announce = (event: ClientEvent) => localNotice(event, options);
  const start = (name: string, more = {}) =>
    announce(clientEvent("SessionStart", { cwd: join(room, name), ...more }));
  return { start, announce, log, changes: () => changes };
}
const brings =
  "memoir: this project brings plugins in `.memoir/plugins`; they do not run. Look at them, then `memoir plugin trust` if they shall.";
const changed =
  "memoir: this project's plugins changed since you allowed them, so they do not run. Look at `.memoir/plugins`, then `memoir plugin trust`";

test("plugins that nobody allowed are announced once, and again when they are others", async () => {
  const folder = await project("shop");
  const { start, changes } = announcing();
  expect([await start("shop"), await start("shop")]).toEqual([brings, undefined]);
  await writeFile(join(folder, "a.ts"), "export default 2;");
  expect(await start("shop")).toBe(brings);
  expect(changes()).toBe(0);
});

test("plugins that changed since they were allowed are put out of force, each time, and announced once", async () => {
  const folder = await project("shop");
  await trust(folder);
  const { start, changes } = announcing();
  expect([await start("shop"), changes()]).toEqual([undefined, 0]);
  await writeFile(join(folder, "a.ts"), "export default 2;");
  expect(await start("shop")).toStartWith(changed);
  expect(await start("shop")).toBeUndefined();
  expect(changes()).toBe(2);
  // What cannot be looked at is not what was allowed either.
  await symlink(folder, join(folder, "again"));
  expect(await start("shop")).toStartWith(changed);
  expect(changes()).toBe(3);
});

test("nobody hears of it at other events, in projects without plugins, or from a transcript", async () => {
  await project("shop");
  const { start, announce } = announcing();
  expect(await start("elsewhere")).toBeUndefined();
  expect(await start("shop", { recovered: { modelFree: false } })).toBeUndefined();
  expect(await announce(clientEvent("Stop", { cwd: join(room, "shop") }))).toBeUndefined();
});

test("a list that cannot be read costs a line in the log, not the start", async () => {
  await project("shop");
  await writeFile(join(home, "trust.json"), "no json");
  const { start, log } = announcing();
  expect(await start("shop")).toBeUndefined();
  expect(log.lines.map(({ message }) => message)).toEqual([
    "a project's plugins were not looked at",
  ]);
});
