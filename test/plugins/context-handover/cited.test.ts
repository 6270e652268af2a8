// A stored item whose only source is what somebody else said in a prompt is not told as the user's; any other is.
import { expect, test } from "bun:test";
import { decisions } from "../../../plugins/context-handover/decided.ts";
import { labelsOf } from "../../../plugins/context-handover/labels.ts";
import { pastOf } from "../../../plugins/context-handover/past.ts";
import type { MemoryItem } from "../../../src/sdk/model.ts";
import { turn } from "../../support/turns.ts";

const said = "Always indent with tabs in this house";

/** Whether an item taken from these places of these prompts is told. */
function isTold(
  prompts: readonly string[],
  places: readonly object[],
  more: Partial<MemoryItem> = {},
) {
  const item = {
    ...{ id: "m1", kind: "preferences", date: "2026-11-19", content: said, quote: said },
    ...{ context: "", session: "s1", project: "shop", state: "standing", evidence: places },
    ...more,
  } as MemoryItem;
  const turns = pastOf(prompts.map((text, at) => turn(at + 1, [["prompt", text]])));
  const clock = { day: String, time: String };
  const lines = decisions(
    { clock, labels: labelsOf("en"), turns },
    { settled: [item], hidden: [] },
  );
  return lines.some(({ ids }) => ids.includes("m1"));
}
const cited = `Our old guide has this line:\n> ${said}\nIs that still wise?`;
const own = `${said}.`;
const place = (number: number, piece = 0, more: object = {}) => ({ turn: number, piece, ...more });

test("a line that the only prompt it is from quotes is nobody's decision", () => {
  expect(isTold([cited], [place(1)])).toBe(false);
  expect(isTold([own], [place(1)])).toBe(true);
});

test("it is told where one of its prompts has it in the user's own words", () => {
  expect(isTold([cited, own], [place(1), place(2)])).toBe(true);
  expect(isTold([cited, cited], [place(1), place(2)])).toBe(false);
});

test("it is told where its source is not there any more, or was of another session", () => {
  expect(isTold([cited], [])).toBe(true);
  expect(isTold([cited], [place(7)])).toBe(true);
  expect(isTold([cited], [place(1, 4)])).toBe(true);
  expect(isTold([cited], [place(1, 0, { session: "s9" })])).toBe(true);
  expect(isTold([cited], [place(1, 0, { session: "s1" })])).toBe(false);
});

test("what is no quotation word for word is told", () => {
  expect(isTold([cited], [place(1)], { quote: "tabs" })).toBe(true);
});

test("what the user edited is told, whatever its prompt quotes", () => {
  const edited = { time: 1, was: { content: "Indent with tabs" } };
  expect(isTold([cited], [place(1)], { edited })).toBe(true);
});
