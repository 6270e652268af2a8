// The per-tool-use form: one step told for itself, for someone who waits on it.
import type { ObservationDraft } from "../../src/sdk/index.ts";
import { fileChanges } from "./change-facts.ts";
import { describeChange } from "./describe-change.ts";
import { describeFinding } from "./describe-finding.ts";
import { draftOf } from "./draft.ts";
import type { Episode } from "./episodes.ts";
import { chooseFacts } from "./fact.ts";
import { definitionFacts, outlineFacts } from "./look-facts.ts";
import { commandName, runFacts } from "./run-facts.ts";
import type { LookStep, RunStep } from "./step.ts";
import { commitSubject, firstSubtitle, firstTitle } from "./title.ts";
import type { Told } from "./told.ts";

/** Describes a single tool use; undefined when it tells nothing. */
export function describeOne(episode: Episode, told: Told): ObservationDraft | undefined {
  const own: Told = { ...told, claims: [], asides: [], alone: false };
  const files = fileChanges(episode.changes);
  if (files.length > 0) return describeChange(episode, files, own);
  const look = episode.looks[0];
  if (look !== undefined) return describeLook(look, episode, own);
  const run = episode.runs[0];
  if (run !== undefined) return describeRun(run, episode, own);
  return describeFinding(episode, own);
}

function describeLook(look: LookStep, episode: Episode, told: Told): ObservationDraft | undefined {
  const whole = look.pattern === "";
  const facts = chooseFacts(whole ? outlineFacts(look) : definitionFacts([look], told.prompt));
  const title = firstTitle([whole ? `Outline of ${look.paths[0] ?? ""}` : facts[0]]);
  if (title === undefined || facts.length === 0) return undefined;
  const subtitle =
    firstSubtitle(title, facts) ||
    `${look.definitions.length} definitions in ${look.paths[0] ?? "the results"}`;
  return draftOf({ kind: "discovery", title, subtitle, facts }, episode, told);
}

function describeRun(run: RunStep, episode: Episode, told: Told): ObservationDraft | undefined {
  const { totals } = run;
  const outcome =
    totals === undefined
      ? ""
      : `${commandName(run)} ${totals.failed > 0 ? "failed" : "passed"} with ${totals.passed} passed and ${totals.failed} failed tests`;
  const because = run.description === "" ? "" : ` (${run.description})`;
  const facts = chooseFacts([
    ...runFacts(episode),
    ...(outcome === ""
      ? []
      : [
          {
            text: `${outcome}${because}`,
            score: 2,
            fuller: [`${outcome} (${run.command.display})`],
          },
        ]),
  ]);
  const title = firstTitle([
    run.commit === undefined ? undefined : commitSubject(run.commit.subject),
    outcome,
    facts[0],
  ]);
  if (title === undefined || facts.length === 0) return undefined;
  const subtitle = firstSubtitle(title, [run.description, ...facts]) || `Ran ${commandName(run)}`;
  return draftOf({ kind: "discovery", title, subtitle, facts }, episode, told);
}
