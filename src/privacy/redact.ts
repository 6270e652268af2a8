// Takes secrets out of texts before anything is written or sent. Pure, linear in time, and free of imports that cost.
import { type ClientEvent, structural } from "../sdk/events.ts";
import { isRecord, mapLeaves } from "../text/text.ts";
import { stripContextDeep, stripPrivateDeep } from "./marker.ts";
import {
  findBehindPrefixes,
  findEncoded,
  findJoined,
  findWrapped,
  longestLine,
  mayJoin,
  opensBelow,
} from "./redact/encoded.ts";
import { columnRule, findKubernetesSecrets, kubernetesRule, listRule } from "./redact/listed.ts";
import {
  isHeadingOfService,
  isSecretName,
  kindOf,
  kindUnder,
  rememberNames,
} from "./redact/names.ts";
import type { CompiledRules, OwnRedaction, RefusedRule } from "./redact/own-rules.ts";
import { findPrivateKeys, privateKeyRule } from "./redact/private-keys.ts";
import {
  allowanceFor,
  createWordSearch,
  type Found,
  findShapedTokens,
  type Rule,
  shapedRule,
} from "./redact/runs.ts";
import { fragment } from "./redact/tables.ts";
import { isSecretLiteral } from "./redact/values.ts";
import {
  assignmentRule,
  findAssignments,
  findPhrases,
  findTokens,
  isRunCode,
  isWhole,
  phraseRules,
  phraseWords,
  placeRules,
  type Start,
  startsRun,
  tokenRules,
  tokensByBeginning,
} from "./redact/words.ts";

/** A rule that looks at a whole text for a shape or a place. */
interface Finder extends Rule {
  words: readonly string[];
  find(text: string): Found[];
}

const finders: readonly Finder[] = [
  { ...privateKeyRule, find: findPrivateKeys },
  { ...kubernetesRule, find: findKubernetesSecrets },
  ...placeRules,
];

/** The built-in rules. What columns and lists hold is found on the way by the rule of names. */
export const rules: readonly Rule[] = [
  ...tokenRules,
  ...finders,
  ...phraseRules,
  assignmentRule,
  columnRule,
  listRule,
  shapedRule,
];

/** What a text may hold: where tokens, phrases and telling names may begin, and the finders of which a word stands in it, by number. */
export interface Suspicion {
  tokens: Start[];
  phrases: Start[];
  names: number[];
  finders: Set<number>;
}

/** A word that is looked for, and what it makes suspect: a whole phrase begins with no part of another word, a number is a finder's. */
interface Word {
  word: string;
  suspect: "token" | "phrase" | "whole phrase" | "name" | number;
}

const words: readonly Word[] = [
  ...[...tokensByBeginning.keys()].map((word): Word => ({ word, suspect: "token" })),
  ...phraseWords.map(
    (word): Word => ({ word, suspect: isWhole(word) ? "whole phrase" : "phrase" }),
  ),
  ...assignmentRule.words.map((word): Word => ({ word, suspect: "name" })),
  ...finders.flatMap((rule, suspect) => rule.words.map((word): Word => ({ word, suspect }))),
];
const search = createWordSearch(words.map(({ word }) => word));

/** What any rule may find in a text; undefined for most texts. */
function suspicionOf(text: string): Suspicion | undefined {
  let suspicion: Suspicion | undefined;
  search(text, (number, at) => {
    const found = words[number];
    if (!found) return;
    const { word, suspect } = found;
    if (suspect === "token" && !startsRun(text, at)) return;
    if (suspect === "whole phrase" && isRunCode(text.charCodeAt(at - 1))) return;
    suspicion ??= { tokens: [], phrases: [], names: [], finders: new Set() };
    if (suspect === "token") suspicion.tokens.push({ at, word });
    else if (suspect === "name") suspicion.names.push(at);
    else if (typeof suspect === "number") suspicion.finders.add(suspect);
    else suspicion.phrases.push({ at, word });
  });
  return suspicion;
}

/** What the rules find in a text. */
interface Findings {
  /** Secrets that their shape or place gives away. */
  exact: Found[];
  /** Secrets that the name before them gives away, or no more than their shape. */
  named: Found[];
}

/** Tries the rules of which something in the text speaks, in lines as they are and without what stands before each. */
export function findIn(text: string, suspicion = suspicionOf(text)): Findings {
  const bareNames: number[] = [];
  const findings = findAsWritten(text, suspicion, (end) => bareNames.push(end));
  const read = (lines: string): Found[] => {
    const { exact, named } = findAsWritten(lines, suspicionOf(lines));
    return exact.concat(named);
  };
  if (bareNames.length > 0) findings.named.push(...findBehindPrefixes(text, bareNames, read));
  if (mayJoin(text)) findings.named.push(...findJoined(text, read));
  const found = findings.exact.concat(findings.named);
  if (found.length > 0) findings.named.push(...findWrapped(text, found));
  return findings;
}

/** True for a line of a list of lines of which a secret may stand in a later one. */
function opensLines(line: string): boolean {
  if (line.length > longestLine) return false;
  let opens = false;
  findAssignments(line, suspicionOf(line)?.names ?? [], allowanceFor(line.length), (end) => {
    opens ||= opensBelow(line, end);
  });
  return opens;
}

function findAsWritten(
  text: string,
  suspicion: Suspicion | undefined,
  bareName?: (end: number) => void,
): Findings {
  const shaped = findShapedTokens(text);
  if (suspicion === undefined) return { exact: [], named: shaped };
  const allowance = allowanceFor(text.length);
  const exact = findTokens(text, suspicion.tokens, allowance);
  exact.push(...findPhrases(text, suspicion.phrases, allowance));
  for (const number of [...suspicion.finders].sort((a, b) => a - b))
    exact.push(...(finders[number]?.find(text) ?? []));
  const named = findAssignments(
    text,
    suspicion.names.sort((a, b) => a - b),
    allowance,
    bareName,
  );
  exact.push(...allowance.unchecked());
  return { exact, named: named.concat(shaped) };
}

/** Both. */
export function findAny(text: string): Found[] {
  const { exact, named } = findIn(text);
  return exact.concat(named);
}

// The user's own rules of redaction and those of plugins, and what the user allows to stay.

let inForce: CompiledRules | undefined;

/**
 * Puts these rules in force for everything that is redacted in this process from now on, in place of those of before. Gives those
 * that cannot be used: they are left out.
 */
export async function useOwnRedaction(own: OwnRedaction): Promise<RefusedRule[]> {
  const { rules, allow, ofPlugins = {} } = own;
  if (Object.keys(rules).length + allow.length + Object.keys(ofPlugins).length === 0) {
    inForce = undefined;
    return [];
  }
  // Only here: what compiles them is large, and few have rules of their own.
  const { compileRules } = await import("./redact/own-rules.ts");
  const compiled = await compileRules(own);
  inForce = compiled;
  return compiled.refused;
}

/** What the user's rules find. */
function findOwn(text: string): Found[] {
  return inForce?.find(text) ?? [];
}

/** True for a text that the user allows to stay. */
function isAllowed(text: string): boolean {
  return inForce?.allows(text) ?? false;
}

/** What is left of findings when those that the user allows are taken out. */
function withoutAllowed(text: string, found: Found[]): Found[] {
  const { allows } = inForce ?? {};
  return allows ? found.filter(({ start, end }) => !allows(text.slice(start, end))) : found;
}

// Takes secrets out of texts before anything is written or sent. Pure, linear in time, and free of imports that cost.

/** A redacted text and how many secrets it lost. */
interface Redacted {
  text: string;
  count: number;
}

/** Headers whose whole value is a secret. */
const secretHeader = /^(?:(?:proxy-)?authorization|(?:set-)?cookie)$/i;

/** Lines behind which others of the same list may belong to the same secret. */
const spanning = fragment("spanning", "i");

/** Called with each secret that is taken out, for whoever goes over what is stored already. */
export type TellFound = (found: { kind: string; rule: string; secret: string }) => void;

const mark = (kind: string): string => `[redacted:${kind}]`;

/**
 * The text with every secret replaced by `[redacted:<kind>]`: service tokens, private key blocks, JWTs,
 * authorization headers, cookies, passwords in URLs, and values assigned to names that promise a secret.
 * Redacting twice changes nothing.
 */
export function redactText(text: string, tell?: TellFound): Redacted {
  const spans = findSpans(text);
  if (spans.length === 0) return { text, count: 0 };
  let result = "";
  let from = 0;
  for (const { start, end, kind, rule } of spans) {
    tell?.({ kind, rule, secret: text.slice(start, end) });
    result += text.slice(from, start) + mark(kind);
    from = end;
  }
  return { text: result + text.slice(from), count: spans.length };
}

/** What `redactText` takes out, in order: where it stands, what it is, and the rule that found it. */
export function findSpans(text: string): Found[] {
  if (text.length < 6) return [];
  const seen = uncoloured(text);
  const { exact, named: plain } = findIn(seen);
  const encoded = findEncoded(seen, findUncoloured);
  const own = findOwn(seen);
  if (exact.length + plain.length + encoded.length + own.length === 0) return [];
  const named = plain.concat(encoded, own);
  return merge(withoutAllowed(seen, exact), withoutAllowed(seen, named));
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const colour = /\u001b\[[\d;:]{0,24}[mK]/g;

/** Spaces in place of terminal colours, of the same length: a coloured secret begins and ends like any other. */
function uncoloured(text: string): string {
  if (!text.includes("\u001b[")) return text;
  return text.replace(colour, (code) => " ".repeat(code.length));
}

/** What the rules find in a text that was read out of another, where an escape may have been a colour. */
const findUncoloured = (text: string): Found[] => findAny(uncoloured(text));

/** In order, overlaps united; where both say what was found, the exact finders know it better than a name does. */
function merge(exact: Found[], named: Found[]): Found[] {
  const exactOnes = new Set(exact);
  const united: Found[] = [];
  let lastExact = false;
  for (const found of [...exact, ...named].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = united.at(-1);
    if (!last || found.start >= last.end) {
      united.push({ ...found });
      lastExact = exactOnes.has(found);
      continue;
    }
    if (!lastExact && exactOnes.has(found)) {
      last.kind = found.kind;
      last.rule = found.rule;
      lastExact = true;
    }
    last.end = Math.max(last.end, found.end);
  }
  return united;
}

/** Property names that hold no secret themselves: payloads have few, over and over. */
const isCleanName = rememberNames((name) => findSpans(name).length === 0);

/** What a property of this name says that its text is. */
function kindNamed(key: string, text: string): string | undefined {
  if (!secretHeader.test(key) || /[<{]/.test(text)) return kindUnder(key, text);
  return isSecretLiteral(text, key) ? key.toLowerCase() : undefined;
}

/**
 * `redactText` for every text in a JSON value, keys included. A string under a secret's name (`password`, `apiKey`,
 * `{"name": "DB_PASSWORD", "value": …}`) goes whole. What holds no secret keeps its identity.
 */
export function redactDeep(value: unknown, tell?: TellFound): { value: unknown; count: number } {
  let count = 0;
  const redacted = mapLeaves(value, {
    text: (text, key) => {
      // The name first: few names promise a secret, and a text may be long.
      const kind = key === undefined ? undefined : kindNamed(key, text);
      if (kind !== undefined && !isAllowed(text)) {
        count++;
        tell?.({ kind, rule: assignmentRule.id, secret: text });
        return mark(kind);
      }
      if (key === undefined && isCleanName(text)) return text;
      const result = redactText(text, tell);
      count += result.count;
      return result.text;
    },
    number: (number, key) => {
      if (key === undefined || !/pass|pwd/i.test(key) || !isSecretName(key)) return number;
      count++;
      tell?.({ kind: kindOf(key), rule: assignmentRule.id, secret: String(number) });
      return mark(kindOf(key));
    },
    spans: (text) => spanning.test(text) || isHeadingOfService(text) || opensLines(text),
  });
  return { value: redacted, count };
}

// For redactors: what was said in an event, apart from what the event is.

/**
 * The event with `change` applied to the value of each field in which something was said (`prompt`, `toolInput`,
 * `toolResponse`, unknown ones too; in each call of a batch); what tells which happening it is stays. The same event when
 * nothing changed.
 */
export function mapEvent(
  event: ClientEvent,
  change: (value: unknown, name: string) => unknown,
): ClientEvent {
  return mapFields(event, change, structural);
}

/** Gives what stands in the place of a field's value. */
type ChangeField = (value: unknown, name: string) => unknown;
/** A client has a few words for these, `startup` or `logout`; whatever else stands there may be what somebody said. */
const clientWords: ReadonlySet<string> = new Set(["source", "reason", "trigger"]);
const isWord = (value: unknown) => typeof value === "string" && /^[a-z_]{0,24}$/.test(value);
/** Of a call in a batch only these say what it is. */
const ofCall: ReadonlySet<string> = new Set(["toolName", "toolUseId"]);

function mapFields<Fields extends object>(
  fields: Fields,
  change: ChangeField,
  kept: ReadonlySet<string>,
): Fields {
  const entries = Object.entries(fields);
  let changed = false;
  for (const entry of entries) {
    const [name, value] = entry;
    if (kept.has(name) && (!clientWords.has(name) || isWord(value))) continue;
    const isCalls = name === "toolCalls" && Array.isArray(value);
    const next = isCalls ? mapCalls(value, change) : change(value, name);
    if (next !== value) changed = true;
    entry[1] = next;
  }
  // Only what was said was replaced: the shape is the event's own.
  return changed ? (Object.fromEntries(entries) as Fields) : fields;
}

function mapCalls(calls: unknown[], change: ChangeField): unknown[] {
  const next = calls.map((call) =>
    isRecord(call) ? mapFields(call, change, ofCall) : change(call, "toolCalls"),
  );
  return next.some((call, at) => call !== calls[at]) ? next : calls;
}

/** A JSON value with `change` applied to every text in it, keys included. What does not change keeps its identity. */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  return mapLeaves(value, { text: change });
}

// Everything that must never be kept, taken out of a JSON value in one call: our own context, private content, secrets.

/**
 * A JSON value without memoir's own context, private content and secrets; `count` is how many secrets it lost. `name` is that of the
 * field that it stands in: one called `token` is a secret.
 */
export function scrubDeep(value: unknown, name = ""): { value: unknown; count: number } {
  const scrubbed = redactDeep(stripPrivateDeep(stripContextDeep({ [name]: value })));
  // The name itself may have been scrubbed.
  return { ...scrubbed, value: Object.values(scrubbed.value as object)[0] };
}
