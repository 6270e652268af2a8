// Every rule of redaction there is, in one list: what `memoir memory redact` names, what the tests run through, and what is tried where.
import { matchAt } from "../../text/sticky.ts";
import { assignmentRule, findAssignments } from "./assignments.ts";
import { findBehindPrefixes, longestLine, opensBelow } from "./behind-prefixes.ts";
import { allowanceFor } from "./effort.ts";
import { findJoined, findWrapped, mayJoin } from "./encoded.ts";
import { columnRule, listRule } from "./listed.ts";
import { findPhrases, isWhole, type PhraseStart, phraseRules, phraseWords } from "./phrases.ts";
import { codeRules } from "./places/codes.ts";
import { commandRules } from "./places/commands.ts";
import { fileRules } from "./places/files.ts";
import { markRules } from "./places/marks.ts";
import { findPlaces, type PlaceRule } from "./places/place.ts";
import { callRules, languageRules } from "./places/programs.ts";
import { addressRules, headerRules } from "./places/web.ts";
import { findPrivateKeys, privateKeyRule } from "./private-keys.ts";
import type { Found, Rule, TextRule } from "./rule.ts";
import {
  findTokens,
  isRunCode,
  serviceRules,
  startsRun,
  type TokenStart,
  tokenBeginnings,
} from "./services.ts";
import { findShapedTokens, shapedRule } from "./shaped-tokens.ts";
import { createWordSearch } from "./word-search.ts";

/** The rule by which they go. */
export const kubernetesRule: TextRule = {
  id: "kubernetes-secret",
  finds: "the values below `data` and `stringData` of a Kubernetes Secret",
  words: ["kind:"],
  gone: [
    "kind: Secret\ndata:\n  db-url: «{b32}»\n  other: «{b24}»",
    "kind: Secret\nstringData:\n  smtp: «{a14}»\n",
    "kind: Secret\ndata: {user: «{b16}», cookie: «{b22}=»}",
  ],
  stay: [
    "kind: ConfigMap\ndata:\n  colour: blue-and-white-1\n",
    "kind: Secret\nmetadata:\n  name: shop-7\n",
  ],
};

const head = /\bkind: ?["']?Secret\b/;
const start = /(?:^|\n)[^\n\w]{0,24}(?:\d{1,6}[→\t:|])?[ \t+]{0,16}(?:data|stringData):[ \t]*\n/g;
const entry =
  /([^\n\w]{0,24}(?:\d{1,6}[→\t:|])?[ \t+]{1,24}["']?[\w.-]{1,100}["']?:[ \t]+["']?)([^\s"'{|>][^\s"']{3,8000})["']?[ \t]*\n?/y;

/** The same in one line: `data: {user: YWRh, password: …}`. */
const inline =
  /(?:^|\n)[^\n\w]{0,24}(?:\d{1,6}[→\t:|])?[ \t+]{0,16}(?:data|stringData): ?\{([^{}\n]{4,4000})\}/g;
const member = /[\w.-]{1,100}["']?: ?["']?([^\s"',{}]{4,4000})/g;

/** Every value of every Secret in a text. */
export function findKubernetesSecrets(text: string): Found[] {
  if (!head.test(text)) return [];
  const found: Found[] = [];
  for (const { index, 0: line } of text.matchAll(start)) {
    let at = index + line.length;
    for (let hit = matchAt(entry, text, at); hit; hit = matchAt(entry, text, at)) {
      const [whole, before = "", value = ""] = hit;
      const from = at + before.length;
      at += whole.length;
      if (value.startsWith("[redacted:")) continue;
      found.push({
        start: from,
        end: from + value.length,
        kind: "secret",
        rule: kubernetesRule.id,
      });
    }
  }
  for (const { index, 0: whole, 1: members = "" } of text.matchAll(inline))
    for (const hit of members.matchAll(member)) {
      const value = hit[1] ?? "";
      const end = index + whole.length - 1 - members.length + hit.index + hit[0].length;
      if (!value.startsWith("[redacted:"))
        found.push({ start: end - value.length, end, kind: "secret", rule: kubernetesRule.id });
    }
  return found;
}

/** Every place that memoir knows: of rules that find the same the first names it. */
export const placeRules: readonly PlaceRule[] = [
  ...headerRules,
  ...addressRules,
  ...commandRules,
  ...fileRules,
  ...callRules,
  ...markRules,
  ...languageRules,
  ...codeRules,
];

interface Finder {
  rule: TextRule;
  find(text: string): Found[];
}

/** Rules that look at a whole text for a shape or a place. */
const finders: readonly Finder[] = [
  { rule: privateKeyRule, find: findPrivateKeys },
  { rule: kubernetesRule, find: findKubernetesSecrets },
  ...placeRules.map((rule) => ({ rule, find: (text: string) => findPlaces(rule, text) })),
];

/** The built-in rules. What columns and lists hold is found on the way by the rule of names. */
export const rules: ReadonlyArray<Rule | TextRule> = [
  ...serviceRules,
  ...finders.map(({ rule }) => rule),
  ...phraseRules,
  assignmentRule,
  columnRule,
  listRule,
  shapedRule,
];

/** What a text may hold: where tokens, phrases and telling names may begin, and the numbers of finders of which a word stands in it. */
export interface Suspicion {
  tokens: TokenStart[];
  phrases: PhraseStart[];
  names: number[];
  finders: Set<number>;
}

/** Every word that is looked for, and what it makes suspect. */
const words: ReadonlyArray<{
  word: string;
  beginning?: string;
  phrase?: string;
  /** True for the word of a phrase that is no part of another word. */
  whole?: boolean;
  finder?: number;
}> = [
  ...tokenBeginnings.map((word) => ({ word, beginning: word })),
  ...phraseWords.map((word) => ({ word, phrase: word, whole: isWhole(word) })),
  ...assignmentRule.words.map((word) => ({ word })),
  ...finders.flatMap(({ rule }, finder) => rule.words.map((word) => ({ word, finder }))),
];
const search = createWordSearch(words.map(({ word }) => word));

/** What any rule may find in a text; undefined for most texts. */
function suspect(text: string): Suspicion | undefined {
  let suspicion: Suspicion | undefined;
  search(text, (word, at) => {
    const { beginning, phrase, whole, finder } = words[word] ?? {};
    if (beginning !== undefined && !startsRun(text, at)) return;
    if (whole && isRunCode(text.charCodeAt(at - 1))) return;
    suspicion ??= { tokens: [], phrases: [], names: [], finders: new Set() };
    if (beginning !== undefined) suspicion.tokens.push({ at, beginning });
    else if (phrase !== undefined) suspicion.phrases.push({ at, word: phrase });
    else if (finder !== undefined) suspicion.finders.add(finder);
    else suspicion.names.push(at);
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
export function findIn(text: string, suspicion = suspect(text)): Findings {
  const bareNames: number[] = [];
  const findings = findAsWritten(text, suspicion, (end) => bareNames.push(end));
  const read = (lines: string): Found[] => {
    const { exact, named } = findAsWritten(lines, suspect(lines));
    return exact.concat(named);
  };
  if (bareNames.length > 0) findings.named.push(...findBehindPrefixes(text, bareNames, read));
  if (mayJoin(text)) findings.named.push(...findJoined(text, read));
  const found = findings.exact.concat(findings.named);
  if (found.length > 0) findings.named.push(...findWrapped(text, found));
  return findings;
}

/** True for a line of a list of lines of which a secret may stand in a later one. */
export function opensLines(line: string): boolean {
  if (line.length > longestLine) return false;
  let opens = false;
  findAssignments(line, suspect(line)?.names ?? [], allowanceFor(line.length), (end) => {
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
