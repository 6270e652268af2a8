// What would be forgotten is said before it is done: a line for each record, whole sessions by what is in them, and what stays.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { forget, whatGoes } from "../../../src/server/memory/forget.ts";
import {
  noon,
  sampleMemory,
  sampleObservation,
  samplePrompt,
  sampleSession,
  sampleSummary,
  sampleTurn,
} from "../../../src/testing/samples.ts";
import { type AskedRecords, askedRecords } from "../../support/asked-records.ts";

let world: AskedRecords;
const id: Record<string, string> = {};
const session = "0a1b2c3d-session";
beforeAll(async () => {
  world = await askedRecords(() => noon);
  const of = { session };
  const quoting = (turn: number) => ({ evidence: [{ turn, piece: 0 }] });
  const put = await world.store.put({
    key: "k",
    records: {
      sessions: [sampleSession({ id: session, title: "The login\nloop" })],
      observations: [
        sampleObservation({ ...of, title: "Loop fixed" }),
        sampleObservation({ ...of, title: "Of another prompt", promptNumber: 2 }),
      ],
      summaries: [
        sampleSummary({ ...of, request: "Fix it", completed: "" }),
        sampleSummary({ ...of, scope: "session", completed: "All done", ...quoting(1) }),
        sampleSummary({ ...of, request: "Of another prompt", promptNumber: 2 }),
      ],
      prompts: [samplePrompt({ ...of, text: "Stop the loop" })],
      memory: [
        sampleMemory({ ...of, content: "Uses tabs", ...quoting(1) }),
        sampleMemory({ ...of, content: "Uses bun", ...quoting(2) }),
      ],
      turns: [sampleTurn({ ...of, pieces: [{ kind: "prompt", text: "Stop the\nloop" }] })],
    },
  });
  Object.assign(id, {
    ...{ fixed: put.observations[0], ofPrompt: put.summaries[0], ofSession: put.summaries[1] },
    prompt: (await world.store.prompts({}))[0]?.id,
    tabs: (await world.store.memory({})).find(({ content }) => content === "Uses tabs")?.id,
    turn: (await world.store.turns({}))[0]?.id,
  });
});
afterAll(() => world.store.close());

const going = (...ids: Array<string | undefined>) =>
  whatGoes(world.runtime, { ids: ids.map((one) => one ?? "") });

test("each record has a line with its kind and its words; a prompt means its turn", async () => {
  const { lines, ids, derived } = await going(
    id.fixed,
    id.ofPrompt,
    id.ofSession,
    id.prompt,
    id.tabs,
  );
  expect(lines.sort()).toEqual(
    [
      `${id.fixed} observation: Loop fixed`,
      `${id.ofPrompt} summary: Fix it`,
      `${id.ofSession} summary: All done`,
      `${id.turn} turn: Stop the loop`,
      `${id.tabs} memory: Uses tabs`,
    ].sort(),
  );
  expect([ids.length, derived]).toEqual([5, []]);
});

test("of a turn what was made of its prompt, or quotes it, stays and is named; what goes with it is not", async () => {
  const { lines, derived } = await going(id.turn);
  expect(lines).toEqual([`${id.turn} turn: Stop the loop`]);
  expect(derived.sort()).toEqual([id.fixed, id.ofPrompt, id.ofSession, id.tabs].sort() as string[]);
  const rest = (await going(id.turn, id.fixed, id.tabs)).derived;
  expect(rest.sort()).toEqual([id.ofPrompt, id.ofSession].sort() as string[]);
});

test("a session is named by its id or the beginning of it, with how much is in it", async () => {
  const line = `the whole session ${session} (The login loop): 1 turn, 2 observations, 3 summaries, 2 memory items`;
  for (const named of [session, "0a1b"])
    expect(await going(named)).toMatchObject({ ids: [session], lines: [line], derived: [] });
});

test("a session with one of each is counted in the singular, one without a title is called so, and its beginning counts", async () => {
  const own = await askedRecords(() => noon);
  await own.store.put({
    key: "k",
    records: {
      sessions: [sampleSession({ id: "abcd-one", title: "", startedAt: noon - 5 })],
      observations: [sampleObservation({ session: "abcd-one" })],
      summaries: [sampleSummary({ session: "abcd-one" })],
      memory: [sampleMemory({ session: "abcd-one", date: "2026-10-01" })],
      turns: [sampleTurn({ session: "abcd-one", startedAt: noon + 5 })],
      prompts: [samplePrompt({ session: "abcd-one", promptNumber: 7, time: noon + 9 })],
    },
  });
  const { lines, since } = await whatGoes(own.runtime, { ids: ["abcd"] });
  expect([lines, since]).toEqual([
    ["the whole session abcd-one (untitled): 1 turn, 1 observation, 1 summary, 1 memory item"],
    noon - 5,
  ]);
  const oldest = async (...ids: string[]) => (await whatGoes(own.runtime, { ids })).since;
  expect(await oldest("t1", "m1")).toBe(Date.UTC(2026, 9, 1));
  expect([await oldest("t1"), await oldest("p1"), await oldest("t1", "o1")]).toEqual([
    ...[noon + 5, noon + 9, noon],
  ]);
  own.store.close();
});

test("ids that nothing has are left out; none at all is an error that names them", async () => {
  expect((await going(id.fixed, "o999", "0a1")).ids).toEqual([id.fixed as string]);
  await expect(going("o999", "0a1")).rejects.toThrow("There is no record o999, 0a1 to forget.");
});

test("what was looked up is forgotten, and nothing else; the ids of what went come back", async () => {
  const asked: unknown[] = [];
  const runtime = {
    forget: async (ids: readonly string[]) => {
      asked.push(ids);
      return { deleted: ["o1", "t1"] };
    },
  };
  const home = "/nowhere";
  const alike = { repeats: ["m2"], named: { m1: "m1 memory: One", m2: "m2 memory: Two" } };
  const looked = { ids: ["o1"], lines: [], derived: ["m1"], ...alike, isOpen: false, since: 0 };
  const went = { deleted: ["o1", "t1"], copies: [], ...alike };
  expect(await forget({ ...runtime, home }, looked)).toEqual({ ...went, derived: ["m1"] });
  expect(await forget({ ...runtime, home }, looked, { derived: true })).toEqual({
    ...went,
    derived: [],
  });
  expect(asked).toEqual([["o1"], ["o1", "m1"]]);
  const open = forget({ ...runtime, home }, { ...looked, isOpen: true });
  await expect(open).rejects.toMatchObject({ code: "usage" });
});
