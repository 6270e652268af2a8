// The tokens of services, whose own shape gives them away: how a table of them reads, and how they are found.
import { type Allowance, matchEnd } from "./effort.ts";
import { type Found, marked, once, type Rule } from "./rule.ts";
import {
  cloudRows,
  codeRows,
  dataRows,
  generalRows,
  messagingRows,
  modelRows,
  paymentRows,
  workRows,
} from "./service-rows.ts";
import { crosses } from "./values.ts";

/** A token that begins with something no word begins with. */
export interface ServiceRule extends Rule {
  kind: string;
  /** Literal beginnings, in the case they are written in. */
  prefixes: readonly string[];
  /** Matches the whole token from its beginning on; sticky. */
  shape: RegExp;
}

const uuid = "[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}";
const uuidTemplate = "{h8}-{h4}-{h4}-{h4}-{h12}";

/**
 * The rules of a table. A row begins at the left and goes on in lines that are indented; two blanks or a line's end part
 * its cells:
 * - the rule's id, behind a colon the kind where that is another;
 * - what the token begins with, each beginning literally;
 * - its whole shape, an expression in which `{uuid}` stands for a UUID;
 * - examples that go, parted by ` | `, as `Rule.gone` has them, but with < and > around the secret: the bundler writes
 *   other signs than ASCII as escapes, which in a raw text would stay;
 * - one that stays, as `Rule.stay`;
 * - for who reads the table: `g` where the published rules of gitleaks have such a form, `t` where those of trufflehog have it.
 *   The others come from what their makers write and from general knowledge.
 */
export function readRows(table: string): ServiceRule[] {
  return table
    .trim()
    .split(/\n(?=\S)/)
    .map(readRow);
}

const parting = /\n? {2,}/;

function readRow(row: string): ServiceRule {
  // No more of it is read than a start needs: a hook that spools has only its own texts to look at.
  const [name = "", prefixes = ""] = row.split(parting, 2);
  const [id = "", kind = id] = name.split(":");
  const cells = once(() => row.split(parting));
  const shape = once(() => new RegExp(cells()[2]?.replaceAll("{uuid}", uuid) ?? "", "y"));
  return {
    ...{ id, kind, prefixes: prefixes.split(" ") },
    get shape() {
      return shape();
    },
    get finds() {
      return `${id.replaceAll("-", " ")}, by its beginning ${prefixes.split(" ")[0]}`;
    },
    get gone() {
      return marked(cells()[3]?.replaceAll("{uuid}", uuidTemplate) ?? "").split(" | ");
    },
    get stay() {
      return [cells()[4] ?? ""];
    },
  };
}

/** Every service that memoir knows: of tokens that begin alike the first whose shape fits is believed. */
export const serviceRules = [
  paymentRows,
  workRows,
  messagingRows,
  modelRows,
  cloudRows,
  dataRows,
  codeRows,
  generalRows,
].flatMap(readRows);

const escapeEnd = /(?:\\(?:[nrtbf]|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2})|%[0-9A-Fa-f]{2})$/;

const isInBase64 = (text: string, at: number): boolean =>
  /[+/]/.test(text.charAt(at - 1)) && longRun.test(text.slice(Math.max(0, at - 24), at - 1));
/** What stands before a sign in the midst of base 64. */
const longRun = /(?=[^\d]{0,19}\d)(?=[^A-Z]{0,19}[A-Z])[A-Za-z0-9/+]{20}$/;

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

/** A word character or a hyphen, as `[\w-]`. */
export function isRunCode(code: number): boolean {
  if (code >= 97) return code <= 122;
  if (code >= 65) return code <= 90 || code === 95;
  return (code >= 48 && code <= 57) || code === 45;
}

const prefixes = new Set(serviceRules.flatMap((rule) => rule.prefixes));

/** The shortest prefix that a prefix begins with. */
function beginningOf(prefix: string): string {
  for (let end = 1; end < prefix.length; end++)
    if (prefixes.has(prefix.slice(0, end))) return prefix.slice(0, end);
  return prefix;
}

/** The rules, in their order, by what their tokens begin with. */
const rulesByBeginning = new Map<string, Set<ServiceRule>>();
for (const rule of serviceRules) {
  for (const beginning of rule.prefixes.map(beginningOf)) {
    const group = rulesByBeginning.get(beginning) ?? new Set();
    rulesByBeginning.set(beginning, group.add(rule));
  }
}

/** One of these words stands where a token begins. */
export const tokenBeginnings: readonly string[] = [...rulesByBeginning.keys()];

/** A place where a token may begin, and the word that stands there. */
export interface TokenStart {
  at: number;
  beginning: string;
}

/** Every token of a known service that begins at one of these places, all of which start a run. */
export function findTokens(
  text: string,
  starts: readonly TokenStart[],
  allowance: Allowance,
): Found[] {
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

function tokenAt(text: string, { at, beginning }: TokenStart): Found | undefined {
  for (const { id, kind, prefixes, shape } of rulesByBeginning.get(beginning) ?? []) {
    if (!prefixes.some((prefix) => text.startsWith(prefix, at))) continue;
    const end = matchEnd(shape, text, at);
    if (end !== undefined && !crosses.test(text.slice(at, end)))
      return { start: at, end, kind, rule: id };
  }
  return undefined;
}
