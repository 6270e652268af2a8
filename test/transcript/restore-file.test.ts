// Giving a rewritten transcript back: byte for byte, with what came since behind it; what was changed otherwise stays.
import { describe, expect, test } from "bun:test";
import { appendFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { restoreFile } from "../../src/transcript/rewrite-file.ts";
import { undoRecords } from "../../src/transcript/undo-log.ts";
import { largeTranscript } from "../support/large-transcript.ts";
import { type RewriteRoom, rewriteRoom } from "../support/rewrite-lines.ts";

const text = largeTranscript(30_000, 2_000);
const later = (parent: string, uuid = "later") =>
  `{"parentUuid":"${parent}","type":"user","message":{"role":"user","content":"é 😀"},"uuid":"${uuid}"}\n`;
const last = `u${text.split("\n").length - 1}`;
const fetches = [
  { ids: ["o1"], text: "Observed.", toolUseIds: ["t0"] },
  { ids: ["o2"], text: "Observed.", toolUseIds: ["t2"] },
];

async function inRoom(use: (room: RewriteRoom) => Promise<void>): Promise<void> {
  const room = await rewriteRoom(text);
  try {
    await use(room);
  } finally {
    await room.close();
  }
}

/** The uuid of the result that was put in for these records. */
async function injected(room: RewriteRoom, id: string): Promise<string> {
  const lines = (await room.bytes()).toString().split("\n");
  const at = lines.findIndex((line) => line.includes(`"ids":["${id}"]`));
  return JSON.parse(lines[at + 1] ?? "").uuid;
}

describe("restoreFile", () => {
  test("several rewrites, with entries appended between and after", () =>
    inRoom(async (room) => {
      await room.rewrite({ keepTurns: 3, fetches });
      await appendFile(room.path, later(last));
      expect((await room.rewrite({ keepTurns: 1, fetches })).done).toBeTrue();
      await appendFile(room.path, later("later", "later2"));
      expect(await room.restore()).toMatchObject({ state: "restored", rewrites: 2 });
      expect((await room.bytes()).toString()).toBe(text + later(last) + later("later", "later2"));
    }));

  test("an entry that follows an inserted one follows the entry before it again", () =>
    inRoom(async (room) => {
      await room.rewrite({ fetches });
      await appendFile(room.path, later(await injected(room, "o1")));
      expect(await room.restore()).toMatchObject({ state: "restored" });
      // The result of t0, which the pair stood behind.
      expect((await room.bytes()).toString()).toBe(text + later("u4"));
    }));

  test("a torn line that the client left is not touched", () =>
    inRoom(async (room) => {
      await room.rewrite();
      await appendFile(room.path, later("u1").slice(0, 30));
      expect(await room.restore()).toMatchObject({ state: "restored" });
      expect((await room.bytes()).toString()).toBe(text + later("u1").slice(0, 30));
    }));

  test("a file that was changed otherwise stays, and says so", () =>
    inRoom(async (room) => {
      await room.rewrite();
      const changed = (await room.bytes()).toString().replace("Turn 0", "Turn X");
      await writeFile(room.path, changed);
      expect(await room.restore()).toMatchObject({
        state: "refused",
        reason: "the file was changed by something else since",
      });
      expect((await room.bytes()).toString()).toBe(changed);
    }));

  test("a file that is gone, an undo log that is damaged, a client that has it open", () =>
    inRoom(async (room) => {
      await room.rewrite();
      const rewritten = await room.bytes();
      const place = join(room.undo, "s1/s1");
      const busy = await restoreFile(place, { mayReplace: async () => false, drainMs: 0 });
      expect(busy).toMatchObject({ state: "refused", reason: "a client has it open" });
      expect(await room.bytes()).toEqual(rewritten);
      await rm(room.path);
      expect(await room.restore()).toMatchObject({ state: "refused", reason: "the file is gone" });
      await writeFile(join(place, "000001.json.gz"), "damaged");
      expect(await room.restore()).toMatchObject({
        state: "refused",
        reason: "its undo log cannot be read",
      });
    }));

  test("a rewrite that never took place is passed over", () =>
    inRoom(async (room) => {
      await room.rewrite();
      await writeFile(room.path, text);
      expect(await room.restore()).toMatchObject({ state: "nothing", rewrites: 0 });
      expect((await room.bytes()).toString()).toBe(text);
    }));

  test("in a dry run nothing changes, and it says the same", () =>
    inRoom(async (room) => {
      await room.rewrite({ keepTurns: 3, fetches });
      await room.rewrite({ keepTurns: 1, fetches });
      const rewritten = await room.bytes();
      const place = join(room.undo, "s1/s1");
      const planned = await restoreFile(place, { dryRun: true, mayReplace: async () => false });
      expect(await room.bytes()).toEqual(rewritten);
      expect(planned.rewrites).toBe(2);
      expect(await room.restore()).toEqual(planned);
    }));

  test("a rewrite that never took place is let go of, but not in a dry run", () =>
    inRoom(async (room) => {
      const place = join(room.undo, "s1/s1");
      expect((await room.rewrite({ keepTurns: 3, fetches })).done).toBeTrue();
      await writeFile(room.path, text);
      const mayReplace = async () => true;
      for (const dryRun of [true, true, false]) {
        expect(await undoRecords(place)).toHaveLength(1);
        expect(await restoreFile(place, { dryRun, mayReplace })).toMatchObject({
          ...{ state: "nothing", rewrites: 0, bytes: 0 },
        });
      }
      expect(await undoRecords(place)).toEqual([]);
    }));

  test("where an older rewrite cannot be taken back, it says how many newer ones were", () =>
    inRoom(async (room) => {
      await room.rewrite({ keepTurns: 3, fetches });
      await room.rewrite({ keepTurns: 1, fetches });
      const place = join(room.undo, "s1/s1");
      let asked = 0;
      const mayReplace = async () => {
        asked++;
        return asked === 1;
      };
      const restored = await restoreFile(place, { mayReplace, drainMs: 0 });
      expect(restored).toMatchObject({
        ...{ state: "refused", rewrites: 1, path: room.path, reason: "a client has it open" },
      });
      expect(restored.bytes).toBeGreaterThan(0);
      expect(await undoRecords(place)).toHaveLength(1);
    }));
});
