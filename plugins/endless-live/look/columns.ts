// Columns: what many have under the same name.

/** A column's values, and whose they are, in their order. */
export interface Column {
  rows: number[];
  /** Equal values have equal numbers. */
  values: number[];
  /** Its name is a key that stands beside each value. */
  isKey: boolean;
}

/** Most columns looked at. */
const mostColumns = 150;

/** Columns by the number of their name, in the order in which they came up. */
export function createColumns() {
  const columns: Column[] = [];
  const byName = new Map<number, Column>();
  return {
    all: (): readonly Column[] => columns,
    /** The column of that name; undefined beyond so many. */
    of(name: number, isKey = false): Column | undefined {
      const known = byName.get(name);
      if (known || columns.length >= mostColumns) return known;
      const column = { rows: [], values: [], isKey };
      byName.set(name, column);
      columns.push(column);
      return column;
    },
  };
}

/** Another value of a column, and whose it is. */
export function addTo(column: Column | undefined, row: number, value: number): void {
  column?.rows.push(row);
  column?.values.push(value);
}
