// JSON in columns of memoir's databases: a text that does not parse costs what it said, and its row is noted to be named.
import type { Database } from "./sqlite.ts";

/** Names of rows that were met, as `o12 (facts)`, by database. */
const met = new WeakMap<Database, Set<string>>();

/** What a column holds; undefined where its text does not parse, and the row is noted as `name`. */
export function readColumn(db: Database, json: string, name: () => string): unknown {
  const value = parsedJson(json);
  if (value === undefined) noteRow(db, name());
  return value;
}

/** The object in a column; what is no object is no more readable than what does not parse. */
export function readObject<Value extends object>(
  db: Database,
  json: string,
  name: () => string,
): Value | undefined {
  const value = parsedObject<Value>(json);
  if (value === undefined) noteRow(db, name());
  return value;
}

/** The object that a text tells, or undefined, for whoever writes the row anew. */
export function parsedObject<Value extends object>(json: string): Value | undefined {
  const value = parsedJson(json);
  return typeof value === "object" && value !== null ? (value as Value) : undefined;
}

function parsedJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Rows with a column that did not parse since this was asked last. */
export function takeUnreadable(db: Database): string[] {
  const names = met.get(db);
  if (!names) return [];
  met.delete(db);
  return [...names];
}

function noteRow(db: Database, name: string): void {
  met.set(db, (met.get(db) ?? new Set()).add(name));
}
