// `memoir ask`, and `memoir search --ask`, as typed: an answer with its sources, nothing, no model, a model asked in vain.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { ownHome } from "../../support/own-home.ts";
import { observation, searchResult } from "../../support/records.ts";
import { typed } from "../../support/typed.ts";

let place: Awaited<ReturnType<typeof ownHome>>;
beforeEach(async () => {
  place = await ownHome();
});
afterEach(() => place.end());

const { time } = observation("o1");
const results = ["o1", "o2"].map((id) =>
  searchResult(observation(id, { title: `Tokens of ${id}` })),
);
const answered = {
  sentences: [{ text: "A day.", sources: ["o1"] }],
  ...{ results, searched: ["tokens"], model: "m-1" as string | null },
  spent: { calls: 2, tokens: 1_234, cost: 0.00123 as number | null },
};
type Answered = typeof answered & { problem?: { code: string; message: string; fix: string } };
const problem = (code: string) => ({ code, message: "It failed.", fix: "Ask again." });
const unasked = { sentences: [], model: null, spent: { calls: 0, tokens: 0, cost: 0 } };
const run = (words: string[], answer: Answered) =>
  typed(words, { "/api/ask": answer }, { now: () => time, cwd: "/c" });

const cases: Array<
  [
    what: string,
    answer: Partial<Answered>,
    code: number,
    first: string,
    ids: string[],
    last: string,
  ]
> = [
  ["an answer", {}, 0, "A day. [o1]", ["o1"], "2 calls, 1234 tokens · $0.0012 · m-1"],
  [
    "an unknown price",
    { spent: { calls: 1, tokens: 1, cost: null } },
    0,
    "A day. [o1]",
    ["o1"],
    "1 call, 1 token · at a price that is not known · m-1",
  ],
  [
    "nothing on it",
    { sentences: [] },
    0,
    "Memory has nothing on that. Nearest:",
    ["o1", "o2"],
    "2 calls, 1234 tokens · $0.0012 · m-1",
  ],
  [
    "nothing at all",
    { sentences: [], results: [] },
    0,
    "Memory has nothing on that.",
    [],
    "2 calls, 1234 tokens · $0.0012 · m-1",
  ],
  [
    "no model",
    { ...unasked, problem: problem("provider_none") },
    0,
    "It failed. Ask again.",
    ["o1", "o2"],
    "Details: memoir show o1 · Around it: memoir memory timeline o1",
  ],
  [
    "a model that is down",
    { ...unasked, problem: problem("provider_connection") },
    1,
    "It failed. Ask again.",
    ["o1", "o2"],
    "Details: memoir show o1 · Around it: memoir memory timeline o1",
  ],
];
for (const [what, answer, code, first, ids, last] of cases)
  test(`printed: ${what}`, async () => {
    const said = await run(["ask", "how", "long?"], { ...answered, ...answer });
    expect([said.code, said.out[0], said.out.at(-1)]).toEqual([code, first, last]);
    expect(said.out.flatMap((line) => /^(o\d) /.exec(line)?.[1] ?? [])).toEqual(ids);
  });

test("search --ask asks the same, with what narrows both; options of search alone are refused", async () => {
  const said = await run(["search", "how long?", "--ask", "--since", "2h", "--json"], answered);
  expect(said.asked).toMatchObject([
    { path: "/api/ask", body: { question: "how long?", since: time - 7_200_000, cwd: "/c" } },
  ]);
  expect(JSON.parse(said.out.join(""))).toEqual(answered);
  expect((await run(["search", "--ask", "x", "--level", "facts"], answered)).code).toBe(2);
  expect((await run(["search", "--ask"], answered)).err[0]).toBe("error: There is no question.");
});
