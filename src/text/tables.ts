// How tables read that stand in text files.

const remark = /^ *#.*\n/gm;

/** A table without what only its readers need. */
export const withoutRemarks = (table: string): string => table.replace(remark, "");

const parting = /\n? {2,}/;

/** The rows of a table, each as its cells: a row begins at the left and goes on in indented lines; two blanks or a line's end part cells; # begins a remark. */
export function rowsOf(table: string, row = /\n+(?=\S)/): string[][] {
  const rows = withoutRemarks(table).trim().split(row);
  return rows.map((cells) => cells.split(parting));
}
