// JSON as models write it, with and without a provider that holds them to the schema.
import { describe, expect, test } from "bun:test";
import structured, { jsonFormat } from "../../../plugins/observation-structured/index.ts";
import { fixOfCart, sampleBatch } from "../../support/observer-batch.ts";
import { openRoom } from "../../support/plugin-room.ts";
import { scriptedModel } from "../../support/scripted-model.ts";

const one = { type: "bugfix", title: "A b c", facts: ["one"], uses: [1] };
const filled = { subtitle: "", narrative: "", concepts: [], files: [], ...one };

const cases: Array<[string, string, unknown]> = [
  ["as asked for", JSON.stringify({ observations: [one] }), [filled]],
  [
    "in a fence",
    `Here:\n\`\`\`json\n${JSON.stringify({ observations: [one] }, null, 2)}\n\`\`\``,
    [filled],
  ],
  ["a bare list", JSON.stringify([one]), [filled]],
  ["a bare observation", JSON.stringify(one), [filled]],
  ["one under its name", JSON.stringify({ observation: one }), [filled]],
  ["with a comma too many", `{"observations":[${JSON.stringify(one)},]}`, [filled]],
  [
    "two objects",
    `${JSON.stringify({ observations: [one] })}\n${JSON.stringify(one)}`,
    [filled, filled],
  ],
  [
    "braces inside texts",
    JSON.stringify({ observations: [{ ...one, narrative: 'if (a) { "b" } [' }] }),
    [{ ...filled, narrative: 'if (a) { "b" } [' }],
  ],
  ["cut off", `${JSON.stringify({ observations: [one, one] }).slice(0, -12)}`, [filled]],
  [
    "wrong types",
    JSON.stringify({
      observations: [
        { title: 7, facts: "one", concepts: null, uses: "2", files: [1, "a"] },
        5,
        null,
      ],
    }),
    [{ ...filled, type: "", title: "7", uses: [2], files: ["1", "a"] }],
  ],
];

describe("structured", () => {
  test.each(cases)("%s", (_name, text, expected) => {
    expect(jsonFormat.read(text, false).observations).toEqual(expected as never);
  });

  test("an empty list is nothing, prose is not", () => {
    expect(jsonFormat.read('{"observations": []}', false)).toEqual({
      observations: [],
      nothing: true,
    });
    expect(jsonFormat.read("I did it.", false).problem).toBe("no JSON object was found in it");
    expect(jsonFormat.read('{"a": 1}', false).problem).toContain("neither");
  });

  test("a summary, with a title where there is one", () => {
    const answer = { title: "A b c", subtitle: "", completed: "Done", next_steps: "More" };
    expect(jsonFormat.read(JSON.stringify(answer), false)).toMatchObject({
      title: "A b c",
      summary: { completed: "Done", nextSteps: "More", learned: "" },
    });
  });

  test("sends a schema in which all is required and nothing else allowed", async () => {
    const model = scriptedModel('{"observations": []}');
    const { hooks } = await openRoom(structured, {
      complete: model.complete,
      storage: { observations: async () => [] },
    });
    await hooks.first("observe", sampleBatch(fixOfCart));
    const schema = model.requests[0]?.schema as {
      properties: { observations: { items: Record<string, unknown> } };
    };
    const { items } = schema.properties.observations;
    expect(items.additionalProperties).toBe(false);
    expect(items.required).toEqual(Object.keys(items.properties as object));
  });
});
