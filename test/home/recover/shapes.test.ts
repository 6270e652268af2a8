// What can be a row of a table, by the table's own words.
import { expect, test } from "bun:test";
import { fits, type Shape, shapesOf } from "../../../src/home/recover/shapes.ts";
import { openDatabase } from "../../../src/host/sqlite.ts";

async function shapes(sql: string): Promise<Map<string, Shape>> {
  const db = await openDatabase(":memory:");
  db.exec(sql);
  const found = shapesOf(db);
  db.close();
  return new Map(found.map((shape) => [shape.name, shape]));
}
const blob = new Uint8Array([1]);

test.each<[type: string, number: boolean, text: boolean, bytes: boolean]>([
  ["INTEGER", true, false, false],
  ["unsigned big int", true, false, false],
  ["TEXT", false, true, false],
  ["VARCHAR(9)", false, true, false],
  ["CLOB", false, true, false],
  ["REAL", true, false, false],
  ["DOUBLE", true, false, false],
  ["FLOAT", true, false, false],
  ["BLOB", true, true, true],
  ["", true, true, true],
  ["DECIMAL", true, true, true],
])("a column %p takes a number: %p, a text: %p, bytes: %p", async (type, number, text, bytes) => {
  const shape = (await shapes(`CREATE TABLE t (a ${type} NOT NULL)`)).get("t");
  const fitting = (value: never) => shape && fits(shape, [value]);
  expect([7, "x", blob].map((value) => fitting(value as never))).toEqual([number, text, bytes]);
  expect(fitting(null as never)).toBe(false);
});

test("affinities are SQLite's, an integer's before all others", async () => {
  const types = ["CHARINT", "BLOB", "", "REAL", "DECIMAL", "TEXTBLOB"];
  const columns = types.map((type, at) => `c${at} ${type}`).join(", ");
  const shape = (await shapes(`CREATE TABLE t (${columns})`)).get("t");
  expect(shape?.columns.map(({ affinity }) => affinity)).toEqual([
    ...(["integer", "blob", "blob", "real", "numeric", "text"] as const),
  ]);
});

test("a row has as many values as the table had when it was written", async () => {
  const found = await shapes(
    "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT NOT NULL, note TEXT)",
  );
  const shape = found.get("t");
  const fitting = (...values: unknown[]) => shape && fits(shape, values as never);
  expect(fitting(null, "a", null)).toBe(true);
  expect(fitting(null, "a", "b")).toBe(true);
  // The row id stands in its place.
  expect(fitting(7, "a", "b")).toBe(false);
  expect(fitting(null, null, "b")).toBe(false);
  expect(fitting(null, "a", "b", "c")).toBe(false);
  expect(fitting()).toBe(false);
});
