// A batch of tool uses made into a few typed observations: steps, then episodes, then one description each.

import type {
  ObservationBatch,
  ObservationDraft,
  ObservationResult,
  ToolUse,
} from "../../src/sdk/index.ts";
import {
  type Claim,
  goalOf,
  overlap,
  type Paths,
  pathsFrom,
  vocabularyOf,
  withoutForeign,
} from "../../src/text/index.ts";
import { askedOf, saidOnTheWay } from "./around.ts";
import { fileChanges } from "./change-facts.ts";
import { describeChange, namesIn } from "./describe-change.ts";
import { describeDecisions } from "./describe-decisions.ts";
import { describeFinding } from "./describe-finding.ts";
import { describeOne } from "./describe-one.ts";
import { type Episode, episodesOf } from "./episodes.ts";
import { readToolUse } from "./read-tool-use.ts";
import type { Step } from "./step.ts";
import { claimsOf, type Told } from "./told.ts";

/** Observes a batch. Pure: the same batch always gives the same answer; never throws on odd payloads. */
export function observe(batch: ObservationBatch): ObservationResult {
  const paths = pathsFrom(
    batch.session.project.root,
    batch.toolUses.slice(0, 1).map((use) => use.cwd),
  );
  const steps = batch.toolUses.map((use) => readSafely(use, paths));
  const { prompt, goal } = askedOf(batch, paths);
  const contexts = new Map(
    batch.toolUses.flatMap(({ id, context }) => (context ? [[id, context] as const] : [])),
  );
  const episodes = episodesOf(steps);
  dropKnownReports(episodes, batch);

  const observations: ObservationDraft[] = [];
  const add = (draft: ObservationDraft | undefined) => {
    if (draft !== undefined && !observations.some((other) => isSame(other, draft)))
      observations.push(draft);
  };
  const topics = agentTopics(steps);
  for (const episode of episodes) {
    const said = claimsOf(messageFor(episode, batch), paths);
    const vocabulary = vocabularyOf(evidenceOf(episode));
    const claims = episode.changes.length > 0 ? withoutForeign(said, vocabulary) : said;
    const asides = withoutForeign(saidOnTheWay(episode, contexts, said, paths), vocabulary);
    const siblings = episodes.filter(
      (other) => other !== episode && other.agent?.id === episode.agent?.id,
    );
    const told: Told = {
      goal: episode.agent === undefined ? goal : goalOf(topics.get(episode.agent.id) ?? ""),
      prompt,
      claims: ownClaims(claims, episode, siblings),
      asides: ownClaims(asides, episode, siblings),
      paths,
      alone: siblings.length === 0,
    };
    if (batch.waiting) add(describeOne(episode, told));
    else {
      const files = fileChanges(episode.changes);
      add(files.length > 0 ? describeChange(episode, files, told) : describeFinding(episode, told));
    }
  }
  if (!batch.waiting) {
    const choices = steps.filter((step) => step.kind === "choice");
    const claims = claimsOf(batch.lastAssistantMessage ?? "", paths);
    add(describeDecisions(choices, { goal, prompt, claims, asides: [], paths, alone: true }));
  }
  return { observations, skipped: skippedReasons(steps, observations), model: null };
}

function readSafely(use: ToolUse, paths: Paths): Step {
  try {
    return readToolUse(use, paths);
  } catch {
    return {
      kind: "routine",
      id: use.id,
      time: use.time,
      reason: "unreadable",
      ...(use.agent === undefined ? {} : { agent: use.agent }),
    };
  }
}

/** A subagent that is observed itself needs no second telling through its report. */
function dropKnownReports(episodes: readonly Episode[], batch: ObservationBatch): void {
  const known = new Set([
    ...(batch.agentMessages ?? []).map((message) => message.agent.id),
    ...episodes.flatMap((episode) => episode.agent?.id ?? []),
  ]);
  for (const episode of episodes) {
    episode.reports = episode.reports.filter(
      (report) => report.reporter === undefined || !known.has(report.reporter),
    );
  }
}

/** What each subagent was asked, from the tool use that started it. */
function agentTopics(steps: readonly Step[]): Map<string, string> {
  const topics = new Map<string, string>();
  for (const step of steps) {
    if (step.kind === "report" && step.reporter !== undefined)
      topics.set(step.reporter, step.topic);
  }
  return topics;
}

/** The closing words that belong to an episode: its subagent's, its commit's, the assistant's. */
function messageFor(episode: Episode, batch: ObservationBatch): string {
  const body = episode.commit?.body ?? "";
  if (episode.agent !== undefined) {
    const id = episode.agent.id;
    return batch.agentMessages?.findLast((message) => message.agent.id === id)?.text ?? body;
  }
  return episode.closing
    ? [batch.lastAssistantMessage ?? "", body].filter((part) => part !== "").join("\n\n")
    : body;
}

/** What an episode's changes and commands were made of, as text. */
function evidenceOf(episode: Episode): string[] {
  return [
    ...episode.changes.flatMap((change) => [
      change.path,
      ...change.added,
      ...change.removed,
      ...change.touched.map((one) => one.name),
    ]),
    ...episode.runs.map((run) => run.command.display),
  ];
}

/** Leaves out claims on what another episode of the same prompt did. */
function ownClaims(claims: Claim[], episode: Episode, siblings: readonly Episode[]): Claim[] {
  if (siblings.length === 0) return claims;
  const own = new Set(namesIn(fileChanges(episode.changes)));
  const foreign = siblings
    .flatMap((sibling) => namesIn(fileChanges(sibling.changes)))
    .filter((name) => name.length > 3 && !own.has(name));
  const mine = [...own].filter((name) => name.length > 3);
  return claims.filter(
    (claim) =>
      mine.some((name) => claim.text.includes(name)) ||
      !foreign.some((name) => claim.text.includes(name)),
  );
}

function skippedReasons(
  steps: readonly Step[],
  observations: readonly ObservationDraft[],
): Record<string, string> {
  const used = new Set(observations.flatMap((observation) => observation.toolUseIds));
  const reasons: Record<string, string> = {};
  for (const step of steps) {
    if (!used.has(step.id) && step.kind === "routine") reasons[step.id] = step.reason;
  }
  return reasons;
}

function isSame(left: ObservationDraft, right: ObservationDraft): boolean {
  if (left.title.toLowerCase() === right.title.toLowerCase()) return true;
  return overlap(left.facts.join(" "), right.facts.join(" ")) > 0.85;
}
