// What whoever makes again what was lost gets of a session, and what becomes of what it brings.
import { expect, test } from "bun:test";
import type { StoredSession } from "../../../src/runtime/events/transcripts.ts";
import { createPast, createTranscriptRuntime } from "../../../src/runtime/events/transcripts.ts";
import type { PastEvent } from "../../../src/runtime/journal/events.ts";
import type { Journal } from "../../../src/runtime/journal/journal.ts";
import type { Worker } from "../../../src/runtime/worker/worker.ts";
import { clientEvent } from "../../support/client-events.ts";

const event = (seq: number, name: string, promptNumber: number, part: Partial<PastEvent> = {}) =>
  ({
    ...{ seq, key: `k${seq}`, name, promptNumber, receivedAt: seq, spoken: false, bytes: 1 },
    ...{ outcome: "stored", observations: [], isWhole: true, isAgain: false, ...part },
  }) as unknown as PastEvent;
const events = [
  event(1, "UserPromptSubmit", 1),
  event(2, "Stop", 1, { spoken: true }),
  event(3, "UserPromptSubmit", 2, { isWhole: false }),
  event(4, "UserPromptSubmit", 3),
  event(5, "PostToolUse", 3, { outcome: null }),
];
const clients = new Map([
  [7, "other"],
  [8, "claude-code"],
]);

function open(part: Partial<Journal> = {}) {
  const calls: unknown[] = [];
  const journal = {
    rows: (session: string) => (session === "s1" ? [...clients.keys()] : []),
    state: (row: number) => ({ client: clients.get(row), prompts: 4, summarizedSeq: 0 }),
    pastEvents: (row: number) => (row === 8 ? events : []),
    prompt: (_row: number, number: number) => ({
      event: clientEvent("UserPromptSubmit", { prompt: `prompt ${number}`, time: number }),
    }),
    isForgotten: (row: number, number: number) => row === 8 && number === 2,
    hasOpenWork: (row: number) => row === 8,
    addPast: (...given: unknown[]) => calls.push(["add", ...given]),
    again: (...given: unknown[]) => calls.push(["again", ...given]),
    ...part,
  } as unknown as Journal;
  const worker = { wake: (...given: unknown[]) => calls.push(["wake", ...given]) };
  const past = createPast(journal, worker as unknown as Worker, async (one) =>
    one.key === "dropped" ? ({ drop: "skip list" } as never) : ({ event: one } as never),
  );
  return { past, calls };
}
const name = { session: "s1", client: "claude-code" };
const stranger = { session: "s2", client: "claude-code" };

test("prompts whose texts are there come with them, those that wait and were forgotten are known", () => {
  const { past } = open();
  const { texts, count, whole, waiting, isForgotten } = past.prompts(name);
  expect(texts.map(({ number, text, time }) => [number, text, time])).toEqual([
    [1, "prompt 1", 1],
    [3, "prompt 3", 3],
  ]);
  expect([count, [...whole], [...waiting]]).toEqual([4, [1, 3], [3]]);
  expect([isForgotten(1), isForgotten(2)]).toEqual([false, true]);
});

test("of a session that the journal does not know there is nothing", () => {
  const { past, calls } = open();
  const { texts, count, whole, waiting, isForgotten } = past.prompts(stranger);
  expect([texts, count, whole.size, waiting.size, isForgotten(2)]).toEqual([[], 0, 0, 0, false]);
  expect([past.isOpen(stranger), past.isOpen(name)]).toEqual([false, true]);
  expect(past.isOpen({ session: "s1", client: "other" })).toBe(false);
  expect(past.makeAgain(stranger, {} as StoredSession, "now")).toBe(0);
  expect(calls).toEqual([]);
});

test("what a transcript brings goes through capture, under keys of its own", async () => {
  const { past, calls } = open();
  const brought = ["taken", "dropped"].map((key) => clientEvent("UserPromptSubmit", { key }));
  expect(await past.add(2, brought)).toBe(true);
  expect(calls).toMatchObject([["add", 2, [{ key: expect.stringMatching(/.taken$/) }]]]);
  expect(JSON.stringify(calls)).not.toContain("dropped");
  const { past: refusing } = open({ addPast: () => undefined });
  expect(await refusing.add(2, brought)).toBe(false);
});

test("what storage lacks is planned, and its session worked on later; nothing where nothing is lacking", () => {
  const { past, calls } = open();
  const all = new Set([1, 2, 3]);
  const stored: StoredSession = {
    ...{ prompts: all, turns: all, summaries: new Set(), observed: all },
    ...{ observations: new Set(), isKnown: true, isSummed: true },
  };
  expect(past.makeAgain(name, stored, "now")).toBe(1);
  expect(calls).toMatchObject([
    ["again", 8, [{ kind: "summarize-prompt", promptNumber: 1, seqs: [2] }]],
    ["wake", "s1", { row: 8, later: true }],
  ]);
  calls.length = 0;
  expect(past.makeAgain(name, { ...stored, summaries: all }, "now")).toBe(0);
  expect(calls).toEqual([]);
});

test("an event of a transcript that capture drops is counted by its reason, as a hook's is", async () => {
  const counts: string[] = [];
  const journal = { knownKey: () => undefined, count: (name: string) => counts.push(name) };
  const { recover } = createTranscriptRuntime(
    journal as unknown as Journal,
    {} as Worker,
    async () => ({ drop: "skip list" }) as never,
  );
  expect(await recover([clientEvent("UserPromptSubmit", { key: "k" })])).toEqual(["dropped"]);
  expect(counts).toEqual(["drop:skip list"]);
});
