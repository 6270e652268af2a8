// The migration of turns over many sessions: page after page, past what fails, with one line in the log.
import { expect, test } from "bun:test";
import { startTurnMigration } from "../../src/backfill/turn-migration.ts";
import type { TranscriptMark } from "../../src/runtime/journal/sessions.ts";
import type { Session } from "../../src/sdk/model.ts";
import { fakeHooks, type Responders } from "../support/fake-hooks.ts";
import { keptLog } from "../support/kept-log.ts";
import { noon, samplePrompt, sampleSession } from "../support/sample-records.ts";
import { emptyPast, nothingKnown } from "./fake-recoverer.ts";

type TurnMigrationDeps = Parameters<typeof startTurnMigration>[0];

const session = (id: string, more: Partial<Session> = {}): Session =>
  ({
    ...sampleSession({ id }),
    observations: 0,
    prompts: 1,
    lastActiveAt: noon,
    ...more,
  }) as Session;

/** A migration over these sessions, none of which has a turn; what it puts, marks and says. */
function migrating(
  sessions: readonly Session[],
  more: Partial<TurnMigrationDeps> = {},
  answers: Responders = {},
) {
  const log = keptLog();
  const marks: TranscriptMark[] = [];
  const hooks = fakeHooks({
    "storage.sessions": ({ limit = 50, offset = 0 }) => [...sessions].slice(offset, offset + limit),
    "storage.prompts": ({ session: id = "" }) => [
      { ...samplePrompt({ session: id, promptNumber: 1, text: `Of ${id}` }), id: `p-${id}` },
    ],
    ...{
      "storage.turns": () => [],
      "storage.summaries": () => [],
      "storage.observations": () => [],
    },
    "storage.put": () => ({ written: true, observations: [], summaries: [], turns: [] }),
    ...answers,
  });
  const migration = startTurnMigration({
    hooks: () => hooks,
    capture: async (event) => ({ event, failed: [] }),
    ...{ home: "/none", past: emptyPast(), release() {}, now: () => noon },
    marks: (reader) => new Map(reader === "turns" ? marks.map((mark) => [mark.path, mark]) : []),
    mark: (reader, made) => {
      expect(reader).toBe("turns");
      marks.push(...made);
    },
    ...{ log, waitMs: 0, pauseMs: 0 },
    ...more,
  });
  const put = () =>
    hooks
      .inputs("storage.put")
      .flatMap(({ records }) => records.turns?.map((t) => t.session) ?? []);
  return { migration, log, marks, put, hooks };
}

test("sessions beyond the first page of two hundred are looked at too", async () => {
  const sessions = Array.from({ length: 203 }, (_, at) => session(`s${at}`));
  const { migration, put, marks, log } = migrating(sessions);
  await migration.done;
  expect(put()).toEqual(sessions.map(({ id }) => id));
  expect(marks).toHaveLength(203);
  expect(marks[0]).toEqual({
    ...{ path: `${sessions[0]?.client}:s0`, bytes: 1, changedAt: noon, offset: 0, lines: 0 },
  });
  expect(log.lines).toEqual([
    {
      level: "info",
      message: "Turns were made of sessions that had none.",
      fields: { sessions: 203, turns: 203 },
    },
  ]);
});

test("a session that fails is named and looked at again; the others are done", async () => {
  const sessions = ["s1", "s2", "s3"].map((id) => session(id));
  const { migration, put, marks, log } = migrating(sessions, {
    past: emptyPast({
      prompts: ({ session: id }) => {
        if (id === "s2") throw new Error("not now");
        return nothingKnown;
      },
    }),
  });
  await migration.done;
  expect([put(), marks.map(({ path }) => path.split(":")[1])]).toEqual([
    ["s1", "s3"],
    ["s1", "s3"],
  ]);
  expect(log.lines).toMatchObject([
    {
      level: "warn",
      message: "The turns of a session could not be made.",
      fields: { session: "s2" },
    },
    { level: "info", fields: { sessions: 2, turns: 2 } },
  ]);
});

test("a session with new prompts since it was looked at is looked at again, others are not", async () => {
  const known = ["s1", "s2"].map((id) => session(id, { prompts: 3 }));
  const [client] = known.map((one) => one.client);
  const mark = (id: string, bytes: number): TranscriptMark => ({
    ...{ path: `${client}:${id}`, bytes, changedAt: 0, offset: 0, lines: 0 },
  });
  const { migration, put } = migrating(known, {
    marks: (reader) =>
      new Map(
        reader === "turns" ? [mark("s1", 3), mark("s2", 2)].map((one) => [one.path, one]) : [],
      ),
  });
  await migration.done;
  expect(put()).toEqual(["s2"]);
});

test("a session without anything to make is marked, and nothing is said of it", async () => {
  const { migration, log, marks, put } = migrating(
    [session("s1"), session("late", { lastActiveAt: noon + 1 })],
    {},
    { "storage.prompts": () => [] },
  );
  await migration.done;
  expect([put(), marks.length, log.lines]).toEqual([[], 1, []]);
});

test("sessions that cannot be listed are told, a stop is not", async () => {
  const fails: Responders = {
    "storage.sessions": () => {
      throw new Error("no storage");
    },
  };
  const broken = migrating([], {}, fails);
  await broken.migration.done;
  expect(broken.log.lines).toMatchObject([
    { level: "warn", message: "Turns could not be made of earlier sessions." },
  ]);
  const stopped = migrating([session("s1")], { waitMs: 600_000 });
  await stopped.migration.stop();
  expect([stopped.log.lines, stopped.put()]).toEqual([[], []]);
});

test("another member's session is left alone, and what comes into a memory that began empty", async () => {
  const theirs = migrating([session("theirs", { from: { person: "Bo" } }), session("own")]);
  await theirs.migration.done;
  expect(theirs.put()).toEqual(["own"]);
  const came: Session[] = [];
  const empty = migrating(came, {
    after: Promise.resolve().then(() => void came.push(session("s1"))),
  });
  await empty.migration.done;
  expect([came.length, empty.put()]).toEqual([1, []]);
});
