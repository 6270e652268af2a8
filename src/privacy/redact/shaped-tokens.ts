// Tokens of services that no rule knows by name: a short beginning, `_` or `-`, and a long run that nobody typed.
import { matchAt, matchEnd } from "../../text/sticky.ts";
import type { Found, Rule, Span } from "./rule.ts";
import { isScattered } from "./values.ts";
import { classOf, visitRuns } from "./word-search.ts";

/** The rule by which they go. */
export const shapedRule: Rule = {
  id: "token-by-shape",
  finds: "a short beginning, then a long random run of letters of both cases and digits",
  source: 2,
};

/** Beginnings of what is published or only names something; of these none is a secret. */
const known =
  /^(?:pk|phc|sb_publishable|toolu|srvtoolu|mcptoolu|msg|req|call|cs|pi|seti|evt|file|container|msgbatch|resp|chatcmpl|user|org|sess|nonce|sha\d{1,3}|etag|id|ref|hash|digest|integrity|checksum|build|chunk|index)$/i;
/** What makers put between their name and the run. */
const telling =
  /(?:^|[_-])(?:live|prod|production|sandbox|test|api|api[_-]?key|pat|oat|sat|at|rt|sk|rk|secret|personal|access|token|auth|private)$|^(?:secret|token|api[_-]?key|pat)[_-]/i;
const shouted = /^[A-Z\d]+[_-]KEY$/;
/** Of these also what has the form of an id is a secret. */
const tellsOfSecret =
  /^((?:[a-z][a-z0-9]{1,11}[_-]){1,2}?(?:pat|oat|sk|rk|secret|token|apikey|api[_-]key)[_-])([\w-]{28,})$/i;
const isId = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
/** A second run behind the first, as keys of which the first part is the name of the second. */
const second = /\.([A-Za-z0-9]{20,100})(?![\w.+/=-])/y;
const shortest = 20;
/** How long a run is that no telling beginning has. */
const long = 28;
const longest = 400;
const members = classOf(/[A-Za-z0-9]/);
/** What may not stand behind the run: more of a name, or of base 64. */
const goesOn = /[\w-]|[+/=][A-Za-z0-9+/=]/y;
const beginning =
  /(?:(?:^|\n)[+-]?|[^\w+/.%-])([a-z][a-z0-9]{1,11}(?:[_-][a-z0-9]{1,12}){0,3}|[A-Z][A-Z0-9]{1,11}(?:[_-][A-Z0-9]{1,12}){1,3})$/;
const reach = 60;
/** Runs of base 64 as addresses have it, of which the parts are too short to tell. */
const linked = classOf(/[\w-]/);
const shortestLinked = 36;
const longestLinked = 240;
/** What goes on with 01 is an id that carries a version and a time. */
const linkedToken = /^[a-z][a-z0-9]{1,11}[_-](?!01[A-Z])([\w-]{36,})$/;

/** Every such token: a long run behind `_` or `-`. */
export function findShapedTokens(text: string): Found[] {
  const found: Found[] = [];
  visitRuns(text, linked, shortest, (from, to) => {
    if (isLinkedToken(text, from, to))
      found.push({ start: from, end: to, kind: "token", rule: shapedRule.id });
    for (let start = from; start < to; start++) {
      let end = start;
      while (end < to && members[text.charCodeAt(end)] === 1) end++;
      if (end - start >= shortest) found.push(...tokensAt(text, start, end));
      start = end;
    }
  });
  return found;
}

/** What a run of letters and digits is, or the end of. */
function tokensAt(text: string, start: number, end: number): Found[] {
  const found: Found[] = [];
  if (isWhole(text, start, end)) found.push({ start, end, kind: "token", rule: shapedRule.id });
  const joined = joinedAt(text, start, end);
  if (joined) found.push({ ...joined, kind: "token", rule: shapedRule.id });
  if (!/[_-]/.test(text.charAt(start - 1)) || end - start > longest) return found;
  if (matchEnd(goesOn, text, end) !== undefined) return found;
  const name = beginning.exec(text.slice(Math.max(0, start - 1 - reach), start - 1))?.[1];
  if (name === undefined) return found;
  const further = matchAt(second, text, end)?.[1] ?? "";
  const whole = text.slice(start, end) + (isScattered(further) ? further : "");
  if (!isToken(name, whole)) return found;
  const last = whole.length > end - start ? end + 1 + further.length : end;
  found.push({ start: start - 1 - name.length, end: last, kind: "token", rule: shapedRule.id });
  return found;
}

/** A beginning and a run of letters of both cases, digits, `_` and `-` in which no word is. */
function isLinkedToken(text: string, start: number, end: number): boolean {
  const length = end - start;
  if (length < shortestLinked || length > longestLinked || /[+/.%@]/.test(text.charAt(start - 1)))
    return false;
  if (/^(?:[+/=@]|\.\w)/.test(text.slice(end, end + 2))) return false;
  const run = text.slice(start, end);
  const [, , named = ""] = tellsOfSecret.exec(run) ?? [];
  if (isId.test(named) || isMixed(named)) return true;
  const rest = linkedToken.exec(run)?.[1];
  if (rest === undefined || known.test(run.split(/[_-]/, 1)[0] ?? "")) return false;
  return isMixed(rest);
}

/** Of letters of both cases, and without words. */
function isMixed(value: string): boolean {
  const signs = value.replace(/[_-]/g, "");
  return /[a-z]/.test(signs) && /[A-Z]/.test(signs) && isScattered(signs);
}

/** Seeds of NATS; tokens of Sanity. They begin like a word, but no word goes on so. */
const whole = /^(?:S[UAONCX][A-Z2-7]{56}|sk(?:[A-Za-z0-9]{79}|[A-Za-z0-9]{150,200}))$/;

function isWhole(text: string, start: number, end: number): boolean {
  const begins = text.charCodeAt(start) | 32;
  return begins === 115 && end - start <= 202 && whole.test(text.slice(start, end));
}

/** A number before a run of both cases, as TrueNAS has it. */
const numbered = /(?:^|[^\w.+/-])(\d{1,3}-)$/;
/** The number of an integration before its secret, as Ghost joins them. */
const administered = /(?:^|[^\w.:/@-])(?=[a-f]{0,23}\d)[0-9a-f]{24}:$/;
const isHex = /^[0-9a-f]+$/;
/** Two short parts behind a run of hexadecimal digits, as Mailgun has them. */
const parted = /^[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}(?![\w-])/;

/** A run of one of two lengths that a hyphen joins to numbers: a token as a whole. */
function joinedAt(text: string, start: number, end: number): Span | undefined {
  if (end - start === 64 && text[start - 1] === "-") {
    const value = text.slice(start, end);
    const [, number = ""] = numbered.exec(text.slice(Math.max(0, start - 5), start)) ?? [];
    if (number !== "" && /[A-Z]/.test(value) && /[a-z]/.test(value) && /\d/.test(value))
      return { start: start - number.length, end };
  }
  if (end - start === 64 && text[start - 1] === ":") {
    const whose = administered.test(text.slice(Math.max(0, start - 26), start));
    return whose && isHex.test(text.slice(start, end)) ? { start: start - 25, end } : undefined;
  }
  if (end - start !== 32 || text[end] !== "-" || /[\w.+/-]/.test(text.charAt(start - 1)))
    return undefined;
  return parted.test(text.slice(start, start + 52)) ? { start, end: start + 50 } : undefined;
}

function isToken(name: string, value: string): boolean {
  if (known.test(name) || known.test(name.split(/[_-]/, 1)[0] ?? "")) return false;
  // Ids that carry a version and a time begin so; what manuals show ends so.
  if (/^01[A-Z]|EXAMPLE/.test(value)) return false;
  const tells = telling.test(name) || shouted.test(name);
  if (/^[0-9a-f]+$/.test(value)) return value.length >= 32 && tells && !/test$/i.test(name);
  // Of one case letters stand in longer runs.
  if (tells && (value.match(/\d+/g)?.length ?? 0) >= 3 && /[A-Za-z]/.test(value)) return true;
  if (!isScattered(value)) return false;
  return tells || (value.length >= long && /[a-z]/.test(value) && /[A-Z]/.test(value));
}
