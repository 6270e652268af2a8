// What search offers to narrow with: choices that leave some results and not all of them, and what is chosen.
import { expect, test } from "bun:test";
import { narrowing } from "../../src/page/views/search.tsx";

const hour = 60 * 60_000;
const found = (project: string, kind: "turn" | "observation", type: string, hoursAgo: number) => ({
  ...{ project, kind, type, createdAt: Date.now() - hoursAgo * hour },
  ...{ client: "claude-code", from: undefined },
});
const results = [
  found("git/shop", "turn", "turn", 2),
  found("git/shop", "observation", "bugfix", 3),
  found("git/blog", "observation", "decision", 90),
  found("git/blog", "observation", "decision", 24 * 400),
];
const offered = (chosen: Record<string, string>, of = results) =>
  narrowing(of, [], (name) => chosen[name] ?? "").map(({ name, choices }) => [
    name,
    ...choices.map(([key, , n]) => `${key} ${n}`),
  ]);

test("each choice leaves some of the results, and not all of them", () => {
  expect(offered({})).toEqual([
    ["project", "git/shop 2", "git/blog 2"],
    ["kind", "observation 3", "turn 1"],
    ["type", "decision 2", "bugfix 1"],
    // A month leaves what a week does.
    ["when", "1d 2", "7d 3"],
  ]);
});

test("results that are alike offer nothing", () => {
  expect(offered({}, results.slice(3))).toEqual([]);
  expect(offered({}, [])).toEqual([]);
});

test("what is chosen can be taken back", () => {
  const chosen = { project: "git/shop", client: "claude-code", when: "365d", person: "Ben" };
  expect(offered(chosen, results.slice(0, 2))).toEqual([
    ["project", "git/shop 2"],
    ["kind", "turn 1", "observation 1"],
    ["type", "bugfix 1"],
    ["client", "claude-code 2"],
    ["person", "Ben 0"],
    ["when", "365d 2"],
  ]);
});
