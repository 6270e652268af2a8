// What one replacement of a small file leaves in each of its outcomes: the file, its times, its undo log, and nothing beside it.
import { expect, test } from "bun:test";
import {
  appendFile,
  mkdir,
  readdir,
  readFile,
  stat,
  truncate,
  utimes,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import {
  holds,
  type Replacement,
  recoverReplacement,
  replaceFile,
  stateOf,
} from "../../src/transcript/replace-file.ts";
import { notePending, readPending, readUndo, undoRecords } from "../../src/transcript/undo-log.ts";
import { inFolder } from "../support/in-folder.ts";

const old = '{"a":"long long long"}\n{"b":1}\n';
const made = '{"a":""}\n{"b":1}\n';
/** Takes the long value of the first line out. */
const splices = [{ at: 6, remove: 14, insert: new Uint8Array() }];

interface Room {
  path: string;
  place: string;
  replace(more?: Partial<Replacement>): ReturnType<typeof replaceFile>;
  /** What lies beside the file, and what its undo log holds. */
  left(): Promise<{ names: string[]; records: number; pending: boolean; text: string }>;
}

function withFile(work: (room: Room) => Promise<void>): Promise<void> {
  return inFolder(async (folder) => {
    const path = join(folder, "files", "s1.jsonl");
    const place = join(folder, "undo", "s1");
    await mkdir(join(folder, "files"));
    await writeFile(path, old);
    await utimes(path, new Date(1_000_000), new Date(2_000_000));
    await work({
      ...{ path, place },
      replace: async (more = {}) =>
        replaceFile({
          ...{ path, place, seen: await stateOf(path), end: old.length, splices },
          ...{ record: { session: "s1", at: 5, inserted: [] } },
          ...{ mayReplace: async () => true, live: false, drainMs: 0 },
          ...more,
        }),
      left: async () => ({
        names: await readdir(join(folder, "files")),
        records: (await undoRecords(place)).length,
        pending: (await readPending(place)) !== undefined,
        text: await readFile(path, "utf8"),
      }),
    });
  });
}
const asItWas = { names: ["s1.jsonl"], records: 0, pending: false, text: old };

test("a file is replaced, is no newer than it was, and can be undone", () =>
  withFile(async ({ path, place, replace, left }) => {
    expect(await replace()).toEqual({
      ...{ done: true, before: old.length, after: made.length, drained: 0 },
    });
    expect(await left()).toEqual({ names: ["s1.jsonl"], records: 1, pending: false, text: made });
    expect((await stat(path)).mtimeMs).toBe(2_000_000);
    const [name = ""] = await undoRecords(place);
    expect(await readUndo(place, name)).toMatchObject({
      ...{
        session: "s1",
        at: 5,
        path,
        before: { bytes: old.length },
        after: { bytes: made.length },
      },
      splices: [{ at: 6, remove: 0, insert: Buffer.from("long long long") }],
    });
  }));

test("without a record, as when it is undone, nothing is written into the undo log", () =>
  withFile(async ({ replace, left }) => {
    expect((await replace({ record: undefined as never })).done).toBe(true);
    expect(await left()).toMatchObject({ records: 0, pending: false, text: made });
  }));

test("what a check objects to is the reason, and all stays as it was; the check sees the new file", () =>
  withFile(async ({ replace, left }) => {
    let seen = "";
    const check: Replacement["check"] = async (draft, { before, after }) => {
      seen = await readFile(draft, "utf8");
      expect([before.bytes, after.bytes]).toEqual([old.length, made.length]);
      return "a parent is missing";
    };
    expect(await replace({ check })).toEqual({ done: false, reason: "a parent is missing" });
    expect([seen, await left()]).toEqual([made, asItWas]);
    expect((await replace({ check: async () => undefined })).done).toBe(true);
  }));

test("who has it open, and who works on it, is asked right before; the file stays", () =>
  withFile(async ({ place, replace, left }) => {
    const open = { done: false, reason: "a client has it open" } as const;
    expect(await replace({ mayReplace: async () => false })).toEqual(open);
    expect(await left()).toEqual(asItWas);
    await mkdir(place, { recursive: true });
    await writeFile(join(place, "lock"), `${process.ppid}`);
    expect(await replace()).toEqual({ done: false, reason: "another process works on it" });
    expect(await left()).toEqual(asItWas);
  }));

test.each<[string, (path: string) => Promise<unknown>, boolean, boolean]>([
  ["nothing happened", async () => {}, false, true],
  ["it was only touched", (path) => utimes(path, new Date(), new Date()), false, false],
  [
    "it was touched while a client may write",
    (path) => utimes(path, new Date(), new Date()),
    true,
    true,
  ],
  ["it was shortened while a client may write", (path) => truncate(path, 20), true, false],
  ["a line came", (path) => appendFile(path, '{"c":2}\n'), false, false],
  ["a line came while a client may write", (path) => appendFile(path, '{"c":2}\n'), true, true],
])("where %s before the step, it is replaced or left", (_, happen, live, done) =>
  withFile(async ({ path, replace, left }) => {
    const seen = await stateOf(path);
    const mayReplace = async () => {
      await happen(path);
      return true;
    };
    const result = await replace({ seen, live, mayReplace });
    expect(result.done).toBe(done);
    const now = await left();
    expect([now.names, now.pending, now.records]).toEqual([["s1.jsonl"], false, done ? 1 : 0]);
    if (!done) expect(result).toEqual({ done: false, reason: "the file changed meanwhile" });
    else expect(now.text).toStartWith(made);
    if (done && now.text.length > made.length) expect(now.text).toBe(`${made}{"c":2}\n`);
  }),
);

test("another file under its name is left alone before a byte is written", () =>
  withFile(async ({ path, replace, left }) => {
    const seen = { ...(await stateOf(path)), ino: 1n };
    expect(await replace({ seen })).toEqual({ done: false, reason: "the file changed meanwhile" });
    expect(await left()).toEqual(asItWas);
  }));

test("an error of the disk rejects, with the old file in place and nothing beside it", () =>
  withFile(async ({ replace, left }) => {
    const check: Replacement["check"] = () => Promise.reject(new Error("EIO"));
    await expect(replace({ check })).rejects.toThrow("EIO");
    expect(await left()).toEqual(asItWas);
    await expect(replace({ end: old.length + 50 })).rejects.toThrow();
    expect(await left()).toEqual(asItWas);
  }));

test("what was cut off before the step is taken back, also by the next replacement", () =>
  withFile(async ({ path, place, replace, left }) => {
    const cutOff = async () => {
      const pending = { path, draft: `${path}.x.memoir-new`, held: `${path}.x.memoir-old` };
      await writeFile(pending.draft, "half");
      await notePending(place, pending);
    };
    expect(await recoverReplacement(place)).toBeUndefined();
    await cutOff();
    expect(await recoverReplacement(place)).toEqual({ path, replaced: false, drained: 0 });
    expect(await left()).toEqual(asItWas);
    await cutOff();
    expect((await replace()).done).toBe(true);
    expect(await left()).toMatchObject({ names: ["s1.jsonl"], pending: false, text: made });
  }));

test("a file holds a stretch where its first bytes are exactly that", () =>
  withFile(async ({ path, place, replace }) => {
    await replace();
    const [name = ""] = await undoRecords(place);
    const { before, after } = (await readUndo(place, name)) ?? {};
    if (!before || !after) throw new Error("no record");
    expect([await holds(path, after), await holds(path, before)]).toEqual([true, false]);
    await appendFile(path, "more");
    expect(await holds(path, after)).toBe(true);
    await writeFile(path, made.replace("b", "c"));
    expect(await holds(path, after)).toBe(false);
  }));
