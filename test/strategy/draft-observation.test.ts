// A model's observation brought to the rules: titles, subtitles, facts, files, types, concepts, and whose work it was.
import { expect, test } from "bun:test";
import type { ObservationDraft } from "../../src/sdk/model.ts";
import type { ToolUse } from "../../src/sdk/work.ts";
import { draftObservation } from "../../src/strategy/draft-observation.ts";
import type { RawObservation } from "../../src/strategy/raw-answer.ts";
import { findJson } from "../../src/strategy/raw-answer.ts";
import { pathsFrom } from "../../src/text/paths.ts";

const fact = "src/cart.ts keeps its total in a getter that sums the lines anew each time";
const raw: RawObservation = {
  ...{ type: "bugfix", title: "Cart total is a getter", facts: [fact], narrative: "" },
  subtitle: "The sum was kept and went stale",
  ...{ concepts: ["caching", "Cart Lines!"], files: [], uses: [] },
};
const use = (id: string, name: string, path: string, agent?: string): ToolUse => ({
  ...{ id, name, input: { file_path: `/w/shop/${path}` }, time: 1, cwd: "/w/shop" },
  ...(agent !== undefined && { agent: { id: agent, type: "helper" } }),
});
const uses = [use("t1", "Read", "src/mail.ts"), use("t2", "Edit", "src/cart.ts")];
function draft(part: Partial<RawObservation>, toolUses: ToolUse[] = uses): ObservationDraft {
  const paths = pathsFrom("/w/shop");
  const made = draftObservation({ ...raw, ...part }, { toolUses, evidence: "", paths });
  if (typeof made === "string") throw new Error(made);
  return made;
}

test.each<[string, Partial<RawObservation>, string]>([
  ["of three to eight words stays", {}, "Cart total is a getter"],
  [
    "that is too long is cut at eight words",
    { title: "The total of the cart is now a getter of lines." },
    "The total of the cart is now a…",
  ],
  [
    "that is too short says where",
    { title: "Total fixed", files: ["src/cart.ts"] },
    "Total fixed in cart.ts",
  ],
  [
    "that is missing comes from what else was said",
    { title: "" },
    "The sum was kept and went stale",
  ],
])("a title %s", (_, part, title) => {
  expect(draft(part).title).toBe(title);
});

test("a script without blanks has words and facts too; two long words are a title", () => {
  const facts = ["src/cart.tsの合計は毎回すべての行から計算し直される"];
  const title = "合計は毎回計算し直される";
  expect(draft({ title, facts })).toMatchObject({ title, facts });
  expect(draft({ title: "合計は行から毎回新しく計算し直されるようになりました" }).title).toBe(
    "合計は行から毎回新しく計算し直されるようになりま…",
  );
  expect(draft({ title: "Anmeldefehler behoben" }).title).toBe("Anmeldefehler behoben");
});

test("a title in the very words of what was asked gives way to what came of it", () => {
  const paths = pathsFrom("/w/shop");
  const came = "Cart total sums its lines anew";
  const titled = (title: string, turn: { asked: string; came: string | undefined }) => {
    const made = draftObservation({ ...raw, title }, { toolUses: uses, evidence: "", paths, turn });
    return typeof made === "string" ? made : made.title;
  };
  const asked = "Please make the cart total a getter.\nThanks!";
  for (const [title, known, kept] of [
    ["Make the cart total a getter", came, came],
    ["Make the cart total a getter", undefined, "Make the cart total a getter"],
    ["Cart total is a getter", came, "Cart total is a getter"],
  ] as const)
    expect(titled(title, { asked, came: known })).toBe(kept);
});

test("a subtitle that only says the title again gives way to a fact, and is cut at 24 words", () => {
  expect(draft({ subtitle: "Cart total is a getter" }).subtitle).toBe(fact);
  const words = Array.from({ length: 30 }, (_, at) => `word${at}`);
  expect(draft({ subtitle: words.join(" ") }).subtitle).toBe(`${words.slice(0, 24).join(" ")}…`);
});

test("concepts are lower case with hyphens, at least two, at most five, none twice", () => {
  expect(draft({}).concepts).toEqual(["caching", "cart-lines"]);
  expect(draft({ concepts: ["Caching", "caching "] }).concepts).toEqual(["caching", "bugfix"]);
  expect(draft({ concepts: [] }).concepts).toEqual(["bugfix", "project-knowledge"]);
  expect(draft({ concepts: [..."abcdefg"] }).concepts).toEqual([..."abcde"]);
});

test("it rests on the tool uses that it names, else on those of its files, else on all", () => {
  expect(draft({ uses: [2] }).toolUseIds).toEqual(["t2"]);
  expect(draft({ files: ["src/mail.ts"] }).toolUseIds).toEqual(["t1"]);
  expect(draft({}).toolUseIds).toEqual(["t1", "t2"]);
});

test("files are those named, else those in its words, else what its tool uses changed", () => {
  const files = (part: Partial<RawObservation>) => {
    const { filesRead, filesModified } = draft(part);
    return { filesRead, filesModified };
  };
  const none = { facts: [fact.replace("src/cart.ts", "The cart")] };
  expect(files({ files: ["src/mail.ts"] })).toEqual({
    filesRead: ["src/mail.ts"],
    filesModified: [],
  });
  expect(files({})).toEqual({ filesRead: [], filesModified: ["src/cart.ts"] });
  expect(files({ ...none, uses: [1, 2] })).toEqual({
    filesRead: [],
    filesModified: ["src/cart.ts"],
  });
  expect(files(none)).toEqual({ filesRead: [], filesModified: [] });
});

test("it is a subagent's only where all of its tool uses are that one's", () => {
  const one = [use("t1", "Read", "a.ts", "a7"), use("t2", "Read", "b.ts", "a7")];
  expect(draft({}, one).agent).toEqual({ id: "a7", type: "helper" });
  expect(draft({}, [...one, use("t3", "Read", "c.ts")]).agent).toBeUndefined();
});

test("without a fact that stands alone there is none, and it says so", () => {
  const paths = pathsFrom("/w/shop");
  const said = { ...raw, facts: ["It also works."], subtitle: "" };
  expect(draftObservation(said, { toolUses: uses, evidence: "", paths })).toBe("noFact");
});

test.each<[string, string, unknown[]]>([
  ["the whole answer", '[{"a": 1}]', [[{ a: 1 }]]],
  ["in a fence, after words", 'Here:\n```json\n{"a": 1}\n```\nDone {not json}', [{ a: 1 }]],
  ["several", '{"a": 1} and {"b": "}"}', [{ a: 1 }, { b: "}" }]],
  ["with quotation marks in a text", 'So: {"a": "\\"}\\"", "b": 1}.', [{ a: '"}"', b: 1 }]],
  ["with a comma too many", '{"a": [1, 2,],}', [{ a: [1, 2] }]],
  ["a list cut off", 'So: [{"a": 1}, {"b": 2}, {"c', [{ a: 1 }, { b: 2 }]],
  ["after something cut off that is no list", '{"a": ', []],
  ["behind a bracket that is none", 'see [1, then {"a": 1}', [{ a: 1 }]],
  ["none", "There is nothing to keep.", []],
])("JSON is found: %s", (_, text, found) => {
  expect(findJson(text)).toEqual(found);
});

test("the story keeps its paragraphs, and 4,000 characters of them", () => {
  expect(draft({ narrative: "**One** thing.\n\n\nAnother\nthing." }).narrative).toBe(
    "One thing.\n\nAnother thing.",
  );
  const { narrative } = draft({ narrative: "One thing more. ".repeat(400) });
  expect([narrative.length <= 4_000, narrative.length > 3_900]).toEqual([true, true]);
  expect(draft({ narrative: "" }).narrative).toBe(fact);
});

const types = {
  bugfix: "bug fix error Hotfix patch",
  decision: "DECISION preference choice policy convention",
  refactor: "refactor cleanup rename restructuring simplification migration",
  feature: "feat addition implementation new-thing enhancement improvement",
  change: "change",
  discovery: "discovery finding",
};
test.each(
  Object.entries(types).flatMap(([type, words]) => words.split(" ").map((word) => [word, type])),
)("what a model calls %s is a %s", (said = "", type) => {
  expect(draft({ type: said }).type).toBe(type as ObservationDraft["type"]);
});
