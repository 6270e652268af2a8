// What a message ends with: its last words, the lists beside them, and the options among which it asks the reader to choose. Pure.
import { plainLine, sentencesOf } from "../text/prose/plain.ts";
import { saysDoing } from "../text/prose/telling.ts";

export const asks = (text: string) => /[?？؟]["'”’)\]*_`\s]*$/u.test(text);

/** What a message ends with. */
interface End {
  /** The last paragraph of prose; empty where the message ends with code or a table. */
  said: string;
  /** The list that follows it, and the one right above it. */
  choices: string[];
  above: string[];
  options: Options | undefined;
}

export function endOf(closing: string): End {
  const lines = withoutShown(withoutSources(closing.trimEnd().split("\n")));
  const options = optionsIn(lines);
  const choices = takeList(lines);
  const from = lines.findLastIndex((line) => line.trim() === "" || entry.test(line));
  const said = lines.splice(from + 1).join("\n");
  // An open fence, a table or a heading is no last word.
  const isProse = !/^\s*(?:```|~~~|\||#|>)/m.test(said);
  return isProse
    ? { said, choices, above: takeList(lines), options }
    : { said: "", choices: [], above: [], options };
}

/** An entry of a list that is a link, or its title and its address. */
const source = /^\s*(?:[-*•]|\d{1,2}[.)])\s+(?:\[.*\]\(\S+\)|(?:.*\s)?<?https?:\/\/\S+)\s*$/;

/** Without the list of sources that stands below a message, and the line that names it. */
function withoutSources(lines: readonly string[]): string[] {
  const last = lines.findLastIndex((line) => !source.test(line) && line.trim() !== "");
  const isNamed = /^(?:(?:#{1,6} |\*\*)[^?？؟]*|[^?？؟]*[:：]\**\s*)$/.test(lines[last] ?? "");
  return last < lines.length - 1 && isNamed ? withoutBlank(lines.slice(0, last)) : [...lines];
}

/** A question without the code that it shows below itself. */
function withoutShown(lines: readonly string[]): string[] {
  const fences = lines.flatMap((line, at) => (/^\s*(?:```|~~~)/.test(line) ? [at] : []));
  const [from = -1, to = -1] = fences.slice(-2);
  const before = withoutBlank(lines.slice(0, Math.max(0, from)));
  const isBelow = fences.length % 2 === 0 && to === lines.length - 1;
  return isBelow && asks(before.at(-1) ?? "") ? before : [...lines];
}

function withoutBlank(lines: readonly string[]): string[] {
  return lines.slice(0, lines.findLastIndex((line) => line.trim() !== "") + 1);
}

/** Lines of a list, paragraphs in bold or headings that are numbered or lettered in a row; what is said of each is left out. */
interface Options {
  entries: string[];
  isLettered: boolean;
  /** The line above the first. */
  lead: string;
  /** What stands behind the last. */
  rest: string;
  /** No other paragraph follows but one that recommends an option. */
  isLast: boolean;
}

/** `1.`, `- B)`, `**Option 2:`, `### Variante A –`: what stands before the number or letter is alike in a row. */
const optionMark =
  /^( ?(?:[-*•] +)?(?:#{1,6} +)?(?:\*\*)?(?:\p{L}{3,} )?)\(?([A-Z]|\d{1,2})(?:[.):：]|\*\*| *[-–—] | \()/u;

/** The last of a message. */
function optionsIn(lines: readonly string[]): Options | undefined {
  let isCode = false;
  const marks = lines.flatMap((line, at) => {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
    const [, front = "", label = ""] = (isCode ? null : optionMark.exec(line)) ?? [];
    const isLetter = /[A-Z]/.test(label);
    const number = isLetter ? label.charCodeAt(0) - 64 : Number(label);
    return label === "" ? [] : [{ at, number, isLetter, kind: `${front}${isLetter}` }];
  });
  const first = marks.findLastIndex(({ number, kind }, at) => {
    const next = marks[at + 1];
    return number === 1 && next?.number === 2 && next.kind === kind;
  });
  const run = marks
    .slice(Math.max(0, first))
    .filter(({ number, kind }, at) => number === at + 1 && kind === marks[first]?.kind);
  const [one, two] = run;
  const last = run.at(-1);
  if (first < 0 || !one || !two || !last) return undefined;
  const rest = lines.slice(last.at + 1).join("\n");
  const isAdvice = namesOption.test(rest) && !sentencesOf(plainLine(rest)).some(saysDoing);
  const each = paragraphs(lines.slice(one.at, two.at)) + (isAdvice ? 1 : 0);
  return {
    entries: run.map(({ at }) => plainLine((lines[at] ?? "").replace(/^[\s#•-]+/, ""))),
    isLettered: one.isLetter,
    lead: lines.slice(0, one.at).findLast((line) => line.trim() !== "") ?? "",
    rest,
    isLast: paragraphs(lines.slice(last.at)) <= each,
  };
}

function paragraphs(lines: readonly string[]): number {
  return lines
    .join("\n")
    .trim()
    .split(/\n\s*\n/).length;
}

/** What a text calls several things of which one is to be taken, and each of them. */
export const optionWords =
  /(?<![\p{L}`-])(?:options?|approaches|(?:approach|ansatz) (?=[\dA-Z]\b)|alternativ\p{L}*|opci[oó]n(?:es)?|opzion[ei]|op[cç](?:ão|ões)|varianten?)(?!\p{L})/iu;
/** What asks for one of several. */
const askingWhich = /(?<!\p{L})(?:which|welche[rsnm]?|quel(?:le)?s?|cuál(?:es)?|quale?)(?!\p{L})/iu;

/** "I'd lean toward option 2". */
const namesOption = new RegExp(`${optionWords.source} [\\dA-Z](?![\\p{L}\\d])`, "iu");

/** True for what is lettered, or called options, by itself, below it or where it is asked about; other lists tell what was done or found. */
export function isOffered(
  options: Options | undefined,
  asked: readonly string[],
): options is Options {
  if (!options) return false;
  const { isLettered, lead, entries, rest } = options;
  const label = entries[0]?.split(" ", 2).join(" ") ?? "";
  const isCalled =
    [lead, label, ...asked].some((text) => optionWords.test(text)) || namesOption.test(rest);
  const isNamed = [...asked.join(" ").matchAll(/#(\d+)/g)].some(
    ([, at]) => Number(at) <= entries.length,
  );
  const isAsked = asked.filter(asks).some((text) => askingWhich.test(text));
  // Behind a heading other things are spoken of.
  return isLettered || isCalled || isNamed || (isAsked && !/^#{1,6} /m.test(rest));
}

const entry = /^\s*(?:[-*•]|\(?[\da-z]{1,2}[.):])\s+/i;

/** Takes the list that these lines end with from them. */
function takeList(lines: string[]): string[] {
  const at = lines.findLastIndex((line) => !entry.test(line) && line.trim() !== "");
  return lines.splice(at + 1).flatMap((line) => (line.trim() === "" ? [] : plainLine(line)));
}
