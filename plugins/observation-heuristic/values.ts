// Reading unknown values: a client's payload may miss fields or carry others; these never throw.

/** The value as a record, or an empty one. */
export function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

/** The first of the named fields that is a non-empty string, or "". */
export function textField(value: unknown, ...names: string[]): string {
  const record = recordOf(value);
  for (const name of names) {
    const field = record[name];
    if (typeof field === "string" && field !== "") return field;
  }
  return "";
}

/** A list field, or an empty list. */
export function listField(value: unknown, name: string): unknown[] {
  const field = recordOf(value)[name];
  return Array.isArray(field) ? field : [];
}

/** All text of a tool's answer: a string, a content-block list, or an object that holds one; at most `limit` characters. */
export function textOf(value: unknown, limit = 60_000): string {
  if (typeof value === "string") return value.slice(0, limit);
  if (Array.isArray(value)) {
    let text = "";
    for (const block of value) {
      text += `${textOf(block, limit - text.length)}\n`;
      if (text.length >= limit) break;
    }
    return text.trim();
  }
  const record = recordOf(value);
  for (const name of ["text", "content", "result", "output", "stdout"]) {
    const field = record[name];
    if (typeof field === "string" || Array.isArray(field)) return textOf(field, limit);
  }
  return "";
}
