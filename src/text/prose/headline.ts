// Headlines: a text in a few words, cut only where a reader would pause.
import { countWords } from "../text.ts";
import { startsDangling } from "./claims.ts";
import { fitWords, isSpaced } from "./fit.ts";
import { plainLine, startCapital } from "./plain.ts";
import { startsWithVerb } from "./verbs.ts";

const subordinate =
  /^(?:when(?:ever)?|if|after|before|while|since|because|although|though|once|as|unless|until|for|with|without|in|on|at|by|from|to|based on|instead of|during|given|maybe|perhaps|or|not|user|found that|the (?:issue|fix|problem|one|reason|result|answer|key|main|following|first|second))\b/i;

/**
 * Makes a headline of `min` to `max` words, or undefined when the text has no pause in the right place. Sentences that
 * start with a verb may be cut before a preposition, others only between clauses, unless `pause` says otherwise.
 */
export function headlineOf(
  text: string,
  min: number,
  max: number,
  pause?: "phrase" | "clause",
): string | undefined {
  const plain = plainLine(text)
    .replace(/(\w)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g, "$1()")
    .replace(/\s+\([^()]*\)/g, "")
    .replace(/(?<![\w:/])(?:~?\/)?(?:[\w@.-]+\/)+([\w-]+\.\w+)(?::\d[\d,:-]*)?/g, "$1")
    .replace(/(\.\w{1,5}):\d[\d,:-]*/g, "$1")
    .replace(/[.!:;,\s]+$/, "");
  if (!isSpaced(plain)) return undefined;
  if (/[?？]$/.test(plain))
    return countWords(plain) <= max && countWords(plain) >= min ? startCapital(plain) : undefined;
  const main = mainClause(plain);
  const at = pause ?? (startsWithVerb(main) ? "phrase" : "clause");
  const fitted = fitWords(main, max, min, at) ?? fitWords(withoutArticles(main), max, min, at);
  if (
    fitted === undefined ||
    startsDangling(fitted) ||
    subordinate.test(fitted) ||
    fitted.length > 90
  ) {
    return undefined;
  }
  return /\p{L}{3}/u.test(fitted) ? startCapital(fitted) : undefined;
}

/** Without what stands before the first comma of "When …, do that", and without what follows a semicolon or dash. */
function mainClause(text: string): string {
  const [clause = text] = text.split(/;\s+/);
  if (clause !== text && countWords(clause) >= 3) return mainClause(clause);
  const [head = text, ...rest] = text.split(/\s+-\s+/);
  const told = startsWithVerb(head) || !startsWithVerb(rest[0] ?? "");
  const first = rest.length > 0 && told && countWords(head) >= 3 ? head : text;
  if (!subordinate.test(first)) return first;
  const comma = /,\s+(?:(?:let's|then|we should|please)\s+)?(.+)$/.exec(first)?.[1];
  return comma !== undefined && countWords(comma) >= 3 ? comma : first;
}

/** A sentence in at most `max` words; for scripts without spaces at most 80 characters. Undefined when no cut reads well. */
export function sublineOf(text: string, max: number): string | undefined {
  const plain = plainLine(text).replace(/[.:;,\s]+$/, "");
  if (!isSpaced(plain)) {
    return plain.length <= 80
      ? plain
      : plain.slice(0, 80).replace(/[^。！？、]*$/, "") || undefined;
  }
  const fitted = fitWords(plain, max, 3);
  return fitted === undefined || fitted.length > 240 || startsDangling(fitted)
    ? undefined
    : startCapital(fitted);
}

function withoutArticles(text: string): string {
  return text.replace(/\b(?:the|a|an|all|now|also|properly|correctly|successfully|both)\s+/gi, "");
}
