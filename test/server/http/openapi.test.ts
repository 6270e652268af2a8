// The document names every route with what it takes and answers; nothing in it hangs in the air.
import { expect, test } from "bun:test";
import * as v from "valibot";
import { createApp } from "../../../src/server/app.ts";
import { OpenApiAnswer } from "../../../src/server/schemas/openapi.ts";
import { appOptions } from "../app-options.ts";

const app = createApp(appOptions());
const response = await app.handle(new Request("http://localhost/api/openapi.json"));
const text = await response.text();
const document = JSON.parse(text);
const { paths } = v.parse(OpenApiAnswer, document);
const documented = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

test("every route is in it, once", () => {
  const routes = app.routes.map(({ method, path }) => {
    const shown = path.replace(/:(\w+)/g, "{$1}");
    return `${method === "ALL" ? "post" : method.toLowerCase()} ${shown}`;
  });
  // The server takes these before its routes; below /plugins the document has what the plugins in force bring.
  routes.push("post /hook/{client}");
  const own = routes.filter((route) => route !== "post /plugins/*");
  expect(documented.map(({ path, method }) => `${method} ${path}`).sort()).toEqual(own.sort());
  expect(routes.length).toBeGreaterThan(25);
  const ids = new Set(documented.map(({ operation }) => operation.operationId));
  expect(ids.size).toBe(documented.length);
});

test("every route below /api says what it answers, every part of a path what it is, every one what it is for", () => {
  for (const { path, operation } of documented) {
    expect(operation.summary, path).toBeString();
    const inPath: unknown[] = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const named = operation.parameters.filter((one) => one.in === "path").map(({ name }) => name);
    expect(named).toEqual(inPath);
    if (!path.startsWith("/api/")) continue;
    expect(operation.responses?.["200"], path).toMatchObject({
      content: { "application/json": { schema: expect.any(Object) } },
    });
  }
});

test("parameters are as the schemas say, with their descriptions", () => {
  const { parameters } = document.paths["/api/search"].get;
  const one = (name: string) =>
    parameters.find((parameter: { name: string }) => parameter.name === name);
  expect(one("limit")).toEqual({
    ...{ name: "limit", in: "query", required: false },
    schema: { type: "string", pattern: "^\\d{1,16}$", description: "1 to 200." },
  });
  expect(one("level").schema.enum).toContain("facts");
  const { mark, project } = Object.fromEntries(
    document.paths["/api/marked"].get.parameters.map(
      ({ name, required }: { name: string; required: boolean }) => [name, required],
    ),
  );
  expect([mark, project]).toEqual([true, false]);
  expect(document.paths["/api/drain"].post.requestBody.required).toBe(false);
  expect(document.paths["/api/backfill"].post.requestBody.required).toBe(true);
});

test("every reference leads somewhere, and no schema is left over", () => {
  const used = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
  expect([...new Set(used)].sort()).toEqual(Object.keys(document.components.schemas).sort());
  expect(text).not.toContain("$defs");
});
