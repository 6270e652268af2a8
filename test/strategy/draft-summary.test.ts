// A model's summary and titles as they may be stored.
import { describe, expect, test } from "bun:test";
import { ofSummaryTexts } from "../../src/sdk/model.ts";
import { draftSummary, draftTitles } from "../../src/strategy/draft-observation.ts";
import { emptyAnswer } from "../../src/strategy/raw-answer.ts";
import { pathsFrom } from "../../src/text/paths.ts";

const paths = pathsFrom("/home/kim/shop");
const secret = `sk-ant-api03-${"a1B2c3D4".repeat(11)}-AA`;
const raw = (texts: Record<string, string>) => ({
  ...ofSummaryTexts((name) => texts[name] ?? ""),
  ...{ filesRead: ["made/up.ts"], filesEdited: ["made/up.ts"] },
});
const draft = (texts: Record<string, string>) =>
  draftSummary(raw(texts), { read: ["r.ts"], modified: ["m.ts"] }, paths);
const titles = (title?: string, subtitle?: string) =>
  draftTitles(
    {
      ...emptyAnswer(),
      ...(title !== undefined && { title }),
      ...(subtitle !== undefined && { subtitle }),
    },
    paths,
  );
const words = (count: number) => Array.from({ length: count }, (_, i) => `word${i}`).join(" ");

describe("a summary", () => {
  test("has the files that are known, not those the model names", () => {
    expect(draft({ learned: "A thing." })).toMatchObject({
      filesRead: ["r.ts"],
      filesEdited: ["m.ts"],
    });
  });

  test("has fifty files of each at most", () => {
    const many = Array.from({ length: 60 }, (_, i) => `${i}.ts`);
    const made = draftSummary(raw({ learned: "A thing." }), { read: many, modified: many }, paths);
    expect(made).toMatchObject({ filesRead: many.slice(0, 50), filesEdited: many.slice(0, 50) });
  });

  test.each(["None", "n/a", "Nothing.", "--", "Nichts.", "Ninguno"])(
    "leaves %p empty",
    (learned) => {
      expect(draft({ learned, completed: "It is done." })).toMatchObject({
        learned: "",
        completed: "It is done.",
      });
    },
  );

  test("of a request and next steps alone is none", () => {
    expect(draft({ request: "Do it.", nextSteps: "More.", learned: "None" })).toBe("noNews");
  });

  test("holds no secret, names files from the project's root, and is bounded", () => {
    const made = draft({
      learned: `${secret} is in /home/kim/shop/src/a.ts`,
      completed: words(999),
    });
    if (typeof made === "string") throw new Error(made);
    expect(made.learned).not.toContain(secret);
    expect(made.learned).toEndWith("is in src/a.ts");
    expect(made.completed?.length).toBeLessThanOrEqual(900);
  });
});

describe("titles", () => {
  test.each([
    ["of three words", "One two three", "One two three"],
    ["of eight", words(8), words(8)],
    ["of two words are none", "One two", undefined],
    ["of nine are cut to eight", words(9), `${words(8)}…`],
    ["lose their full stop", "One two three.:", "One two three"],
  ])("%s", (_, title, expected) => {
    expect(titles(title).title).toBe(expected);
  });

  test.each([
    ["of twenty words stays", words(20), words(20)],
    ["of more is cut", words(21), `${words(20)}…`],
    ["that is empty is none", " ", undefined],
  ])("a subtitle %s", (_, subtitle, expected) => {
    expect(titles(undefined, subtitle).subtitle).toBe(expected);
  });

  test("hold no secret", () => {
    expect(JSON.stringify(titles(`Rotate key ${secret}`, `Was ${secret}`))).not.toContain(secret);
  });
});
