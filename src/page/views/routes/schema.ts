// JSON Schema as people read it: fields in words, and an example that fits. Pure; of what memoir's own document holds.

/** As much of a schema as is read here. */
export interface Schema {
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
export type Named = Readonly<Record<string, Schema>>;

/** A field of a body or an answer: `sessions[].title`. */
export interface Field {
  name: string;
  type: string;
  isRequired: boolean;
  description: string;
}

const deepest = 3;

const nameOf = (ref: string) => ref.split("/").at(-1) ?? ref;

/** What a reference stands for. */
export function resolved(schema: Schema, named: Named): Schema {
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
