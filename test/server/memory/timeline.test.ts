// Timelines: each turn once in time order, with the records of it, bounded, around a moment.
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
  promptNumber: number;
}

/** Answers a list query as a storage does. */
function list(records: Stamped[], { since, until, limit, order }: ListQuery): never[] {
  const found = records
    .filter(({ time }) => time >= (since ?? 0) && time < (until ?? Number.POSITIVE_INFINITY))
    .sort((a, b) => (order === "oldest" ? a.time - b.time : b.time - a.time));
  return found.slice(0, limit) as never[];
}

/** Each moment is a turn of its own. */
const every = (count: number, step: number, kind: string): Stamped[] =>
  Array.from({ length: count }, (_, at) => ({
    ...{
      id: `${kind}${at * step}`,
      time: at * step,
      title: kind,
      text: kind,
      completed: kind,
      scope: "prompt",
    },
    ...{ client: "c", session: "s", promptNumber: at * step },
  }));
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

const partsOf = (items: TimelineItem[]) =>
  items.map(({ record, parts }) => `${record.id}: ${parts.map(({ id }) => id).join(" ")}`);

describe("timeline", () => {
  test("shows the newest, oldest of them first, each turn once and its records in it", async () => {
    expect(ids(await timeline(source, { limit: 5 }))).toEqual(["o95", "o96", "o97", "o98", "o99"]);
    expect(partsOf(await timeline(source, { until: 82, limit: 3 }))).toEqual([
      "o79: o79",
      "p80: p80 o80 s80",
      "o81: o81",
    ]);
  });

  test("keeps to since and until", async () => {
    expect(ids(await timeline(source, { since: 19, until: 22 }))).toEqual(["o19", "p20", "o21"]);
  });

  test("has a limit of its own", async () => {
    expect(await timeline(source, {})).toHaveLength(50);
  });
});

describe("timelineAround", () => {
  const scenarios: Array<[what: string, limit: number, expected: string[]]> = [
    ["half before, half after", 6, ["o49", "p50", "o51", "o52", "o53", "o54"]],
    ["one is the moment itself", 1, ["o51"]],
    ["an odd one goes before", 3, ["p50", "o51", "o52"]],
  ];
  for (const [what, limit, expected] of scenarios) {
    test(what, async () => {
      expect(ids(await timelineAround(source, { limit }, 51))).toEqual(expected);
    });
  }

  test("at the beginning there is nothing before", async () => {
    expect(ids(await timelineAround(source, { limit: 6 }, 0))).toEqual(["p0", "o1", "o2", "o3"]);
  });
});

test("a turn holds what was made of it, later too; what is of a turn of another time is shown there", async () => {
  const place = { client: "c", session: "s" };
  const turn = { ...place, id: "t20", startedAt: 20, time: 29, promptNumber: 20, pieces: [] };
  const made = [21, 28].map((time) => ({
    ...place,
    id: `o${time}`,
    time,
    promptNumber: 20,
    title: "",
  }));
  const kept: TimelineSource = {
    summaries: async () => [],
    // Its hook ran a little after the client had written the prompt.
    prompts: async (query) =>
      list([{ ...place, id: "p26", time: 26, promptNumber: 20, text: "" } as Stamped], query),
    observations: async (query) => list(made, query),
    turns: async ({ since = 0, until = 99 }) =>
      (since <= 20 && until > 20 ? [turn] : []) as never[],
  };
  expect(partsOf(await timeline(kept, { until: 22 }))).toEqual(["t20: t20 p26 o21 o28"]);
  expect(await timeline(kept, { since: 25, until: 30 })).toEqual([]);
});

test("fifty entries unless told, also around a moment: half of them before it", async () => {
  expect(await timeline(source, {})).toHaveLength(50);
  const around = ids(await timelineAround(source, {}, 40));
  expect(around).toHaveLength(50);
  expect(around.indexOf("p40")).toBe(24);
});

test("around a moment nothing comes from beyond what was asked, on either side", async () => {
  const around = async (query: object) =>
    ids(await timelineAround(source, { limit: 6, ...query }, 51));
  expect(await around({ since: 53 })).toEqual(["o53", "o54", "o55"]);
  expect(await around({ since: 51 })).toEqual(["o51", "o52", "o53", "o54"]);
  expect(await around({ since: 40 })).toEqual(await around({}));
  expect(await around({ until: 50 })).toEqual(["o47", "o48", "o49"]);
  expect(await around({ until: 53 })).toEqual(["o49", "p50", "o51", "o52"]);
  expect(await around({ until: 60 })).toEqual(await around({}));
});

test("a prompt gives way to the turn of its own place only: its session, its client, its number", async () => {
  const at = { client: "c", session: "s", promptNumber: 1, time: 5 };
  const asked = [
    { ...at, id: "same", text: "" },
    { ...at, id: "client", client: "d", text: "" },
    { ...at, id: "session", session: "r", text: "" },
    { ...at, id: "number", promptNumber: 2, text: "" },
  ];
  const items = await timeline(
    {
      ...{ observations: async () => [], summaries: async () => [] },
      prompts: async () => asked as never[],
      turns: async () => [{ ...at, id: "turn", startedAt: 5, pieces: [] }] as never[],
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
