// The page of routes: every route is there, and every example that it shows is a question that the server takes.
import { expect, test } from "bun:test";
import * as v from "valibot";
import {
  exampleOf,
  fieldsOf,
  questionOf,
  routesOf,
  typeWords,
} from "../../src/page/views/settings/routes.tsx";
import { openApi } from "../../src/server/openapi.ts";
import type { Operation } from "../../src/server/operation.ts";
import { operations } from "../../src/server/operations/index.ts";

type Named = Parameters<typeof questionOf>[1];

const document = openApi(operations, "1.2.3");
const named = document.components.schemas as Named;
const docs = routesOf(document);

test("every route of the server is told, with how it is asked", () => {
  // With the hooks' and the protocol's.
  expect(docs).toHaveLength(operations.length + 2);
  for (const { command, id, path } of docs) {
    expect(command).toStartWith("curl -s --unix-socket ~/.memoir/memoir.sock 'http://memoir/");
    expect(command).not.toContain("{id}");
    expect(id.length).toBeGreaterThan(path.length / 2);
  }
  expect(docs.find(({ id }) => id === "get_api_search")?.command).toContain(
    "/api/search?text=discount",
  );
});

for (const declared of operations as readonly Operation[]) {
  const { method, path } = declared;
  const place = path.replace(/:(\w+)/g, "{$1}");
  const operation = document.paths[place]?.[method.toLowerCase()];
  if (!operation) throw new Error(`${method} ${path} is in no document`);
  test(`${method} ${path}: the example is taken, and the answer shown fits`, () => {
    const question = questionOf(operation, named);
    for (const part of ["params", "query", "body"] as const) {
      const schema = declared[part];
      const asked = question[part];
      if (!schema || asked === undefined) continue;
      const parsed = v.safeParse(schema, asked);
      expect(parsed.issues?.map((one) => `${v.getDotPath(one)}: ${one.message}`)).toBeUndefined();
    }
    const { content } = (operation.responses["200"] ?? {}) as {
      content?: Record<string, { schema: object }>;
    };
    const answered = content?.["application/json"]?.schema;
    if (!answered) return;
    const example = exampleOf(answered, { named, isAnswer: true });
    expect(JSON.stringify(example).length).toBeGreaterThan(1);
  });
}

test("types are told in words, and fields with what is in them", () => {
  expect(typeWords({ type: "array", items: { $ref: "#/components/schemas/Turn" } })).toBe(
    "list of Turn",
  );
  expect(typeWords({ anyOf: [{ type: "string" }, { type: "null" }] })).toBe("text or null");
  expect(typeWords({ enum: ["newest", "oldest"] })).toBe('"newest" or "oldest"');
  const fields = fieldsOf(
    {
      type: "object",
      required: ["list"],
      properties: {
        list: { type: "array", items: { type: "object", properties: { at: { type: "number" } } } },
      },
    },
    {},
  );
  expect(fields.map(({ name, isRequired }) => [name, isRequired])).toEqual([
    ["list", true],
    ["list[].at", false],
  ]);
});
