// After a home went back to an earlier state: every page of every kind is looked at, and what was forgotten goes again.
import { expect, test } from "bun:test";
import { sweepForgotten } from "../../../src/runtime/events/forget-records.ts";
import type { Forgotten } from "../../../src/runtime/journal/seen-before.ts";
import { fakeHooks, type Responders } from "../../support/fake-hooks.ts";
import { inFolder } from "../../support/in-folder.ts";
import { keptLog } from "../../support/kept-log.ts";
import {
  sampleMemory,
  sampleObservation,
  samplePrompt,
  sampleSession,
  sampleSummary,
  sampleTurn,
} from "../../support/sample-records.ts";

type Listed = Record<string, Array<{ id: string }>>;

/** Lists these records page by page; every record whose text has "gone" in it was forgotten. */
function sweeping(lists: Listed, more: Responders = {}) {
  const deleted: string[] = [];
  const log = keptLog();
  const page = (name: string) => (query: { limit?: number; offset?: number }) =>
    (lists[name] ?? []).slice(
      query.offset ?? 0,
      (query.offset ?? 0) + (query.limit ?? 50),
    ) as never;
  const hooks = fakeHooks({
    "storage.sessions": page("sessions"),
    "storage.turns": page("turns"),
    "storage.prompts": page("prompts"),
    "storage.observations": page("observations"),
    "storage.summaries": page("summaries"),
    "storage.memory": page("memory"),
    "storage.get": () => [],
    "storage.delete": ({ ids }) => {
      deleted.push(...ids);
      return { deleted: [...ids] };
    },
    ...more,
  });
  const sweep = () =>
    inFolder((home) =>
      sweepForgotten({
        ...{ home, hooks, log, now: () => 5 },
        journal: {
          ...{ rows: () => [], state: () => undefined, forget: () => [], forgetSession: () => [] },
          ...{ bury: () => {}, purge: async () => {}, session: () => undefined },
          isBuried: (one: Forgotten) =>
            one.kind === "session" ? one.session === "gone" : JSON.stringify(one).includes("gone"),
        },
        endless: { forget: async () => {} },
      }),
    );
  return { sweep, deleted, log, hooks };
}

test("one of each kind that was forgotten goes, its neighbour stays; superseded observations are asked for", async () => {
  const { sweep, deleted, log, hooks } = sweeping({
    sessions: [{ ...sampleSession({ id: "gone" }) }, { ...sampleSession({ id: "s2" }) }],
    turns: [
      { ...sampleTurn({ session: "gone" }), id: "t1" },
      { ...sampleTurn({}), id: "t2" },
    ],
    prompts: [
      { ...samplePrompt({ session: "gone" }), id: "p1" },
      { ...samplePrompt({}), id: "p2" },
    ],
    observations: [
      { ...sampleObservation({}), id: "o2" },
      { ...sampleObservation({ title: "It is gone" }), id: "o1" },
    ],
    summaries: [
      { ...sampleSummary({ completed: "gone" }), id: "u1" },
      { ...sampleSummary({}), id: "u2" },
    ],
    memory: [
      { ...sampleMemory({ content: "gone" }), id: "m1" },
      { ...sampleMemory({ content: "here" }), id: "m2" },
    ],
  });
  expect(await sweep()).toBe(6);
  expect(deleted.sort()).toEqual(["gone", "m1", "o1", "p1", "t1", "u1"]);
  expect(log.lines).toEqual([
    {
      level: "info",
      message: "Records that were deleted had come back, and were removed.",
      fields: { records: 6 },
    },
  ]);
  expect(hooks.inputs("storage.observations")).toEqual([
    { limit: 500, offset: 0, order: "oldest", superseded: true },
  ]);
});

test("records beyond the first page of five hundred are looked at; where none was forgotten nothing is said", async () => {
  const many = Array.from({ length: 1_001 }, (_, at) => ({
    ...sampleMemory({ content: at === 1_000 ? "gone" : "here" }),
    id: `m${at}`,
  }));
  const long = sweeping({ memory: many });
  expect([await long.sweep(), long.deleted]).toEqual([1, ["m1000"]]);
  expect(long.hooks.inputs("storage.memory").map(({ offset }) => offset)).toEqual([0, 500, 1_000]);
  const clean = sweeping({ memory: many.slice(0, 500) });
  expect([await clean.sweep(), clean.deleted, clean.log.lines]).toEqual([0, [], []]);
});

test("a storage that fails is told, and nothing goes", async () => {
  const { sweep, deleted, log } = sweeping(
    {},
    {
      "storage.summaries": () => {
        throw new Error("no storage");
      },
    },
  );
  expect([await sweep(), deleted]).toEqual([0, []]);
  expect(log.lines).toMatchObject([
    {
      level: "warn",
      message: "Whether records are there again that were forgotten could not be seen.",
    },
  ]);
});
