// Secrets that the words before them give away: what a phrase is, how a table of them reads, and how they are found.
import { callRule } from "./call-phrases.ts";
import { type Allowance, matchAt } from "./effort.ts";
import { commandRows, directiveRows } from "./phrase-rows.ts";
import { isPassword } from "./places/place.ts";
import { type Found, marked, once, type Phrase, type PhraseRule } from "./rule.ts";
import { serviceNameRule } from "./service-phrases.ts";
import { isChosen, isIssued, isPassphrase, isRandom, isScattered } from "./values.ts";

const blank = "[ \\t]{1,4}";
const argument = `(?:"[^"\\n]{0,200}"|'[^'\\n]{0,200}'|[^\\s"'|;&<>]{1,200})`;
/** In a word without quotes a sign of the shell is one of the secret where more of it follows. */
const secret = `[ \\t=]{0,4}(?![-$%<])('[^'\\n]{3,4000}'|"[^"\\n]{3,4000}"|(?:[^\\s"'|;&<>]|(?<=\\d)[|;&<>](?=[A-Za-z]*\\d)|(?<=[A-Za-z])[|;&<>](?=\\d|[A-Za-z]+\\d)){3,4000})`;

/** A run that nobody typed. */
const isUnlike = (value: string): boolean => isRandom(value) && isScattered(value);
/** What no word is, but somebody's or something's choice. */
const isMade = (value: string): boolean =>
  isChosen(value) || isIssued(value) || isPassphrase(value);

/** An example with the ends of its lines. */
const lined = (example: string): string => example.replaceAll("%n", "\n");

/** The pattern that a cell of a table stands for. */
function patternOf(cell: string): RegExp {
  const glued = cell.startsWith("~");
  const parts = (glued ? cell.slice(1) : cell).split(" ").map((part, at) => {
    if (part === "...") return "[^\\n|;&]{0,160}?";
    const before = glued && at === 0 ? "" : blank;
    return before + (part === "_" ? argument : part.replace(/![?!]?$/, () => secret));
  });
  return new RegExp(parts.join(""), "y");
}

/**
 * The rule of a table, of whose rows each says how a secret is written down:
 * - the words that it begins with, parted by commas;
 * - what follows, as words: `_` any argument, `...` anything in the same command, `!` the secret and the end, `!?` a secret
 *   that no word is, `!!` one that nobody typed, anything else an expression; a row that begins with `~` goes on without a blank;
 * - an example that goes, with < and > around the secret;
 * - one that stays; in both `%n` is the end of a line.
 */
export function readTable(id: string, finds: string, table: string): PhraseRule {
  const phrases = new Map<string, Phrase[]>();
  const rows = table.trim().split("\n");
  const cells = rows.map((row) => row.split(/ {2,}/));
  const rule = {
    ...{ id, finds, kind: "password", words: [""], phrases },
    get gone() {
      return cells.map(([, , gone = ""]) => marked(lined(gone)));
    },
    stay: cells.map(([, , , stay = ""]) => lined(stay)),
  };
  for (const [words = "", rest = ""] of cells) {
    const isSecret = rest.endsWith("?") ? isMade : rest.endsWith("!!") ? isUnlike : isPassword;
    const accepts = (value: string): boolean => isSecret(value.replace(/^["']|["']$/g, ""));
    const pattern = once(() => patternOf(rest));
    const phrase = {
      get rest() {
        return pattern();
      },
      ...{ accepts, rule },
    };
    // The blank behind a word belongs to what is looked for, so that it stands for no part of another word.
    for (const name of words.split(",")) {
      const word = rest.startsWith("~") ? name : `${name} `;
      phrases.set(word, [...(phrases.get(word) ?? []), phrase]);
    }
  }
  rule.words = [...phrases.keys()];
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
  serviceNameRule,
  callRule,
];

const phrasesByWord = new Map<string, readonly Phrase[]>();
for (const { phrases } of phraseRules)
  for (const [word, ones] of phrases) {
    const others = phrasesByWord.get(word);
    phrasesByWord.set(word, others ? [...others, ...ones] : ones);
  }

/** One of these words stands where a phrase begins. */
export const phraseWords: readonly string[] = [...phrasesByWord.keys()];

/** True for a word with which phrases begin only where it is no part of another: `dd`, but not that of `address`. */
export const isWhole = (word: string): boolean =>
  /^\w/.test(word) && !phrasesByWord.get(word)?.some(({ inside }) => inside);

/** A place where a phrase may begin, and the word that stands there. */
export interface PhraseStart {
  at: number;
  word: string;
}

/** Every secret behind a phrase that begins at one of these places. */
export function findPhrases(
  text: string,
  starts: readonly PhraseStart[],
  allowance: Allowance,
): Found[] {
  const found: Found[] = [];
  for (const { at, word } of starts) {
    if (!allowance.begin(at)) continue;
    const isInside = /[\w-]/.test(text.charAt(at - 1)) && /^\w/.test(word);
    for (const { rest, accepts, inside, rule } of phrasesByWord.get(word) ?? []) {
      if (isInside && !inside) continue;
      const match = matchAt(rest, text, at + word.trimEnd().length);
      const value = match?.at(-1);
      if (!match || value === undefined || !accepts(value)) continue;
      const end = match.index + match[0].length;
      found.push({ start: end - value.length, end, kind: rule.kind, rule: rule.id });
    }
  }
  return found;
}
