// What an assistant or user wrote in Markdown, taken apart into sentences, list items and table rows that keep their heading.
import { codeNames } from "./code-names.ts";
import { meaningOf } from "./meaning.ts";
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
  /** Marked as such: with a cross, or with an empty box. */
  state?: "failed" | "open";
}

const itemMark =
  /^(\s*)((?:[-*+•●▪]|\p{Extended_Pictographic}\ufe0f?|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?)(.+)$/u;
const cross = /^(?:[*_\s]|\d{1,3}[.)])*[❌✗✘]/u;
const emptyBox = /\[ \]\s+$/;
/** A line in bold, or one that breaks off on purpose: what follows is another statement. */
const ownLine = /^\s*\*\*\S/;
const hardBreak = / {2,}$/;

/** The line that introduces a list, and how far it is indented; a paragraph's is further out than any list. */
interface Lead {
  text: string;
  indent: number;
  /** Something was said under it, or it names nothing. */
  used: boolean;
}

/** A lead that introduces nothing but code is a statement when it says so much, and names something. */
const leadSays = 4;

/**
 * Splits Markdown into statements. Fenced code, rules and block quotes' marks are left out; never throws, linear in the text.
 * Long because each kind of line has its own short rule over one state of the reading.
 */
export function statementsOf(markdown: string, limit = 400): Statement[] {
  const out: Statement[] = [];
  let section = "";
  const leads: Lead[] = [];
  let header: string[] = [];
  let paragraph: string[] = [];
  let item: { body: string; indent: number; isOpen: boolean } | undefined;
  let inFence = false;

  const add = (raw: string, kind: Statement["kind"], isOpen = false) => {
    const code = [...raw.matchAll(/`([^`\n]{1,120})`/g)].map((match) => match[1] ?? "");
    const isCrossed = cross.test(raw);
    // Without its cross it would say the opposite.
    const text = (isCrossed ? "❌ " : "") + plainLine(raw);
    const lead = leads.at(-1);
    if (lead) lead.used = true;
    if (text !== "" && text.length <= longest && out.length < limit)
      out.push({
        ...{ text, kind, section, lead: lead?.text ?? "", code },
        ...(isCrossed ? { state: "failed" } : isOpen && { state: "open" }),
      });
  };
  /** Leads from this indentation on introduce nothing any more. */
  const endLeads = (indent: number) => {
    for (let last = leads.at(-1); last && last.indent >= indent; last = leads.at(-1)) {
      leads.pop();
      const says = !last.used && last.indent === outermost;
      if (says && meaningOf(last.text).size >= leadSays) add(`${last.text}: …`, "sentence");
    }
  };
  const leadIn = (text: string, indent: number) => {
    endLeads(indent);
    const lead = plainLine(text).replace(/\s*[:：]$/, "");
    const names = /[\d`]/.test(text) || codeNames(lead).length > 0;
    leads.push({ text: lead, indent, used: !names });
  };
  const flush = () => {
    if (item) {
      const { body, indent, isOpen } = item;
      item = undefined;
      const bare = /^\*\*([^*]{2,120})\*\*:?\s*$/.exec(body) ?? /^(.{2,120})[:：]\s*$/.exec(body);
      if (bare && /[:：]\s*$|[:：]\*\*$/.test(body)) leadIn(bare[1] ?? "", indent);
      else for (const piece of maskedSentences(body)) add(piece, "item", isOpen);
    }
    if (paragraph.length === 0) return;
    const text = paragraph.join(" ").slice(0, longest * 6);
    paragraph = [];
    const bold = /^\*\*([^*]{2,90})\*\*[:.]?\s*$/.exec(text.trim());
    if (bold && !/[.!?]$/.test(bold[1] ?? "")) {
      leadIn(bold[1] ?? "", outermost);
      return;
    }
    const pieces = maskedSentences(text);
    for (const [index, piece] of pieces.entries()) {
      if (index === pieces.length - 1 && /[:：]\s*(?:\*\*)?$/.test(piece)) leadIn(piece, outermost);
      else add(piece, "sentence");
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
    const mark = itemMark.exec(line);
    if (heading) {
      flush();
      endLeads(outermost);
      section = plainLine(heading[1] ?? "").replace(/:$/, "");
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
    } else if (mark) {
      flush();
      const indent = mark[1]?.length ?? 0;
      endLeads(indent);
      const [, , sign = "", body = ""] = mark;
      const crossed = cross.test(sign) ? sign.trim() : "";
      item = { body: crossed + body.trim(), indent, isOpen: emptyBox.test(sign) };
    } else if (item && /^\s/.test(line)) {
      item.body += ` ${line.trim()}`;
    } else {
      if (item || ownLine.test(line)) flush();
      // Flush text after a list is not the list's.
      if (paragraph.length === 0 && out.at(-1)?.kind === "item" && /^\S/.test(line))
        endLeads(outermost);
      paragraph.push(line.trim().replace(/^\*\*\d{1,3}[.)]\s+/, "**"));
      if (hardBreak.test(line)) flush();
    }
  }
  flush();
  endLeads(outermost);
  return out;
}

/** Of paragraphs: further out than any entry of a list. */
const outermost = -1;

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
