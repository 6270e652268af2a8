// What every route takes and answers, as its callers were told: a field that comes, goes or changes shows here.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { createApp } from "../../../src/server/app.ts";
import { expectGolden } from "../../support/golden.ts";
import { appOptions } from "../app-options.ts";

type Schema = Record<string, unknown> & {
  $ref?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
};
interface Operation {
  parameters: Array<{ name: string; in: string; required: boolean; schema: Schema }>;
  requestBody?: { required: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

const app = createApp(appOptions());
const document = await (await app.handle(new Request("http://localhost/api/openapi.json"))).json();

/** What is said beside the type: bounds, forms, values. Descriptions are prose. */
function bounds({
  type,
  description: _,
  properties,
  required,
  items,
  anyOf,
  oneOf,
  allOf,
  ...rest
}: Schema) {
  const said = Object.entries(rest).filter(
    ([name]) => name !== "additionalProperties" || !properties,
  );
  return said.map(([name, value]) => ` ${name}=${JSON.stringify(value)}`).join("");
}

/** A schema in lines: a field each, `?` where it may be absent. */
function lines(schema: Schema, name: string, indent: string): string[] {
  if (schema.$ref !== undefined) return [`${indent}${name}: ${schema.$ref.replace(/.*\//, "#")}`];
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  const head = `${indent}${name}: ${schema.allOf ? "all of" : choices ? "one of" : (schema.type ?? "any")}${bounds(schema)}`;
  const inner = `${indent}  `;
  return [
    head,
    ...(choices ?? []).flatMap((one) => lines(one, "-", inner)),
    ...Object.entries(schema.properties ?? {}).flatMap(([key, value]) =>
      lines(value, schema.required?.includes(key) ? key : `${key}?`, inner),
    ),
    ...(schema.items ? lines(schema.items, "each", inner) : []),
  ];
}

function routeLines(title: string, { parameters, requestBody, responses }: Operation): string[] {
  const body = Object.values(requestBody?.content ?? {});
  const answers = Object.entries(responses).flatMap(([status, { content = {} }]) =>
    Object.values(content).flatMap(({ schema }) => lines(schema, status, "  ")),
  );
  return [
    title,
    ...parameters.flatMap((one) =>
      lines(one.schema, `${one.in} ${one.name}${one.required ? "" : "?"}`, "  "),
    ),
    ...body.flatMap(({ schema }) => lines(schema, requestBody?.required ? "body" : "body?", "  ")),
    ...answers,
    "",
  ];
}

test("routes, their parameters, bodies and answers", async () => {
  const routes = Object.entries(
    document.paths as Record<string, Record<string, Operation>>,
  ).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      routeLines(`${method.toUpperCase()} ${path}`, operation),
    ),
  );
  const shared = Object.entries(document.components.schemas as Record<string, Schema>).flatMap(
    ([name, schema]) => lines(schema, `#${name}`, ""),
  );
  expect(routes.length).toBeGreaterThan(100);
  await expectGolden(
    join(import.meta.dir, "api-contract.txt"),
    [...routes, ...shared, ""].join("\n"),
  );
});
