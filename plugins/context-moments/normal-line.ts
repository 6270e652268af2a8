// What a line of a failure says wherever and whenever it is printed: without places, numbers, addresses and times. Pure.
import { stripAnsi, unspacedRange } from "../../src/text/index.ts";

/** Of a text and of a line, what is looked at. */
const mostRead = 20_000;
const longestLine = 300;
/** Of a long text the first and the last lines. */
const linesAtEachEnd = 60;

const uuid = /\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/gi;
const url = /\b[a-z][a-z+.-]{1,12}:\/\/[^\s"'`<>)\]]+/gi;
const date = /\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?/g;
const path = /(?:[A-Za-z]:)?(?:[^\s"'`“”«»「」()[\]{}<>:;,|=/\\]*[/\\])+(?=[^\s])/g;
const address = /\b0x[\da-f]+\b/gi;
const hash = /(?<![\p{L}\p{N}])(?=[a-f]*\d)[\da-f]{7,64}(?![\p{L}\p{N}])/gu;
/** `12`, `1.2s`, `12:30:01`, `3,5 ms`, `127.0.0.1`; not the number in a name: `TS2345`. */
const number =
  /(?<![\p{L}\p{N}_])\p{N}+(?:[.,:]\p{N}+)*(?:\s?(?:[nµμum]?s|min|m|h|[kKMG]i?B|%)(?![\p{L}\p{N}]))?/gu;
/** Before the number that a service answered with or a program ended with, and before a port. */
const saysCode = /\b(?:status|code|errno)[ :=(]{1,3}$/i;
const saysError = /\b(?:error|HTTP(?:\/[\d.]+)?)[ :=(]{1,3}$/i;
const saysPort = /\b(?:localhost:|port[ :=]{1,2})$/i;
const withPort = /^\d+(?:\.\d+){3}:(\d{2,5})$/;
/** Ports from here on are given out anew each time. */
const givenOut = 32_768;
/** A number in a name that is no code of an error: `worker12`, `tmp.a81x`. */
const named = /[\p{L}_][\p{L}\p{N}_]*\p{N}[\p{L}\p{N}_]*/gu;
const errorCode = /^[A-Z]{1,5}_?\d{2,5}$/;
/** What an ID ends in, or stands in the middle of it. */
const digits = /\p{N}+/gu;
const edges = /^[^\p{L}\p{N}#]+|[^\p{L}\p{N}#]+$/gu;
/** How test runners mark what passed. */
const passed = /^\s*(?:[✓✔√☑✅]|\(pass\)|ok \d|PASS\b)/u;
/** How the client begins the result of a command that failed. */
const clientWords = /^Exit code \d+$/;

/** The line without what changes from run to run; of a path its last part stays. */
export function normalLine(line: string): string {
  return line
    .slice(0, longestLine)
    .replace(url, "#")
    .replace(uuid, "#")
    .replace(date, "#")
    .replace(path, "")
    .replace(address, "#")
    .replace(hash, "#")
    .replace(named, (word) => (errorCode.test(word) ? word : word.replace(digits, "#")))
    .replace(number, (value, at: number, all: string) =>
      numberSays(value, all.slice(Math.max(0, at - 20), at)),
    )
    .replace(/\s+/g, " ")
    .replace(edges, "");
}

/** The number where it says what happened or which service; else a mark. */
function numberSays(value: string, before: string): string {
  if (/^\d{1,3}$/.test(value) && saysCode.test(before)) return value;
  if (/^\d{3}$/.test(value) && saysError.test(before)) return value;
  const port = withPort.exec(value)?.[1] ?? (saysPort.test(before) ? value : undefined);
  return port !== undefined && Number(port) < givenOut ? `#:${port}` : "#";
}

/** The lines of a failure that may tell it from another one, each once, in their order. */
export function tellingLines(text: string): string[] {
  const all = stripAnsi(text.length > mostRead ? bothEnds(text) : text).split(lineEnd);
  const looked =
    all.length > 2 * linesAtEachEnd
      ? [...all.slice(0, linesAtEachEnd), ...all.slice(-linesAtEachEnd)]
      : all;
  const lines = new Set<string>();
  for (const line of looked) {
    if (passed.test(line) || clientWords.test(line.trim())) continue;
    const normal = normalLine(line);
    if (says(normal)) lines.add(normal);
  }
  return [...lines];
}

function bothEnds(text: string): string {
  return `${text.slice(0, mostRead / 2)}\n${text.slice(-mostRead / 2)}`;
}

/** Also where a program wrote `\n` out. */
const lineEnd = /\r?\n|\r|(?:\\n)+(?![a-z])/;
/** Four characters of languages that put no blanks between words. */
const unspaced = new RegExp(`(?:[${unspacedRange}][^${unspacedRange}]*){4}`, "u");
const eightLetters = /(?:\p{L}\P{L}*){8}/u;
const twoWords = /\p{L}\P{L}+\p{L}/u;

/** A line of one word, or of symbols, could be any failure's. */
function says(line: string): boolean {
  return unspaced.test(line) || (eightLetters.test(line) && twoWords.test(line));
}
