// Makes every string of a value one that SQLite keeps and gives back unchanged.

/** A copy in which lone surrogates and NUL characters have become U+FFFD. */
export function clean<Value>(value: Value): Value {
  return cleaned(value) as Value;
}

function cleaned(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed().replaceAll("\0", "\ufffd");
  if (Array.isArray(value)) return value.map(cleaned);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, cleaned(part)]));
}
