// The server's routes for people who script against memoir, made from its own OpenAPI document.
import { useEffect, useMemo } from "preact/hooks";
import type { OpenApi } from "../../../server/schemas/openapi.ts";
import { go } from "../../address.ts";
import { Heads } from "../../parts/heads.tsx";
import { NotYet } from "../../parts/trouble.tsx";
import { useGet } from "../../use-asked.ts";
import { counted } from "../../words.ts";

/** The view; the address says which routes are looked for, and which is open. */
export function RoutesPart({ address }: { address: URL }) {
  const words = address.searchParams.get("q") ?? "";
  const { answer, error } = useGet("/api/openapi.json", {});
  const all = useMemo(() => (answer ? routesOf(answer) : []), [answer]);
  const open = address.hash.slice(1);
  useEffect(() => {
    if (all.length > 0 && open !== "") document.getElementById(open)?.scrollIntoView();
  }, [all.length > 0, open]);
  if (!answer) return <NotYet error={error} />;
  const found = all.filter(({ method, path, summary }) =>
    words
      .toLowerCase()
      .split(/\s+/)
      .every((word) => `${method} ${path} ${summary}`.toLowerCase().includes(word)),
  );
  return (
    <div class="routes">
      <h2>Routes for your scripts</h2>
      <p>
        The page and the command line use these routes, and so can you. The socket in memoir’s home
        needs no token; loopback TCP needs <code>Authorization: Bearer</code> with the content of{" "}
        <code>~/.memoir/token</code>. Programs read OpenAPI {answer.openapi} at{" "}
        <code>/api/openapi.json</code>.
      </p>
      <search>
        <input
          class="routes-words"
          type="search"
          aria-label="Find a route"
          placeholder="Find a route"
          value={words}
          onInput={(event) => {
            const q = event.currentTarget.value;
            go(`/settings/api${q === "" ? "" : `?${new URLSearchParams({ q })}`}`, {
              replace: true,
            });
          }}
        />
      </search>
      <p class="hint" role="status">
        {counted(found.length, "route")} of memoir {answer.info.version}
      </p>
      {found.map((route) => (
        <Route key={route.id} route={route} isOpen={route.id === open} />
      ))}
    </div>
  );
}

function Route({ route, isOpen }: { route: RouteDoc; isOpen: boolean }) {
  const { id, method, path, summary, parameters, body, answer, command, example } = route;
  return (
    <details class="route" id={id} open={isOpen}>
      <summary>
        <span class={`method ${method.toLowerCase()}`}>{method}</span> <code>{path}</code>{" "}
        <span class="hint">{summary}</span>
      </summary>
      <div class="route-in">
        <h3>Ask</h3>
        <Code label={`How ${path} is asked`} text={command} />
        <Fields
          caption="In the address"
          fields={parameters.map(({ place, ...field }) => ({
            ...field,
            type: place === "path" ? `${field.type}, in the path` : field.type,
          }))}
        />
        <Fields caption="In the body" fields={body} />
        <h3>Answer</h3>
        {answer.length === 0 && example === undefined && (
          <p class="hint">No fixed form: text, a stream or a file.</p>
        )}
        <Fields caption="Fields" fields={answer} />
        {example !== undefined && <Code label={`What ${path} answers`} text={example} />}
        <p class="hint">
          Errors are <code>error</code> with a <code>code</code>, a <code>message</code> and a{" "}
          <code>fix</code>. <a href={`#${id}`}>Link to this route</a>
        </p>
      </div>
    </details>
  );
}

function Code({ label, text }: { label: string; text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
    <section class="route-code" aria-label={label} tabIndex={0}>
      <pre>{text}</pre>
    </section>
  );
}

function Fields({ caption, fields }: { caption: string; fields: readonly Field[] }) {
  if (fields.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
    <section class="route-fields" aria-label={caption} tabIndex={0}>
      <table>
        <caption>{caption}</caption>
        <Heads class="unseen" of={["Name", "What it holds"]} />
        <tbody>
          {fields.map(({ name, type, isRequired, description }) => (
            <tr key={name}>
              <th scope="row">
                <code>{name}</code>
              </th>
              <td>
                {type}
                {!isRequired && <span class="hint-inline"> · optional</span>}
                {description !== "" && <span class="hint">{description}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

// The server's routes out of its own OpenAPI document: what each takes and answers, and how it is asked. Pure.

interface RouteDoc {
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
  /** What such an answer looks like; undefined where it is not valid JSON of a known form. */
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
interface Question {
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

// JSON Schema as people read it: fields in words, and an example that fits. Pure; of what memoir's own document holds.

/** As much of a schema as is read here. */
interface Schema {
  $ref?: string;
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  description?: string;
  pattern?: string;
  minimum?: number;
  minItems?: number;
}
/** Schemas that others refer to, by name. */
type Named = Readonly<Record<string, Schema>>;

/** A field of a body or an answer: `sessions[].title`. */
interface Field {
  name: string;
  type: string;
  isRequired: boolean;
  description: string;
}

const deepest = 3;

const nameOf = (ref: string) => ref.split("/").at(-1) ?? ref;

/** What a reference stands for. */
function resolved(schema: Schema, named: Named): Schema {
  return schema.$ref === undefined ? schema : (named[nameOf(schema.$ref)] ?? {});
}

const choicesOf = ({ anyOf, oneOf }: Schema) => anyOf ?? oneOf;

/** `text`, `list of Turn`, `"newest" or "oldest"`. */
export function typeWords(schema: Schema): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(" or ");
  const choices = choicesOf(schema);
  if (choices) return [...new Set(choices.map(typeWords))].join(" or ");
  if (schema.type === "array") return `list of ${typeWords(schema.items ?? {})}`;
  return (
    { string: "text", integer: "whole number", number: "number" }[schema.type ?? ""] ??
    schema.type ??
    "anything"
  );
}

/** All fields, what is in them below them. What has a name of its own is told there. */
export function fieldsOf(schema: Schema, named: Named, before = "", depth = 0): Field[] {
  const { properties = {}, required = [], items } = schema;
  if (items) return fieldsOf(items, named, `${before}[]`, depth);
  const choices = choicesOf(schema);
  if (choices) {
    const objects = choices.filter((one) => one.properties !== undefined);
    const all = objects.flatMap((one) => fieldsOf(one, named, before, depth));
    return all.filter(({ name }, at) => all.findIndex((one) => one.name === name) === at);
  }
  return Object.entries(properties).flatMap(([name, one]) => {
    const path = before === "" ? name : `${before}.${name}`;
    const own: Field = {
      ...{ name: path, type: typeWords(one), isRequired: required.includes(name) },
      description: one.description ?? "",
    };
    return depth < deepest ? [own, ...fieldsOf(one, named, path, depth + 1)] : [own];
  });
}

/** What reads well, by a field's name; each fits wherever memoir has a field of that name. */
const wellKnown: Readonly<Record<string, unknown>> = {
  ...{ text: "discount", query: "discount", project: "shop", file: "src/cart.ts", limit: 5 },
  ...{ session: "5f1f6b9e", cwd: "/home/dev/shop", since: 1_767_225_600_000, dryRun: true },
  ...{ until: 1_798_761_600_000, id: "o1", ids: ["o1"], title: "One discount for each order" },
  facts: [
    "Page 400 of all orders took 12 ms instead of 1.9 s once cursors took the place of offsets.",
  ],
  path: "/home/dev/.claude/projects/shop/5f1f6b9e.jsonl",
  code: "the-43-signs-that-memoir-open-had-behind-it",
};
/** Optional ones that an example is clearer with. */
const shown: ReadonlySet<string> = new Set(["text", "project", "limit", "dryRun"]);

interface ExampleHow {
  named: Named;
  /** Answers hold all fields, questions what they must and what is clearer. */
  isAnswer: boolean;
}

/** A value that the schema takes. */
export function exampleOf(schema: Schema, how: ExampleHow, name = "", depth = 0): unknown {
  const { named } = how;
  if (schema.$ref !== undefined)
    return depth > 5 ? {} : exampleOf(resolved(schema, named), how, name, depth + 1);
  if ("const" in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  const [first] = choicesOf(schema) ?? schema.allOf ?? [];
  if (first) return exampleOf(first, how, name, depth);
  const known = wellKnown[name];
  if (schema.type === "array")
    return Array.isArray(known) && !how.isAnswer
      ? known
      : [exampleOf(schema.items ?? {}, how, "", depth + 1)];
  if (schema.type === "object") return objectOf(schema, how, depth);
  if (schema.type === "boolean") return known === true || how.isAnswer;
  if (schema.type === "string") return textOf(schema, known);
  if (schema.type === "null") return null;
  if (schema.type === undefined) return {};
  return typeof known === "number" ? known : (schema.minimum ?? 1);
}

function objectOf(schema: Schema, how: ExampleHow, depth: number): Record<string, unknown> {
  const { properties = {}, required = [] } = schema;
  const wanted = Object.entries(properties).filter(
    ([name]) => required.includes(name) || (how.isAnswer ? depth < 2 : shown.has(name)),
  );
  return Object.fromEntries(
    wanted.map(([name, one]) => [name, exampleOf(one, how, name, depth + 1)]),
  );
}

function textOf({ pattern }: Schema, known: unknown): string {
  if (typeof known === "number") return String(known);
  if (pattern?.includes("\\d")) return "1";
  return typeof known === "string" ? known : "text";
}
