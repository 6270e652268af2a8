// Secrets that the words before them give away: the arguments of commands, the directives of settings. The rules are data.
import { isPassword } from "../places/place.ts";
import type { Found, TextRule } from "../rule.ts";
import { isChosen, isIssued } from "../values.ts";
import { commandRows } from "./commands.ts";
import { directiveRows } from "./directives.ts";

/** One phrase: what follows its word up to the secret, which is the last group. */
interface Phrase {
  rest: RegExp;
  accepts: (value: string) => boolean;
  rule: PhraseRule;
}

interface PhraseRule extends TextRule {
  /** The phrases that begin with a word. */
  phrases: ReadonlyMap<string, readonly Phrase[]>;
}

const blank = "[ \\t]{1,4}";
const argument = `(?:"[^"\\n]{0,200}"|'[^'\\n]{0,200}'|[^\\s"'|;&<>]{1,200})`;
const secret = `[ \\t=]{0,4}(?![-$%<])('[^'\\n]{3,200}'|"[^"\\n]{3,200}"|[^\\s"'|;&<>]{3,200})`;

/** What no word is, but somebody's or something's choice. */
const isMade = (value: string): boolean => isChosen(value) || isIssued(value);

/** The pattern that a cell of a table stands for. */
function patternOf(cell: string): RegExp {
  const glued = cell.startsWith("~");
  const parts = (glued ? cell.slice(1) : cell).split(" ").map((part, at) => {
    if (part === "...") return "[^\\n|;&]{0,160}?";
    const before = glued && at === 0 ? "" : blank;
    return before + (part === "_" ? argument : part.replace(/!\??$/, secret));
  });
  return new RegExp(parts.join(""), "y");
}

/**
 * The rule of a table, of whose rows each says how a secret is written down:
 * - the words that it begins with, parted by commas;
 * - what follows, as words: `_` any argument, `...` anything in the same command, `!` the secret and the end, `!?` a secret
 *   that no word is, anything else an expression; a row that begins with `~` goes on without a blank;
 * - an example that goes, with < and > around the secret;
 * - one that stays.
 */
function readTable(id: string, finds: string, table: string): PhraseRule {
  const phrases = new Map<string, Phrase[]>();
  const rule = { id, finds, words: [""], gone: [""], stay: [""], phrases };
  const rows = table.trim().split("\n");
  const cells = rows.map((row) => row.split(/ {2,}/));
  for (const [words = "", rest = ""] of cells) {
    const isSecret = rest.endsWith("?") ? isMade : isPassword;
    const accepts = (value: string): boolean => isSecret(value.replace(/^["']|["']$/g, ""));
    for (const word of words.split(","))
      phrases.set(word, [...(phrases.get(word) ?? []), { rest: patternOf(rest), accepts, rule }]);
  }
  rule.words = [...phrases.keys()];
  rule.gone = cells.map(([, , gone = ""]) => gone.replaceAll("<", "«").replaceAll(">", "»"));
  rule.stay = cells.map(([, , , stay = ""]) => stay);
  return rule;
}

/** The rules of phrases. */
export const phraseRules: readonly PhraseRule[] = [
  readTable(
    "command-argument",
    "a secret that a command takes as an argument without a telling name",
    commandRows,
  ),
  readTable(
    "directive",
    "a secret behind a directive of a file of settings, or a statement",
    directiveRows,
  ),
];

const phrasesByWord = new Map<string, readonly Phrase[]>();
for (const { phrases } of phraseRules)
  for (const [word, ones] of phrases)
    phrasesByWord.set(word, [...(phrasesByWord.get(word) ?? []), ...ones]);

/** One of these words stands where a phrase begins. */
export const phraseWords: readonly string[] = [...phrasesByWord.keys()];

/** A place where a phrase may begin, and the word that stands there. */
export interface PhraseStart {
  at: number;
  word: string;
}

/** Every secret behind a phrase that begins at one of these places. */
export function findPhrases(text: string, starts: readonly PhraseStart[]): Found[] {
  const found: Found[] = [];
  for (const { at, word } of starts) {
    if (/[\w-]/.test(text.charAt(at - 1)) && /^\w/.test(word)) continue;
    for (const { rest, accepts, rule } of phrasesByWord.get(word) ?? []) {
      rest.lastIndex = at + word.length;
      const value = rest.exec(text)?.at(-1);
      if (value === undefined || !accepts(value)) continue;
      const end = rest.lastIndex;
      found.push({ start: end - value.length, end, kind: "password", rule: rule.id });
    }
  }
  return found;
}
