// Every rule of redaction there is, in one list: what `memoir redact` names, and what the tests run through.
import { assignmentRule, findAssignments, kindOf } from "./assignments.ts";
import { findKubernetesSecrets, kubernetesRule } from "./kubernetes.ts";
import { columnRule, listRule } from "./listed.ts";
import { placeRules } from "./place-rules.ts";
import { findPrivateKeys, privateKeyRule } from "./private-keys.ts";
import type { Found, Rule } from "./rule.ts";
import { serviceRules } from "./service-rules.ts";
import { findShapedTokens, shapedRule } from "./shaped-tokens.ts";
import { findTokens } from "./tokens.ts";
import { isPlaceholder } from "./values.ts";
import { createWordFilter } from "./word-filter.ts";

/** The built-in rules. */
export const rules: readonly Rule[] = [
  ...serviceRules,
  privateKeyRule,
  ...placeRules,
  kubernetesRule,
  shapedRule,
  columnRule,
  listRule,
  assignmentRule,
];

const wordsIn = createWordFilter(placeRules.map(({ words }) => words));

/** Secrets that their shape or place gives away. */
export function findExact(text: string): Found[] {
  const found = findTokens(text);
  found.push(...findPrivateKeys(text), ...findKubernetesSecrets(text));
  // Asked before any pattern runs: the filter remembers one text at a time.
  const may = wordsIn(text);
  const tried = placeRules.filter((_, at) => may(at));
  for (const { id, kind, pattern, accepts, named } of tried) {
    for (const hit of text.matchAll(pattern)) {
      const value = hit.findLast((group) => group !== undefined) ?? "";
      if (!(accepts ? accepts(value) : !isPlaceholder(value))) continue;
      const end = hit.index + hit[0].length;
      found.push({
        start: end - value.length,
        end,
        kind: named ? kindOf(hit[1] ?? "") : kind,
        rule: id,
      });
    }
  }
  return found;
}

/** Secrets that the name before them gives away, or no more than their shape. */
export function findNamed(text: string): Found[] {
  return findAssignments(text).concat(findShapedTokens(text));
}

/** Both. */
export function findAny(text: string): Found[] {
  return findExact(text).concat(findNamed(text));
}
