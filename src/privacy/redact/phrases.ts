// Secrets that the words before them give away (rules/phrases.txt), and places where one stands (rules/places.txt).

import { rowsOf } from "../../text/tables.ts";
import phraseTable from "../rules/phrases.txt" with { type: "text" };
import placeTable from "../rules/places.txt" with { type: "text" };
import { type Condition, readCondition } from "./conditions.ts";
import { type Allowance, matchAt } from "./effort.ts";
import { kindOf } from "./promises.ts";
import type { Found, Rule } from "./rule.ts";
import { once, readExpression, readWords, withFragments } from "./tables.ts";
import type { Start } from "./tokens.ts";

/** A rule of a table: its expressions and conditions are read where they are first needed. */
interface TableRule extends Rule {
  kind: string;
  words: readonly string[];
}

/** Where a secret stands, and what it has to be. Its last group is the secret and ends the match. */
interface Look {
  pattern: RegExp;
  accepts: Condition;
}

/** The kind and place of what a match found, where it is accepted; `word` stands for a name that the pattern has not. */
function foundBy(rule: TableRule, accepts: Condition, match: RegExpExecArray, word: string) {
  const value = match.findLast((group) => group !== undefined) ?? "";
  const name = match.groups?.["name"] ?? word;
  if (!accepts(value.replace(/^["']|["']$/g, ""), name)) return undefined;
  const end = match.index + match[0].length;
  const kind = match.groups?.["name"] === undefined ? rule.kind : kindOf(name);
  return { start: end - value.length, end, kind, rule: rule.id };
}

/** A rule about a place, and where it finds one in a text. */
interface PlaceRule extends TableRule {
  find(text: string): Found[];
}

function readPlace([name = "", ...cells]: readonly string[]): PlaceRule {
  const [id = "", kind = id] = name.split(":");
  const [words, [finds = "", ...rest]] = readWords(cells);
  const rule = { id, kind, words, finds, source: rest.join(" ") };
  const look = once((): Look => {
    const [pattern, condition] = readExpression(rest);
    return { pattern, accepts: readCondition(condition) };
  });
  return {
    ...rule,
    find(text) {
      const { pattern, accepts } = look();
      const found = [...text.matchAll(pattern)].map((hit) => foundBy(rule, accepts, hit, ""));
      return found.filter((one) => one !== undefined);
    },
  };
}

/** Every place that memoir knows: of rules that find the same the first names it. */
export const placeRules: readonly PlaceRule[] = rowsOf(placeTable).map(readPlace);

/** What follows a word up to the secret; sticky. */
interface Phrase {
  look(): Look;
  /** The word may be the end of a longer one. */
  inside: boolean;
  rule: TableRule;
}

const blank = withFragments("{blanks}");

/** The pattern that words of a command line stand for, as a table has them. */
function patternOf(cell: string): RegExp {
  const glued = cell.startsWith("~");
  const parts = (glued ? cell.slice(1) : cell).split(" ").map((part, at) => {
    if (part === "...") return "[^\\n|;&]{0,160}?";
    const before = glued && at === 0 ? "" : blank;
    return before + (part === "_" ? "{any}" : part.replace(/![?!]?$/, "{secret}"));
  });
  return new RegExp(withFragments(parts.join("")), "y");
}

/** What a secret has to be behind such words, by how they end. */
function conditionOf(cell: string): string {
  if (cell.endsWith("?")) return "chosen | issued | passphrase";
  return cell.endsWith("!!") ? "random & scattered" : "password";
}

const phrasesByWord = new Map<string, Phrase[]>();

/** What the cells behind the words of a row say: an expression and its condition, or words of a command line. */
function readLook([first = "", ...rest]: readonly string[]): Look {
  if (!first.startsWith("/"))
    return { pattern: patternOf(first), accepts: readCondition(conditionOf(first)) };
  const [pattern, condition] = readExpression([first, ...rest]);
  return { pattern, accepts: readCondition(condition) };
}

const heading = /^\[([\w-]+):([\w-]+)( inside)?\] (.*)\n/;

function readPhrases(section: string): TableRule {
  const [head = "", id = "", kind = "", inside, finds = ""] = heading.exec(section) ?? [];
  const rule: TableRule = { id, kind, finds, words: [], source: section };
  const words = new Set<string>();
  for (const cells of rowsOf(section.slice(head.length), /\n {2}(?=\S)/)) {
    const [names, rest] = readWords(cells);
    const phrase = { look: once(() => readLook(rest)), inside: inside !== undefined, rule };
    // The blank behind a word belongs to what is looked for, so that it stands for no part of another word.
    const behind = /^[/~]/.test(rest[0] ?? "") ? "" : " ";
    for (const word of names.map((name) => name + behind)) {
      words.add(word);
      phrasesByWord.set(word, [...(phrasesByWord.get(word) ?? []), phrase]);
    }
  }
  rule.words = [...words];
  return rule;
}

/** The rules of phrases. */
export const phraseRules: readonly TableRule[] = phraseTable
  .trim()
  .split(/\n(?=\[)/)
  .slice(1)
  .map(readPhrases);

/** One of these words stands where a phrase begins. */
export const phraseWords: readonly string[] = [...phrasesByWord.keys()];

/** True for a word with which phrases begin only where it is no part of another: `dd`, but not that of `address`. */
export const isWhole = (word: string): boolean =>
  /^\w/.test(word) && !phrasesByWord.get(word)?.some(({ inside }) => inside);

/** Every secret behind a phrase that begins at one of these places. */
export function findPhrases(text: string, starts: readonly Start[], allowance: Allowance): Found[] {
  const found: Found[] = [];
  for (const { at, word } of starts) {
    if (!allowance.begin(at)) continue;
    const isInside = /[\w-]/.test(text.charAt(at - 1)) && /^\w/.test(word);
    for (const { look, inside, rule } of phrasesByWord.get(word) ?? []) {
      if (isInside && !inside) continue;
      const { pattern, accepts } = look();
      const match = matchAt(pattern, text, at + word.trimEnd().length);
      const one = match && foundBy(rule, accepts, match, word);
      if (one) found.push(one);
    }
  }
  return found;
}
