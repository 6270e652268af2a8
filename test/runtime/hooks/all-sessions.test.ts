// Every session of storage, page by page, and what a journal goes on counting from.
import { describe, expect, test } from "bun:test";
import { wantRebuild } from "../../../src/home/findings.ts";
import { adoptedOf, adoptSessions, allSessions } from "../../../src/runtime/hooks/ask-storage.ts";
import type { Session } from "../../../src/sdk/model.ts";
import { inFolder } from "../../support/in-folder.ts";
import { session } from "../../support/records.ts";

const known = (id: string, prompts: number): Session =>
  session(id, { prompts, startedAt: 1, lastActiveAt: 2, transcriptPath: `/t/${id}.jsonl` });

/** Hooks that answer these sessions, and note what is asked. */
function hooksOf(sessions: Session[] | Error) {
  const asked: object[] = [];
  const first = async (_name: string, query: { limit: number; offset: number }) => {
    asked.push(query);
    if (sessions instanceof Error) throw sessions;
    return { result: sessions.slice(query.offset, query.offset + query.limit), plugin: "s" };
  };
  return { hooks: { first } as unknown as Parameters<typeof allSessions>[0], asked };
}

test.each([
  [0, 1],
  [499, 1],
  [500, 2],
  [501, 2],
])("%i sessions are read in %i pages, the newest first", async (count, pages) => {
  const { hooks, asked } = hooksOf(Array.from({ length: count }, (_, at) => known(`s${at}`, 1)));
  expect(await allSessions(hooks)).toHaveLength(count);
  expect(asked).toEqual(
    Array.from({ length: pages }, (_, at) => ({ limit: 500, offset: at * 500, order: "newest" })),
  );
});

test("a journal has to know a session's prompts, its times and its transcript", () => {
  const one = known("s1", 3);
  expect(adoptedOf([one])).toEqual([
    {
      ...{ session: "s1", client: one.client, project: one.project, prompts: 3 },
      ...{ transcriptPath: "/t/s1.jsonl", startedAt: 1, lastActiveAt: 2 },
    },
  ]);
});

describe("a journal adopts them", () => {
  async function adopted(home: string, journaled: number, sessions: Session[] | Error) {
    const taken: string[][] = [];
    let later: (() => Promise<ReadonlyArray<{ session: string }>>) | undefined;
    const { hooks } = hooksOf(sessions);
    await adoptSessions(home, hooks, {
      adopt: (all) => void taken.push(all.map(({ session }) => session)),
      adoptFrom: (from) => {
        later = from;
      },
      knownSessions: () => Array.from({ length: journaled }, () => ({}) as never),
    });
    return { taken, later: (await later?.())?.map(({ session }) => session) };
  }
  test("at once where it knows none, and later where it has lost some", () =>
    inFolder(async (home) => {
      expect(await adopted(home, 0, [known("s1", 1)])).toEqual({ taken: [["s1"]], later: ["s1"] });
      expect(await adopted(home, 1, [known("s1", 1)])).toEqual({ taken: [], later: ["s1"] });
    }));
  test("at once too where something has to be made again", () =>
    inFolder(async (home) => {
      wantRebuild(home, { time: 1, file: "journal.db", why: "damage" });
      expect((await adopted(home, 1, [known("s1", 1)])).taken).toEqual([["s1"]]);
    }));
  test("none where storage fails", () =>
    inFolder(async (home) => {
      expect(await adopted(home, 0, new Error("locked"))).toEqual({ taken: [[]], later: [] });
    }));
});
