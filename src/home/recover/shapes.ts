// What rows of a schema's tables look like on disk: how many values, of which kinds, in which order.
import type { Database } from "../../host/sqlite.ts";
import type { Value } from "./cells.ts";

type Affinity = "integer" | "text" | "blob" | "real" | "numeric";

interface Column {
  name: string;
  affinity: Affinity;
  mayBeNull: boolean;
  /** The row id stands in its place; its own value is NULL. */
  isRowid: boolean;
  /** The schema demands that its text be JSON. */
  isJson: boolean;
}

/** A table on disk, or an index, whose rows are no rows of the schema's. */
export interface Shape {
  name: string;
  /** Its rows stand in a tree without row ids. */
  isIndexLike: boolean;
  /** A real index: made by whoever writes the rows. */
  isIndex: boolean;
  /** In the order in which they are stored. */
  columns: Column[];
  /** A row that was written before later columns were added has so many. */
  leastColumns: number;
}

interface Listed {
  name: string;
  type: string;
  wr: number;
  sql: string;
}
interface Info {
  name: string;
  type: string;
  notnull: number;
  dflt_value: string | null;
  pk: number;
}

/** The tables and indexes of a database; virtual tables and SQLite's own, but for its sequences, are left out. */
export function shapesOf(db: Database): Shape[] {
  const tables = db
    .prepare<Listed>(
      "SELECT l.name, l.type, wr, coalesce(sql, '') AS sql FROM pragma_table_list l JOIN sqlite_schema s ON s.name = l.name WHERE schema = 'main'",
    )
    .all()
    .filter(({ name, type }) => type === "table" && !name.startsWith("sqlite_"));
  return tables.flatMap((table) => [tableShape(db, table), ...indexShapes(db, table)]);
}

function tableShape(db: Database, { name, wr, sql }: Listed): Shape {
  const infos = infosOf(db, name);
  const keys = infos.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
  const stored = wr ? [...keys, ...infos.filter(({ pk }) => pk === 0)] : infos;
  const columns = stored.map((info) => ({
    name: info.name,
    affinity: affinityOf(info.type),
    mayBeNull: info.notnull === 0 && (info.pk === 0 || wr === 0),
    isRowid: wr === 0 && keys.length === 1 && info.pk === 1 && /^integer$/i.test(info.type),
    isJson: sql.includes(`json_valid(${info.name})`),
  }));
  const firstAdded = stored.findLastIndex(
    ({ notnull, dflt_value, pk }) => pk > 0 || (notnull === 1 && dflt_value === null),
  );
  return { name, isIndexLike: wr === 1, isIndex: false, columns, leastColumns: firstAdded + 1 };
}

/** Its columns, then those that lead to the row. */
function indexShapes(db: Database, { name, wr }: Listed): Shape[] {
  const infos = new Map(infosOf(db, name).map((info) => [info.name, info]));
  const indexes = db
    .prepare<{ name: string; origin: string }>("SELECT name, origin FROM pragma_index_list(?)")
    .all([name])
    // The key of such a table is the table.
    .filter(({ origin }) => wr === 0 || origin !== "pk");
  return indexes.map((index) => {
    const listed = db
      .prepare<{ name: string | null; cid: number }>(
        "SELECT name, cid FROM pragma_index_xinfo(?) ORDER BY seqno",
      )
      .all([index.name]);
    const columns = listed.map(({ name: column, cid }) => ({
      name: column ?? "",
      affinity: cid === -1 ? ("integer" as const) : affinityOf(infos.get(column ?? "")?.type ?? ""),
      mayBeNull: cid !== -1,
      isRowid: false,
      isJson: false,
    }));
    return {
      name: index.name,
      isIndexLike: true,
      isIndex: true,
      columns,
      leastColumns: columns.length,
    };
  });
}

function infosOf(db: Database, table: string): Info[] {
  return db
    .prepare<Info>(
      `SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_info(?) ORDER BY cid`,
    )
    .all([table]);
}

/** SQLite's rules, by the words of a declared type. */
function affinityOf(type: string): Affinity {
  if (/int/i.test(type)) return "integer";
  if (/char|clob|text/i.test(type)) return "text";
  if (type === "" || /blob/i.test(type)) return "blob";
  return /real|floa|doub/i.test(type) ? "real" : "numeric";
}

/** Whether these values can be a row of it. */
export function fits(shape: Shape, values: readonly Value[]): boolean {
  const { columns, leastColumns } = shape;
  if (values.length < leastColumns || values.length > columns.length) return false;
  return values.every((value, i) => {
    const column = columns[i];
    return column !== undefined && isOf(column, value);
  });
}

function isOf({ affinity, mayBeNull, isRowid, isJson }: Column, value: Value): boolean {
  if (value === null) return isRowid || mayBeNull;
  if (isRowid) return false;
  if (isJson) return typeof value === "string" && /^\s*[[{"\dtfn-]/.test(value);
  if (affinity === "text") return typeof value === "string";
  if (affinity === "integer") return typeof value === "number" || typeof value === "bigint";
  if (affinity === "real") return typeof value === "number";
  return true;
}
