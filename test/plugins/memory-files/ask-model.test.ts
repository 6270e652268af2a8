// What a model is shown of a finished session, and what of its answer becomes an item.
import { describe, expect, test } from "bun:test";
import {
  askModel,
  question,
  type SessionMaterial,
  schema,
  system,
} from "../../../plugins/memory-files/ask-model.ts";
import type { CompletionRequest } from "../../../src/sdk/provider.ts";
import {
  noon,
  sampleMemory,
  sampleObservation,
  samplePrompt,
  sampleSession,
  sampleSummary,
  shop,
} from "../../support/sample-records.ts";

const session = { ...sampleSession({ lastActiveAt: noon }), project: shop, title: "" };
const material = (more: object = {}) =>
  ({
    ...{ session, prompts: [], observations: [], summaries: [], turns: [] },
    ...more,
  }) as unknown as SessionMaterial;
const shown = (more: object, known: Parameters<typeof question>[1] = []) =>
  question(material(more), known, () => 0.5);
const known = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    ...sampleMemory({ kind: "facts", content: `known fact ${at}` }),
    id: `m${at}`,
  }));

describe("the model is shown", () => {
  test("the project, the material and what is known, each between tags of its own", () => {
    const lines = shown({ prompts: [samplePrompt({ text: "Fix <it>" })] }, known(1)).split("\n");
    const [first, second, tag = ""] = lines;
    expect([first, second]).toEqual(["Project: shop", "MATERIAL (quoted)"]);
    expect(tag).toMatch(/^<data-\w{8}>$/);
    expect(lines.slice(3)).toEqual([
      ...["<prompt>Fix &lt;it></prompt>", tag.replace("<", "</"), "KNOWN ALREADY (quoted)", tag],
      ...["facts: known fact 0", tag.replace("<", "</")],
      'Which items will still hold later? Answer with one JSON object {"items": […]}.',
    ]);
  });

  test("that nothing is known, where it is so", () => {
    expect(shown({})).toContain("\n(nothing)\n");
    expect(shown({}, known(1))).not.toContain("(nothing)");
  });

  test("the last sixty prompts and notes, the first sixty known items", () => {
    const numbers = Array.from({ length: 61 }, (_, at) => at);
    const text = shown(
      {
        prompts: numbers.map((at) => samplePrompt({ text: `prompt ${at}.` })),
        observations: numbers.map((at) =>
          sampleObservation({ type: "bugfix", title: `title ${at}`, facts: ["One.", "Two."] }),
        ),
      },
      known(61),
    );
    expect(text.match(/<prompt>/g)).toHaveLength(60);
    expect([text.includes("prompt 0."), text.includes("prompt 60.")]).toEqual([false, true]);
    expect(text.match(/<note>/g)).toHaveLength(60);
    expect(text).toContain("<note>bugfix: title 60. One. Two.</note>");
    expect(text).not.toContain("title 0.");
    expect([text.includes("fact 59"), text.includes("fact 60")]).toEqual([true, false]);
  });

  test("the session's own summaries, not those of its prompts", () => {
    const said = { completed: "Did it.", learned: "Learnt it.", notes: "Noted it." };
    const text = shown({
      summaries: [
        sampleSummary({ scope: "session", ...said }),
        sampleSummary({ scope: "prompt", completed: "Of a prompt." }),
      ],
    });
    expect(text).toContain("<summary>Did it. Learnt it. Noted it.</summary>");
    expect(text).not.toContain("Of a prompt.");
  });

  test("no more of one text than there is room for", () => {
    const long = "word ".repeat(1_000);
    const size = (more: object, items: Parameters<typeof question>[1] = []) =>
      shown(more, items).length - shown({}).length;
    for (const [more, most] of [
      [{ prompts: [samplePrompt({ text: long })] }, 1_200],
      [{ observations: [sampleObservation({ title: long })] }, 600],
      [{ summaries: [sampleSummary({ scope: "session", learned: long })] }, 1_200],
    ] as const) {
      expect(size(more)).toBeGreaterThan(most - 100);
      expect(size(more)).toBeLessThan(most + 60);
    }
    const one = size({}, [{ ...sampleMemory({ content: long }), id: "m1" }]);
    expect([one > 180, one < 260]).toEqual([true, true]);
  });
});

/** What an answer becomes, and what was asked. */
async function asked(text: string, more: object = {}, stopReason = "end") {
  const requests: CompletionRequest[] = [];
  const complete = async (request: CompletionRequest) => {
    requests.push(request);
    return { text, stopReason } as never;
  };
  const items = await askModel(material(more), [], { complete }, () => 0.5);
  return { items, requests };
}
const words = "alpha bravo charlie delta echo";
const backed = { prompts: [samplePrompt({ text: words })] };
const answer = (...items: object[]) => JSON.stringify({ items });
const fact = (content: string, context = "") => ({ kind: "facts", content, context });
const contents = async (...given: Parameters<typeof asked>) =>
  (await asked(...given)).items.map(({ content }) => content);

test("the model is asked once, for the session, with the form of the answer and room for it", async () => {
  const { requests } = await asked(answer(), backed);
  expect(requests).toEqual([
    {
      ...{ system, schema, purpose: "memory", session: session.id, project: shop.id },
      messages: [{ role: "user", content: question(material(backed), [], () => 0.5) }],
      maxTokens: 1_500,
    },
  ]);
  expect(schema.properties.items.items.properties.kind.enum).toContain("decisions");
});

describe("of the answer", () => {
  test("what the model thought before it is left out, drafts included", async () => {
    const draft = `<think>Perhaps ${answer(fact("alpha bravo charlie delta draft"))}?</think>\n`;
    expect(await contents(draft + answer(fact(words)), backed)).toEqual([words]);
    expect(await contents(draft.replace("</think>", ""), backed)).toEqual([]);
  });

  test("an item has the day, session and project, and its text on one line", async () => {
    const { items } = await asked(answer(fact(` alpha\nbravo  charlie delta`, "said\nso")), backed);
    expect(items).toEqual([
      {
        ...{ kind: "facts", content: "alpha bravo charlie delta", context: "said so" },
        ...{ date: "2026-11-01", session: session.id, project: shop.id },
      },
    ]);
  });

  test("a secret that the model repeats is taken out", async () => {
    const token = ["gh", "p_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("");
    const [text] = await contents(answer(fact(`alpha bravo charlie ${token}`)), backed);
    expect(text).toBe("alpha bravo charlie [redacted:github-token]");
  });

  test("a list without a name counts too; a refusal does not", async () => {
    const list = JSON.stringify([fact(words)]);
    expect(await contents(list, backed)).toEqual([words]);
    expect(await contents(answer(fact(words)), backed, "refusal")).toEqual([]);
  });

  test("twelve items at most", async () => {
    const many = Array.from({ length: 13 }, (_, at) => fact(`${words} ${at}`));
    expect(await contents(answer(...many), backed)).toHaveLength(12);
  });

  test("fifteen characters are an item, fewer are not", async () => {
    const text = { prompts: [samplePrompt({ text: "alpha bravo ex exa" })] };
    expect(await contents(answer(fact("alpha bravo exa"), fact("alpha bravo ex")), text)).toEqual([
      "alpha bravo exa",
    ]);
  });

  test("two words of five have to stand in the material", async () => {
    const two = "alpha bravo xylophone yesterday zeppelin";
    const one = "alpha walrus xylophone yesterday zeppelin";
    expect(await contents(answer(fact(two), fact(one)), backed)).toEqual([two]);
  });

  test.each<[string, object]>([
    ["a prompt", backed],
    ["a note's title", { observations: [sampleObservation({ title: words })] }],
    ["a note's facts", { observations: [sampleObservation({ facts: [words] })] }],
    ["a note's narrative", { observations: [sampleObservation({ narrative: words })] }],
    ["what a summary learnt", { summaries: [sampleSummary({ learned: words })] }],
    ["what a summary completed", { summaries: [sampleSummary({ completed: words })] }],
    ["what a summary notes", { summaries: [sampleSummary({ notes: words })] }],
    [
      "what was typed on the way",
      {
        turns: [
          {
            ...{ id: "t1", promptNumber: 1, startedAt: 0, time: 0, end: "closed", files: [] },
            pieces: [{ kind: "typed", text: words }],
          },
        ],
      },
    ],
  ])("what stands in %s is backed", async (_, more) => {
    expect(await contents(answer(fact(words)), more)).toEqual([words]);
    expect(await contents(answer(fact(words)))).toEqual([]);
  });

  test("long texts are cut to 240 characters", async () => {
    const long = `${words} ${"x".repeat(400)}`;
    const [item] = (await asked(answer(fact(long, long)), backed)).items;
    expect([item?.content.length, item?.context.length]).toEqual([240, 240]);
  });
});
