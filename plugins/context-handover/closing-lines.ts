// The lines of a closing told on one: its headings, lists and tables keep what they say of each other. Pure.
import { denied, isNextHeading, plainLine, saysBroken } from "../../src/text/index.ts";

/** A line without its marks. */
interface Told {
  kind: "heading" | "entry" | "text";
  text: string;
  /** How far in an entry stands; what goes on in one stands as far as it. */
  level: number;
  /** Goes on in the entry above. */
  isMore: boolean;
  isApart: boolean;
}

const heading = /^\s{0,3}#{1,6}\s+(.*?)[\s#]*$/;
const boldLine = /^\s{0,3}\*\*([^*]*[^*.!?。！？])\*\*\s*$/u;
const underline = /^\s{0,3}(?:-{3,}|={3,})\s*$/;
const rule = /^\s*(?:[-*_]\s*){3,}$|^\s*\|[\s:|-]*$/;
const row = /^\s*\|\s*(.*?)[\s|]*$/;
const entry = /^(\s*)(?:[-*•+]\s+|(?=\d{1,3}[.)]\s))(\S.*)$/;
const isEnded = (text: string) => /[\s.:;!?…。：；！？]$/u.test(text);

/** Bold text plain; the stars in a path stay. */
export const withoutBold = (text: string) => text.replace(/(?<!\/)\*\*(?!\/)/g, "");

function linesIn(text: string): Told[] {
  const lines: Told[] = [];
  let isApart = true;
  /** How far in the entry stands that we are in. */
  let within = -1;
  const add = (kind: Told["kind"], said: string, level: number, isMore = false) => {
    within = level;
    const text = withoutBold(said).trim();
    if (text !== "") lines.push({ kind, text, level, isMore, isApart });
    isApart = false;
  };
  for (const line of text.split("\n")) {
    const above = lines.at(-1);
    const cells = row.exec(line)?.[1];
    const [, indent = "", listed] = entry.exec(line) ?? [];
    const title = heading.exec(line)?.[1] ?? boldLine.exec(line)?.[1];
    if (line.trim() === "") isApart = true;
    else if (underline.test(line) && !isApart && above?.kind === "text" && !isEnded(above.text))
      above.kind = "heading";
    else if (rule.test(line)) continue;
    else if (title !== undefined) add("heading", title, -1);
    else if (cells !== undefined) add("entry", cells, 0);
    else if (listed !== undefined) add("entry", listed, indent.length);
    else if (within >= 0 && line.search(/\S/) > within) add("entry", line, within, true);
    else add("text", line, -1);
  }
  return lines;
}

/** What ends a line before the next one, where it does not end by itself. */
function endOf({ kind, text, level }: Told, next: Told | undefined, above: Told | undefined) {
  if (!next || isEnded(text)) return "";
  if (kind === "heading") return next.kind === "heading" ? "." : ":";
  if (kind === "entry") {
    if (next.isMore) return next.isApart ? "." : "";
    if (next.kind !== "entry" || next.level < level) return ".";
    return next.level > level ? ":" : ";";
  }
  if (next.kind === "heading") return ".";
  const isLed = above?.kind === "heading" || /[:：]$/.test(above?.text ?? "");
  return next.kind === "text" ? "" : isLed ? "." : ":";
}

function joined(lines: readonly Told[]): string {
  return lines.map((line, at) => line.text + endOf(line, lines[at + 1], lines[at - 1])).join(" ");
}

/** All of it, each list with what it is a list of. */
export const onOneLine = (text: string) => joined(linesIn(text));

const marked = /[✗✘❌]|^\[ \]/;
/** True for what says of itself that something is broken, left, or not to be done. */
const isOpen = ({ text }: Told) =>
  denied(text) || isNextHeading(text) || saysBroken(text) || marked.test(text);
/** Characters of it. */
const openShown = 360;

/** The entries of lists that say what is broken, open or not to be done, and before these what stands below a line that does, with the lines above that lead to them; without those `said` already. */
export function openIn(closing: string, said: string): string {
  const lines = linesIn(closing);
  const isSaid = ({ text }: Told) => said.includes(plainLine(text));
  const found = leadsIn(lines).flatMap(({ line, leads }) => {
    const open = leads.filter(isOpen);
    const isOwn = line.kind === "entry" && isOpen(line);
    const isTold = isSaid(line) && (isOwn || open.some(isSaid));
    return isTold || (open.length === 0 && !isOwn) ? [] : { of: [...leads, line], open };
  });
  let shown: Told[] = [];
  for (const { of } of found.toSorted(
    (a, b) => Math.sign(b.open.length) - Math.sign(a.open.length),
  )) {
    const all = lines.filter((line) => shown.includes(line) || of.includes(line));
    if (joined(all).length <= openShown) shown = all;
  }
  return plainLine(joined(shown));
}

/** The lines that lead to no others by themselves, with the heading, the lead-in and the entries that they stand below. */
function leadsIn(lines: readonly Told[]): Array<{ line: Told; leads: Told[] }> {
  const rankOf = ({ kind, level }: Told) =>
    kind === "heading" ? -3 : kind === "text" ? -2 : level;
  let above: Told[] = [];
  return lines.flatMap((line) => {
    if (!line.isMore) above = above.filter((one) => rankOf(one) < rankOf(line));
    const leads = above;
    const isLead = line.kind === "heading" || /[:：]$/.test(line.text);
    if (!line.isMore && (isLead || line.kind === "entry")) above = [...above, line];
    return isLead ? [] : { line, leads };
  });
}
