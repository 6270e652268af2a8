// Reads values that no sign joins to their name: the argument behind it, the text of its element, what follows an option.

import { matchEnd } from "./effort.ts";
import { verdictOf } from "./names.ts";
import { accept, type Named, readValue, sample, type Value } from "./read-value.ts";
import { isChosen, isIssued } from "./values.ts";

/** What stands before a name that is an argument, or the selector of a field. */
const opensArgument =
  /(?:\(|buildConfigField[ ])\s{0,4}(?:["']\w{1,20}["'][ ]?, ?)?\\{0,4}["'](?:[\w*=^ -]{0,20}[#.[])?[\w=]{0,8}\\{0,4}["']?$/;
/** A name in quotes, then its value in quotes: `define('DB_PASSWORD', '…')`, `fill('input[name="password"]', '…')`. */
const argument = /(?:\\{0,4}["'])?\]?\\{0,4}["'][ \t]{0,4},[ \t]{0,4}(?:"(?=\\")|'(?="))?/y;

/** Where the second argument of a call begins, in quotes, of which the first is the name: `define('DB_PASSWORD', '…')`. */
export function argumentAfter(text: string, { start, end }: Named): number | undefined {
  if (!opensArgument.test(text.slice(Math.max(0, start - 40), start))) return undefined;
  const second = matchEnd(argument, text, end);
  return second !== undefined && /["'\\]/.test(text.charAt(second)) ? second : undefined;
}

/** The value of such an argument: what somebody chose or a service handed out. */
export function readArgument(text: string, at: number, named: Named): Value | undefined {
  const value = readValue(text, at, named, { tight: false, bare: false, variable: false });
  const literal = value && text.slice(value.start, value.end);
  return literal && (isChosen(literal, true) || isIssued(literal)) ? value : undefined;
}

/** The rest of an element of XML whose name, or whose attribute or key, says it. */
const element =
  /(?:[ \t][^<>\n]{1,120})?>|\\{0,4}["']>|<\/key>(?:[\s+\uf8ff]|\\[nrt]|\d{1,6}[→|:]){0,24}<(?:string|data)>/y;

/** Where the text of an element of XML begins that the name stands for. */
export function elementAfter(text: string, { start, end }: Named): number | undefined {
  const before = text.slice(Math.max(0, start - 24), start);
  const isNamed = /<(?:[\w-]{1,20}:)?$|<key>$|<\w{1,16} name=\\{0,4}["']$/.test(before);
  return isNamed ? matchEnd(element, text, end) : undefined;
}

/** The text of an element from `at` on, to its end or that of its literal part. */
export function readElement(text: string, at: number, named: Named): Value | undefined {
  const near = text.slice(at, at + 8 * sample);
  const [opened = ""] = /^\s{0,40}<!\[CDATA\[/.exec(near) ?? [];
  const close = near.indexOf(opened === "" ? "</" : "]]>");
  return close < 0 ? undefined : accept(text, at + opened.length, at + close, named);
}

/** What stands between an option and its value. */
const option = /[ \t]{1,4}(?!-)/y;
/** Words that follow an option's name in prose about it. */
const prose =
  /^(?:flags?|options?|arguments?|args?|parameters?|values?|and|or|is|are|to|for|with|was|in|on|as|if|when|the|a|an|from|via)\b/i;

/** `--token`, or `-Password` as PowerShell and Java's tools have it. */
function isOption(text: string, start: number): boolean {
  if (text.startsWith("--", start)) return true;
  return text.charAt(start) === "-" && /^\s?$/.test(text.charAt(start - 1));
}

/** What follows an option of a command. */
export function readOption(text: string, named: Named): Value | undefined {
  const { start, end, name, verdict } = named;
  if (!isOption(text, start)) return undefined;
  const value = matchEnd(option, text, end);
  if (value === undefined || prose.test(text.slice(value, value + 12))) return undefined;
  // The command before an option says no less of its value.
  const ofOption = verdictOf(name) === "secret" ? "secret" : verdict;
  const form = { tight: true, bare: true, variable: false };
  const found = readValue(text, value, { name, verdict: ofOption }, form);
  const sure = text.startsWith("--", start) || !found;
  return sure || isChosen(text.slice(found.start, found.end)) ? found : undefined;
}
