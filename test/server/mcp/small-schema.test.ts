// What a model is told of a tool's arguments: their form, without bounds; what is checked stays checked.
import { expect, test } from "bun:test";
import * as v from "valibot";
import { smallSchema } from "../../../src/server/mcp/handler.ts";

const schema = smallSchema(
  v.strictObject({
    ids: v.pipe(v.array(v.pipe(v.string(), v.minLength(2), v.maxLength(4))), v.minLength(1)),
    limit: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(9))),
    place: v.optional(v.strictObject({ title: v.optional(v.pipe(v.string(), v.maxLength(9))) })),
  }),
);
const standard = schema["~standard"];

test("it says which fields there are, of which kind, and which must be", () => {
  const told = standard.jsonSchema.input({ target: "draft-2020-12" });
  expect(told).toMatchObject({
    type: "object",
    required: ["ids"],
    properties: {
      ids: { type: "array", items: { type: "string" } },
      limit: { type: "number" },
      place: { type: "object", properties: { title: { type: "string" } } },
    },
  });
  const text = JSON.stringify(told);
  for (const bound of ["minLength", "maxLength", "minItems", "minimum", "$schema"])
    expect(text).not.toContain(bound);
  expect(text, "nobody must give what may all be left out").not.toContain('"required":[]');
  expect(text).toContain('"maximum":9');
});

test("what comes out is told too", () => {
  expect(standard.jsonSchema.output({ target: "draft-2020-12" })).toMatchObject({ type: "object" });
});

test("a value that fits is parsed; of many faults the first five are named, each at its place", async () => {
  expect(await standard.validate({ ids: ["ab"] })).toEqual({ value: { ids: ["ab"] } });
  const one = await standard.validate({ ids: ["a"] });
  expect(one.issues).toEqual([{ message: expect.stringMatching(/\S/), path: ["ids", 0] }]);
  const many = await standard.validate({ ids: Array.from({ length: 9 }, () => "a") });
  expect(many.issues).toHaveLength(5);
});
