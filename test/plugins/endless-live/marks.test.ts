// What a reduced text says of what is missing is true: its line numbers are those that a recall takes, and its counts are right.
import { expect, test } from "bun:test";
import { decide } from "../../../plugins/endless-live/index.ts";
import { createSeen } from "../../../plugins/endless-live/seen.ts";
import { cleanLine } from "../../../plugins/endless-live/text/rows.ts";
import { naturalText } from "../../../src/runtime/endless/recall.ts";
import { goldenPolicy, readCases } from "./cases.ts";

const mark = /^… lines? (\d+)(?:–(\d+))?(?:[;,:]|$)/;

/** Reduced texts with marks in them, and what a recall gives for each. */
const marked = (await readCases()).flatMap(({ name, arrived }) => {
  const reduced = decide(arrived, createSeen().of("s1", undefined), goldenPolicy);
  if (!reduced?.after.split("\n").some((line) => mark.test(line))) return [];
  const whole = naturalText(arrived.response, "output").text.split("\n").map(cleanLine);
  return [{ name, shown: reduced.after.split("\n"), whole }];
});

test.each(marked.map((one) => [one.name, one] as const))(
  "%s: the lines around a gap are those that its numbers name",
  (_, { shown, whole }) => {
    for (const [at, line] of shown.entries()) {
      const [, from, to = from] = mark.exec(line) ?? [];
      if (from === undefined) continue;
      // A line that is cut says so at its end.
      const [before, next] = [shown[at - 1], shown[at + 1] ?? ""].map((near) =>
        near?.replace(/… \(\+\d+ characters\)$| {2}… \+\d+ −\d+$/, ""),
      );
      if (before !== undefined) expect(whole[Number(from) - 2]).toStartWith(before);
      if (!/^[[…]|^\d+: #/.test(next ?? "")) expect(whole[Number(to)]).toStartWith(next ?? "");
    }
  },
);

test("the last line counts the lines that the marks name", () => {
  let counted = 0;
  for (const { name, shown } of marked) {
    const told = [...(shown.at(-1) ?? "").matchAll(/(\d+) of \d+ lines?/g)];
    if (told.length === 0) continue;
    counted++;
    const left = told.reduce((sum, [, count]) => sum + Number(count), 0);
    const named = shown.reduce((sum, line) => {
      const [, from, to = from] = mark.exec(line) ?? [];
      return from === undefined ? sum : sum + Number(to) - Number(from) + 1;
    }, 0);
    expect(named, name).toBe(left);
  }
  expect(counted).toBeGreaterThan(10);
});
