// The filter never says no of a word that is there.
import { expect, test } from "bun:test";
import { createWordFilter } from "../../src/privacy/redact/word-filter.ts";

test("a group is there when one of its words is, and only then", () => {
  const filter = createWordFilter([["docker", "curl"], ["-u"], ["://"], ["κλειδί"]]);
  const groups = (text: string): number[] => [0, 1, 2, 3].filter(filter(text));
  expect(groups("run curl -u x")).toEqual([0, 1]);
  expect(groups("dock er cu rl")).toEqual([]);
  expect(groups("http://x")).toEqual([2]);
  expect(groups("το κλειδί")).toEqual([3]);
  expect(groups("")).toEqual([]);
  expect(groups("docker")).toEqual([0]);
});
