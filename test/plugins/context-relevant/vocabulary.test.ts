// Words that a project uses everywhere make nothing relevant; its rare ones do.
import { describe, expect, test } from "bun:test";
import { relevantOf, telling } from "../../../plugins/context-relevant/relevance.ts";
import {
  createVocabulary,
  rarityOf,
  wordsOf,
} from "../../../plugins/context-relevant/vocabulary.ts";
import { observation, searchResult } from "../../support/records.ts";

const plain = { subtitle: "", facts: [], filesModified: [], filesRead: [] };
/** Everything is about checkpoints of agents; one observation also about zstd frames. */
const memory = Array.from({ length: 40 }, (_, i) =>
  observation(`o${i}`, {
    ...plain,
    title: i === 7 ? "Checkpoint agents write zstd frames" : `Checkpoint agents number${i}x`,
  }),
);

describe("rarity", () => {
  const rarity = rarityOf(memory);
  test("a word of every observation says little, a rare or unknown one all it can", () => {
    expect(rarity("checkpoint")).toBeCloseTo(0.1);
    expect(rarity("zstd")).toBe(1);
    expect(rarity("unknown")).toBe(1);
  });
  test("between rare and common it falls", () => {
    const some = memory.map((one, i) => (i < 4 ? { ...one, title: `${one.title} kappa` } : one));
    const value = rarityOf(some)("kappa");
    expect(value).toBeGreaterThan(0.1);
    expect(value).toBeLessThan(1);
  });
  test("a small memory judges no word", () => {
    expect(rarityOf(memory.slice(0, 7))("checkpoint")).toBe(1);
  });
  test("it decides what is told", () => {
    const told = (prompt: string) =>
      relevantOf(
        telling(prompt) ?? [],
        memory.map((one) => searchResult(one)),
        rarity,
      ).map(({ result }) => result.id);
    expect(told("how do agents see the checkpoint?")).toEqual([]);
    expect(told("are the zstd frames of a checkpoint complete?")).toEqual(["o7"]);
  });
});

test("folders of a file do not count, its name does", () => {
  const { head } = wordsOf({ ...plain, title: "t" }, ["cmd/entry/strategy/resume_ledger.go"]);
  expect([head.has("strateg"), head.has("resum"), head.has("ledg")]).toEqual([false, true, true]);
});

test("a vocabulary is counted once in a while, for each project", async () => {
  let now = 0;
  const asked: string[] = [];
  const list = async (project: string) => {
    asked.push(project);
    return memory;
  };
  const vocabulary = createVocabulary(list, () => now);
  await vocabulary.of("a");
  await vocabulary.of("a");
  await vocabulary.of("b");
  expect(asked).toEqual(["a", "b"]);
  now += 10 * 60_000;
  await vocabulary.of("a");
  expect(asked).toEqual(["a", "b", "a"]);
});
