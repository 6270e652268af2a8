// Every rule of redaction there is, in one list: what `memoir memory redact` names, what the tests run through, and what is tried where.
import { assignmentRule, findAssignments } from "./assignments.ts";
import { findBehindPrefixes, longestLine, opensBelow } from "./behind-prefixes.ts";
import { allowanceFor } from "./effort.ts";
import { findJoined, findWrapped, mayJoin } from "./encoded.ts";
import { columnRule, findKubernetesSecrets, kubernetesRule, listRule } from "./listed.ts";
import { findPhrases, isWhole, phraseRules, phraseWords, placeRules } from "./phrases.ts";
import { findPrivateKeys, privateKeyRule } from "./private-keys.ts";
import type { Found, Rule } from "./rule.ts";
import { findShapedTokens, shapedRule } from "./shaped-tokens.ts";
import {
  findTokens,
  isRunCode,
  type Start,
  startsRun,
  tokenRules,
  tokensByBeginning,
} from "./tokens.ts";
import { createWordSearch } from "./word-search.ts";

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
export function opensLines(line: string): boolean {
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
