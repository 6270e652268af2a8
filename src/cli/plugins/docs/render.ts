// Markdown as memoir's own pages use it, as lines for a terminal: headings, paragraphs, lists, tables, code.

import { columns, width as widthOf, wrap } from "../../terminal/layout.ts";
import type { Colors } from "../../terminal/terminal.ts";

/** The lines of a page at most `width` wide; code is left as it is. */
export function renderMarkdown(
  text: string,
  { width, colors }: { width: number | undefined; colors: Colors },
): string[] {
  const lines: string[] = [];
  for (const block of blocksOf(text)) {
    if (lines.length > 0) lines.push("");
    lines.push(...renderBlock(block, width, colors));
  }
  return lines;
}

/** Lines that belong together: a fence with its code, else what stands between empty lines. */
function blocksOf(text: string): string[][] {
  const blocks: string[][] = [[]];
  let isCode = false;
  for (const line of text.split("\n")) {
    const isFence = line.startsWith("```");
    if ((isFence && !isCode) || (line === "" && !isCode)) blocks.push([]);
    if (line !== "" || isCode) blocks.at(-1)?.push(line);
    if (isFence) isCode = !isCode;
    if (isFence && !isCode) blocks.push([]);
  }
  return blocks.filter((block) => block.length > 0);
}

function renderBlock(
  block: readonly string[],
  width: number | undefined,
  colors: Colors,
): string[] {
  const first = block[0] ?? "";
  if (first.startsWith("```"))
    return block.slice(1, -1).map((line) => colors.dim(`  ${line}`.trimEnd()));
  if (/^#+ /.test(first)) return block.map((line) => colors.bold(plain(line.replace(/^#+ /, ""))));
  if (first.startsWith("|")) return renderTable(block, width, colors);
  if (/^(- |\d+\. )/.test(first)) return itemsOf(block).flatMap((item) => renderItem(item, width));
  return wrap(plain(block.join(" ")), width);
}

/** A list's items, each as one line. */
function itemsOf(block: readonly string[]): string[] {
  const items: string[] = [];
  for (const line of block)
    if (/^(- |\d+\. )/.test(line)) items.push(line);
    else items.push(`${items.pop() ?? ""} ${line.trim()}`);
  return items;
}

function renderItem(item: string, width: number | undefined): string[] {
  const [mark = "- "] = /^(- |\d+\. )/.exec(item) ?? [];
  const [first = "", ...rest] = wrap(
    plain(item.slice(mark.length)),
    width,
    " ".repeat(mark.length),
  );
  return [mark + first.trimStart(), ...rest];
}

/** Side by side where that fits, else one row below the other, each cell with its column's name. */
function renderTable(
  block: readonly string[],
  width: number | undefined,
  colors: Colors,
): string[] {
  const [head = [], , ...rows] = block.map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => plain(cell.replaceAll("\\|", "|").trim())),
  );
  const [heading = "", ...aligned] = columns([head, ...rows]);
  if ([heading, ...aligned].every((line) => width === undefined || widthOf(line) <= width))
    return [colors.bold(heading), ...aligned];
  return rows.flatMap(([name = "", ...cells]) => [
    colors.bold(name),
    ...cells.flatMap((cell, at) => {
      const label = head[at + 1] ?? "";
      return cell === "" ? [] : wrap(label === "" ? cell : `${label}: ${cell}`, width, "  ");
    }),
  ]);
}

/** Without the marks that only a browser shows. */
function plain(text: string): string {
  return text
    .replace(/\[([^\]]+)\]\([^)]*\)/g, "$1")
    .replace(/\*\*([^*]+)\*\*/g, "$1")
    .replace(/(^|\s)\*([^*\s][^*]*)\*(?=\s|$|,|\.)/g, "$1$2")
    .replaceAll("&lt;", "<");
}
