// Languages: what their table says, and how one is recognised.
import languageTable from "./languages.txt" with { type: "text" };
import { rowsOf } from "./tables.ts";

/** A language that is recognised. */
export const languages = [
  "en",
  "de",
  "fr",
  "es",
  "pt",
  "it",
  "nl",
  "ru",
  "ar",
  "ja",
  "zh",
  "ko",
] as const;
/** A language that is recognised. */
export type Language = (typeof languages)[number];

const rows = rowsOf(languageTable);

/** The lines that the table has of a kind (`common`, `denies`), by language. */
export function linesOf(kind: string): Array<readonly [language: string, lines: string[]]> {
  return rows.flatMap(([language = "", ...cells]) => {
    const lines = cells.filter((cell) => cell.startsWith(`${kind} `));
    return lines.length > 0 ? [[language, lines.map((line) => line.slice(kind.length + 1))]] : [];
  });
}

/** The words of such lines. */
export const wordsOf = (lines: readonly string[]): string[] => lines.join(" ").split(" ");

const commonWords = linesOf("common").map(
  ([language, lines]) => [language, wordsOf(lines)] as const,
);

/** Words that say nothing of what a text is about. */
export const stopWords: ReadonlySet<string> = new Set(commonWords.flatMap(([, words]) => words));

const scripts: ReadonlyArray<readonly [Language, RegExp]> = [
  ["ja", /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ["ko", /\p{Script=Hangul}/gu],
  ["zh", /\p{Script=Han}/gu],
  ["ru", /\p{Script=Cyrillic}/gu],
  ["ar", /\p{Script=Arabic}/gu],
];
/** Shares of a text's letters, and of its words, that make it one of a language. */
const scriptShare = 0.2;
const wordShare = 0.1;
/** How much clearer than English another language must be. */
const clearly = 1.2;

/** The language that most of these texts are written in; English where none is clear. */
export function languageOf(texts: readonly string[]): Language {
  const text = texts.join("\n").toLowerCase();
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  for (const [language, script] of scripts)
    if (letters > 0 && (text.match(script)?.length ?? 0) / letters >= scriptShare) return language;
  const words = text.match(/[\p{L}'’]+/gu) ?? [];
  const shares = commonWords.map(([language, common]) => {
    const known = new Set(common);
    const found = words.filter((word) => known.has(word));
    // One word alone may be of any language: `a`, `no`, `die`.
    const isOne = new Set(found).size < 2;
    return [language, isOne ? 0 : found.length / words.length] as const;
  });
  const english = shares.find(([language]) => language === "en")?.[1] ?? 0;
  const [best, most] = shares.reduce((one, other) => (other[1] > one[1] ? other : one));
  const isClear = most >= wordShare && most > english * clearly;
  return languages.find((language) => isClear && language === best) ?? "en";
}
