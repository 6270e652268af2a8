// What was forgotten goes along with an export: no import brings it back, and where it is there still it goes.
import { expect, test } from "bun:test";
import {
  sampleMemory,
  sampleObservation,
  sampleSession,
  sampleTurn,
} from "../../../../src/testing/samples.ts";
import { shuffled } from "../../../support/shuffled.ts";
import { emptyStorage, exported, imported, type TestStorage } from "./storage.ts";

const all = { superseded: true, limit: 100 };
const of = (id: string) => ({ session: id, promptNumber: 1 });

/** Two sessions, and an item of the first. */
async function filled(): Promise<TestStorage> {
  const storage = await emptyStorage();
  for (const id of ["first-session", "second-session"])
    await storage.records.put({
      key: id,
      records: {
        sessions: [sampleSession({ id, title: `Title of ${id}` })],
        turns: [sampleTurn(of(id))],
        observations: [sampleObservation({ ...of(id), title: `Found in ${id}` })],
        ...(id === "first-session" && {
          memory: [sampleMemory({ session: id, content: "Always tabs" })],
        }),
      } as never,
    });
  return storage;
}

const left = async ({ records }: TestStorage) =>
  [
    ...(await records.turns({})).map(({ session }) => `turn ${session}`),
    ...(await records.observations(all)).map(({ title }) => title),
    ...(await records.memory(all)).map(({ content }) => content),
    ...(await records.sessions({})).map(({ title }) => title),
  ].sort();

const observations = async ({ records }: TestStorage) =>
  (await records.observations(all)).filter(({ session }) => session === "first-session");
const ways: Record<string, (from: TestStorage) => Promise<string[]>> = {
  "a record": async (from) => (await observations(from)).map(({ id }) => id),
  "a turn": async ({ records }) =>
    (await records.turns({}))
      .filter(({ session }) => session === "first-session")
      .map(({ id }) => id),
  "an item": async ({ records }) => (await records.memory(all)).map(({ id }) => id),
  "a session": async () => ["first-session"],
};

test.each(Object.keys(ways))("%s that was forgotten, in any order of the lines", async (what) => {
  const from = await filled();
  const before = await exported(from);
  const ids = (await ways[what]?.(from)) ?? [];
  await from.records.delete({ ids });
  const stays = await left(from);
  const after = await exported(from);
  expect(after.forgotten).not.toEqual([]);
  // By hashes alone; only the items of a session name it.
  for (const text of ["tabs", "Found", "Title"])
    expect(JSON.stringify(after.forgotten)).not.toContain(text);
  for (const seed of [1, 2, 3]) {
    // An older export brings it, the later one knows better, whichever is read first.
    const to = await emptyStorage();
    await imported(to, shuffled([...before.lines, ...after.lines], seed), 2);
    expect(await left(to)).toEqual(stays);
    expect(await imported(to, before.lines)).toMatchObject({ stored: 0 });
    expect(await left(to)).toEqual(stays);
    expect((await exported(to)).forgotten.length).toBe(after.forgotten.length);
  }
  // Where it is there still, journal and transcripts are to forget it, too; a dry run only says so.
  const there = await filled();
  const lines = after.lines.map((text, at) => ({ line: at + 1, text }));
  const { importLines } = await import("../../../../src/server/memory/transfer/import-lines.ts");
  const dry = await importLines(there.runtime, lines, true);
  expect(there.buried).toEqual([]);
  const { gone } = await importLines(there.runtime, lines, false);
  expect([dry.gone, await left(there)]).toEqual([gone, stays]);
  expect(there.buried).toHaveLength(gone);
  expect(gone).toBeGreaterThan(0);
});

test("what was made anew after that stays, in any order", async () => {
  const from = await filled();
  const [one] = await observations(from);
  await from.records.delete({ ids: [one?.id ?? ""] });
  await from.records.put({ key: "anew", records: { observations: [one as never] } });
  const stays = await left(from);
  const { lines } = await exported(from);
  for (const seed of [1, 2, 3, 4]) {
    const to = await emptyStorage();
    await imported(to, shuffled(lines, seed), 1);
    expect(await left(to)).toEqual(stays);
  }
});

test("a part of memory has what was forgotten of that part", async () => {
  const from = await filled();
  await from.records.delete({ ids: (await observations(from)).map(({ id }) => id) });
  const { project } = (await from.records.turns({}))[0] ?? {};
  expect((await exported(from, { project })).forgotten).toHaveLength(1);
  expect((await exported(from, { project: "github.com/acme/other" })).forgotten).toEqual([]);
  expect((await exported(from, { since: Date.now() * 2 })).forgotten).toEqual([]);
});

test("a line that says it wrongly is left out, and an export of before has none", async () => {
  const to = await filled();
  const { lines } = await exported(to);
  expect(lines.join("")).not.toContain("forgotten");
  const line = (part: object) =>
    JSON.stringify({
      memoir: "forgotten",
      record: "a".repeat(32),
      time: "0".repeat(12),
      project: "",
      until: 1,
      ...part,
    });
  const bad = [{ record: "x" }, { time: 7 }, { until: "now" }, { items: 1 }].map(line);
  const { errors, stored } = await imported(to, [line({}), ...bad]);
  expect([errors.map(({ line }) => line), stored]).toEqual([[2, 3, 4, 5], 0]);
});
