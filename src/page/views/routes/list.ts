// The server's routes out of its own OpenAPI document: what each takes and answers, and how it is asked. Pure.
import type { OpenApi } from "../../../server/schemas/openapi.ts";
import { exampleOf, type Field, fieldsOf, type Named, type Schema, typeWords } from "./schema.ts";

export interface RouteDoc {
  /** `get_api_search`: where an address leads to. */
  id: string;
  method: string;
  path: string;
  summary: string;
  parameters: Array<Field & { place: string }>;
  body: Field[];
  answer: Field[];
  /** A line for a shell. */
  command: string;
  /** What such an answer looks like; undefined where it is no JSON of a known form. */
  example: string | undefined;
}

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  schema: Schema;
}

/** In the order of their paths. */
export function routesOf({ paths, components }: OpenApi): RouteDoc[] {
  const named = components.schemas as Named;
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) =>
        routeDoc(method.toUpperCase(), path, operation, named),
      ),
    )
    .sort((a, b) => a.path.localeCompare(b.path) || a.method.localeCompare(b.method));
}

type Operation = OpenApi["paths"][string][string];

function routeDoc(method: string, path: string, operation: Operation, named: Named): RouteDoc {
  const parameters = operation.parameters as unknown as Parameter[];
  const asked = jsonOf(operation.requestBody);
  const answered = jsonOf(operation.responses["200"]);
  const example = answered && exampleOf(answered, { named, isAnswer: true });
  return {
    ...{ id: operation.operationId, method, path, summary: operation.summary ?? "" },
    parameters: parameters.map(({ name, in: place, required, schema }) => ({
      ...{ name, place, isRequired: required, type: typeWords(schema) },
      description: schema.description ?? "",
    })),
    body: asked ? fieldsOf(asked, named) : [],
    answer: answered ? fieldsOf(answered, named) : [],
    command: command(method, path, questionOf(operation, named)),
    example: example === undefined ? undefined : JSON.stringify(example, undefined, 2),
  };
}

function jsonOf(part: Record<string, unknown> | undefined): Schema | undefined {
  const { content } = (part ?? {}) as { content?: Record<string, { schema?: Schema }> };
  return content?.["application/json"]?.schema;
}

/** A question that the route takes. */
export interface Question {
  params: Record<string, string>;
  query: Record<string, string>;
  body: unknown;
}

/** An example of a question. */
export function questionOf(operation: Operation, named: Named): Question {
  const how = { named, isAnswer: false };
  const parameters = operation.parameters as unknown as Parameter[];
  const given = (place: string): Record<string, string> => {
    const own = parameters.filter((one) => one.in === place);
    const required = own.filter((one) => one.required).map(({ name }) => name);
    const properties = Object.fromEntries(own.map(({ name, schema }) => [name, schema]));
    return exampleOf({ type: "object", properties, required }, how) as Record<string, string>;
  };
  const body = jsonOf(operation.requestBody);
  return { params: given("path"), query: given("query"), body: body && exampleOf(body, how) };
}

const quoted = (words: string) => `'${words.replaceAll("'", "'\\''")}'`;

function command(method: string, path: string, { params, query, body }: Question): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? name);
  const search = new URLSearchParams(query);
  const address = quoted(`http://memoir${filled}${search.size > 0 ? `?${search}` : ""}`);
  const data =
    method === "GET"
      ? ""
      : ` \\\n  -H 'content-type: application/json' -d ${quoted(JSON.stringify(body ?? {}))}`;
  return `curl -s --unix-socket ~/.memoir/memoir.sock ${address}${data}`;
}
