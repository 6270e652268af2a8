// An observation's fields filled in from an episode: everything that is the same for all kinds.
import type { ObservationDraft } from "../../src/sdk/index.ts";
import { plainLine } from "../../src/text/index.ts";
import { fileChanges } from "./change-facts.ts";
import { conceptsOf } from "./concepts.ts";
import type { Episode } from "./episodes.ts";
import type { ObservationKind } from "./kind.ts";
import { filesReadIn } from "./look-facts.ts";
import { narrativeOf } from "./narrative.ts";
import type { Step } from "./step.ts";
import type { Told } from "./told.ts";

/** What the kinds differ in. */
export interface Headline {
  kind: ObservationKind;
  title: string;
  subtitle: string;
  facts: string[];
}

/** Completes an observation. */
export function draftOf(headline: Headline, episode: Episode, told: Told): ObservationDraft {
  const files = fileChanges(episode.changes);
  const filesModified = files.map((file) => file.path);
  const filesRead = filesReadIn(episode)
    .filter((path) => !filesModified.includes(path))
    .slice(0, 50);
  const { kind, title, facts } = headline;
  const narrative =
    plainLine(told.paths.inText(narrativeOf(episode, files, told.goal, told.claims))) ||
    facts.join(" ");
  const last = episode.steps.at(-1);
  const goal = told.alone ? told.goal.text : "";
  return {
    type: kind,
    title,
    subtitle: headline.subtitle,
    facts,
    narrative,
    concepts: conceptsOf(kind, `${title} ${goal}`, `${facts.join(" ")} ${narrative}`, [
      ...filesModified,
      ...(filesModified.length > 0 ? [] : filesRead),
    ]),
    filesRead,
    filesModified,
    toolUseIds: evidenceOf(episode).map((step) => step.id),
    observerTokens: 0,
    ...(episode.agent === undefined ? {} : { agent: episode.agent }),
    ...(last === undefined ? {} : { time: last.time }),
  };
}

/** The steps that an observation rests on; looking around counts where it led to something. */
function evidenceOf(episode: Episode): Step[] {
  const changed = new Set(episode.changes.map((change) => change.path));
  return episode.steps.filter((step) => {
    if (step.kind === "routine") return false;
    if (step.kind === "run") return step.command.purpose !== "routine";
    if (step.kind === "look") {
      return changed.size === 0
        ? step.definitions.length > 0
        : step.paths.some((path) => changed.has(path));
    }
    return true;
  });
}
