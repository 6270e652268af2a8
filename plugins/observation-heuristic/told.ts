// What was said around an episode: the prompt's goal and the assistant's claims, and headlines made from them.
import {
  type Claim,
  claimsIn,
  codeNames,
  countWords,
  type Goal,
  headlineOf,
  meaningOf,
  type Paths,
  startsWithVerb,
} from "../../src/text/index.ts";
import { titleFrom } from "./title.ts";

/** What is known about an episode from outside its tool uses. */
export interface Told {
  goal: Goal;
  /** The prompt as written, paths shortened. */
  prompt: string;
  claims: Claim[];
  /** What was said on the way and is not in `claims`: worth a fact where there is room. */
  asides: Claim[];
  paths: Paths;
  /** The prompt led to this episode alone, so its goal is this episode's. */
  alone: boolean;
}

/** Reads a message into claims, paths shortened. */
export function claimsOf(message: string, paths: Paths): Claim[] {
  return claimsIn(paths.inText(message));
}

/** Texts of the claims of some kinds, in the order of the kinds. */
export function claimed(told: Told, ...kinds: Claim["kind"][]): string[] {
  return kinds.flatMap((kind) =>
    told.claims.filter((claim) => claim.kind === kind).map((claim) => claim.text),
  );
}

/** The goal's first sentence. */
export function firstOf(goal: Goal): string {
  return goal.text.split(/(?<=[.!?。！？])\s+/)[0] ?? "";
}

/** A request that names what is to be done, without "this" and "it"; "" otherwise. */
export function askedFor(told: Told): string {
  return isVague(told.goal.ask, 2) ? "" : told.goal.ask;
}

/** The same, only where it makes a title without a cut. */
export function askedInShort(told: Told): string {
  const asked = askedFor(told);
  return countWords(asked) <= 8 && titleFrom(asked) !== undefined ? asked : "";
}

/** True for a text that only makes sense beside what was said before, or has fewer than `least` telling words. */
export function isVague(text: string, least = 3): boolean {
  if (codeNames(text).length > 0) return meaningOf(text).size < 2;
  return (
    meaningOf(text).size < least ||
    pointing.test(text) ||
    /^(?:work on|start with|see|read|continue|look)\b/i.test(text)
  );
}

const pointing =
  /\b(?:this|it|these|those|them|here|above|same|again|everything|others?|such|exactly)\b|\bthat (?:issue|problem|bug|one|change|way|case|error)\b|\b(?:all|both|yes|option) \d|\b\d of them\b/i;

/** The request without its loose ends ("here", "as well"), when it points at nothing else; "" otherwise. */
export function askedLoosely(told: Told): string {
  const asked = told.goal.ask.replace(/\s+(?:here|again|as well|too|now|instead|again)\b/gi, "");
  return pointing.test(asked) || /^(?:work on|start with|see|read|continue|look)\b/i.test(asked)
    ? ""
    : asked;
}

/** Headlines from what the code does now ("The code now uses io.Discard" gives "Uses io.Discard"). */
export function effectTitles(told: Told): string[] {
  return told.claims
    .filter(
      (claim) =>
        claim.kind === "effect" || (claim.kind === "finding" && codeSubject.test(claim.text)),
    )
    .filter((claim) => claim.statement.kind === "sentence" && !/\b(?:you|your)\b/i.test(claim.text))
    .flatMap((claim) => {
      const text = claim.text.replace(/^Now[,:]?\s+/, "").replace(codeSubject, "");
      const title = headlineOf(text, 4, 8, "phrase");
      const isNow = text !== claim.text || /\bnow\b/.test(text.slice(0, (title?.length ?? 0) + 4));
      return title === undefined || !isNow ? [] : [title];
    })
    .filter((title) => !isVague(title));
}

const codeSubject =
  /^The (?:change|code|fix|refactoring|update|commit|implementation)(?: (?:now|explicitly|also|simply|properly|then))*\s+(?=[a-z]+s\b)(?!is |was |has )/;

const generic =
  /^(?:(?:the |a |my |final |additional |further |other |more |complete |key |main |quick |full |overall |current |core |directory |production |blocking |project |codebase |critical |new |common |related )*(?:structure|audit$|resolved|patterns?|packages?|summary|changes?|what|how|why|next|results?|tests?|testing|status|usage|files?|before|after|options?|notes?|overview|implementation|details?|fix(?:es)?|root cause|recommend\w*|steps?|conclusion|examples?|done|issues?|problems?|solution|findings?|code|analysis|answer|benefits?|verification|commits?|added|removed|updated|key points?|architecture|remaining|in short|phase|part|section|task|question|context|background|approach|design|behaviou?r|features?|new files?|modified))\b/i;

/** A heading of the closing message that says what it is about; undefined when all are generic. */
export function tellingHeading(told: Told): string | undefined {
  for (const claim of told.claims.slice(0, 12)) {
    if (/^(?:\d+[.)]|(?:phase|step|option|part|section) \d)/i.test(claim.statement.section))
      continue;
    const heading = claim.statement.section
      .replace(/^(?:\d+[.)]\s*|[^\p{L}\d"`]+)/u, "")
      .replace(/\s*(?:[-:]\s*)?(?:summary|complete[d]?|done|fixed)\s*!?$/i, "")
      .trim();
    if (
      heading === "" ||
      generic.test(heading) ||
      countWords(heading) < 3 ||
      countWords(heading) > 8 ||
      isVague(heading)
    )
      continue;
    const title = titleFrom(heading);
    if (title !== undefined) return title;
  }
  return undefined;
}

/** A headline of how things were, for a bugfix: "Users get logged out an hour too early". */
export function reportTitle(told: Told): string | undefined {
  const first = firstOf(told.goal);
  if (
    !trouble.test(first) ||
    told.goal.kind === "question" ||
    startsWithVerb(first) ||
    isVague(first) ||
    /^(?:I|we|you)\b|\b(?:I|I'm|my)\b/i.test(first)
  )
    return undefined;
  return titleFrom(first);
}

const trouble =
  /\b(?:fail(?:s|ed|ing)?|errors?|broken|breaks?|broke|crash\w*|wrong|lost|loses?|vanish\w*|missing|slow|stuck|hangs?|leaks?|too|never|doesn't|don't|isn't|aren't|can't|cannot|won't|not|no longer|flaky|stale|empty)\b/i;

/** A headline of work told in the passive: "Sessions are now kept in SQLite". */
export function passiveTitle(text: string): string | undefined {
  const title = headlineOf(text, 5, 8, "phrase");
  const head = text.slice(0, (title?.length ?? 0) + 4);
  return /\b(?:is|are) now\b|\b(?:has|have) been\b/.test(head) ? title : undefined;
}

/** The claims of work done, the one that says most about the episode first. */
export function leadingWork(told: Told, names: readonly string[]): string[] {
  const known = names.filter((name) => name.length > 3).map((name) => name.toLowerCase());
  return told.claims
    .filter((claim) => claim.kind === "done" && claim.statement.kind !== "row")
    .map((claim, index) => {
      const lower = claim.text.toLowerCase();
      const backed = known.some((name) => lower.includes(name)) ? 2 : 0;
      const meta =
        /^(?:found|identified|discovered|confirmed|verified|tested|committed|pushed|checked|reviewed|ran|read|used|kept|formatted|updated (?:the )?(?:tests?|docs|documentation|comments?)|added comments?)\b/.test(
          lower,
        )
          ? -3
          : 0;
      const sentence = claim.statement.kind === "sentence" ? 1.5 : 0;
      const led = startsWithVerb(claim.text) ? 0.5 : 0;
      return {
        text: withoutLabel(claim.text),
        score: backed + meta + sentence + led - index * 0.1,
      };
    })
    .filter((entry) => !isVague(titleFrom(entry.text) ?? entry.text))
    .sort((left, right) => right.score - left.score)
    .map((entry) => entry.text);
}

/** A headline from the stated cause ("The issue was a missing import" gives "Fix missing import"). */
export function causeTitle({ claims }: Pick<Told, "claims">): string | undefined {
  for (const { kind, text: cause } of claims) {
    if (kind !== "cause") continue;
    const rest =
      /^(?:the )?(?:real |actual |root )?(?:issue|problem|bug|cause|error|root cause|failure)(?: here)? (?:was|is)(?: that)?:? (?:an? |the )?(.+)$/i.exec(
        cause,
      )?.[1];
    if (rest === undefined) continue;
    const adjective =
      /^(?:missing|wrong|incorrect|stale|duplicate|unused|broken|invalid|race|unhandled|undefined|null|empty|outdated|circular)\b/i.test(
        rest,
      );
    const title = titleFrom(adjective ? `Fix ${rest}` : rest);
    if (title !== undefined && (adjective || countWords(rest) <= 8)) return title;
  }
  return undefined;
}

/** The part of "resume.go: Removed the check" or "Added a fallback: …" that is a title. */
function withoutLabel(text: string): string {
  const [, label = "", rest = ""] = /^([^:]{1,60}?)(?::| -)\s+(.+)$/.exec(text) ?? [];
  if (label === "") return text;
  if (startsWithVerb(label)) return countWords(label) >= 3 ? label : text.replace(":", "");
  return startsWithVerb(rest) ? rest : text;
}
