// What a session gained, by the usage that its client wrote down: the cache's prices, compaction, and what Endless Mode itself made dearer.

import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { estimateCost } from "../../../src/runtime/budget/prices.ts";
import {
  addGains,
  type CountedRequest,
  gainOf,
  type Moved,
} from "../../../src/runtime/endless/gain.ts";
import { outOf, replayed } from "../../replay/endless-money.ts";
import { readThreads, recordedRoot } from "../../replay/endless-threads.ts";

const model = "claude-opus-4-5";
const million = 1_000_000;
/** Dollars for one token of each kind. */
const [read, written, writtenLong] = [0.5 / million, 6.25 / million, 10 / million];

type Counts = [time: number, cacheRead: number, cacheWrite: number, more?: Partial<CountedRequest>];
const request = ([minute, cacheRead, cacheWrite, more]: Counts): CountedRequest => ({
  ...{ model, time: minute * 60_000 },
  usage: { input: 0, output: 10, cacheRead, cacheWrite },
  ...more,
});
const out = (minute: number, tokens: number, wasSent = false): Moved => ({
  ...{ at: minute * 60_000, tokens, wasSent },
});
const compacted = (byHand: boolean) => ({ compacted: { time: 150_000, tokens: 167_000, byHand } });

test.each<[string, Counts[], Moved[], number]>([
  ["nothing was left out", [[1, 0, 20_000]], [], 0],
  [
    "written once, then read as often as the session went on",
    [
      [1, 0, 20_000],
      [2, 20_000, 1_000],
      [3, 21_000, 1_000],
      [4, 22_000, 1_000],
    ],
    [out(1.5, 1_000)],
    1_000 * (written + 2 * read),
  ],
  [
    "written again where the cache had been forgotten",
    [
      [1, 0, 20_000],
      [2, 20_000, 1_000],
      [90, 0, 22_000],
    ],
    [out(1.5, 1_000)],
    1_000 * 2 * written,
  ],
  [
    "a beginning that all users share is read though the rest is written again",
    [
      [1, 15_000, 5_000],
      [2, 20_000, 1_000],
      [90, 15_000, 7_000],
    ],
    [out(1.5, 1_000)],
    1_000 * 2 * written,
  ],
  [
    "what is kept for an hour costs twice the input",
    [
      [1, 0, 20_000],
      [
        2,
        20_000,
        1_000,
        {
          usage: {
            input: 0,
            output: 1,
            cacheRead: 20_000,
            cacheWrite: 1_000,
            cacheWriteLong: 1_000,
          },
        },
      ],
    ],
    [out(1.5, 1_000)],
    1_000 * writtenLong,
  ],
  [
    "what came back was paid for and counts against it",
    [
      [1, 0, 20_000],
      [2, 20_000, 1_000],
      [3, 21_000, 2_000],
    ],
    [out(1.5, 1_000), out(2.5, -1_000)],
    1_000 * (written + read) - 1_000 * written,
  ],
  [
    "a batch of old results pays for the cache that it broke",
    [
      [1, 0, 50_000],
      [2, 10_000, 30_000],
      [3, 40_000, 100],
    ],
    [out(1.5, 10_000, true)],
    // 30,000 would have been read, and the 10,000 with them.
    -30_000 * (written - read) + 2 * 10_000 * read,
  ],
  [
    "with a cold cache a batch breaks nothing",
    [
      [1, 0, 50_000],
      [20, 0, 40_000],
    ],
    [out(19, 10_000, true)],
    10_000 * written,
  ],
  [
    "a compaction ends it",
    [
      [1, 0, 20_000],
      [2, 20_000, 1_000],
      [3, 0, 9_000, compacted(false)],
      [4, 9_000, 500],
    ],
    [out(1.5, 1_000)],
    1_000 * written,
  ],
])("dollars: %s", (_, counts, moved, dollars) => {
  const gain = gainOf(counts.map(request), moved);
  expect(gain.saved).toBeCloseTo(dollars, 8);
});

const growing = (times: number, step: number): Counts[] =>
  Array.from({ length: times }, (_, at) => [(at + 1) / times, at * step, step]);

test.each<[string, CountedRequest[], Moved[], number]>([
  [
    "far from the limit there is nothing to put off",
    growing(20, 2_000).map(request),
    [out(0.2, 20_000)],
    0,
  ],
  [
    "compacted by itself: the pace with all of it against the pace without",
    [...growing(50, 3_300), [3, 0, 9_000, compacted(false)] as Counts].map(request),
    [out(0.5, 40_000)],
    10,
  ],
  [
    "whoever asks for a compaction would have asked with more in it, too",
    [...growing(20, 2_000), [3, 0, 9_000, compacted(true)] as Counts].map(request),
    [out(0.5, 20_000)],
    0,
  ],
  [
    "it ended before a compaction that would have come",
    growing(50, 3_000).map(request),
    [out(0.5, 40_000)],
    8,
  ],
  ["what came back puts nothing off", growing(50, 3_000).map(request), [out(0.5, -40_000)], 0],
])("requests before a compaction: %s", (_, requests, moved, more) => {
  expect(gainOf(requests, moved).more).toBe(more);
});

test("a price of one's own counts, an unknown one is left out of the dollars and of nothing else", () => {
  const known = gainOf([request([1, 0, 9_000]), request([2, 9_000, 100])], [out(1.5, 1_000)], {
    "claude-opus": { input: 50, cacheWrite: 62.5, cacheRead: 5 },
  });
  expect(known.saved).toBeCloseTo(10_000 * written, 8);
  const unknown = gainOf([{ ...request([2, 0, 9_000]), model: "unheard-of" }], [out(1, 1_000)]);
  expect(unknown).toMatchObject({ saved: null, cost: null, tokens: 1_000, requests: 1 });
  const both = addGains([known, unknown]);
  expect(both).toMatchObject({ sessions: 2, tokens: 2_000, requests: 2, saved: known.saved });
  expect(addGains([unknown]).words).toContain("no price is known");
  expect(addGains([]).words).toBe("Nothing was left out of a request, so nothing was gained.");
  expect(
    addGains([gainOf([request([1, 0, 50_000]), request([2, 0, 40_000])], [out(1.5, 100, true)])])
      .words,
  ).toContain("more (");
});

test.skipIf(!existsSync(recordedRoot))(
  "recorded sessions: what the books say is what the recording cost less what it would have cost",
  async () => {
    const threads = (await readThreads(recordedRoot)).filter(({ agent }) => agent === undefined);
    let [sum, difference, sessions, equal] = [0, 0, 0, 0];
    for (const thread of threads) {
      const { requests, moved } = replayed(thread, outOf(thread));
      const { saved, cost } = gainOf(requests, moved);
      const recorded = thread.requests.map(
        ({ usage, model: of }) => usage && estimateCost(of, usage),
      );
      if (saved === null || cost === null || moved.length === 0) continue;
      const cheaper = recorded.reduce((all: number, one) => all + (one ?? 0), 0) - cost;
      sum += saved;
      difference += cheaper;
      sessions++;
      if (Math.abs(saved - cheaper) < 0.001) equal++;
    }
    expect(sum).toBeGreaterThan(1);
    // Where the cache was lost on the way the books only estimate which part of it would have been.
    expect(equal / sessions).toBeGreaterThanOrEqual(0.8);
    expect(Math.abs(sum - difference) / difference).toBeLessThan(0.02);
  },
);
