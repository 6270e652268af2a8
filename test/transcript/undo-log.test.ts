// The undo log's own housekeeping: what cannot be needed any more goes, what may be needed stays.
import { expect, test } from "bun:test";
import { readdir, rename, rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import { pruneUndo, undoPlace, undoPlaces } from "../../src/transcript/undo-log.ts";
import { largeTranscript } from "../support/large-transcript.ts";
import { rewriteRoom } from "../support/rewrite-lines.ts";

const week = 7 * 86_400_000;

test("records go once their transcript is gone for good", async () => {
  const room = await rewriteRoom(largeTranscript(10_000, 2_000));
  try {
    await room.rewrite();
    const later = Date.now() + 2 * week;
    const prune = (now = later) => pruneUndo(room.undo, now, week);
    expect(await prune()).toBe(0);
    await rename(room.path, `${room.path}.aside`);
    expect(await prune(Date.now())).toBe(0);
    expect((await undoPlaces(room.undo, "s1")).length).toBe(1);
    expect(await prune()).toBe(1);
    expect(await readdir(room.undo)).toEqual([]);
  } finally {
    await room.close();
  }
});

test("records stay while the folder of their transcript is away, a disk not mounted", async () => {
  const room = await rewriteRoom(largeTranscript(10_000, 2_000));
  const other = await rewriteRoom("");
  try {
    await room.rewrite();
    await rename(room.undo, join(other.folder, "undo"));
    await rm(room.folder, { recursive: true });
    expect(await pruneUndo(other.undo, Date.now() + 2 * week, week)).toBe(0);
    const [place = ""] = await undoPlaces(other.undo, "s1");
    await utimes(place, 0, 0);
    expect(await readdir(place)).toEqual(["000001.json.gz", "path"]);
  } finally {
    await other.close();
    await room.close();
  }
});

test("a session's id that is no file name leads nowhere", async () => {
  expect(() => undoPlace("/undo", "../x", "/a/b.jsonl")).toThrow(RangeError);
  expect(await undoPlaces("/undo", "../../etc")).toEqual([]);
});
