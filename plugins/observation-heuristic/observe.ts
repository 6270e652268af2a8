// A batch of tool uses made into a few typed observations: steps, episodes, then the fields of each.
import {
  type Claim,
  type Goal,
  goalOf,
  noGoal,
  type ObservationBatch,
  type ObservationDraft,
  type ObservationResult,
  overlap,
  type Paths,
  pathsFrom,
  type ToolUse,
} from "../../src/sdk/index.ts";
import { changeFacts, fileChanges } from "./change-facts.ts";
import { claimFacts, claimsOf } from "./claim-facts.ts";
import { conceptsOf } from "./concepts.ts";
import { choiceText, decisionsIn } from "./decisions.ts";
import { type Episode, episodesOf } from "./episodes.ts";
import { type Candidate, chooseFacts } from "./fact.ts";
import { kindOfChange, type ObservationKind } from "./kind.ts";
import {
  definitionFacts,
  filesReadIn,
  outlineFacts,
  reportFacts,
  reportTopic,
} from "./look-facts.ts";
import { narrativeOf } from "./narrative.ts";
import { readToolUse } from "./read-tool-use.ts";
import { commandName, errorText, runFacts } from "./run-facts.ts";
import type { Step } from "./step.ts";
import {
  chooseSubtitle,
  commitSubject,
  firstTitle,
  subtitleOfChanges,
  titleOfChanges,
} from "./title.ts";

/** What is known about an episode from outside its tool uses. */
interface Told {
  goal: Goal;
  /** The prompt as written, paths shortened. */
  prompt: string;
  claims: Claim[];
  paths: Paths;
}

/** Observes a batch. Pure: the same batch always gives the same answer; never throws on odd payloads. */
export function observe(batch: ObservationBatch): ObservationResult {
  const paths = pathsFrom(
    batch.session.project.root,
    batch.toolUses.slice(0, 1).map((use) => use.cwd),
  );
  const steps = batch.toolUses.map((use) => readSafely(use, paths));
  const prompt = paths.inText(batch.prompt?.text ?? "");
  const goal = prompt === "" ? noGoal : goalOf(prompt);
  const reporters = new Set([
    ...(batch.agentMessages ?? []).map((message) => message.agent.id),
    ...steps.flatMap((step) => (step.agent === undefined ? [] : [step.agent.id])),
  ]);
  const topics = new Map(
    steps.flatMap((step) =>
      step.kind === "report" && step.reporter !== undefined
        ? [[step.reporter, step.topic] as const]
        : [],
    ),
  );

  const observations: ObservationDraft[] = [];
  for (const episode of episodesOf(steps)) {
    const message = messageFor(episode, batch);
    const own = episode.agent === undefined ? goal : goalOf(topics.get(episode.agent.id) ?? "");
    episode.reports = episode.reports.filter(
      (report) => report.reporter === undefined || !reporters.has(report.reporter),
    );
    const told: Told = { goal: own, prompt, claims: claimsOf(message, paths), paths };
    const draft = batch.waiting ? describeOne(episode, told) : describe(episode, told);
    if (draft !== undefined && !observations.some((other) => isSame(other, draft)))
      observations.push(draft);
  }
  if (!batch.waiting) {
    const decided = describeDecisions(prompt, goal, steps, paths);
    if (decided !== undefined && !observations.some((other) => isSame(other, decided)))
      observations.push(decided);
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

function describe(episode: Episode, told: Told): ObservationDraft | undefined {
  if (fileChanges(episode.changes).length > 0) return describeChange(episode, told);
  return describeFinding(episode, told);
}

function describeChange(episode: Episode, told: Told): ObservationDraft | undefined {
  const files = fileChanges(episode.changes);
  const names = files.flatMap((file) => [
    file.path.slice(file.path.lastIndexOf("/") + 1),
    ...file.defined.map((one) => one.name),
    ...file.dropped.map((one) => one.name),
    ...file.touched.map((one) => one.name),
  ]);
  const facts = chooseFacts([
    ...claimFacts(told.claims, names),
    ...runFacts(episode),
    ...changeFacts(files),
  ]);
  if (facts.length === 0) return undefined;
  const subject = commitSubject(episode.commit?.subject ?? "");
  const done = told.claims.filter((claim) => claim.kind === "done").map((claim) => claim.text);
  const asked = told.goal.question ? "" : (told.goal.text.split(/(?<=[.!?:])\s/)[0] ?? "");
  const title =
    firstTitle([subject, done.length === 1 ? done[0] : undefined, asked, ...done.slice(0, 3)]) ??
    titleOfChanges(files);
  const kind = kindOfChange(episode, files, [told.goal.text, episode.commit?.subject ?? "", title]);
  return draft(kind, title, facts, episode, told, {
    subtitleTail: subtitleOfChanges(files),
    more: [done[0] ?? ""],
  });
}

function describeFinding(episode: Episode, told: Told): ObservationDraft | undefined {
  const said = told.claims.filter(
    (claim) => claim.kind === "cause" || claim.kind === "finding" || claim.kind === "decision",
  );
  const looked =
    episode.looks.length > 0 ||
    episode.reports.length > 0 ||
    episode.runs.some((run) => run.command.purpose === "run" || run.passed === false);
  const candidates: Candidate[] = [
    ...(looked
      ? claimFacts(
          told.claims,
          episode.looks.flatMap((look) => look.definitions.map((one) => one.name)).slice(0, 400),
        )
      : []),
    ...runFacts(episode),
    ...definitionFacts(
      episode.looks,
      `${told.prompt} ${told.claims.map((claim) => claim.text).join(" ")}`,
    ),
    ...episode.reports.flatMap(reportFacts),
  ];
  const facts = chooseFacts(candidates);
  const strong = candidates.some((candidate) => candidate.score >= 5);
  if (
    facts.length === 0 ||
    (facts.length === 1 && !strong) ||
    (said.length === 0 && episode.unresolved.length === 0 && episode.reports.length === 0)
  )
    return undefined;
  const broken = episode.unresolved.at(-1);
  const failure =
    broken === undefined || told.goal.text !== ""
      ? undefined
      : `${commandName(broken)} fails with ${errorText(broken, 60)}`;
  const title = firstTitle([
    told.goal.question ? undefined : told.goal.text.split(/(?<=[.!?:])\s/)[0],
    ...said.slice(0, 4).map((claim) => claim.text),
    failure,
    told.goal.text.split(/(?<=[.!?:])\s/)[0],
    ...episode.reports.map((report) => `Findings on ${reportTopic(report)}`),
    ...facts,
  ]);
  return title === undefined
    ? undefined
    : draft("discovery", title, facts, episode, told, { subtitleTail: "", more: [] });
}

/** The per-tool-use form: this one step, without the rest of its story. */
function describeOne(episode: Episode, told: Told): ObservationDraft | undefined {
  const look = episode.looks[0];
  const alone: Told = { ...told, claims: episode.agent === undefined ? [] : told.claims };
  if (look !== undefined) {
    const facts = chooseFacts(
      look.pattern === "" ? outlineFacts(look) : definitionFacts(episode.looks, told.prompt),
    );
    const title = firstTitle([
      look.pattern === "" ? `Outline of ${look.paths[0] ?? ""}` : facts[0],
    ]);
    return facts.length === 0 || title === undefined
      ? undefined
      : draft("discovery", title, facts, episode, alone, { subtitleTail: "", more: [] });
  }
  const run = episode.runs[0];
  if (run !== undefined && episode.changes.length === 0) {
    const totals = run.totals;
    const outcome =
      totals === undefined
        ? ""
        : `${commandName(run)} ${totals.failed > 0 ? "failed" : "passed"} with ${totals.passed} passed and ${totals.failed} failed tests`;
    const facts = chooseFacts([
      ...runFacts(episode),
      ...(totals === undefined
        ? []
        : [
            {
              text: `${outcome}${run.description === "" ? "" : ` (${run.description})`}`,
              score: 2,
            },
          ]),
    ]);
    const title = firstTitle([
      run.commit === undefined ? undefined : commitSubject(run.commit.subject),
      outcome,
      facts[0],
    ]);
    return facts.length === 0 || title === undefined
      ? undefined
      : draft("discovery", title, facts, episode, alone, { subtitleTail: "", more: [] });
  }
  return describe(episode, alone);
}

function describeDecisions(
  prompt: string,
  goal: Goal,
  steps: readonly Step[],
  paths: Paths,
): ObservationDraft | undefined {
  const decisions = decisionsIn(prompt);
  const choices = steps.filter((step) => step.kind === "choice");
  const facts = chooseFacts([
    ...decisions.map((decision) => ({ text: `User ${decision.kind}: ${decision.text}`, score: 5 })),
    ...choices.flatMap((choice) => {
      const { question, answer } = choiceText(choice);
      if (choice.question === "plan")
        return claimFacts(claimsOf(answer, paths), []).map((fact) => ({
          ...fact,
          score: fact.score - 1,
        }));
      return [
        {
          text: `User chose "${answer.replaceAll('"', "'")}" for the question "${question.replaceAll('"', "'")}"`,
          score: 5,
        },
      ];
    }),
  ]);
  if (facts.length === 0) return undefined;
  const plan = choices.find((choice) => choice.question === "plan");
  const heading = plan === undefined ? undefined : /^#+\s+(.+)$/m.exec(plan.answer)?.[1];
  const title = firstTitle([
    ...decisions.map((decision) => decision.text),
    heading,
    ...choices.map((choice) => choice.answer),
    goal.text,
    "Decision of the user",
  ]);
  if (title === undefined) return undefined;
  const episode: Episode = {
    steps: [...choices],
    changes: [],
    runs: [],
    looks: [],
    reports: [],
    choices: [...choices],
    repairs: [],
    unresolved: [],
    closing: true,
  };
  return draft(
    "decision",
    title,
    facts,
    episode,
    { goal, prompt, claims: [], paths },
    { subtitleTail: "", more: [] },
  );
}

function draft(
  kind: ObservationKind,
  title: string,
  facts: string[],
  episode: Episode,
  told: Told,
  extra: { subtitleTail: string; more: readonly string[] },
): ObservationDraft {
  const files = fileChanges(episode.changes);
  const filesModified = files.map((file) => file.path);
  const filesRead = filesReadIn(episode)
    .filter((path) => !filesModified.includes(path))
    .slice(0, 50);
  const narrative = narrativeOf(episode, files, told.goal, told.claims) || facts.join(". ");
  const last = episode.steps.at(-1);
  const result: ObservationDraft = {
    type: kind,
    title,
    subtitle: chooseSubtitle(title, told.claims, told.goal, extra.more) || extra.subtitleTail,
    facts,
    narrative,
    concepts: conceptsOf(kind, `${title} ${told.goal.text}`, `${facts.join(" ")} ${narrative}`, [
      ...filesModified,
      ...filesRead,
    ]),
    filesRead,
    filesModified,
    toolUseIds: evidenceOf(episode).map((step) => step.id),
    observerTokens: 0,
  };
  if (episode.agent !== undefined) result.agent = episode.agent;
  if (last !== undefined) result.time = last.time;
  return result;
}

/** The steps that an observation rests on; looking around counts where it led to something. */
function evidenceOf(episode: Episode): Step[] {
  const changed = new Set(episode.changes.map((change) => change.path));
  return episode.steps.filter((step) => {
    if (step.kind === "routine") return false;
    if (step.kind === "run") return step.command.purpose !== "routine" || step.passed === false;
    if (step.kind === "look")
      return changed.size === 0
        ? step.definitions.length > 0
        : step.paths.some((path) => changed.has(path));
    return true;
  });
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
  return (
    left.title.toLowerCase() === right.title.toLowerCase() ||
    (left.facts.length > 0 && overlap(left.facts.join(" "), right.facts.join(" ")) > 0.85)
  );
}
