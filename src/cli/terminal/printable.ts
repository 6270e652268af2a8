// What was remembered came from files and tools of anybody's making: before it is shown, terminal commands are taken out.
import { asDataDeep, stripAnsi } from "../../text/text.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** The same JSON value with every text free of escape sequences, control characters and direction overrides. */
export function printable<Value>(value: Value): Value {
  return clean(value) as Value;
}

/** `printable` for what is remembered: agents read it in their shells too, and no text in it may read as more than data. */
export function printableMemory<Value>(value: Value): Value {
  return printable(asDataDeep(value));
}

function clean(value: unknown): unknown {
  if (typeof value === "string") return stripAnsi(value).replace(controls, "");
  if (Array.isArray(value)) return value.map(clean);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, clean(inner)]));
}
