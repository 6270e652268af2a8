// Of prose the headings and the beginning of each section stay.
import { expect, test } from "bun:test";
import { gapsInProse } from "../../../../plugins/endless-live/read/read.ts";
import { defaultPolicy } from "../cases.ts";

const policy = { ...defaultPolicy.read, sectionLines: 2 };
const gaps = (text: string) =>
  gapsInProse(text.split("\n"), policy)?.map(({ from, to }) => [from, to]);

test("what looks like a heading in a block of code begins no section", () => {
  const code = ["```sh", "# first", "ls", "# second", "ls -a", "# third", "ls -l", "```"];
  expect(gaps(["# Use", "Read on.", ...code, "The end."].join("\n"))).toEqual([[3, 10]]);
  expect(gaps(["# Use", "Read on.", ...code].join("\n").replaceAll("```", "~~~"))).toEqual([
    [3, 9],
  ]);
});

test("a line below a heading that underlines it is no heading of its own; none without headings", () => {
  expect(gaps(["Use", "===", "a", "b", "c", "d", "e"].join("\n"))).toEqual([[3, 6]]);
  expect(gaps("a\nb\nc\nd")).toBeUndefined();
});
