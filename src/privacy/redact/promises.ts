// What a name promises in whatever language, and whether a value under it keeps the promise.

import { rowsOf } from "../../text/tables.ts";
import languageTable from "../rules/languages.txt" with { type: "text" };
import { isOfSecret, type NameVerdict, rememberNames, verdictOf } from "./names.ts";
import {
  isChosen,
  isHandedOut,
  isInRuns,
  isIssued,
  isPassphrase,
  isRandom,
  isSecretLiteral,
  isUnguessable,
} from "./values.ts";

const groups = rowsOf(languageTable).map(([meaning = "", ...lines]) => ({
  meaning,
  words: lines.join(" ").split(" "),
}));

/** Of a word of the table an expression: a bar at its edge is the edge of a word, be it in camel case. */
const sourceOf = (word: string): string =>
  word
    .replaceAll("_", "[ ._-]?")
    .replace(/^\|/, "(?<!(?-i:[a-zа-яё](?=[a-zа-яё])|[A-ZА-ЯЁ]))")
    .replace(/\|$/, "(?!(?-i:[a-zа-яё]))");

/** All of them, as a part of an expression that looks at letters of both cases. */
export const foreignSource = groups.flatMap(({ words }) => words.map(sourceOf)).join("|");

const plainWords = groups.flatMap(({ words }) =>
  words.flatMap((word) =>
    ["_", " ", "-", ".", ""].map((joint) => word.replaceAll("|", "").replaceAll("_", joint)),
  ),
);

/** What to look for in a text; of words with other letters than ASCII the capitals have to be named. */
export const foreignBeginnings: readonly string[] = [
  ...new Set(
    plainWords
      .toSorted()
      // Where one stands that this one begins with, this one is found as well.
      .reduce<string[]>((kept, word) => {
        const last = kept.at(-1);
        if (last === undefined || !word.startsWith(last)) kept.push(word);
        return kept;
      }, [])
      // The rule of names looks for these anyway.
      .filter((word) => !/^(?:pass|secret)/.test(word))
      .flatMap((word) =>
        /^[ -~]+$/.test(word)
          ? [word]
          : [word, word.toUpperCase(), word.charAt(0).toUpperCase() + word.slice(1)],
      ),
  ),
];

const pattern = new RegExp(
  groups.map(({ words }) => `(${words.map(sourceOf).join("|")})`).join("|"),
  "gi",
);

/** The name with such words in English, in the case that they are written in; the name itself if there are none. */
export const inEnglish = rememberNames(translated);

function translated(name: string): string {
  return name.replace(pattern, (word, ...hits: unknown[]) => {
    const meaning = groups[hits.findIndex((hit) => hit !== undefined)]?.meaning ?? word;
    if (word !== word.toLowerCase() && word === word.toUpperCase()) return meaning.toUpperCase();
    const [first = ""] = word;
    return first === first.toLowerCase()
      ? meaning
      : meaning.charAt(0).toUpperCase() + meaning.slice(1);
  });
}

/** A name in English, and what it promises. */
interface Promised {
  name: string;
  verdict: NameVerdict;
}

/** A secret's name behind which stands what it is for: `senha do banco`. */
const begins = /^(?:password|secret|token|api_key)(?![a-z])/i;

/** What a variable's, key's, header's or option's name says about its value, in other languages too. */
export function judgeNamed(written: string): Promised {
  const name = inEnglish(written);
  const verdict = verdictOf(name);
  if (name === written) return { name, verdict };
  if (verdict === "maybe" || verdict === "made") return { name, verdict: "spoken" };
  const isOne = begins.test(name) && !isOfSecret(name);
  return { name, verdict: verdict ?? (isOne ? "likely" : undefined) };
}

/** A variable of an environment, where a run of hexadecimal digits is no revision. */
export const isVariable = (name: string): boolean => /^[A-Z][A-Z\d_]*$/.test(name);

/** True for what a service made as the password of a database. */
const isLongHex = (value: string): boolean =>
  value.length >= 24 && /^(?=[a-f]{0,24}\d)(?=\d{0,24}[a-f])[0-9a-f]{24,128}$/.test(value);

/** True for a value that is what its name promises. */
export function isSecretUnder(value: string, name: string, verdict: NameVerdict): boolean {
  if (verdict === undefined) return false;
  if (verdict === "secret") return isSecretLiteral(value, name);
  // Of what is shortened nothing is left to take.
  if (value.includes("...")) return false;
  if (verdict === "maybe") return isRandom(value);
  if (verdict === "made") return value.length >= 20 && isIssued(value);
  if (verdict !== "issued" && isInRuns(value)) return true;
  if (verdict === "likely")
    return (
      isRandom(value) ||
      isChosen(value, true) ||
      isPassphrase(value) ||
      isLongHex(value) ||
      (isVariable(name) && (isIssued(value) || isUnguessable(value, true)))
    );
  const isMade = isHandedOut(value) || isUnguessable(value, true);
  return isMade || (verdict === "spoken" && isChosen(value, true));
}

/** The mark of what stands under a name and is a secret; undefined for anything else. */
export function kindUnder(key: string, value: string): string | undefined {
  const { name, verdict } = judgeNamed(key);
  return isSecretUnder(value, name, verdict) ? kindOf(name) : undefined;
}

/** What the mark says was there: `password`, `token`, `key`, `secret`. */
export function kindOf(name: string): string {
  if (/pass|pwd|pw$/i.test(name)) return "password";
  if (/token/i.test(name)) return "token";
  return /key/i.test(name) ? "key" : "secret";
}
