// What a record is about: its files, names, words, failures and commits, read from the turns it comes from.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { subjectOf } from "../../../src/server/memory/related.ts";
import {
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

const file = (path: string, changed: boolean, symbols?: string[]) => ({
  ...{ path, changed },
  ...(symbols && { symbols }),
});
let world: AskedRecords;
const ids: Record<string, string> = {};
beforeAll(async () => {
  world = await askedRecords(() => noon);
  const put = await world.store.put({
    key: "k",
    records: {
      sessions: [sampleSession({ title: "The login loop" })],
      observations: [
        sampleObservation({
          ...{ promptNumber: 1, title: "Loop fixed", facts: ["`refreshToken` loops."] },
          ...{ filesModified: ["src/token.ts"], filesRead: ["src/read.ts"], time: noon + 5 },
        }),
      ],
      summaries: [
        sampleSummary({ request: "Fix it", completed: "Fixed.", filesEdited: ["src/sum.ts"] }),
      ],
      prompts: [samplePrompt({ text: "Stop the loop", time: noon + 1 })],
      memory: [sampleMemory({ content: "Uses tabs", date: "2026-11-03" })],
      turns: [
        sampleTurn({
          startedAt: noon + 2,
          pieces: [
            { kind: "prompt", text: "Stop `loginLoop` now" },
            { kind: "said", text: "I look at `notAsked`." },
            {
              kind: "failure",
              text: "at boot\nTypeError: no expiry\nnpm failed quietly\nbye bye bye",
            },
            { kind: "failure", text: "short\n\nnothing that tells of it" },
            { kind: "repair", text: "ok" },
            { kind: "commit", text: "Stop it", about: "3f2a1bc9" },
            { kind: "closing", text: "Done: `totalOf` is pure." },
          ],
          files: [file("src/b.ts", false), file("src/a.ts", true, ["parseLine"])],
        }),
        sampleTurn({
          ...{ promptNumber: 2, startedAt: noon + 9 },
          pieces: [{ kind: "prompt", text: "And test it" }],
          files: [file("src/b.ts", true), file("test/b.test.ts", true)],
        }),
      ],
    },
  });
  ids.observation = put.observations[0] ?? "";
  ids.summary = put.summaries[0] ?? "";
  ids.prompt = (await world.store.prompts({}))[0]?.id ?? "";
  ids.memory = (await world.store.memory({}))[0]?.id ?? "";
  const turns = await world.store.turns({ order: "oldest" });
  [ids.turn, ids.later] = turns.map(({ id }) => id) as [string, string];
});
afterAll(() => world.store.close());

async function about(name: string) {
  const [stored] = await world.store.get({ ids: [ids[name] ?? name] });
  if (!stored) throw new Error(`there is no ${name}`);
  return subjectOf(world.runtime, stored);
}

describe("what is about", () => {
  test("a turn: its files, changed ones first, what was asked and answered, what failed and was committed", async () => {
    expect(await about("turn")).toEqual({
      ...{ session: "session-1", project: shop.id, prompts: new Set([1]), time: noon + 2 },
      files: [file("src/a.ts", true), file("src/b.ts", false)],
      names: ["parseLine", "loginLoop", "totalOf"],
      words: ["Stop `loginLoop` now", "Done: `totalOf` is pure."],
      errors: ["npm failed quietly", "nothing that tells of it"],
      commits: ["3f2a1bc9"],
    });
  });

  test("an observation: its own words and files, then those of its prompt's turn", async () => {
    const subject = await about("observation");
    expect(subject.files).toEqual([
      ...["src/token.ts", "src/read.ts", "src/a.ts"].map((path) => file(path, true)),
      file("src/b.ts", false),
    ]);
    expect(subject.names).toContain("refreshToken");
    expect(subject.words[0]).toBe("Loop fixed");
    expect([subject.time, subject.prompts]).toEqual([noon + 5, new Set([1])]);
    expect(subject.commits).toEqual(["3f2a1bc9"]);
  });

  test("a summary: what was asked and completed, and the files it edited", async () => {
    const subject = await about("summary");
    expect(subject.words[0]).toBe("Fix it");
    expect(subject.files[0]).toEqual(file("src/sum.ts", true));
  });

  test("a prompt: its text, and what its turn did", async () => {
    const subject = await about("prompt");
    expect([subject.words[0], subject.time]).toEqual(["Stop the loop", noon + 1]);
    expect(subject.commits).toEqual(["3f2a1bc9"]);
  });

  test("a session: all its turns, whatever their prompts", async () => {
    const subject = await about("session-1");
    expect(subject).toEqual(
      expect.objectContaining({
        ...{ session: "session-1", project: shop.id, prompts: undefined, time: noon },
      }),
    );
    expect(subject.words[0]).toBe("The login loop");
    const files = subject.files.map(({ path, changed }) => `${path} ${changed}`);
    expect(files.sort()).toEqual(["src/a.ts true", "src/b.ts true", "test/b.test.ts true"]);
  });

  test("a memory item: its words, its project and its day; no session's prompts", async () => {
    expect(await about("memory")).toEqual({
      ...{ session: undefined, project: shop.id, prompts: undefined },
      time: Date.UTC(2026, 10, 3),
      ...{ files: [], names: [], words: ["Uses tabs", "Uses tabs"], errors: [], commits: [] },
    });
  });
});

test("of much there is at most so much: long texts are cut, the last errors and commits count", async () => {
  const pieces = [
    { kind: "prompt" as const, text: "word ".repeat(200) },
    ...[1, 2, 3, 4].map((n) => ({
      kind: "failure" as const,
      text: `Error: number ${n} ${"x".repeat(300)}`,
    })),
    ...[1, 2, 3, 4, 5, 6].map((n) => ({ kind: "commit" as const, text: "c", about: `abcdef${n}` })),
  ];
  const files = Array.from({ length: 9 }, (_, at) => file(`src/f${at}.ts`, at === 8));
  const record = { id: "t1", ...sampleTurn({ pieces, files }) };
  const subject = await subjectOf(world.runtime, { kind: "turn", record });
  expect(subject.words.map(({ length }) => length)).toEqual([500, 500]);
  expect(subject.errors.map((error) => [error.slice(0, 15), error.length])).toEqual(
    [2, 3, 4].map((n) => [`Error: number ${n}`, 200]),
  );
  expect(subject.commits).toEqual([2, 3, 4, 5, 6].map((n) => `abcdef${n}`));
  expect([subject.files.length, subject.files[0]?.path]).toEqual([8, "src/f8.ts"]);
});
