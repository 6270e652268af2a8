// What a strategy remembers of a session from request to request.
import { describe, expect, test } from "bun:test";
import type { Observation } from "../../src/sdk/model.ts";
import {
  type AnsweredPart,
  createSessionMemory,
  partsOf,
  type SessionNotes,
  titlesSoFar,
} from "../../src/strategy/session-notes.ts";
import { observation } from "../support/records.ts";

function memoryOf(stored: Observation[]) {
  const asked: object[] = [];
  const memory = createSessionMemory({
    observations: async (filter) => {
      asked.push(filter ?? {});
      return stored;
    },
  });
  return { asked, memory };
}
const notesOf = (...titles: string[]): SessionNotes => ({ titles, batch: undefined });
const answered = (...titles: string[]): AnsweredPart => ({
  ...{ model: "m", tokens: 1 },
  observations: titles.map((title) => observation(title, { title })),
});
const numbered = (count: number) => Array.from({ length: count }, (_, i) => `${i}`);

describe("memory", () => {
  test("a session begins with what is stored, asked newest first and told oldest first", async () => {
    const { asked, memory } = memoryOf(
      ["third", "second", "first"].map((title) => observation(title, { title })),
    );
    const notes = await memory.of("s1");
    expect(asked).toEqual([{ session: "s1", order: "newest", limit: 40 }]);
    expect(notes).toMatchObject({ titles: ["first", "second", "third"] });
  });

  test("of two hundred and one the session quiet for longest is forgotten, no other", async () => {
    const { asked, memory } = memoryOf([]);
    for (const name of numbered(200)) await memory.of(name);
    await memory.of("0");
    expect(asked).toHaveLength(200);
    await memory.of("new");
    await memory.of("0");
    expect(asked).toHaveLength(201);
    await memory.of("1");
    expect(asked).toHaveLength(202);
  });
});

describe("a batch", () => {
  test("that is asked again has its answered parts", () => {
    const notes = notesOf();
    partsOf(notes, "one").set(0, answered("a"));
    expect(partsOf(notes, "one").size).toBe(1);
    expect(partsOf(notes, "two").size).toBe(0);
  });

  test.each([
    ["was answered wholly is noted", true, ["old", "a"]],
    ["was answered in part is not", false, ["old"]],
  ])("%s once the next begins", (_, isWhole, titles) => {
    const notes = notesOf("old");
    partsOf(notes, "one").set(0, answered("a"));
    if (notes.batch) notes.batch.isWhole = isWhole;
    expect(notes.titles).toEqual(["old"]);
    partsOf(notes, "two");
    expect(notes.titles).toEqual(titles);
  });

  test("has its titles among those so far, each once, the oldest beyond forty left out", () => {
    const notes = notesOf("twice", ...numbered(39));
    partsOf(notes, "one").set(0, answered("twice", "fresh"));
    expect(titlesSoFar(notes)).toEqual([...numbered(39), "fresh"]);
  });
});
