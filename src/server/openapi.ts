// The OpenAPI document, made from the operations' own schemas. Loaded when it is asked for: no server needs it to run.
import { type JsonSchema, toJsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";
import type { Contribution } from "../runtime/status-schema.ts";
import * as plugins from "../runtime/status-schema.ts";
import { ErrorAnswer, inputsSchema, type Operation } from "./operation.ts";
import type { OpenApi, OperationSchema } from "./schemas/openapi.ts";
import * as records from "./schemas/records.ts";

/** Routes that no schema describes: adapters and a protocol of its own read what they are sent. */
const others = [
  { method: "POST", path: "/hook/:client", summary: "Take a client's event in and answer it." },
  { method: "POST", path: "/mcp", summary: "The Model Context Protocol." },
];

type Listed = Pick<Operation, "method" | "path" | "summary"> & Partial<Operation>;

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
export function openApi(
  operations: readonly Operation[],
  version: string,
  contributions: readonly Contribution[] = [],
): OpenApi {
  const paths: OpenApi["paths"] = {};
  for (const one of [...others, ...operations]) {
    const path = one.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [one.method.toLowerCase()]: described(one) };
  }
  for (const one of contributions)
    if (one.kind === "operations" && one.for?.includes("route") && !one.refused)
      paths[`/plugins/${one.plugin}/${one.name}`] = contributed(one);
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

function described(one: Listed): v.InferOutput<typeof OperationSchema> {
  const { method, path, summary, params, query, body, answer } = one;
  return {
    operationId: [method.toLowerCase(), ...path.split(/\W+/)].filter(Boolean).join("_"),
    summary,
    parameters: [
      ...(params ? parameters("path", params) : parametersIn(path)),
      ...(query ? parameters("query", query) : []),
    ],
    ...(body && {
      requestBody: {
        required: body.type !== "optional",
        ...json({ ...converted(body, "input") }),
      },
    }),
    responses: {
      200: {
        description: "As asked for.",
        ...(answer && json({ ...converted(answer, "output") })),
      },
      default: failed,
    },
  };
}

/** An operation of a plugin. */
function contributed({ plugin, name, does = "", takes = {}, changes, answers = {} }: Contribution) {
  const schema = inputsSchema(takes);
  const about = {
    operationId: [plugin, name].join("_").replaceAll("-", "_"),
    summary: `${does.replace(/\.$/, "")}.`,
    responses: { 200: { description: "As asked for.", ...json(answers) }, default: failed },
  };
  if (changes)
    return { post: { ...about, parameters: [], requestBody: { required: true, ...json(schema) } } };
  return {
    get: {
      ...about,
      parameters: Object.entries(schema.properties).map(([input, one]) => ({
        ...{ name: input, in: "query", required: takes[input]?.required === true },
        schema: one,
      })),
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

function parameters(place: "path" | "query", schema: v.GenericSchema): Json[] {
  const { properties = {}, required = [] } = converted(schema, "input");
  return Object.entries(properties).map(([name, one]) => ({
    ...{ name, in: place, required: required.includes(name), schema: one },
  }));
}

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
