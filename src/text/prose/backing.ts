// Which claims the evidence backs: an assistant often repeats what it did for earlier prompts.
import type { Claim } from "./claims.ts";
import { codeNames } from "./code-names.ts";

/** All words of four or more letters in the evidence, for looking names up; reads at most 400,000 characters. */
export function vocabularyOf(evidence: readonly string[]): Set<string> {
  const found = new Set<string>();
  let left = 400_000;
  for (const text of evidence) {
    if (left <= 0) break;
    for (const word of text.slice(0, left).match(/[\w-]{1,80}\.\w{1,5}\b|[A-Za-z_]\w{3,}/g) ?? [])
      found.add(word);
    left -= text.length;
  }
  return found;
}

/** Claims of work done without those that name only code the evidence does not know, once any claim is backed. */
export function withoutForeign(claims: readonly Claim[], vocabulary: ReadonlySet<string>): Claim[] {
  const known = (claim: Claim): boolean | undefined => {
    const names = [...codeNames(claim.text), ...claim.statement.code.flatMap(codeNames)];
    if (names.length === 0) return undefined;
    return names.some((name) => vocabulary.has(name) || vocabulary.has(name.split(".")[0] ?? name));
  };
  const judged = claims.map((claim) => ({ claim, known: known(claim) }));
  if (!judged.some((entry) => entry.known === true)) return [...claims];
  return judged
    .filter(
      (entry) => entry.known !== false || !["done", "effect", "noise"].includes(entry.claim.kind),
    )
    .map((entry) => entry.claim);
}
