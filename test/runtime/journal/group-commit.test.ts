// Group commit without a database: who shares a commit, and who pays for whose failure.
import { expect, test } from "bun:test";
import { createGroupCommit } from "../../../src/runtime/journal/group-commit.ts";

function recorded(fails: (group: string[]) => boolean = () => false) {
  const groups: string[][] = [];
  const commits = createGroupCommit<string, string>(async (group) => {
    groups.push(group);
    if (fails(group)) throw new Error(`refused ${group.join(" ")}`);
    return group.map((item) => item.toUpperCase());
  }, 3);
  return { groups, commits };
}

test("items of one tick share a commit, up to the largest group", async () => {
  const { groups, commits } = recorded();
  const results = await Promise.all(["a", "b", "c", "d"].map(commits.add));
  expect(results).toEqual(["A", "B", "C", "D"]);
  expect(groups).toEqual([["a", "b", "c"], ["d"]]);
});

test("items that come during a commit share the next", async () => {
  const { groups, commits } = recorded();
  const first = commits.add("a");
  await first;
  await Promise.all([commits.add("b"), commits.add("c")]);
  expect(groups).toEqual([["a"], ["b", "c"]]);
});

test("a bad item rejects alone", async () => {
  const { commits } = recorded((group) => group.includes("bad"));
  const results = await Promise.allSettled(["a", "bad", "c"].map(commits.add));
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
});

test("idle waits for everything that was added", async () => {
  const { groups, commits } = recorded();
  for (const item of ["a", "b", "c", "d", "e"]) commits.add(item);
  await commits.idle();
  expect(groups.flat()).toHaveLength(5);
});
