// Columns that hold JSON: one whose text does not parse costs what it said, not the answer it would have stood in.

import type { Database } from "../host/sqlite.ts";
import { readColumn } from "../host/unreadable-rows.ts";

/** Reads columns of one row, and notes those that cannot be read. */
export interface ColumnReader {
  /** The list in a column, or none. */
  list<Item>(column: string, json: string): Item[];
  /** The object in a column, or undefined. */
  object<Value extends object>(column: string, json: string | null): Value | undefined;
}

/** A reader for the row that people call `name`. */
export function columnReader(db: Database, name: string): ColumnReader {
  const parsed = (column: string, json: string) =>
    readColumn(db, json, () => `${name} (${column})`);
  return {
    list<Item>(column: string, json: string) {
      const value = parsed(column, json);
      return Array.isArray(value) ? (value as Item[]) : [];
    },
    object<Value extends object>(column: string, json: string | null) {
      const value = json === null ? undefined : parsed(column, json);
      return typeof value === "object" && value !== null ? (value as Value) : undefined;
    },
  };
}
