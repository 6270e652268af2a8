// An episode in which files changed, as an observation.

import type { ObservationDraft } from "../../src/sdk/index.ts";
import { baseName, meaningOf } from "../../src/text/index.ts";
import { changeFacts, type FileChange } from "./change-facts.ts";
import { claimFacts } from "./claim-facts.ts";
import { draftOf } from "./draft.ts";
import type { Episode } from "./episodes.ts";
import { chooseFacts } from "./fact.ts";
import { isGenerated } from "./file-kind.ts";
import { kindOfChange } from "./kind.ts";
import { outcomeOf, repairTitle, runFacts } from "./run-facts.ts";
import {
  commitSubject,
  firstSubtitle,
  firstTitle,
  subtitleOfChanges,
  titleFrom,
  titleOfChanges,
} from "./title.ts";
import {
  askedFor,
  askedInShort,
  askedLoosely,
  causeTitle,
  claimed,
  effectTitles,
  leadingWork,
  passiveTitle,
  reportTitle,
  type Told,
  tellingHeading,
} from "./told.ts";

/** Names that the evidence of a change knows: its files and the definitions in them. */
export function namesIn(files: readonly FileChange[]): string[] {
  return files.flatMap((file) => [
    baseName(file.path),
    ...[...file.defined, ...file.dropped, ...file.touched].map((one) => one.name),
  ]);
}

/** How much less than the closing words something counts that was said on the way. */
const besideWeight = 3;

/** Describes a change; undefined when there is no fact to tell. */
export function describeChange(
  episode: Episode,
  files: readonly FileChange[],
  told: Told,
): ObservationDraft | undefined {
  const names = namesIn(files);
  const written = files.filter((file) => !isGenerated(file.path));
  const shown = written.length > 0 ? written : files;
  const facts = chooseFacts([
    ...claimFacts(told.claims, names),
    ...runFacts(episode),
    ...changeFacts(files),
    ...claimFacts(told.asides, names).map(({ text, score }) => ({
      text,
      score: score - besideWeight,
    })),
  ]);
  if (facts.length === 0) return undefined;
  const subject = commitSubject(episode.commit?.subject ?? "");
  const work = leadingWork(told, names);
  const trouble = told.alone ? reportTitle(told) : undefined;
  const words = [told.alone ? told.goal.text : "", episode.commit?.subject ?? "", work[0] ?? ""];
  const kind = kindOfChange(episode, files, words, trouble !== undefined);
  const title =
    firstTitle([
      subject,
      ...(told.alone ? inFull(askedInShort(told), files) : []),
      tellingHeading(told),
      ...work.slice(0, 4).map((text) => titleFrom(text) ?? passiveTitle(text)),
      causeTitle(told),
      kind === "bugfix" ? causeTitle({ claims: told.asides }) : undefined,
      ...(told.alone ? [askedFor(told)] : []),
      ...effectTitles(told),
      kind === "bugfix" ? trouble : undefined,
      ...(told.alone ? askedNear(askedLoosely(told), files) : []),
      repairTitle(episode),
    ]) ?? evidenceTitle(shown, told);
  const reported =
    told.goal.kind === "report" && told.goal.text !== "" ? [`Reported: ${told.goal.text}`] : [];
  const asked = told.goal.kind === "request" ? [told.goal.text] : [];
  const subtitle = firstSubtitle(title, [
    ...claimed(told, "effect", "cause"),
    ...(kind === "bugfix" ? told.asides.map((claim) => claim.text) : []),
    ...work.slice(0, 3),
    ...(told.alone ? [...asked, ...reported] : []),
    subtitleOfChanges(shown, outcomeOf(episode)),
    subtitleOfChanges(shown.slice(0, 2), ""),
  ]);
  return draftOf(
    { kind, title, subtitle: subtitle || subtitleOfChanges(shown, ""), facts },
    episode,
    told,
  );
}

/** A title from what changed; what the assistant found out where the change itself says little. */
function evidenceTitle(files: readonly FileChange[], told: Told): string {
  const title = titleOfChanges(files);
  return /^Changes to /.test(title)
    ? (firstTitle(claimed(told, "cause", "finding")) ?? title)
    : title;
}

/** A request of few words with the file it came to; others as they are. */
function inFull(asked: string, files: readonly FileChange[]): string[] {
  const placed = /\b(?:on|onto|to|from|into|in)\b/.test(titleFrom(asked) ?? asked);
  return meaningOf(asked).size < 3 && !placed ? askedNear(asked, files) : [asked];
}

/** A loose request with the file it came to, then alone. */
function askedNear(asked: string, files: readonly FileChange[]): string[] {
  const file = files[0];
  if (asked === "" || file === undefined) return [];
  const headline = titleFrom(asked) ?? asked.replace(/[.!]$/, "");
  return [`${headline} in ${baseName(file.path)}`, asked];
}
