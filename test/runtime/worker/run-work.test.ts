// What a put notes, and when there is none.
import { expect, test } from "bun:test";
import { isForgotten, putRecords } from "../../../src/runtime/worker/piece.ts";
import { sampleObservation, sampleSummary } from "../../support/sample-records.ts";
import { runContext } from "./run-context.ts";

const records = { observations: [sampleObservation()], summaries: [sampleSummary()] };
const put = (given: Parameters<typeof runContext>[0]) => {
  const room = runContext(given);
  return { ...room, notice: putRecords(room.context, "shop", records) };
};

test("a notice has what was put, each with its id, under the key of the piece", async () => {
  const { notice, storage } = put({});
  expect(await notice).toEqual({
    ...{ session: "s1", project: "shop" },
    observations: [{ ...sampleObservation(), id: "o1" }],
    summaries: [{ ...sampleSummary(), id: "s1" }],
  });
  expect([...storage.puts.keys()]).toEqual(["k1"]);
});

test("a repeat notes what was stored the first time, each kind by itself", async () => {
  const first = { ...sampleObservation({ title: "As first worded" }), id: "o7" };
  const summary = { ...sampleSummary(), id: "s7" };
  const { notice, hooks } = put({
    hooks: {
      "storage.put": () => ({ written: false, observations: ["o7"], summaries: ["s7"], turns: [] }),
      "storage.get": () => [
        { kind: "observation", record: first },
        { kind: "summary", record: summary },
      ],
    },
  });
  expect(await notice).toEqual({
    ...{ session: "s1", project: "shop", observations: [first], summaries: [summary] },
  });
  expect(hooks.inputs("storage.get")).toEqual([{ ids: ["o7", "s7"] }]);
});

test("of what was forgotten nothing is put; a session's summary only where all of it was", async () => {
  const { notice, hooks } = put({ journal: { isForgotten: () => true } });
  expect(await notice).toMatchObject({ observations: [], summaries: [] });
  expect(hooks.calls).toEqual([]);
  const asked: Array<number | undefined> = [];
  const journal = { isForgotten: (_: number, number?: number) => asked.push(number) > 9 };
  for (const kind of ["observe", "summarize-session"] as const)
    isForgotten(journal, runContext({ work: { kind } }).context.work);
  expect(asked).toEqual([2, undefined]);
});

test("nothing is put where nobody takes it, into another storage after a break, or by who lost the lease", async () => {
  const nobody = put({ hooks: { "storage.put": () => undefined } });
  await expect(nobody.notice).rejects.toMatchObject({ code: "storage_unanswered" });
  const broken = put({ work: { interruptedIn: "other" } });
  await expect(broken.notice).rejects.toThrow("other");
  const lost = put({ work: { storage: "other" }, journal: { putsIn: () => false } });
  await expect(lost.notice).rejects.toThrow("taken over");
  for (const { hooks } of [broken, lost]) expect(hooks.calls).toEqual([]);
  const kept = put({ journal: { putsIn: () => false } });
  expect(await kept.notice).toBeDefined();
});
