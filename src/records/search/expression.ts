// Builds full-text expressions. Every word is quoted, so that nothing in a query is ever read as syntax.
import type { Term } from "./terms.ts";

/** The index's text columns. */
export type Column = "title" | "facts" | "subtitle" | "labels" | "narrative";

/** A record has any of the words. */
export function anyWord(words: readonly string[]): string {
  return `(${words.map(quoted).join(" OR ")})`;
}

/** A record has any of the terms, or all of them. */
export function anyTerm(terms: readonly Term[]): string {
  return `(${terms.map((term) => anyWord(term.variants)).join(" OR ")})`;
}
export function allTerms(terms: readonly Term[]): string {
  return `(${terms.map((term) => anyWord(term.variants)).join(" AND ")})`;
}

/** `expression` inside the given columns only. */
export function within(columns: readonly Column[] | undefined, expression: string): string {
  return columns ? `({${columns.join(" ")}} : ${expression})` : expression;
}

/** Every expression that is given, and for each scope any one of its words. */
export function scoped(scopes: readonly (readonly string[])[], expression: string): string {
  return [...scopes.map((words) => `(scope : ${anyWord(words)})`), expression].join(" AND ");
}

function quoted(word: string): string {
  return `"${word.replaceAll('"', '""')}"`;
}
