// What is meant by ids, a session, a project, a file, a time or words: all that is said must hold.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Selection, select } from "../../../src/server/memory/forget.ts";
import { all } from "../../../src/server/memory/records.ts";
import {
  blog,
  noon,
  sampleMemory,
  sampleObservation,
  samplePrompt,
  sampleSession,
  sampleSummary,
  sampleTurn,
  shop,
} from "../../../src/testing/samples.ts";
import { type AskedRecords, askedRecords } from "../../support/asked-records.ts";
import { fakeHooks } from "../../support/fake-hooks.ts";

const hour = 3_600_000;
const [first, second] = ["0a1b2c3d-first", "0f1b2c3d-second"];
let world: AskedRecords;
beforeAll(async () => {
  world = await askedRecords(() => noon + 9 * hour);
  const of = (session: string, time: number) => ({ session, time, project: shop.id });
  await world.store.put({
    key: "k",
    records: {
      sessions: [
        sampleSession({ id: first, startedAt: noon, lastActiveAt: noon + hour }),
        sampleSession({ id: second, startedAt: noon + 2 * hour, lastActiveAt: noon + 4 * hour }),
        sampleSession({ id: "third", project: blog, startedAt: noon, lastActiveAt: noon }),
      ],
      turns: [
        sampleTurn({
          ...of(first, noon),
          startedAt: noon,
          files: [{ path: "src/cart.ts", changed: true }],
          pieces: [{ kind: "prompt", text: "Mend the trolley" }],
        }),
      ],
      prompts: [samplePrompt({ ...of(second, noon + 3 * hour), text: "Mend the lantern" })],
      observations: [
        sampleObservation({
          ...of(first, noon),
          title: "Trolley wheels jam",
          filesModified: ["src/cart.ts"],
        }),
        sampleObservation({ ...of(second, noon + 2 * hour), title: "Lantern flickers" }),
      ],
      summaries: [sampleSummary({ ...of(second, noon + 4 * hour), request: "Mend it" })],
      memory: [sampleMemory({ ...of(second, 0), content: "Uses oil", date: "2026-11-01" })],
    },
  });
});
afterAll(() => world.store.close());

const chosen = async (selection: Selection) => {
  const { records, isOpen } = await select(world.runtime, selection);
  return { all: records.map(({ kind, record }) => `${kind} ${record.id}`).sort(), isOpen };
};

test("a project is its whole sessions, without their parts one by one; a session its own", async () => {
  expect(await chosen({ project: blog.id })).toEqual({ all: ["session third"], isOpen: false });
  expect((await chosen({ project: shop.id })).all).toEqual([
    `session ${first}`,
    `session ${second}`,
  ]);
  expect((await chosen({ session: second })).all).toEqual([`session ${second}`]);
});

test("a time takes whole the sessions that lie in it, and of the others what does", async () => {
  const whole = { since: noon, until: noon + hour + 1 };
  expect((await chosen({ ...whole, project: shop.id })).all).toEqual([`session ${first}`]);
  expect((await chosen({ ...whole, until: noon + hour, project: shop.id })).all).toEqual([
    ...["observation o1", "turn t1"],
  ]);
  expect((await chosen({ since: noon + 1, until: noon + 4 * hour, project: shop.id })).all).toEqual(
    ["observation o2", "prompt p1"],
  );
  expect((await chosen({ since: noon + 2 * hour, project: shop.id })).all).toEqual([
    `session ${second}`,
  ]);
});

test("a file is turns and observations that touched it, no session whole and no memory item", async () => {
  expect((await chosen({ file: "src/cart.ts" })).all).toEqual(["observation o1", "turn t1"]);
});

test("words alone leave it open what goes; with ids only those stay that the words find", async () => {
  const open = await chosen({ query: "trolley" });
  expect([open.isOpen, open.all.includes("observation o1")]).toEqual([true, true]);
  expect(await chosen({ ids: ["o1", "o2"], query: "trolley" })).toEqual({
    ...{ all: ["observation o1"], isOpen: false },
  });
  expect((await chosen({ query: "trolley", project: shop.id })).all).not.toContain("session third");
});

test("ids that are narrowed stay where they fit, parts of a session that fits whole among them", async () => {
  const narrowed = (ids: string[], more: Selection) => chosen({ ids, ...more });
  expect((await narrowed(["o1", "o2", first], { session: first })).all).toEqual([
    ...["observation o1", `session ${first}`],
  ]);
  expect((await narrowed(["o1", "third"], { project: blog.id })).all).toEqual(["session third"]);
  expect((await narrowed(["0f1b", "o1"], {})).all).toEqual(["observation o1", `session ${second}`]);
});

test("nothing said is refused; what fits nothing says which ids, and whether they were narrowed", async () => {
  for (const nothing of [{}, { ids: [] }, { session: undefined } as object])
    await expect(chosen(nothing)).rejects.toMatchObject({
      ...{ code: "usage", message: "Nothing says what to forget." },
    });
  const why = (selection: Selection) =>
    chosen(selection).then(
      () => "",
      ({ code, message }) => `${code}: ${message}`,
    );
  const none = "record_not_found: There is";
  expect(await why({ ids: ["o8", "o9"] })).toBe(`${none} no record o8, o9 to forget.`);
  expect(await why({ ids: ["o1"], project: blog.id })).toBe(
    `${none} no record o1 to forget that fits.`,
  );
  expect(await why({ project: "nobody" })).toBe(`${none} nothing to forget that fits.`);
  expect(await why({ ids: [], query: "xylophone" })).toBe(`${none} nothing to forget that fits.`);
});

test("nothing said at all is met with what can be said", async () => {
  await expect(select(world.runtime, {})).rejects.toMatchObject({
    ...{ code: "usage", message: "Nothing says what to forget." },
    fix: "Name ids, a session, a project, a file, a time or words.",
  });
});

test("all of a list is asked for page by page, what is superseded too, and a file only of what has files", async () => {
  const asked: Array<Record<string, unknown>> = [];
  const pages = [Array(10_000).fill({ id: "x" }), [{ id: "y" }]];
  const hooks = fakeHooks({
    "storage.observations": (query) => {
      asked.push(query as never);
      return pages.shift() as never;
    },
    "storage.memory": (query) => {
      asked.push(query as never);
      return [] as never;
    },
  });
  const query = { session: "s", file: "a.ts", project: undefined } as never;
  const found = await all({ hooks }, "observation", query);
  expect(found).toHaveLength(10_001);
  await all({ hooks }, "memory", query);
  const [session, limit] = ["s", 10_000];
  expect(asked).toEqual([
    { session, file: "a.ts", superseded: true, offset: 0, limit },
    { session, file: "a.ts", superseded: true, offset: 10_000, limit },
    { session, offset: 0, limit },
  ]);
});
