// The tokens of services, whose own shape gives them away (rules/tokens.txt).

import { rowsOf } from "../../text/tables.ts";
import tokenTable from "../rules/tokens.txt" with { type: "text" };
import { type Allowance, matchEnd } from "./effort.ts";
import type { Found, Rule } from "./rule.ts";
import { once, readWords, withFragments } from "./tables.ts";
import { crosses } from "./values.ts";
import { classOf } from "./word-search.ts";

/** A token that begins with something no word begins with. */
interface TokenRule extends Rule {
  kind: string;
  /** Literal beginnings, in the case they are written in. */
  prefixes: readonly string[];
  /** Matches the whole token from its beginning on; sticky. */
  shape(): RegExp;
}

/** Every service that memoir knows: of tokens that begin alike the first whose shape fits is believed. */
export const tokenRules = rowsOf(tokenTable).map(([name = "", ...cells]): TokenRule => {
  const [id = "", kind = id] = name.split(":");
  const [prefixes, [source = ""]] = readWords(cells);
  const finds = `${id.replaceAll("-", " ")}, by its beginning ${prefixes[0]}`;
  const shape = once(() => new RegExp(withFragments(source), "y"));
  return { id, kind, finds, prefixes, source, shape };
});

const prefixes = new Set(tokenRules.flatMap((rule) => rule.prefixes));

/** The shortest prefix that a prefix begins with. */
function beginningOf(prefix: string): string {
  for (let end = 1; end < prefix.length; end++)
    if (prefixes.has(prefix.slice(0, end))) return prefix.slice(0, end);
  return prefix;
}

/** The rules, in their order, by what their tokens begin with: one of these words stands where a token begins. */
export const tokensByBeginning = new Map<string, Set<TokenRule>>();
for (const rule of tokenRules)
  for (const beginning of rule.prefixes.map(beginningOf)) {
    const group = tokensByBeginning.get(beginning) ?? new Set();
    tokensByBeginning.set(beginning, group.add(rule));
  }

const escapeEnd = /(?:\\(?:[nrtbf]|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2})|%[0-9A-Fa-f]{2})$/;
/** What stands before a sign in the midst of base 64. */
const longRun = /(?=[^\d]{0,19}\d)(?=[^A-Z]{0,19}[A-Z])[A-Za-z0-9/+]{20}$/;

const isInBase64 = (text: string, at: number): boolean =>
  /[+/]/.test(text.charAt(at - 1)) && longRun.test(text.slice(Math.max(0, at - 24), at - 1));

/**
 * True when a token may begin at `at`: what stands before is no part of a word. An escape (`\n`, `%20`) is no word.
 * Starting nowhere else also keeps the work linear: one try for one run of word characters.
 */
export function startsRun(text: string, at: number): boolean {
  if (at === 0) return true;
  if (!isRunCode(text.charCodeAt(at - 1))) return true;
  // The sign of a removed line of a patch.
  if (text[at - 1] === "-" && (at === 1 || text[at - 2] === "\n")) return true;
  return endsEscape(text, at);
}

function endsEscape(text: string, at: number): boolean {
  // Asked in the midst of many a word: where none of these signs stands there is no need of an expression.
  const sign = text[at - 2] === "\\" || text[at - 4] === "\\" || text[at - 6] === "\\";
  return (sign || text[at - 3] === "%") && escapeEnd.test(text.slice(Math.max(0, at - 6), at));
}

const runs = classOf(/[\w-]/);

/** A word character or a hyphen. */
export const isRunCode = (code: number): boolean => runs[code] === 1;

/** A place where a rule's word stands. */
export interface Start {
  at: number;
  word: string;
}

/** Every token of a known service that begins at one of these places, all of which start a run. */
export function findTokens(text: string, starts: readonly Start[], allowance: Allowance): Found[] {
  const found: Found[] = [];
  // Nothing begins inside a token.
  let from = 0;
  for (const start of starts.toSorted((a, b) => a.at - b.at)) {
    const tried = start.at >= from && allowance.begin(start.at);
    const token = tried ? tokenAt(text, start) : undefined;
    if (!token || isInBase64(text, start.at)) continue;
    found.push(token);
    from = token.end;
  }
  return found;
}

function tokenAt(text: string, { at, word }: Start): Found | undefined {
  for (const { id, kind, prefixes, shape } of tokensByBeginning.get(word) ?? []) {
    if (!prefixes.some((prefix) => text.startsWith(prefix, at))) continue;
    const end = matchEnd(shape(), text, at);
    if (end !== undefined && !crosses.test(text.slice(at, end)))
      return { start: at, end, kind, rule: id };
  }
  return undefined;
}
