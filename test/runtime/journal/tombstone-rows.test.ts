// What each kind of thing that was forgotten is known again by, to the moment; and the copy of it beside the journal.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, openDatabase } from "../../../src/host/sqlite.ts";
import { fateOf } from "../../../src/runtime/journal/seen-before.ts";
import {
  bury,
  type Forgotten,
  isBuried,
  readCopy,
  tombstoneTables,
  writeCopy,
} from "../../../src/runtime/journal/tombstones.ts";
import { clientEvent, toolEvent } from "../../support/client-events.ts";

let folder: string;
let copy: string;
let db: Database;
const fresh = async () => {
  const made = await openDatabase(":memory:");
  made.exec(tombstoneTables);
  return made;
};
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "memoir-tombstones-"));
  copy = join(folder, "forgotten");
  db = await fresh();
});
afterEach(async () => {
  db.close();
  await rm(folder, { recursive: true });
});

const minute = 60_000;
const time = 100 * minute;
const prompt = {
  kind: "prompt",
  client: "c",
  session: "s1",
  time,
  text: "Feed the Wombat",
} as const;
const session = { kind: "session", client: "c", session: "s1", until: 500 } as const;
const record = { kind: "record", of: "turn", project: "p", text: "a\nb" } as const;
const known = (one: Forgotten, asked: object) => {
  bury(db, [one]);
  return isBuried(db, { ...one, ...asked } as Forgotten);
};

test.each<[string, Forgotten, object, boolean]>([
  ["a prompt in other case and spacing", prompt, { text: " feed  THE\nwombat " }, true],
  ["a prompt of the minute before", prompt, { time: time - minute }, true],
  ["a prompt of the minute after, to its end", prompt, { time: time + 2 * minute - 1 }, true],
  ["no prompt of two minutes later", prompt, { time: time + 2 * minute }, false],
  ["no prompt of two minutes before", prompt, { time: time - minute - 1 }, false],
  ["no other prompt", prompt, { text: "feed the wombats" }, false],
  ["no prompt of another session", prompt, { session: "s2" }, false],
  ["no prompt of another client", prompt, { client: "d" }, false],
  ["a session up to its moment", session, { until: 500 }, true],
  ["no session that went on", session, { until: 501 }, false],
  ["no session of another client", session, { client: "d" }, false],
  ["a tool use", { kind: "tool-use", client: "c", toolUseId: "t1" }, {}, true],
  [
    "no tool use of another client",
    { kind: "tool-use", client: "c", toolUseId: "t1" },
    { client: "d" },
    false,
  ],
  ["a prompt by its id", { kind: "prompt-id", client: "c", session: "s", promptId: "p" }, {}, true],
  [
    "no other prompt id",
    { kind: "prompt-id", client: "c", session: "s", promptId: "p" },
    { promptId: "q" },
    false,
  ],
  [
    "no prompt id of another session",
    { kind: "prompt-id", client: "c", session: "s", promptId: "p" },
    { session: "r" },
    false,
  ],
  ["a record for good", record, {}, true],
  ["a record of any time, where it has none", record, { until: 9 }, true],
  ["a record up to its moment", { ...record, until: 9 }, { until: 9 }, true],
  ["no record of later", { ...record, until: 9 }, { until: 10 }, false],
  ["no record of another kind", record, { of: "prompt" }, false],
  ["no record of another project", record, { project: "q" }, false],
])("known again is %s", (_, one, asked, expected) => {
  expect(known(one, asked)).toBe(expected);
});

test("where nothing was forgotten nothing is known, and no salt is made", () => {
  expect(isBuried(db, prompt)).toBe(false);
  expect(fateOf(db, clientEvent("UserPromptSubmit", {}))).toBeUndefined();
  expect(db.prepare("SELECT salt FROM home_salt").get()).toBeUndefined();
});

test("a session that is forgotten again is so up to the later moment, never an earlier one", () => {
  for (const until of [500, 900, 700]) bury(db, [{ ...session, until }]);
  expect([
    isBuried(db, { ...session, until: 900 }),
    isBuried(db, { ...session, until: 901 }),
  ]).toEqual([...[true, false]]);
});

test("an event is gone with its session or tool use, and begins a prompt that was forgotten by its words or its id", () => {
  const about = { client: "c", session: "s1", time };
  const typed = (more: object = {}) =>
    clientEvent("UserPromptSubmit", { ...about, prompt: "feed the wombat", ...more });
  bury(db, [
    prompt,
    { kind: "prompt-id", client: "c", session: "s1", promptId: "p1" },
    { kind: "tool-use", client: "c", toolUseId: "t1" },
    { ...session, session: "s2", until: time },
  ]);
  expect(fateOf(db, typed())).toBe("prompt");
  expect(fateOf(db, typed({ prompt: "edited", promptId: "p1" }))).toBe("prompt");
  expect(fateOf(db, typed({ prompt: "edited", promptId: "p2" }))).toBeUndefined();
  expect(fateOf(db, typed({ prompt: "edited" }))).toBeUndefined();
  expect(fateOf(db, typed({ session: "s2" }))).toBe("gone");
  expect(fateOf(db, typed({ session: "s2", time: time + 1 }))).toBeUndefined();
  expect(fateOf(db, { ...toolEvent("t1"), ...about })).toBe("gone");
  expect(fateOf(db, { ...toolEvent("t2"), ...about })).toBeUndefined();
  expect(fateOf(db, clientEvent("Stop", about))).toBeUndefined();
});

test("a copy brings what another journal of the home knew, once; an empty one is not written", async () => {
  await writeCopy(db, copy);
  expect(existsSync(copy)).toBe(false);
  bury(db, [prompt, session]);
  await writeCopy(db, copy);
  const other = await fresh();
  expect(readCopy(other, copy).isBehind).toBe(true);
  expect([isBuried(other, prompt), isBuried(other, session)]).toEqual([true, true]);
  expect(isBuried(other, { ...session, until: 501 })).toBe(false);
  expect(readCopy(other, copy).isBehind).toBe(false);
  other.close();
});

test("a copy of another home, without a salt, or missing, brings nothing; of a torn one the whole lines count", async () => {
  expect(readCopy(db, copy).isBehind).toBe(false);
  const foreign = await fresh();
  bury(foreign, [prompt]);
  await writeCopy(foreign, copy);
  bury(db, [session]);
  expect([readCopy(db, copy).isBehind, isBuried(db, prompt)]).toEqual([false, false]);
  const text = await Bun.file(copy).text();
  const [salt = "", line = ""] = text.split("\n");
  const own = await fresh();
  for (const torn of [
    "",
    "salt xyz\n",
    `${line}\n`,
    `${salt}0\n${line}\n`,
    ` ${salt}\n${line}\n`,
  ]) {
    await writeFile(copy, torn);
    expect([torn, readCopy(own, copy).isBehind]).toEqual([torn, false]);
  }
  await writeFile(copy, `${salt}\n${line}x\n${line} x\n ${line}\n${line.slice(1)}\n`);
  expect([readCopy(own, copy).isBehind, isBuried(own, prompt)]).toEqual([false, false]);
  await writeFile(copy, `${salt}\n${line}\n${line.slice(4)}`);
  expect([readCopy(own, copy).isBehind, isBuried(own, prompt)]).toEqual([true, true]);
  foreign.close();
  own.close();
});
