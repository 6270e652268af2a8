// An episode in which nothing changed but something was found out, as an observation.
import type { ObservationDraft } from "../../src/sdk/index.ts";
import { claimFacts } from "./claim-facts.ts";
import { draftOf } from "./draft.ts";
import type { Episode } from "./episodes.ts";
import { type Candidate, chooseFacts } from "./fact.ts";
import { definitionFacts, reportFacts, reportTopic } from "./look-facts.ts";
import { commandName, errorText, runFacts } from "./run-facts.ts";
import { firstSubtitle, firstTitle } from "./title.ts";
import { askedFor, claimed, firstOf, isVague, type Told, tellingHeading } from "./told.ts";

/** Describes what was found out; undefined when nothing was that is worth telling. */
export function describeFinding(episode: Episode, told: Told): ObservationDraft | undefined {
  const said = told.claims.filter(
    (claim) =>
      claim.kind === "cause" ||
      claim.kind === "finding" ||
      claim.kind === "decision" ||
      (claim.kind === "done" && /^(?:Found|Identified|Discovered|Confirmed)/.test(claim.text)),
  );
  const worked =
    episode.looks.length > 0 ||
    episode.reports.length > 0 ||
    episode.runs.some((run) => run.command.purpose !== "routine" || run.passed === false);
  const text = `${told.prompt} ${told.claims.map((claim) => claim.text).join(" ")}`;
  const names = episode.looks
    .flatMap((look) => look.definitions.map((definition) => definition.name))
    .slice(0, 400);
  const candidates: Candidate[] = [
    ...(worked ? claimFacts(told.claims, names) : []),
    ...runFacts(episode),
    ...definitionFacts(episode.looks, text),
    ...episode.reports.flatMap(reportFacts),
  ];
  const facts = chooseFacts(candidates);
  const strong = candidates.filter((candidate) => candidate.score >= 5).length;
  const grounded = said.length > 0 || episode.unresolved.length > 0 || episode.reports.length > 0;
  if (!grounded || facts.length === 0 || (facts.length === 1 && strong === 0)) return undefined;

  const question = /[?？]$/.test(firstOf(told.goal)) ? firstOf(told.goal) : "";
  const broken = episode.unresolved.at(-1);
  const sentences = said
    .filter((claim) => claim.statement.kind === "sentence")
    .map((claim) => claim.text);
  const title = firstTitle([
    isVague(question) ? undefined : question,
    askedFor(told),
    tellingHeading(told),
    ...sentences.slice(0, 5),
    broken === undefined ? undefined : `${commandName(broken)} fails with ${errorText(broken, 60)}`,
    ...episode.reports.map(reportTopic),
    ...said.slice(0, 5).map((claim) => claim.text),
    firstOf(told.goal),
    ...facts,
  ]);
  if (title === undefined) return undefined;
  const subtitle = firstSubtitle(title, [
    ...sentences,
    ...claimed(told, "cause", "finding", "decision", "effect"),
    told.goal.kind === "request" ? told.goal.text : "",
    ...facts,
  ]);
  if (subtitle === "") return undefined;
  return draftOf({ kind: "discovery", title, subtitle, facts }, episode, told);
}
