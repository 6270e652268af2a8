// What messages are about: names that they quote, names that are no words, and lines that differ in nothing else.
import { expect, test } from "bun:test";
import { namesIn, quotedIn, skeletonOf } from "../../../plugins/context-moments/likeness.ts";

test.each([
  ["No module named 'yaml'", ["yaml"]],
  ["cannot borrow `self.pool` as mutable", ["self.pool"]],
  ['relation "orders" does not exist', ["orders"]],
  ["Modul „nichts“ und «rien» fehlen", ["nichts", "rien"]],
  ["it couldn't be found, and isn't there", []],
  ["code: 'ERR_MODULE_NOT_FOUND' or \"E0502\"", []],
])("%s quotes %j", (line, names) => {
  expect([...quotedIn(line)]).toEqual(names);
});

test.each([
  ["undefined: openJournal", ["openJournal"]],
  ["Restored Pos.csproj for user_id (NU1101)", ["Pos.csproj", "user_id"]],
  ["The build has failed, twice.", []],
  ["It failed with ERR_MODULE_NOT_FOUND again", []],
])("%s names %j", (line, names) => {
  expect([...namesIn(line)]).toEqual(names);
});

test("lines that differ in their names only have one skeleton; one of hardly more than names has none", () => {
  const line = (branch: string) => `fatal: The current branch ${branch} has no upstream branch`;
  expect(skeletonOf(line("feed-paging"))).toBe(skeletonOf(line("job-pool")));
  expect(skeletonOf(line("feed-paging"))).not.toBe(skeletonOf("fatal: no feed-paging here at all"));
  expect([skeletonOf("src/feed.ex"), skeletonOf("no names in this line")]).toEqual([
    undefined,
    undefined,
  ]);
});
