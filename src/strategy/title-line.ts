// A sentence as a title: 3 to 12 words on one line, cut at a clause, never inside a span of code. Pure.
import { stopWords } from "../text/languages.ts";
import { codeNames, plainLine, withoutGreeting } from "../text/prose/plain.ts";
import { baseName, capitalize } from "../text/text.ts";
import { hasUnspaced } from "../text/unspaced.ts";

const most = { words: 12, characters: 90, denseCharacters: 44 };
/** A clause of fewer words is no title. */
export const leastWords = 4;

/** A path of a file three folders deep says enough by its name. */
const deepPath = /(?<![\w:/.~-])[~./]*(?:[\w.-]+\/){3,}[\w-]+\.\w+(?::[\d-]+)?/g;

/** A file at the front says where; what was done comes first: `src/a.ts - Two tests added` is `Two tests added (a.ts)`. */
const fileFirst = /^(\S+\.[a-z]\w{0,4}(?::[\d-]+)?)\s+[-–—]\s+(\p{L}\S*(?:\s+\S+){2,})$/u;
/** `Good news: …`: words before a colon that only announce; one word alone ("Fixed: …") may be the news itself. */
const labelled = /^\p{L}+(?: \p{L}+){1,4}: (?=\S+(?: \S+){3})/u;

/** The text in a title's length: to the end of a clause, or with "…" behind its last whole word. */
export function titleIn(text: string, code: readonly string[] = []): string {
  const plain = plainLine(text);
  const bare = /^\p{L}/u.test(plain) ? withoutGreeting(plain) : plain;
  const [first = ""] = bare.split(" ", 1);
  const whole = (bare === plain || code.includes(first) ? bare : capitalize(bare))
    .replace(/^#?\d{1,3}[.):]\s+/, "")
    .replace(deepPath, (path) => baseName(path))
    .replace(labelled, (label) => (codeNames(label).length > 0 ? label : ""))
    .replace(/[\s:：,;。.…]+$/u, "")
    .replace(fileFirst, (_, path: string, rest: string) => `${rest} (${baseName(path)})`);
  // What stands in parentheses can be left out.
  const line = fits(whole) ? whole : whole.replace(/ \([^()]*\)(?=\s|$)/g, "");
  if (fits(line)) return line;
  const spans = code
    .map((one) => one.replace(deepPath, (path) => baseName(path)))
    .map((span) => [line.indexOf(span), span.length] as const);
  const isWhole = (end: number) => !spans.some(([from, size]) => from < end && end < from + size);
  const before = clauseOf(whole, /\s\(/g, isWhole);
  const cuts = [
    before !== undefined && before.split(" ").length > leastWords ? before : undefined,
    clauseOf(line, /[;；：]\s?|[:]\s|\s[-–—]\s|。/gu, isWhole),
    clauseOf(line, /[,،]\s|[，、]/gu, isWhole),
    beginningOf(line, isWhole),
  ].filter((cut) => cut !== undefined);
  const isLong = (cut: string) => cut.split(/\s+/).length * 2 > most.words || isDense(cut);
  const names = (cut: string) =>
    codeNames(cut).length > 0 || code.some((span) => cut.includes(span));
  return cuts.find((cut) => isLong(cut) || names(cut)) ?? cuts[0] ?? line;
}

/** The longest beginning that ends before such a mark and has a title's length. */
function clauseOf(
  line: string,
  mark: RegExp,
  isWhole: (end: number) => boolean,
): string | undefined {
  return [...line.matchAll(mark)]
    .filter(({ index }) => isWhole(index))
    .map(({ index }) => line.slice(0, index))
    .findLast((clause) => {
      const words = clause.split(/\s+/).length;
      const isOpen = clause.lastIndexOf("(") > clause.lastIndexOf(")");
      return fits(clause) && !isOpen && (words >= leastWords || isDense(clause));
    });
}

/** As many words as a title holds, none of which only leads on to the next. */
function beginningOf(line: string, isWhole: (end: number) => boolean): string {
  const ends = [...line.matchAll(/(?<=\S)(?=\s|$)/g)].map(({ index }) => index);
  const end = ends.findLast((at) => {
    const word = /\S+$/.exec(line.slice(0, at))?.[0].toLowerCase() ?? "";
    return isWhole(at) && !stopWords.has(word) && fits(`${line.slice(0, at)}…`);
  });
  const kept = line.slice(0, end ?? most.denseCharacters - 1);
  return `${kept.replace(/[\s,;:([{–—-]+$/u, "")}…`;
}

function fits(text: string): boolean {
  const words = text.split(/\s+/).length;
  return (
    words <= most.words && text.length <= (isDense(text) ? most.denseCharacters : most.characters)
  );
}

/** Written without blanks between words. */
export function isDense(text: string): boolean {
  return hasUnspaced(text) && text.length > text.split(/\s+/).length * 8;
}
