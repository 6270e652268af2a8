// What a record says, and whether a text carries a statement.
import type { Tokens } from "../cases.ts";

/** Fields that name, number or file a record and say nothing. */
const silent = new Set([
  "id",
  "session",
  "client",
  "project",
  "branch",
  "kind",
  "type",
  "scope",
  "toolUseIds",
  "toolUseId",
  "supersededBy",
  "provenance",
]);

/** Every text in a record, whatever its shape, a line each. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(textOf).filter(Boolean).join("\n");
  if (typeof value !== "object" || value === null) return "";
  return Object.entries(value)
    .filter(([name]) => !silent.has(name))
    .map(([, field]) => textOf(field))
    .filter(Boolean)
    .join("\n");
}

/** Lower case, one kind of space and of quotation mark. */
function plain(text: string): string {
  return text.normalize("NFKC").toLowerCase().replaceAll(/[‘’]/g, "'").replaceAll(/\s+/g, " ");
}

/** True when of each group of words one stands in the text. */
export function carries(text: string, tokens: Tokens): boolean {
  return carrier(text)(tokens);
}

/** The same for a text that is asked often. */
export function carrier(text: string): (tokens: Tokens) => boolean {
  const searched = plain(text);
  return (tokens) => tokens.every((group) => group.some((word) => searched.includes(plain(word))));
}

/** As much as is read at one place of a long record, in characters. */
const stretch = 2_000;

/** True when one stretch of the text carries it: words strewn over a long record say nothing together. */
export function carriesNear(text: string, tokens: Tokens): boolean {
  for (let from = 0; from === 0 || from < text.length; from += stretch / 2)
    if (carries(text.slice(from, from + stretch), tokens)) return true;
  return false;
}
