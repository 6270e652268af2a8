// What an assistant or user wrote in Markdown, taken apart into sentences, list items and table rows that keep their heading.
import { cleanText, plainLine, withoutClientMarkup } from "./plain.ts";
import { sentencesOf } from "./sentences.ts";

/** A longer "sentence" is a wall of something else. */
const longest = 1_500;

/** One sentence, list item or table row. */
export interface Statement {
  /** Plain text on one line. */
  text: string;
  kind: "sentence" | "item" | "row";
  /** The nearest heading, or "". */
  section: string;
  /** The line that introduces the list this stands in (`resume.go changes`), or "". */
  lead: string;
  /** Contents of its code spans. */
  code: string[];
}

const itemMark =
  /^\s*(?:[-*+•●▪]|\p{Extended_Pictographic}\ufe0f?|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(.+)$/u;
/** Splits Markdown into statements. Fenced code, rules and block quotes' marks are left out; never throws, linear in the text. */
export function statementsOf(markdown: string, limit = 400): Statement[] {
  const out: Statement[] = [];
  let section = "";
  let lead = "";
  let header: string[] = [];
  let paragraph: string[] = [];
  let inFence = false;

  const add = (raw: string, kind: Statement["kind"]) => {
    const code = [...raw.matchAll(/`([^`\n]{1,120})`/g)].map((match) => match[1] ?? "");
    const text = plainLine(raw);
    if (text !== "" && text.length <= longest && out.length < limit)
      out.push({ text, kind, section, lead, code });
  };
  const flush = () => {
    if (paragraph.length === 0) return;
    const text = paragraph.join(" ").slice(0, longest * 6);
    paragraph = [];
    const bold = /^\*\*([^*]{2,90})\*\*[:.]?\s*$/.exec(text.trim());
    if (bold && !/[.!?]$/.test(bold[1] ?? "")) {
      lead = plainLine(bold[1] ?? "").replace(/:$/, "");
      return;
    }
    const pieces = maskedSentences(text);
    for (const [index, piece] of pieces.entries()) {
      const last = index === pieces.length - 1;
      if (last && /[:：]\s*(?:\*\*)?$/.test(piece)) {
        lead = plainLine(piece).replace(/\s*[:：]$/, "");
      } else add(piece, "sentence");
    }
  };

  for (const rawLine of cleanText(withoutClientMarkup(markdown.slice(0, 60_000))).split("\n")) {
    const line = rawLine.slice(0, longest * 2).replace(/^\s*>\s?/, "");
    if (/^\s*(?:```|~~~)/.test(line)) {
      flush();
      inFence = !inFence;
      continue;
    }
    if (inFence) continue;
    const heading = /^\s{0,3}#{1,6}\s+(.+?)\s*#*$/.exec(line);
    const item = itemMark.exec(line);
    if (heading) {
      flush();
      section = plainLine(heading[1] ?? "").replace(/:$/, "");
      lead = "";
      header = [];
    } else if (/^\s*\|.*\|\s*$/.test(line)) {
      flush();
      const cells = cellsOf(line);
      if (cells.every((cell) => /^:?-*:?$/.test(cell))) continue;
      if (header.length === 0) header = cells;
      else add(rowText(cells), "row");
    } else if (/^\s*(?:[-*_]\s*){3,}$/.test(line) || line.trim() === "") {
      flush();
      if (line.trim() === "") header = [];
    } else if (item) {
      flush();
      const body = (item[1] ?? "").trim();
      const bare = /^\*\*([^*]{2,120})\*\*:?\s*$/.exec(body) ?? /^(.{2,120}):\s*$/.exec(body);
      if (bare && /:\s*$|:\*\*$/.test(body)) lead = plainLine(bare[1] ?? "").replace(/:$/, "");
      else for (const piece of maskedSentences(body)) add(piece, "item");
    } else {
      // Flush text after a list is not the list's.
      if (paragraph.length === 0 && out.at(-1)?.kind === "item" && /^\S/.test(line)) lead = "";
      paragraph.push(line.trim());
    }
  }
  flush();
  return out;
}

/** A table row as one line; the first cells are what the row is about, a number in front is left out. */
function rowText(cells: readonly string[]): string {
  const filled = cells.filter(
    (cell, index) =>
      !/^[-–—]?$/.test(cell) && !(index === 0 && /^(?:#?\d+|`?[0-9a-f]{7,12}`?)$/.test(cell)),
  );
  const [first = "", second, ...rest] = filled;
  if (second === undefined) return first;
  if (rest.length === 0 || second.length > 40) return `${first}: ${[second, ...rest].join("; ")}`;
  return `${first} ${second}: ${rest.join("; ")}`;
}

function cellsOf(line: string): string[] {
  return line
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.replaceAll("\\|", "|").trim());
}

/** Sentences of Markdown whose code spans may hold dots and question marks. */
function maskedSentences(text: string): string[] {
  const spans: string[] = [];
  const masked = text.replace(/`[^`]*`/g, (span) => `\ufdd0${spans.push(span) - 1}\ufdd0`);
  return sentencesOf(masked).map((sentence) =>
    sentence.replace(/\ufdd0(\d+)\ufdd0/g, (_, index: string) => spans[Number(index)] ?? ""),
  );
}
