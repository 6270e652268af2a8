// Which pieces of a turn are embedded, and where a long one is cut.
import { expect, test } from "bun:test";
import { passagesOf, turnHash } from "../../../plugins/semantic-search/passages.ts";
import type { EvidenceKind } from "../../../src/sdk/turn.ts";

const words = "These are more than twenty letters.";
const of = (text: string, kind: EvidenceKind = "said") => passagesOf({ pieces: [{ kind, text }] });

test("what somebody said or decided is; what was run, failed or planned as a list is found by its words", () => {
  const meant = [
    ...["prompt", "typed", "refusal", "choice", "plan", "closing", "said", "task", "report"],
    ...["compaction", "commit"],
  ];
  for (const kind of meant)
    expect([kind, of(words, kind as EvidenceKind).length]).toEqual([kind, 1]);
  for (const kind of ["ran", "passed", "failure", "repair", "todo", "interrupted"] as const)
    expect([kind, of(words, kind).length]).toEqual([kind, 0]);
});

test("a passage has twenty characters or more, without the blanks around it", () => {
  expect(
    of(` ${"x".repeat(20)} `).map(({ text, start, end }) => [text.length, start, end]),
  ).toEqual([[20, 0, 22]]);
  expect(of(` ${"x".repeat(19)} `)).toEqual([]);
});

const cuts = (text: string) => of(text).map(({ end }) => end);
test("a text of seven hundred characters is one, a longer one is cut at the best border of its second half", () => {
  const filler = (length: number) => "x".repeat(length);
  expect(cuts(filler(700))).toEqual([700]);
  expect(cuts(filler(701))).toEqual([700]);
  expect(cuts(`${filler(400)}\n\n${filler(100)}. ${filler(300)}`)).toEqual([402, 804]);
  expect(cuts(`${filler(300)}\n\n${filler(100)}\n${filler(100)}. ${filler(300)}`)).toEqual([
    403, 805,
  ]);
  expect(cuts(`${filler(400)}. ${filler(100)} ${filler(300)}`)).toEqual([402, 803]);
  expect(cuts(`${filler(400)}。${filler(100)} ${filler(300)}`)).toEqual([401, 802]);
  expect(cuts(`${filler(300)} ${filler(300)} ${filler(200)}`)).toEqual([602, 802]);
  expect(cuts(`${filler(699)} ${filler(100)}`)).toEqual([700, 800]);
  expect(cuts(`${filler(350)} ${filler(500)}`)).toEqual([351, 851]);
  expect(cuts(`${filler(349)} ${filler(500)}`)).toEqual([700, 850]);
  expect(cuts(`${filler(699)}😀${filler(100)}`)).toEqual([699, 801]);
});

test("a turn is another where a passage says something else, stands elsewhere, or is another's", () => {
  const turn = (...pieces: string[]) =>
    turnHash(passagesOf({ pieces: pieces.map((text) => ({ kind: "said" as const, text })) }));
  const same = turn(words, `${words}!`);
  expect(turn(words, `${words}!`)).toBe(same);
  expect(turn(`${words}!`, words)).not.toBe(same);
  expect(turn(words, "short", `${words}!`)).not.toBe(same);
  expect(turn(words)).not.toBe(same);
  expect(of(words)[0]?.hash).toMatch(/^[\w-]{22}$/);
});
