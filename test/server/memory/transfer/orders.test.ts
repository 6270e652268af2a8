// The same lines give the same memory: in any order, twice, and in two halves. Orders are shuffled by a seed that a failure names.
import { beforeAll, describe, expect, test } from "bun:test";
import type { Records } from "../../../../src/sdk/model.ts";
import type { StoredRecord } from "../../../../src/sdk/storage.ts";
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
} from "../../../../src/testing/samples.ts";
import { shuffled } from "../../../support/shuffled.ts";
import { emptyStorage, exported, imported, type TestStorage } from "./storage.ts";

const minute = 60_000;
const seeds = Array.from({ length: 12 }, (_, at) => at + 1);

/** Sessions that say the same things in turn, with everything that a user can make of records. */
async function source(): Promise<TestStorage> {
  const storage = await emptyStorage();
  const { records } = storage;
  for (let number = 0; number < 15; number++) {
    const id = `session-${number}`;
    const project = { ...(number % 3 === 0 ? blog : shop), branch: `b${number}` };
    const time = noon + ((number * 7) % 15) * 10 * minute;
    const at = { session: id, project: project.id, time };
    const made: Records = {
      sessions: [
        sampleSession({
          ...{ id, project, title: `Session ${number}`, subtitle: "What was done", prompts: 2 },
          ...{ status: number % 4 === 0 ? "active" : "ended", transcriptPath: `/t/${number}` },
          ...{ startedAt: time, lastActiveAt: time + minute },
          ...(number % 4 === 0 ? {} : { endedAt: time + minute, endReason: "clear" }),
        }),
      ],
      prompts: [1, 2].map((promptNumber) =>
        samplePrompt({
          ...at,
          promptNumber,
          time: time + promptNumber,
          text: `Ask ${promptNumber}`,
        }),
      ),
      // A summary and a turn may be later than all that the session's own line knows.
      turns: [sampleTurn({ ...at, startedAt: time, time: time + 5 * minute })],
      observations: ["Token refresh loops", "Refresh of token loop", `Topic ${number % 4}`].map(
        (title, nth) =>
          sampleObservation({
            ...{ ...at, title, time: time + nth, facts: [`fact ${number} ${nth}`] },
            filesModified: [`src/${number % 2}.ts`, `src/${(number + nth) % 3}.ts`],
          }),
      ),
      summaries: [
        sampleSummary({ ...at, scope: "prompt" }),
        sampleSummary({ ...at, scope: "session", promptNumber: 2, time: time + 9 * minute }),
      ],
      memory: [0, 1].map((nth) =>
        sampleMemory({
          ...{ session: id, project: project.id, content: `Item ${number} ${nth}` },
          ...{ date: "2026-10-10", state: nth === 0 ? "standing" : "candidate" },
        }),
      ),
    };
    await records.put({ key: id, records: made });
  }
  // Of a session without a line of its own but what its records say.
  await records.put({
    key: "bare",
    records: { prompts: [samplePrompt({ session: "bare", project: shop.id, time: noon + 7 })] },
  });
  const items = (await records.memory({ project: shop.id, limit: 30 })).map(({ id }) => id);
  const [a = "", b = "", c = "", d = "", e = ""] = items;
  await records.amend({ id: a, merged: b });
  await records.amend({ id: b, merged: c });
  await records.amend({ id: c, pinned: true });
  await records.amend({ id: d, set: { content: "In my words" } });
  await records.amend({ id: e, hidden: true });
  const seen = await records.observations({ project: shop.id, superseded: false, limit: 30 });
  const [x = "", y = "", z = ""] = seen.map(({ id }) => id);
  await records.amend({ id: x, set: { title: "My title" }, pinned: true });
  await records.amend({ id: z, merged: y });
  const [turn] = await records.turns({ session: "session-5" });
  await records.amend({ id: turn?.id ?? "", hidden: true });
  const [summary] = await records.summaries({ session: "session-7" });
  await records.amend({ id: summary?.id ?? "", set: { learned: "Mine" } });
  await records.amend({ id: "session-8", set: { title: "My session" }, hidden: true });
  const last = (await records.observations({ session: "session-13" })).map(({ id }) => id);
  await records.delete({ ids: ["session-11", items.at(-1) ?? "", last[0] ?? ""] });
  return storage;
}

/** Everything, line by line, with what it says in place of every id. */
async function contents(storage: TestStorage): Promise<string[]> {
  const { records } = await exported(storage);
  const named = new Map(records.map((one) => [one.record.id, nameOf(one)]));
  return records
    .map(({ kind, record }) => {
      const { id, merged, ...rest } = record;
      const by = "supersededBy" in rest ? { supersededBy: named.get(`${rest.supersededBy}`) } : {};
      const into = merged === undefined ? {} : { merged: named.get(merged) ?? "nobody" };
      const own = kind === "session" ? { id } : {};
      return JSON.stringify([kind, Object.entries({ ...rest, ...by, ...into, ...own }).sort()]);
    })
    .sort();
}

function nameOf({ kind, record }: StoredRecord): string {
  const { session = "", content, title, facts } = record as unknown as Record<string, unknown>;
  return JSON.stringify([kind, session, content, title, facts]);
}

async function memoryOf(...imports: ReadonlyArray<readonly string[]>): Promise<string[]> {
  const storage = await emptyStorage();
  for (const [at, lines] of imports.entries()) await imported(storage, lines, 17 + at * 100);
  return contents(storage);
}

/** What goes on after a first export. */
async function later({ records }: TestStorage): Promise<void> {
  const time = noon + 300 * minute;
  const at = { session: "session-4", project: shop.id };
  const project = { ...shop, branch: "later" };
  const ended = {
    lastActiveAt: time,
    status: "ended",
    endedAt: time,
    endReason: "logout",
  } as const;
  await records.put({
    key: "later",
    records: {
      sessions: [sampleSession({ id: at.session, project, title: "Later", prompts: 5, ...ended })],
      prompts: [samplePrompt({ ...at, promptNumber: 5, time, text: "And then?" })],
      turns: [sampleTurn({ ...at, time: time + 1, end: "interrupted" })],
      observations: [
        sampleObservation({
          ...at,
          time,
          title: "Topic 0",
          facts: ["fact 4 2"],
          toolUseIds: ["t9"],
        }),
        sampleObservation({ ...at, time, title: "Topic 1", facts: ["later"] }),
      ],
      summaries: [
        sampleSummary({ ...at, scope: "session", promptNumber: 2, time, learned: "More" }),
      ],
      memory: [sampleMemory({ ...at, content: "Item 4 0", date: "2026-10-12", context: "Again" })],
    },
  });
  const [item, other] = await records.memory({ project: blog.id, order: "oldest" });
  await records.amend({ id: item?.id ?? "", merged: other?.id ?? "" });
  const [seen] = await records.observations({ session: "session-9", order: "oldest" });
  await records.amend({ id: seen?.id ?? "", set: { title: "A second thought" }, pinned: true });
}

let wanted: string[];
let lines: string[];
beforeAll(async () => {
  const from = await source();
  wanted = await contents(from);
  lines = (await exported(from)).records.map((record) => JSON.stringify(record));
  const all = wanted.join("\n");
  for (const mark of ["supersededBy", "merged", "pinned", "hidden", "edited"])
    expect(all).toContain(`"${mark}"`);
});

describe("the lines of an export", () => {
  test("in their order", async () => {
    expect(await memoryOf(lines)).toEqual(wanted);
  });
  test.each(seeds)("in another order, seed %i", async (seed) => {
    expect(await memoryOf(shuffled(lines, seed))).toEqual(wanted);
  });
  test.each(seeds)("twice, in two orders, seed %i", async (seed) => {
    expect(await memoryOf(shuffled(lines, seed), shuffled(lines, -seed))).toEqual(wanted);
  });
  test.each(seeds)("in two halves, either first, seed %i", async (seed) => {
    const mixed = shuffled(lines, seed);
    const [one, other] = [mixed.slice(0, mixed.length / 2), mixed.slice(mixed.length / 2)];
    expect(await memoryOf(one, other)).toEqual(wanted);
    expect(await memoryOf(other, one)).toEqual(wanted);
  });
});

test.each(seeds)("lines of an earlier and a later export together, seed %i", async (seed) => {
  const from = await source();
  const earlier = (await exported(from)).records;
  await later(from);
  const both = [...earlier, ...(await exported(from)).records].map((one) => JSON.stringify(one));
  const mixed = shuffled(both, seed);
  expect(await memoryOf(mixed.slice(0, both.length / 3), mixed)).toEqual(await contents(from));
});
