// Group commit without a database: who shares a commit, and who pays for whose failure.
import { expect, test } from "bun:test";
import { setImmediate } from "node:timers/promises";
import { createGroupCommit } from "../../../src/runtime/journal/append.ts";

function recorded(
  fails: (group: string[]) => boolean = () => false,
  flush?: () => Promise<void>,
  maxGroup = 3,
) {
  const groups: string[][] = [];
  const commits = createGroupCommit<string, string>(
    async (group) => {
      groups.push(group);
      if (fails(group)) throw new Error(`refused ${group.join(" ")}`);
      return group.map((item) => item.toUpperCase());
    },
    { maxGroup, ...(flush && { flush }) },
  );
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

test("a group does not wait for all who come one after the other", async () => {
  const { groups, commits } = recorded(undefined, undefined, 100);
  const results: Array<Promise<string>> = [];
  for (const item of ["a", "b", "c", "d", "e", "f"]) {
    const tick = setImmediate();
    results.push(commits.add(item));
    await tick;
  }
  expect(await Promise.all(results)).toEqual(["A", "B", "C", "D", "E", "F"]);
  expect(groups[0]).toEqual(["a", "b", "c"]);
});

test("nobody is answered before the flush, and what comes until then is the next group", async () => {
  let flushed = () => {};
  const { groups, commits } = recorded(undefined, () => new Promise((go) => (flushed = go)));
  const answers: string[] = [];
  const add = async (item: string) => answers.push(await commits.add(item));
  const first = add("a");
  while (groups.length === 0) await Bun.sleep(1);
  const others = [add("b"), add("c")];
  await Bun.sleep(5);
  expect({ groups, answers }).toEqual({ groups: [["a"]], answers: [] });
  flushed();
  await first;
  while (groups.length === 1) await Bun.sleep(1);
  expect({ groups, answers }).toEqual({ groups: [["a"], ["b", "c"]], answers: ["A"] });
  flushed();
  await Promise.all(others);
  expect(answers).toEqual(["A", "B", "C"]);
});

test("a group that does not reach the disk is not committed again, and none of it is answered", async () => {
  const { groups, commits } = recorded(undefined, () => Promise.reject(new Error("no disk")));
  const results = await Promise.allSettled(["a", "b"].map(commits.add));
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(groups).toEqual([["a", "b"]]);
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
