// Which turns of a session are made anew, of what, and which are left alone.
import { expect, test } from "bun:test";
import { fillTurns } from "../../src/backfill/turn-migration.ts";
import { silentLog } from "../../src/home/log.ts";
import type { Session } from "../../src/sdk/model.ts";
import type { NewTurn } from "../../src/sdk/turn.ts";
import { fakeHooks } from "../support/fake-hooks.ts";
import { noon, samplePrompt, sampleSession, sampleTurn, shop } from "../support/sample-records.ts";
import { emptyPast } from "./fake-recoverer.ts";

const session = { ...sampleSession({ id: "s1" }), observations: 0 } as Session;
const own = { session: "s1" };
const prompts = [1, 2].map((promptNumber) => ({
  ...samplePrompt({
    ...own,
    promptNumber,
    text: `Part ${promptNumber}`,
    time: noon + promptNumber * 60_000,
  }),
  id: `p${promptNumber}`,
}));
const turn = (promptNumber: number, part: Partial<NewTurn> = {}) => ({
  ...sampleTurn({ ...own, promptNumber, ...part }),
  id: `t${promptNumber}`,
});

interface Given {
  prompts?: typeof prompts;
  turns?: Array<ReturnType<typeof turn>>;
  /** What the journal makes again. */
  again?: Array<ReturnType<typeof turn>>;
  signal?: AbortSignal;
}

/** What filling answers and what it stores; how often it asked for what is missing to be made again. */
async function filled({ turns = [], again = [], ...given }: Given = {}) {
  const put: NewTurn[] = [];
  const keys: string[] = [];
  let asked = 0;
  const hooks = fakeHooks({
    "storage.prompts": () => given.prompts ?? prompts,
    "storage.turns": () => (asked === 0 ? turns : [...turns, ...again]),
    ...{ "storage.summaries": () => [], "storage.observations": () => [] },
    "storage.put": ({ key, records }) => {
      keys.push(key);
      put.push(...(records.turns ?? []));
      return { written: true, observations: [], summaries: [], turns: [] };
    },
  });
  const past = emptyPast({ makeAgain: () => ++asked });
  const made = await fillTurns(session, {
    ...{ hooks: () => hooks, past, home: "/none", log: silentLog, now: () => 7, release() {} },
    capture: async (event) => ({ event, failed: [] }),
    signal: given.signal ?? new AbortController().signal,
  });
  return { made, put, keys, asked, numbers: put.map(({ promptNumber }) => promptNumber) };
}

test("a session whose turns are all there is left alone, also one without prompts", async () => {
  for (const given of [{ turns: [turn(1), turn(2)] }, { prompts: [] }])
    expect(await filled(given)).toMatchObject({ made: 0, asked: 0, keys: [] });
});

test("without a transcript a turn is its prompt, with gaps; one that has gaps already stays", async () => {
  const { made, put, keys } = await filled({ turns: [turn(1, { gaps: true })] });
  expect([made, keys]).toEqual([1, [`turns:${session.client}:s1:7`]]);
  expect(put).toMatchObject([
    { ...own, project: shop.id, promptNumber: 2, gaps: true, startedAt: noon + 120_000 },
  ]);
  expect(put[0]?.pieces.map(({ text }) => text)).toEqual(["Part 2"]);
});

test("a turn is of its prompt's project, wherever its session began", async () => {
  const [first, second] = prompts;
  if (!first || !second) throw new Error("no prompts");
  const moved = [first, { ...second, project: "github.com/acme/blog" }];
  const { put } = await filled({ prompts: moved });
  expect(put.map(({ project }) => project)).toEqual([shop.id, "github.com/acme/blog"]);
});

test("records of another session or client are nothing of it", async () => {
  const elsewhere = [
    { ...turn(1), session: "s1-longer" },
    { ...turn(2), client: "another" },
  ];
  expect((await filled({ turns: elsewhere })).numbers).toEqual([1, 2]);
  const others = prompts.map((prompt) => ({ ...prompt, session: "s1-longer" }));
  expect((await filled({ prompts: others })).numbers).toEqual([]);
});

test("what the journal or a transcript still has is made of it first; a turn with gaps is tried once more", async () => {
  const { made, asked, numbers } = await filled({ again: [turn(1)] });
  expect([made, asked, numbers]).toEqual([2, 1, [2]]);
  const gaps = await filled({ turns: [turn(1, { gaps: true }), turn(2)] });
  expect([gaps.made, gaps.asked, gaps.numbers]).toEqual([0, 1, []]);
});

test("a prompt of another member is given no turn: theirs comes with a later change", async () => {
  const theirs = prompts.map((prompt) => ({ ...prompt, from: { person: "bo", machine: "desk" } }));
  expect(await filled({ prompts: theirs })).toMatchObject({ made: 0, asked: 1, keys: [] });
});

test("nothing is stored after a stop", async () => {
  await expect(filled({ signal: AbortSignal.abort(new Error("stopped")) })).rejects.toThrow(
    "stopped",
  );
});
