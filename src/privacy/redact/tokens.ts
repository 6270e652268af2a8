// Finds the tokens of services, whose own shape gives them away. The rules are data; this looks for all of them at once.
import type { Found } from "./rule.ts";
import { type ServiceRule, serviceRules } from "./service-rules.ts";

const shortEscape = /\\[nrtbf]$/;
const longEscape = /\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2})$|%[0-9A-Fa-f]{2}$/;

/**
 * True when a token may begin at `at`: what stands before is no part of a word. An escape (`\n`, `%20`) is no word.
 * Starting nowhere else also keeps the work linear: one try for one run of word characters.
 */
function startsRun(text: string, at: number): boolean {
  if (at === 0 || !isRunCode(text.charCodeAt(at - 1))) return true;
  // The sign of a removed line of a patch.
  if (text[at - 1] === "-" && (at === 1 || text[at - 2] === "\n")) return true;
  return (
    shortEscape.test(text.slice(at - 2, at)) || longEscape.test(text.slice(Math.max(0, at - 6), at))
  );
}

/** A word character or a hyphen, as `[\w-]`. */
function isRunCode(code: number): boolean {
  if (code >= 97) return code <= 122;
  if (code >= 65) return code <= 90 || code === 95;
  return (code >= 48 && code <= 57) || code === 45;
}

/** Every prefix, the longest first, with the rules that may apply where it stands. */
const rulesByPrefix = new Map<string, readonly ServiceRule[]>(
  [...new Set(serviceRules.flatMap(({ prefixes }) => prefixes))]
    .sort((a, b) => b.length - a.length)
    .map((prefix) => [
      prefix,
      serviceRules.filter(({ prefixes }) => prefixes.some((other) => prefix.startsWith(other))),
    ]),
);
/** A prefix at a place; only asked where a prefix's first two characters stand. */
const anyPrefix = new RegExp(alternatives([...rulesByPrefix.keys()]), "y");
/** Which pairs of characters begin a prefix. Looking at pairs is several times quicker than any expression for all prefixes. */
const pairs = new Uint8Array(128 * 128);
/** What may stand behind such a pair; undefined where the pair is all of a prefix. Words begin like many prefixes. */
const thirds = new Map<number, Uint8Array | undefined>();
for (const prefix of rulesByPrefix.keys()) {
  const pair = pairOf(prefix.charCodeAt(0), prefix.charCodeAt(1));
  const known = pairs[pair] === 1 ? thirds.get(pair) : new Uint8Array(128);
  pairs[pair] = 1;
  if (known && prefix.length > 2) known[prefix.charCodeAt(2)] = 1;
  thirds.set(pair, prefix.length > 2 ? known : undefined);
}

function pairOf(first: number, second: number): number {
  return first * 128 + second;
}

/** True where the character at `at` may stand behind the pair. */
function mayGoOn(pair: number, text: string, at: number): boolean {
  const after = thirds.get(pair);
  return after === undefined || after[text.charCodeAt(at)] === 1;
}

/** A pattern for any of these words, the longest that fits; words that begin alike share their beginning, so that few are tried at each place. */
function alternatives(words: readonly string[]): string {
  const byFirst = Map.groupBy(
    words.filter((word) => word !== ""),
    (word) => word.charAt(0),
  );
  const branches = [...byFirst].map(
    ([first, group]) =>
      first.replace(/\W/, "\\$&") + alternatives(group.map((word) => word.slice(1))),
  );
  if (branches.length === 0) return "";
  // A word that ends here is the last choice.
  const optional = words.includes("") ? "?" : "";
  return branches.length === 1 && !optional
    ? branches.join("")
    : `(?:${branches.join("|")})${optional}`;
}

/** Every token of a known service. */
export function findTokens(text: string): Found[] {
  const found: Found[] = [];
  let before = 128;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const pair = before < 128 && code < 128 ? pairOf(before, code) : -1;
    before = code;
    if (pairs[pair] !== 1 || !mayGoOn(pair, text, at + 1) || !startsRun(text, at - 1)) continue;
    const token = tokenAt(text, at - 1);
    if (!token) continue;
    found.push(token);
    // Nothing that begins inside it.
    at = token.end - 1;
    before = 128;
  }
  return found;
}

function tokenAt(text: string, start: number): Found | undefined {
  anyPrefix.lastIndex = start;
  const prefix = anyPrefix.exec(text)?.[0];
  for (const { id, kind, shape } of (prefix && rulesByPrefix.get(prefix)) || []) {
    shape.lastIndex = start;
    if (shape.test(text)) return { start, end: shape.lastIndex, kind, rule: id };
  }
  return undefined;
}
