// Which of the five types an episode is, from evidence: what failed and passed, what is new, what the words say.
import type { FileChange } from "./change-facts.ts";
import type { Episode } from "./episodes.ts";

/** The observation types this strategy gives. */
export type ObservationKind = "decision" | "bugfix" | "feature" | "refactor" | "discovery";

const prefixes: Record<string, ObservationKind> = {
  fix: "bugfix",
  hotfix: "bugfix",
  bugfix: "bugfix",
  feat: "feature",
  feature: "feature",
  perf: "feature",
  refactor: "refactor",
  style: "refactor",
  cleanup: "refactor",
  chore: "refactor",
  revert: "bugfix",
};
const bug =
  /\b(?:fix(?:e[sd]|ing)?|bugs?|errors?|fail(?:s|ed|ing|ure)?|broken|breaks?|crash\w*|wrong(?:ly)?|incorrect(?:ly)?|regressions?|issues?|(?:doesn't|does not|not|isn't) work\w*|missing|leaks?|race condition|flaky|panic|exception)\b/gi;
const feature =
  /\b(?:add(?:s|ed|ing)?|creat(?:e[sd]?|ing)|implement\w*|new|introduc\w*|support(?:s|ed)?|build|enabl\w*|allow\w*|extend\w*|integrat\w*|set ?up|wire[sd]?)\b/gi;
const refactor =
  /\b(?:refactor\w*|renam\w*|mov(?:e[sd]?|ing)|extract\w*|clean(?:ed|ing)?[ -]?up|simplif\w*|dedup\w*|duplicat\w*|reorgani\w*|restructur\w*|consolidat\w*|unused|dead code|inline[sd]?|tid(?:y|ied)|split|remov\w*|delet\w*|format(?:ted|ting)?|lint)\b/gi;

/** Chooses the type of an episode with changes. `words` are its goal, commit subject and leading claim; `isTrouble`: the user reported one. */
export function kindOfChange(
  episode: Episode,
  files: readonly FileChange[],
  words: readonly string[],
  isTrouble = false,
): ObservationKind {
  const prefix = /^(\w+)(?:\([^)]*\))?!?:/.exec(episode.commit?.subject ?? "")?.[1]?.toLowerCase();
  const said = prefix === undefined ? undefined : prefixes[prefix];
  if (said !== undefined) return said;
  const score = { bugfix: isTrouble ? 2 : 0, feature: 0, refactor: 0 };
  for (const [index, text] of words.entries()) {
    const weight = index === 0 ? 1.5 : 1;
    score.bugfix += weight * Math.min(2, text.match(bug)?.length ?? 0);
    score.feature += weight * Math.min(2, text.match(feature)?.length ?? 0);
    score.refactor += weight * Math.min(2, text.match(refactor)?.length ?? 0);
    const lead = text.slice(0, 24);
    if (matches(bug, lead)) score.bugfix += weight;
    if (matches(feature, lead)) score.feature += weight;
    if (matches(refactor, lead)) score.refactor += weight;
  }
  const first = episode.steps.findIndex((step) => step.kind === "change");
  const preexisting = episode.repairs.some(
    (repair) => episode.steps.indexOf(repair.failed) < first,
  );
  if (preexisting) score.bugfix += 3;
  const defined = files.reduce(
    (sum, file) => sum + file.defined.filter((one) => one.what !== "test").length,
    0,
  );
  const dropped = files.reduce((sum, file) => sum + file.dropped.length, 0);
  if (files.some((file) => file.action === "created")) score.feature += 1.5;
  if (defined > dropped + 1) score.feature += 1;
  if (dropped > defined) score.refactor += 1.5;
  if (files.some((file) => file.action === "moved" || file.action === "deleted"))
    score.refactor += 1;
  const best = Math.max(score.bugfix, score.feature, score.refactor);
  if (score.bugfix === best && best > 0) return "bugfix";
  return score.refactor === best && best > score.feature ? "refactor" : "feature";
}

function matches(pattern: RegExp, text: string): boolean {
  return text.match(pattern) !== null;
}
