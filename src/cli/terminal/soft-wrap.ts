// Breaks lines that are too long for a screen between words, and lines the rest up with where its column began.
import { stripAnsi } from "../../text/text.ts";
import { width } from "./layout.ts";

/** A last column that begins further right than this share of the screen leaves no room to read in. */
const deepestIndent = 0.6;
/** What a line that is not a table's row is indented by, beyond its own indent. */
const hanging = 2;

/** Words; a command in backquotes is one of them, so that it can be copied whole. */
const words = /\s*(?:[^\s`]*`[^`\n]{1,60}`\S*|\S+)/g;

/** `text` with line ends between words where a line is wider than `columns`; JSON stays as it is. */
export function softWrap(text: string, columns: number): string {
  return text
    .split("\n")
    .flatMap((line) => (width(line) <= columns || isJson(line) ? [line] : broken(line, columns)))
    .join("\n");
}

function isJson(line: string): boolean {
  return /^[[{]["[{\]}\d]/.test(line);
}

function broken(line: string, columns: number): string[] {
  const indent = " ".repeat(indentOf(stripAnsi(line), columns));
  const lines: string[] = [];
  let current = "";
  // Words with the white space before them, so that columns stay where they are.
  for (const word of wordsOf(line, columns - indent.length)) {
    if (current !== "" && width(current) + width(word) > columns) {
      lines.push(current);
      const text = word.trimStart();
      // A word that has no room behind the indent begins further left: the terminal would break it.
      current = indent.slice(0, Math.max(0, columns - width(text))) + text;
    } else current += word;
  }
  return [...lines, current];
}

/** A command that has no room in a line is broken like the rest. */
function wordsOf(line: string, room: number): string[] {
  return (line.match(words) ?? []).flatMap((word) =>
    width(word.trimStart()) <= room ? [word] : (word.match(/\s*\S+/g) ?? []),
  );
}

/** Where the last column of a table's row begins, else a little more than the line's own indent. */
function indentOf(plain: string, columns: number): number {
  const gaps = [...plain.slice(0, columns).matchAll(/\S {2,}(?=\S)/g)];
  const starts = gaps.map((gap) => width(plain.slice(0, gap.index + gap[0].length)));
  const column = starts.findLast((start) => start <= columns * deepestIndent);
  if (column !== undefined) return column;
  const own = plain.length - plain.trimStart().length;
  return Math.min(own + hanging, Math.floor(columns * deepestIndent));
}
