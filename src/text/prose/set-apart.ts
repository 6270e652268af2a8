// Blocks of a text that are set apart by marks: fenced, in tags, behind ">", indented. Each leaves a line that says that it was there. Pure.

/** Stands for a block that was taken out. */
export const apart = "\ufdd2";

const fence = /^\s*(`{3,}|~{3,})/;
const listItem = /^\s*(?:[-*+•]|\d{1,2}[.)])\s/;
const tag = /<(\/?)([a-zA-Z][\w-]*)\b[^<>]*>/g;

/** The text without them. A fence that is not closed goes to the end, and so does a tag that begins a line. */
export function withoutBlocks(text: string): string {
  return withoutMarkedLines(withoutTags(withoutFences(text.replaceAll(apart, ""))));
}

function withoutFences(text: string): string {
  const kept: string[] = [];
  let open: string | undefined;
  for (const line of text.split("\n")) {
    const mark = fence.exec(line)?.[1];
    if (open === undefined && mark !== undefined && !isInLine(line, mark)) {
      open = mark;
      kept.push(apart);
    } else if (open === undefined) kept.push(line);
    else if (mark?.startsWith(open) && line.trim() === mark) open = undefined;
  }
  return kept.join("\n");
}

/** A span of code on one line. */
function isInLine(line: string, mark: string): boolean {
  return line.trim().slice(mark.length).includes(mark);
}

function withoutTags(text: string): string {
  const tags = [...text.matchAll(tag)];
  let out = "";
  let from = 0;
  for (const [place, found] of tags.entries()) {
    if (found.index < from || found[1] === "/") continue;
    const end = endOfTag(tags, place) ?? (startsBlock(text, found) ? text.length : undefined);
    if (end === undefined) continue;
    const isBlock = text.slice(found.index, end).includes("\n");
    out += text.slice(from, found.index) + (isBlock ? `\n${apart}\n` : " … ");
    from = end;
  }
  return out + text.slice(from);
}

/** Where the tag's own closing one ends; undefined without any. */
function endOfTag(tags: readonly RegExpExecArray[], place: number): number | undefined {
  const name = tags[place]?.[2];
  let depth = 0;
  for (const found of tags.slice(place)) {
    if (found[2] !== name || found[0].endsWith("/>")) continue;
    depth += found[1] === "/" ? -1 : 1;
    if (depth === 0) return found.index + found[0].length;
  }
  return undefined;
}

/** Nothing else on its line: no `Map<string>`. */
function startsBlock(text: string, { index, 0: found }: RegExpExecArray): boolean {
  const line = text.slice(text.lastIndexOf("\n", index) + 1).split("\n", 1)[0] ?? "";
  return line.trim() === found;
}

/** Block quotes, with the lines that go on without their mark, and indented code. */
function withoutMarkedLines(text: string): string {
  const kept: string[] = [];
  let inQuote = false;
  for (const line of text.split("\n")) {
    const last = kept.at(-1) ?? "";
    inQuote = /^\s*>/.test(line) || (inQuote && line.trim() !== "");
    const goesOn = listItem.test(last) || /^\s+\S/.test(last);
    const isCode = /^(?: {4,}|\t)\s*\S/.test(line) && !goesOn;
    if (!inQuote && !isCode) kept.push(line);
    else if (last !== apart) kept.push(apart);
  }
  return kept.join("\n");
}
