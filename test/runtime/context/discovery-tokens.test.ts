// What the agent spent is shared out so that every sum agrees.
import { expect, test } from "bun:test";
import {
  type MessageOfToolUse,
  toolUseTokens,
  withDiscoveryTokens,
} from "../../../src/runtime/context/read-contexts.ts";
import { weighTokens } from "../../../src/text/text.ts";

const usage = { input: 100, output: 30, cacheRead: 1_005, cacheWrite: 70 };

test("cache reads count a tenth, everything else in full", () => {
  expect(weighTokens(usage)).toBe(301);
  expect(weighTokens({ input: 0, output: 0, cacheRead: 4, cacheWrite: 0 })).toBe(0);
});

test("a message is shared out over all of its tool uses, also those of another batch", () => {
  const message = { usage, messageToolUses: ["a", "b", "c"] };
  const found = new Map<string, MessageOfToolUse>([
    ["a", message],
    ["b", message],
    ["x", { messageToolUses: ["x"] }],
    ["y", { usage, messageToolUses: [] }],
  ]);
  expect([...toolUseTokens(found)]).toEqual([
    ["a", 101],
    ["b", 100],
  ]);
  expect(toolUseTokens(new Map([["c", message]])).get("c")).toBe(100);
});

test("tool uses are shared out over the observations that name them; the sums agree exactly", () => {
  const tokens = new Map([
    ["a", 101],
    ["b", 100],
    ["c", 7],
    ["unnamed", 1_000],
  ]);
  const observe = (
    ...toolUseIds: string[]
  ): { toolUseIds: string[]; discoveryTokens: number | null } => ({
    toolUseIds,
    discoveryTokens: null,
  });
  const observations = withDiscoveryTokens(
    [
      observe("a", "b", "b"),
      observe("a"),
      observe("a", "c", "unknown"),
      observe("unknown"),
      observe(),
    ],
    tokens,
  );
  expect(observations.map(({ discoveryTokens }) => discoveryTokens)).toEqual([
    34 + 100,
    34,
    33 + 7,
    null,
    null,
  ]);
});

test("what a strategy filled in stays", () => {
  const own = { toolUseIds: ["a"], discoveryTokens: 0 as number | null };
  expect(withDiscoveryTokens([own], new Map([["a", 9]]))).toEqual([own]);
});
