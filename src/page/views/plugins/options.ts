// Options by their JSON Schema, and what stands in their fields. Pure.

/** How an option is written: a word, a number, one of some, a line each, or JSON where nothing else fits. */
export type FieldKind = "text" | "number" | "choice" | "list" | "json";

/** An option to be filled in. */
export interface Field {
  name: string;
  description: string;
  kind: FieldKind;
  choices: readonly string[];
  /** What holds while nothing is set, as it would be written; empty for nothing. */
  standard: string;
}

interface Schema {
  type?: string;
  enum?: readonly unknown[];
  description?: string;
  default?: unknown;
  items?: Schema;
  properties?: Record<string, Schema>;
}

/** Every option of a schema, in its order. */
export function fieldsOf(schema: Schema): Field[] {
  return Object.entries(schema.properties ?? {}).map(([name, one]) => {
    const kind = kindOf(one);
    const choices = one.type === "boolean" ? ["true", "false"] : (one.enum ?? []).map(String);
    const field = { name, description: one.description ?? "", kind, choices };
    return { ...field, standard: textOf(field, one.default) };
  });
}

function kindOf({ type, enum: choices, items }: Schema): FieldKind {
  if (choices || type === "boolean") return "choice";
  if (type === "integer" || type === "number") return "number";
  if (type === "string") return "text";
  return type === "array" && items?.type === "string" && !items.enum ? "list" : "json";
}

/** A value as its field shows it; empty for none. */
export function textOf({ kind }: Pick<Field, "kind">, value: unknown): string {
  if (value === undefined) return "";
  if (kind === "list" && Array.isArray(value)) return value.join("\n");
  return kind === "json" || typeof value === "object"
    ? JSON.stringify(value, null, 2)
    : String(value);
}

/** What is to be set and what is to be taken back, of what was typed. */
export function changed(
  fields: readonly Field[],
  now: Readonly<Record<string, string>>,
  typed: Readonly<Record<string, string>>,
): { set: Record<string, unknown>; unset: string[] } {
  const other = fields.filter(({ name }) => typed[name] !== undefined && typed[name] !== now[name]);
  const isEmpty = ({ name }: Field) => typed[name]?.trim() === "";
  return {
    set: Object.fromEntries(
      other
        .filter((field) => !isEmpty(field))
        .map((field) => [field.name, valueTyped(field, typed[field.name] ?? "")]),
    ),
    unset: other.filter(isEmpty).map(({ name }) => name),
  };
}

/** What does not read as it should goes as it was typed: the server says what is wrong with it. */
function valueTyped({ kind, choices }: Field, text: string): unknown {
  if (kind === "number") return Number.isNaN(Number(text)) ? text : Number(text);
  if (kind === "choice" && choices.join() === "true,false") return text === "true";
  if (kind === "list")
    return text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "");
  return kind === "json" ? jsonOf(text) : text;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
