// What holds for every rewrite, also of damaged files and recorded ones: nothing else changes, twice is once, undone is the original.
import { describe, expect, test } from "bun:test";
import { Buffer } from "node:buffer";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  conversationOf,
  indexTranscript,
  type RewriteIndex,
} from "../../src/transcript/rewrite-index.ts";
import { mutated, randomNumbers } from "../support/mutations.ts";
import { type RewriteCase, rewriteRoom } from "../support/rewrite-lines.ts";

const cases = join(import.meta.dirname, "rewrite-cases");
const recorded = join(import.meta.dirname, "../../../shared/data/transcripts");

/** Rewrites, and holds old and new against each other by means that the rewrite itself does not use. */
async function checkRewritten(bytes: Buffer, wanted: RewriteCase): Promise<number> {
  const room = await rewriteRoom(bytes);
  try {
    const ids = (await indexOf(bytes)).entries.flatMap(({ uses }) => uses.map(({ id }) => id));
    // Every tool use that was cleared gets its observation.
    const fetches = ids.map((id) => ({ ids: [`o-${id}`], toolUseIds: [id], text: `Saw ${id}.` }));
    const done = await room.rewrite({ ...wanted, fetches });
    const made = await room.bytes();
    if (!done.done) {
      expect(done.reason).toBe("nothing to change");
      expect(made.equals(bytes)).toBeTrue();
      return 0;
    }
    const [before, after] = await Promise.all([indexOf(bytes), indexOf(made)]);
    const pairs = (after.entries.length - before.entries.length) / 2;
    expect(after.fetched.size - before.fetched.size).toBe(done.records.length);
    expectOnlyPlanned(bytes, made, done.cleared.length, pairs);
    expectSameConversation(before, after);
    const again = await room.rewrite({ ...wanted, fetches });
    expect(again).toEqual({ done: false, reason: "nothing to change" });
    expect((await room.bytes()).equals(made)).toBeTrue();
    expect((await room.restore()).state).toBe("restored");
    expect((await room.bytes()).equals(bytes)).toBeTrue();
    return done.cleared.length;
  } finally {
    await room.close();
  }
}

const indexOf = (bytes: Buffer): Promise<RewriteIndex> => indexTranscript([bytes]);
const linesOf = (bytes: Buffer) => bytes.toString("latin1").split("\n");

/** Lines that went are as many as were cleared or relinked, lines that came too, and two for each pair. */
function expectOnlyPlanned(before: Buffer, after: Buffer, cleared: number, pairs: number): void {
  const counts = new Map<string, number>();
  for (const line of linesOf(before)) counts.set(line, (counts.get(line) ?? 0) + 1);
  const added: string[] = [];
  for (const line of linesOf(after)) {
    const left = counts.get(line) ?? 0;
    if (left > 0) counts.set(line, left - 1);
    else added.push(line);
  }
  const gone = [...counts.values()].reduce((sum, count) => sum + count, 0);
  expect(gone).toBeLessThanOrEqual(cleared + pairs);
  expect(added.length).toBe(gone + 2 * pairs);
  for (const line of added) expect(() => JSON.parse(line)).not.toThrow();
}

/** The chain is what it was, with pairs in it; every tool use of it that had a result has it. */
function expectSameConversation(before: RewriteIndex, after: RewriteIndex): void {
  expect(after.broken).toBe(before.broken);
  const own = conversationOf(after).filter(({ uuid }) => before.byUuid.has(uuid ?? ""));
  expect(own.map(({ uuid }) => uuid)).toEqual(conversationOf(before).map(({ uuid }) => uuid));
  const results = new Set(after.entries.flatMap(({ results }) => results));
  const pairs = conversationOf(after).filter(({ uuid }) => !before.byUuid.has(uuid ?? ""));
  for (const { uses } of pairs) for (const { id } of uses) expect(results.has(id)).toBeTrue();
}

describe("a rewrite", () => {
  test("of damaged transcripts changes what it says and nothing else", async () => {
    const inputs = readdirSync(cases).map((name) => ({
      bytes: readFileSync(join(cases, name, "input.jsonl")),
      wanted: JSON.parse(readFileSync(join(cases, name, "case.json"), "utf8")) as RewriteCase,
    }));
    const random = randomNumbers(3);
    let cleared = 0;
    for (let n = 0; n < 150; n++) {
      const { bytes, wanted } = inputs[n % inputs.length] ?? { bytes: Buffer.of(), wanted: {} };
      // Copies change further lines; the golden folders show which.
      cleared += await checkRewritten(mutated(bytes, random), { ...wanted, copies: false });
    }
    expect(cleared).toBeGreaterThan(20);
  }, 180_000);

  test.skipIf(!existsSync(recorded))(
    "of recorded transcripts changes what it says and nothing else",
    async () => {
      const names = readdirSync(recorded, { recursive: true })
        .map(String)
        .filter((name) => name.endsWith(".jsonl"));
      let cleared = 0;
      for (const name of names) {
        const bytes = readFileSync(join(recorded, name));
        const keepTurns = name.includes("agent-") ? 0 : 1;
        cleared += await checkRewritten(bytes, { keepTurns });
      }
      expect(cleared).toBeGreaterThan(100);
      if (process.env.KILLS) console.log(`${names.length} transcripts, ${cleared} inputs cleared`);
    },
    300_000,
  );
});
