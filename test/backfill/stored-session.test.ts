// What storage has of one session, by prompt: its own records and no other's.
import { expect, test } from "bun:test";
import { readStored } from "../../src/backfill/add-missing.ts";
import { MemoirError } from "../../src/sdk/errors.ts";
import type { Session } from "../../src/sdk/model.ts";
import { observation, prompt, session, summary } from "../support/records.ts";
import { turn } from "../support/turns.ts";

const own = { session: "s1", client: "claude-code" };
const records: Record<string, unknown[]> = {
  "storage.prompts": [
    prompt("p2", { ...own, promptNumber: 2, text: "As stored", time: 20 }),
    prompt("p9", { ...own, session: "s10", promptNumber: 9 }),
    prompt("p8", { ...own, client: "other", promptNumber: 8 }),
  ],
  "storage.turns": [
    turn(1, [["prompt", "Of its turn"]], { ...own, startedAt: 10 }),
    turn(2, [["prompt", "Shortened"]], { ...own, startedAt: 21 }),
    turn(3, [["closing", "Without"]], { ...own, startedAt: 30 }),
  ],
  "storage.summaries": [
    summary("y1", { ...own, scope: "prompt", promptNumber: 2 }),
    summary("y2", { ...own, scope: "session", promptNumber: 3 }),
  ],
  "storage.observations": [observation("o1", { ...own, promptNumber: 3 })],
};
const read = (known?: Session, found = records, failure?: Error) =>
  readStored(
    {
      first: (async (name: string) => {
        if (failure) throw failure;
        return { result: found[name] ?? [], plugin: "s" };
      }) as never,
    },
    own,
    known,
  );

test("records are counted by prompt, another session's or client's are not its own", async () => {
  expect(await read(session("s1", { title: "Cart" }))).toEqual({
    ...{ prompts: new Set([2]), turns: new Set([1, 2, 3]), summaries: new Set([2]) },
    ...{ observed: new Set([3]), observations: new Set(["o1"]), isKnown: true, isSummed: true },
    texts: [
      { number: 1, text: "Of its turn", time: 10 },
      { number: 2, text: "As stored", time: 20 },
    ],
    records: 7,
  });
});

test("a session without a title, or that is not listed, is not known; without a summary not summed up", async () => {
  const { "storage.summaries": summaries = [], ...others } = records;
  const unsummed = { ...others, "storage.summaries": summaries.slice(0, 1) };
  expect((await read(undefined, unsummed)).isKnown).toBe(false);
  const untitled = await read(session("s1", { title: "" }), unsummed);
  expect([untitled.isKnown, untitled.isSummed]).toEqual([false, false]);
});

test("one whose id only begins others' has nothing; any other failure is told", async () => {
  const ambiguous = new MemoirError("session_ambiguous", "s1 begins two");
  expect(await read(undefined, records, ambiguous)).toMatchObject({ records: 0, texts: [] });
  const locked = new MemoirError("storage_unanswered", "locked");
  await expect(read(undefined, records, locked)).rejects.toThrow("locked");
});
