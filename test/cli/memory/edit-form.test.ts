// The form that an editor shows, and what a person changed in it.
import { describe, expect, test } from "bun:test";
import { changesIn, formOf } from "../../../src/cli/memory/correct.ts";
import { textsOf } from "../../../src/sdk/record-texts.ts";
import { observation, prompt, session, summary } from "../../support/records.ts";

const texts = textsOf({
  kind: "observation",
  record: observation("o7", {
    facts: ["One fact.", "Two\nlines."],
    narrative: "First.\n\nSecond.",
  }),
});

test("what can be edited of each kind, and nothing of evidence", () => {
  expect(Object.keys(texts)).toEqual(["title", "subtitle", "facts", "narrative"]);
  expect(Object.keys(textsOf({ kind: "session", record: session("s1") }))).toEqual([
    "title",
    "subtitle",
  ]);
  expect(textsOf({ kind: "summary", record: summary("m1") })).toHaveProperty("nextSteps");
  expect(textsOf({ kind: "prompt", record: prompt("p1") })).toEqual({});
});

test("a form that nobody touched changes nothing", () => {
  const form = formOf("o7", texts);
  expect(form).toStartWith("# o7: ");
  expect(form).toContain("\n## facts\n- One fact.\n- Two lines.\n");
  expect(changesIn(form, texts)).toEqual({});
  expect(changesIn(form.replaceAll("\n", "\r\n"), texts)).toEqual({});
  expect(changesIn("", texts)).toEqual({});
});

describe("a change", () => {
  test.each([
    ["Token refresh loops on 401", "Mine", { title: "Mine" }],
    [
      "- One fact.",
      "- One fact.\n* Another.\nA third",
      { facts: ["One fact.", "Another.", "A third", "Two lines."] },
    ],
    [
      "Second.",
      "Second.\n\n## other heading\nkept",
      { narrative: "First.\n\nSecond.\n\n## other heading\nkept" },
    ],
    ["First.\n\nSecond.", "", { narrative: "" }],
    ["## title\nToken refresh loops on 401", "", {}],
  ])("%j to %j", (from, to, changes) => {
    expect(changesIn(formOf("o7", texts).replace(from, to), texts)).toEqual(changes as never);
  });

  test("a text that reads like a heading is none, and stays as it is", () => {
    const sly = { title: "T", facts: ["## facts"], narrative: "Before\n## title\nafter" };
    const form = formOf("o7", sly);
    expect(changesIn(form.replace("\nT\n", "\nNew\n"), sly)).toMatchObject({ title: "New" });
    expect(changesIn(form.replace("\nT\n", "\nNew\n"), sly)).not.toHaveProperty("facts");
  });
});
