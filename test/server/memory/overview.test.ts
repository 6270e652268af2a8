// What a timeline is drawn of: sessions and observations while they can be told apart, counts by day beyond.
import { expect, test } from "bun:test";
import type { Session } from "../../../src/sdk/model.ts";
import { mostObservations, mostSessions, overview } from "../../../src/server/memory/overview.ts";
import { sampleObservation, shop } from "../../support/sample-records.ts";
import { fakeRuntime } from "../fake-runtime.ts";

const noon = new Date(2026, 10, 20, 12).getTime();
const day = 24 * 60 * 60_000;

function session(number: number): Session {
  const at = noon - (number % 3) * day;
  return {
    ...{ id: `s${number}`, client: "claude-code", project: shop, title: `T${number}` },
    ...{ subtitle: "", prompts: 2, observations: 3, status: "ended", startedAt: at },
    ...{ lastActiveAt: at + 1, endedAt: at + 1 },
  } as Session;
}

function remembered(sessions: number, observations: number) {
  const asked: object[] = [];
  const runtime = fakeRuntime({
    answers: {
      "storage.sessions": (query) => {
        asked.push(query);
        return Array.from({ length: Math.min(sessions, query.limit ?? 50) }, (_, at) =>
          session(at),
        );
      },
      "storage.observations": (query) => {
        asked.push(query);
        return Array.from({ length: Math.min(observations, query.limit ?? 50) }, (_, at) => ({
          ...sampleObservation({ session: "s0", title: `O${at}` }),
          id: `o${at}`,
        }));
      },
    },
  });
  return { asked, runtime };
}
const time = { since: noon - 9 * day, until: noon + day };

test("few of both are given in few words, those that were replaced included", async () => {
  const { asked, runtime } = remembered(2, 2);
  const found = await overview(runtime, { ...time, project: "shop" });
  expect(found).toMatchObject({ days: [], leftOut: "nothing" });
  expect(found.sessions[1]).toEqual({
    ...{ id: "s1", project: shop.id, projectName: shop.name, title: "T1", isOpen: false },
    ...{ startedAt: noon - day, lastActiveAt: noon - day + 1, prompts: 2, observations: 3 },
  });
  expect(Object.keys(found.observations[0] ?? {}).sort()).toEqual([
    ...["id", "session", "time", "title", "type"],
  ]);
  const within = { ...time, project: "shop" };
  expect(asked).toEqual([
    { ...within, limit: mostSessions + 1 },
    { ...within, superseded: true, limit: mostObservations + 1 },
  ]);
});

test("too many observations are left out, and sessions say how many each has", async () => {
  const { runtime } = remembered(mostSessions, mostObservations + 1);
  const found = await overview(runtime, time);
  expect(found).toMatchObject({ observations: [], days: [], leftOut: "observations" });
  expect(found.sessions).toHaveLength(mostSessions);
});

test("too many sessions are counted by day and project; beyond ten thousand it is said", async () => {
  const many = await overview(remembered(900, 1).runtime, time);
  expect(many).toMatchObject({ sessions: [], observations: [], leftOut: "sessions" });
  expect(many.days.map(({ sessions, observations }) => [sessions, observations])).toEqual([
    [300, 900],
    [300, 900],
    [300, 900],
  ]);
  expect(new Set(many.days.map(({ key }) => key)).size).toBe(3);
  expect((await overview(remembered(20_000, 1).runtime, time)).leftOut).toBe("oldest");
});
