// Timelines: kinds mixed in time order, bounded, around a moment.
import { describe, expect, test } from "bun:test";
import type { ListQuery } from "../../../src/sdk/storage.ts";
import type { WithHooks } from "../../../src/server/memory/records.ts";
import { type TimelineItem, timeline as timelineOf } from "../../../src/server/memory/timeline.ts";

interface TimelineSource {
  observations(query: ListQuery): Promise<unknown[]>;
  prompts(query: ListQuery): Promise<unknown[]>;
  summaries(query: ListQuery): Promise<unknown[]>;
  turns(query: ListQuery): Promise<unknown[]>;
}

/** A storage of these lists, in which a record's id says its moment. */
function storage(source: TimelineSource): WithHooks {
  const lists: Record<string, (query: never) => Promise<unknown[]>> = {
    ...source,
    get: async ({ ids }: { ids: string[] }) =>
      ids.map((id) => ({ kind: "observation", record: { id, time: Number(id) } })),
  };
  const first = async (name: string, query: never) => ({
    result: await lists[name.slice("storage.".length)]?.(query),
  });
  return { hooks: { first } as unknown as WithHooks["hooks"] };
}

const timeline = async (source: TimelineSource, query: object) =>
  (await timelineOf(storage(source), query)).items;
const timelineAround = (source: TimelineSource, query: object, moment: number) =>
  timeline(source, { ...query, around: String(moment) });

interface Stamped {
  id: string;
  time: number;
}

/** Answers a list query as a storage does. */
function list(records: Stamped[], { since, until, limit, order }: ListQuery): never[] {
  const found = records
    .filter(({ time }) => time >= (since ?? 0) && time < (until ?? Number.POSITIVE_INFINITY))
    .sort((a, b) => (order === "oldest" ? a.time - b.time : b.time - a.time));
  return found.slice(0, limit) as never[];
}

const every = (count: number, step: number, kind: string): Stamped[] =>
  Array.from({ length: count }, (_, at) => ({ id: `${kind}${at * step}`, time: at * step }));
const observations = every(100, 1, "o");
const prompts = every(10, 10, "p");
const summaries = every(5, 20, "s");
const source: TimelineSource = {
  observations: async (query) => list(observations, query),
  prompts: async (query) => list(prompts, query),
  summaries: async (query) => list(summaries, query),
  turns: async () => [],
};
const ids = (items: TimelineItem[]) => items.map(({ record }) => record.id);

describe("timeline", () => {
  test("shows the newest, oldest of them first, a prompt before what came of it", async () => {
    expect(ids(await timeline(source, { limit: 5 }))).toEqual(["o95", "o96", "o97", "o98", "o99"]);
    expect(ids(await timeline(source, { until: 91, limit: 4 }))).toEqual([
      "o88",
      "o89",
      "p90",
      "o90",
    ]);
    expect(ids(await timeline(source, { until: 81, limit: 3 }))).toEqual(["p80", "o80", "s80"]);
  });

  test("keeps to since and until", async () => {
    expect(ids(await timeline(source, { since: 19, until: 22 }))).toEqual([
      "o19",
      "p20",
      "o20",
      "s20",
      "o21",
    ]);
  });

  test("has a limit of its own", async () => {
    expect(await timeline(source, {})).toHaveLength(50);
  });
});

describe("timelineAround", () => {
  const scenarios: Array<[what: string, limit: number, expected: string[]]> = [
    ["half before, half after", 6, ["p50", "o50", "o51", "o52", "o53", "o54"]],
    ["one is the moment itself", 1, ["o51"]],
    ["an odd one goes before", 3, ["o50", "o51", "o52"]],
  ];
  for (const [what, limit, expected] of scenarios) {
    test(what, async () => {
      expect(ids(await timelineAround(source, { limit }, 51))).toEqual(expected);
    });
  }

  test("at the beginning there is nothing before", async () => {
    expect(ids(await timelineAround(source, { limit: 6 }, 0))).toEqual([
      "p0",
      "o0",
      "s0",
      "o1",
      "o2",
      "o3",
    ]);
  });

  test("gives a turn where there is one, in place of its prompt and at the time of it", async () => {
    const place = { client: "c", session: "s" };
    const asked = [10, 20].map((time) => ({ ...place, id: `p${time}`, time, promptNumber: time }));
    const turns = [{ ...place, id: "t20", startedAt: 20, time: 29, promptNumber: 20 }];
    const items = await timeline(
      {
        ...source,
        prompts: async () => asked as never[],
        turns: async () => turns as never[],
      },
      { since: 9, until: 22, limit: 20 },
    );
    expect(ids(items).filter((id) => !id.startsWith("o"))).toEqual(["p10", "t20", "s20"]);
  });
});

test("fifty entries unless told, also around a moment: half of them before it", async () => {
  expect(await timeline(source, {})).toHaveLength(50);
  const around = ids(await timelineAround(source, {}, 40));
  expect(around).toHaveLength(50);
  expect(around.indexOf("o40")).toBeLessThan(25);
  expect(around.indexOf("o41")).toBe(25);
});

test("around a moment nothing comes from beyond what was asked, on either side", async () => {
  const around = async (query: object) =>
    ids(await timelineAround(source, { limit: 6, ...query }, 51));
  expect(await around({ since: 53 })).toEqual(["o53", "o54", "o55"]);
  expect(await around({ since: 51 })).toEqual(["o51", "o52", "o53", "o54"]);
  expect(await around({ since: 40 })).toEqual(await around({}));
  expect(await around({ until: 50 })).toEqual(["o47", "o48", "o49"]);
  expect(await around({ until: 53 })).toEqual(["p50", "o50", "o51", "o52"]);
  expect(await around({ until: 60 })).toEqual(await around({}));
});

test("a prompt gives way to the turn of its own place only: its session, its client, its number", async () => {
  const at = { client: "c", session: "s", promptNumber: 1, time: 5 };
  const asked = [
    { ...at, id: "same" },
    { ...at, id: "client", client: "d" },
    { ...at, id: "session", session: "r" },
    { ...at, id: "number", promptNumber: 2 },
  ];
  const items = await timeline(
    {
      ...{ observations: async () => [], summaries: async () => [] },
      prompts: async () => asked as never[],
      turns: async () => [{ ...at, id: "turn", startedAt: 5 }] as never[],
    },
    {},
  );
  expect(ids(items)).toEqual(["turn", "client", "session", "number"]);
});

test("what holds no more is left out of a timeline and stands around a record", async () => {
  const asked: ListQuery[] = [];
  const kept: TimelineSource = {
    ...{ prompts: async () => [], summaries: async () => [], turns: async () => [] },
    async observations(query) {
      asked.push(query);
      return [];
    },
  };
  await timeline(kept, { project: "shop", limit: 3 });
  await timelineAround(kept, { limit: 1 }, 9);
  expect(asked).toEqual([
    { project: "shop", limit: 3, order: "newest", superseded: false },
    { limit: 1, until: 10, order: "newest", superseded: true },
  ]);
});
