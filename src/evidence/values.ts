// Reading fields out of values whose shape is the client's: nothing throws, what is not there is empty.

/** The value as an object; empty when it is none. */
export function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

/** The first of these fields that is a text; empty when none is. */
export function textField(value: unknown, ...names: string[]): string {
  const record = recordOf(value);
  for (const name of names) {
    const field = record[name];
    if (typeof field === "string" && field !== "") return field;
  }
  return "";
}

/** A field that is a list; empty when it is none. */
export function listField(value: unknown, name: string): readonly unknown[] {
  const field = recordOf(value)[name];
  return Array.isArray(field) ? field : [];
}

/** The text of a content-block list or a plain text; empty for anything else. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return "";
  return value
    .map((block) => textField(block, "text"))
    .filter(Boolean)
    .join("\n");
}
