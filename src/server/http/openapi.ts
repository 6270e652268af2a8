// The OpenAPI document, made from the routes' own schemas. Loaded when it is asked for: no server needs it to run.
import { type JsonSchema, toJsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";
import type { OpenApi, OperationSchema } from "../schemas/openapi.ts";
import * as plugins from "../schemas/plugins.ts";
import * as records from "../schemas/records.ts";
import { ErrorAnswer } from "./errors.ts";
import type { RouteSchema } from "./schema.ts";

/** A route as Elysia lists it. */
export interface ListedRoute {
  method: string;
  path: string;
  hooks: object;
}

type Json = Record<string, unknown>;

/** Named once and referred to. */
const named = {
  Observation: records.ObservationSchema,
  Summary: records.SummarySchema,
  Prompt: records.PromptSchema,
  Turn: records.TurnSchema,
  Session: records.SessionSchema,
  MemoryItem: records.StoredItemSchema,
  StoredRecord: records.StoredRecordSchema,
  Plugin: plugins.PluginSchema,
  Subscription: plugins.SubscriptionSchema,
  Error: ErrorAnswer,
};

const json = (schema: Json) => ({ content: { "application/json": { schema } } });
const failed = {
  description: "What went wrong, and what to do.",
  ...json({ $ref: "#/components/schemas/Error" }),
};

/** Every route with what it takes and answers. */
export function openApi(routes: readonly ListedRoute[], version: string): OpenApi {
  const paths: OpenApi["paths"] = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, "{$1}");
    const method = route.method === "ALL" ? "post" : route.method.toLowerCase();
    paths[path] = { ...paths[path], [method]: operation(method, route) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "memoir",
      version,
      description: "The server of one home. Over its unix socket no token is asked for.",
    },
    security: [{ token: [] }],
    paths,
    components: {
      schemas: Object.fromEntries(
        Object.entries(named).map(([name, schema]) => [
          name,
          { ...converted(schema, "output", schema) },
        ]),
      ),
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
    },
  };
}

function operation(
  method: string,
  { path, hooks }: ListedRoute,
): v.InferOutput<typeof OperationSchema> {
  const { query, params, body, response, detail } = hooks as Partial<
    Record<"query" | "params" | "body" | "response", RouteSchema<unknown>>
  > & { detail?: { summary?: string } };
  return {
    operationId: [method, ...path.split(/\W+/)].filter(Boolean).join("_"),
    ...(detail?.summary !== undefined && { summary: detail.summary }),
    parameters: [
      ...(params ? parameters("path", params) : parametersIn(path)),
      ...(query ? parameters("query", query) : []),
    ],
    ...(body && {
      requestBody: { required: body.schema.type !== "optional", ...json({ ...asked(body) }) },
    }),
    responses: {
      200: { description: "As asked for.", ...(response && json({ ...answered(response) })) },
      default: failed,
    },
  };
}

/** A route without a schema is known by its path alone. */
function parametersIn(path: string): Json[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    ...{ name, in: "path", required: true },
    schema: { type: "string" },
  }));
}

function parameters(place: "path" | "query", schema: RouteSchema<unknown>): Json[] {
  const { properties = {}, required = [] } = asked(schema);
  return Object.entries(properties).map(([name, one]) => ({
    ...{ name, in: place, required: required.includes(name), schema: one },
  }));
}

const asked = ({ schema }: RouteSchema<unknown>) => converted(schema, "input");
const answered = ({ schema }: RouteSchema<unknown>) => converted(schema, "output");

/** As JSON Schema, with references to the named ones; `whole` is the one that stands for itself. */
function converted(
  schema: v.GenericSchema,
  typeMode: "input" | "output",
  whole?: v.GenericSchema,
): Omit<JsonSchema, "$schema" | "$defs" | "definitions"> {
  const definitions = Object.fromEntries(Object.entries(named).filter(([, one]) => one !== whole));
  const {
    $schema,
    $defs,
    definitions: _,
    ...rest
  } = toJsonSchema(schema, {
    target: "draft-2020-12",
    typeMode,
    definitions,
    // Rules that JSON Schema has no word for (a number of words, say) are in the error's words.
    errorMode: "ignore",
    overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  });
  return rest;
}
