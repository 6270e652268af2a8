// A table under its head; on a terminal that is too narrow for it, each row is a list.
import { columns } from "../terminal/layout.ts";

/** An empty line, the head (the first row), the others; nothing for a table without others. */
export function tableLines(
  bold: (text: string) => string,
  rows: readonly string[][],
  width: number | undefined,
): string[] {
  if (rows.length < 2) return [];
  const [head = "", ...body] = columns(rows);
  if (width === undefined || [head, ...body].every((line) => line.length <= width))
    return ["", bold(head), ...body];
  const [names = [], ...entries] = rows;
  const lists = entries.flatMap(([first = "", ...cells]) => [
    first,
    ...columns(cells.flatMap((cell, at) => (cell === "" ? [] : [["", names[at + 1] ?? "", cell]]))),
  ]);
  return ["", bold(names[0] ?? ""), ...lists];
}
