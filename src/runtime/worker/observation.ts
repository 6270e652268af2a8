// Runs an `observe` piece: batch → strategy → extractors → storage, and how each tool use ended.
import * as v from "valibot";
import { type NewObservation, ObservationDraftSchema } from "../../sdk/model.ts";
import type { ObservationBatch, ObservationResult } from "../../sdk/work.ts";
import { plainTypes } from "../config/problems.ts";
import { type BatchContexts, withDiscoveryTokens } from "../context/read-contexts.ts";
import type { LeasedWork, ToolOutcome } from "../journal/work.ts";
import type { JournalEvent, JournalSession } from "../ports.ts";
import {
  canWait,
  putRecords,
  type RunContext,
  type RunResult,
  sessionUpdate,
  toToolUse,
  workSession,
} from "./piece.ts";
import { placesIn, turnOf } from "./turn.ts";

/** Rejects when the strategy or storage failed: the piece is tried again. */
export async function runObserve(context: RunContext): Promise<RunResult> {
  const { work, session, journal, hooks, log } = context;
  const plain = observationBatch(work, session, journal.prompt(work.row, work.promptNumber));
  const around = await context.readContexts?.(plain, recordedEnd(work.events));
  const turn = await turnOf(context);
  const batch = {
    ...(around ? withContexts(plain, around) : plain),
    ...(turn && { turn }),
  };
  // By the slot `observation`, whose order is in `plugins/registry.ts`: `heuristic`, or a strategy that asks a model.
  const answer = await hooks.first("observe", batch, {
    stopAt: (error) => canWait(work, error),
    check: (result) =>
      v.is(ObservationResultSchema, result) ? undefined : "its answer has no list of observations",
    flaw: flawOf,
  });
  if (!answer) return { outcomes: settle(work.events, () => skipped("no strategy answered")) };

  const result = await extracted(context, batch, answer.result);
  const bound = bindObservations(result.observations, batch, work.promptNumber, {
    strategy: answer.plugin,
    model: result.model ?? null,
  });
  for (const paths of bound.invalid)
    log.warn("An observation did not fit the schema and was left out.", {
      plugin: answer.plugin,
      session: work.session,
      at: paths,
    });
  if (bound.observations.length === 0)
    return { outcomes: settle(work.events, (id) => skippedBy(result, bound, id)) };
  const observations = withDiscoveryTokens(
    withObserverTokens(bound.observations, result.observerTokens),
    around?.tokens ?? new Map(),
  );

  const { project } = batch.session;
  const notice = await putRecords(context, project.id, {
    sessions: [sessionUpdate(session, project)],
    observations,
  });
  const outcomes = settle(work.events, (id) => {
    const stored = notice.observations.filter(({ toolUseIds }) => toolUseIds.includes(id));
    if (stored.length === 0) return skippedBy(result, bound, id);
    return { outcome: "stored", observations: [...new Set(stored.map((record) => record.id))] };
  });
  return { outcomes, notice };
}

function withContexts(batch: ObservationBatch, { contexts }: BatchContexts): ObservationBatch {
  const toolUses = batch.toolUses.map((use) => {
    const context = contexts.get(use.id);
    return context ? { ...use, context } : use;
  });
  return { ...batch, toolUses };
}

/** What led to a hook's event may reach the file a little later, for clients buffer; of a line that was read, only its message goes on. */
const [lateBytes, messageBytes] = [1024 * 1024, 64 * 1024];

/** How far the transcript has what led to these events, as far as the newest that says so. */
function recordedEnd(events: readonly JournalEvent[]): number | undefined {
  const known = events.flatMap(({ event: { transcriptBytes, recovered } }) =>
    transcriptBytes === undefined ? [] : transcriptBytes + (recovered ? messageBytes : lateBytes),
  );
  return known.length > 0 ? Math.max(...known) : undefined;
}

/** The strategy's answer after the extractors; an extractor's answer of no known shape is not taken. */
async function extracted(
  { hooks, log }: RunContext,
  batch: ObservationBatch,
  answer: ObservationResult,
) {
  const { value } = await hooks.reduce("extract", { batch, result: answer });
  const refined = v.safeParse(v.object({ result: ObservationResultSchema }), value);
  if (refined.success) return refined.output.result;
  log.warn("What the extractors answered has no known shape; the strategy's own answer is kept.");
  return v.parse(ObservationResultSchema, answer);
}

function settle(
  events: readonly JournalEvent[],
  outcomeOf: (toolUseId: string) => ToolOutcome,
): Map<number, ToolOutcome> {
  const outcomes = new Map<number, ToolOutcome>();
  for (const { seq, event } of events) {
    const toolUse = toToolUse(event);
    if (toolUse) outcomes.set(seq, outcomeOf(toolUse.id));
  }
  return outcomes;
}

function skippedBy(
  result: { skipped?: Record<string, string> | undefined },
  { invalidToolUses }: Bound,
  id: string,
): ToolOutcome {
  return skipped(
    invalidToolUses.has(id) ? "invalid observation" : (result.skipped?.[id] ?? "routine"),
  );
}

function skipped(reason: string): ToolOutcome {
  return { outcome: "skipped", reason };
}

/** `prompt` is the journal's prompt event, when it has one. */
function observationBatch(
  work: LeasedWork,
  session: JournalSession,
  prompt: JournalEvent | undefined,
): ObservationBatch {
  const events = work.events.map(({ event }) => event);
  const stop = events.findLast((event) => event.name === "Stop");
  const said = stop?.name === "Stop" ? stop.lastAssistantMessage : undefined;
  const agentMessages = events.flatMap((event) =>
    event.name === "SubagentStop" && event.agent && event.lastAssistantMessage
      ? [{ agent: event.agent, text: event.lastAssistantMessage }]
      : [],
  );
  return {
    key: work.key,
    session: workSession(session, work.events),
    ...(prompt?.event.name === "UserPromptSubmit" && {
      prompt: { number: work.promptNumber, text: prompt.event.prompt },
    }),
    toolUses: events.flatMap((event) => toToolUse(event) ?? []),
    ...(said !== undefined && { lastAssistantMessage: said }),
    ...(agentMessages.length > 0 && { agentMessages }),
    waiting: work.waiting,
  };
}

// Binds a strategy's drafts to their session, their prompt and what they took: pure. What does not fit the schema is left out, never the batch.

/** A strategy's answer at the edge: drafts are judged one by one. */
const ObservationResultSchema = v.object({
  observations: v.array(v.unknown()),
  skipped: v.optional(v.record(v.string(), v.string())),
  model: v.optional(v.nullable(v.string())),
  observerTokens: v.optional(v.nullable(v.number())),
});

interface Bound {
  observations: NewObservation[];
  /** For each draft left out, where it broke the schema and what is wanted there; no text of it. */
  invalid: string[];
  /** Tool uses that only such drafts name. */
  invalidToolUses: Set<string>;
}

/** `strategy` is the plugin that answered. Tool-use ids that are not in the batch are left out. */
function bindObservations(
  drafts: readonly unknown[],
  batch: ObservationBatch,
  promptNumber: number,
  provenance: { strategy: string; model: string | null },
): Bound {
  const bound: Bound = { observations: [], invalid: [], invalidToolUses: new Set() };
  const times = new Map(batch.toolUses.map(({ id, time }) => [id, time]));
  const lastTime = Math.max(...times.values());
  const { id: session, client, project } = batch.session;
  for (const raw of drafts) {
    const parsed = v.safeParse(ObservationDraftSchema, raw);
    if (!parsed.success) {
      bound.invalid.push(parsed.issues.map(brokenRule).join(", "));
      for (const id of namedIds(raw)) if (times.has(id)) bound.invalidToolUses.add(id);
      continue;
    }
    const draft = parsed.output;
    const toolUseIds = draft.toolUseIds.filter((id) => times.has(id));
    const useTimes = toolUseIds.flatMap((id) => times.get(id) ?? []);
    const places = draft.evidence ?? placesIn(batch.turn ? [batch.turn] : [], toolUseIds);
    bound.observations.push({
      ...draft,
      toolUseIds,
      ...(places && { evidence: places }),
      session,
      client,
      project: project.id,
      ...(project.branch !== undefined && { branch: project.branch }),
      promptNumber,
      time: draft.time ?? (useTimes.length > 0 ? Math.max(...useTimes) : lastTime),
      discoveryTokens: draft.discoveryTokens ?? null,
      observerTokens: draft.observerTokens ?? null,
      provenance,
    });
  }
  return bound;
}

/** What is wrong with the drafts of an answer that are left out. */
function flawOf(result: object): string | undefined {
  const { observations } = v.parse(ObservationResultSchema, result);
  const broken = observations.flatMap((raw) => {
    const [issue] = v.safeParse(ObservationDraftSchema, raw).issues ?? [];
    return issue ? [brokenRule(issue)] : [];
  });
  const [first] = broken;
  return first && `${broken.length} of its observations did not fit and were left out: ${first}`;
}

/** Without what was received: that may be a text of the user's. */
function brokenRule(issue: v.BaseIssue<unknown>): string {
  const isUsual = issue.message.startsWith("Invalid");
  const usual =
    issue.type === "non_empty"
      ? "is empty"
      : `must be ${plainTypes[issue.expected ?? ""] ?? issue.expected}`;
  const wanted = isUsual ? usual : issue.message;
  return `${v.getDotPath(issue) ?? "draft"}: ${wanted}`;
}

function namedIds(raw: unknown): string[] {
  const parsed = v.safeParse(v.object({ toolUseIds: v.array(v.string()) }), raw);
  return parsed.success ? parsed.output.toolUseIds : [];
}

/** Shares what a batch's model calls took out over its observations, by the length of what was written; parts add up to `tokens`. Without a known total everybody keeps what they say. */
function withObserverTokens(
  observations: readonly NewObservation[],
  tokens: number | null | undefined,
): NewObservation[] {
  if (tokens === null || tokens === undefined) return [...observations];
  const parts = shareOut(Math.max(0, Math.round(tokens)), observations.map(length));
  return observations.map((observation, at) => ({
    ...observation,
    observerTokens: parts[at] ?? 0,
  }));
}

function length({ title, subtitle, narrative, facts }: NewObservation): number {
  return title.length + subtitle.length + narrative.length + facts.join("").length;
}

/**
 * `total` (a whole number ≥ 0) shared out by weight, by largest remainder: parts are whole, differ from their exact
 * share by less than one, and add up to `total`. Weights that are all 0 count as equal. No weights, no parts.
 */
export function shareOut(total: number, weights: readonly number[]): number[] {
  const positive = weights.map((weight) => Math.max(0, weight));
  const sum = positive.reduce((all, weight) => all + weight, 0);
  const exact = positive.map((weight) =>
    sum === 0 ? total / weights.length : (total * weight) / sum,
  );
  const parts = exact.map(Math.floor);
  let rest = total - parts.reduce((all, part) => all + part, 0);
  const byRemainder = exact
    .map((share, at) => ({ at, remainder: share - Math.floor(share) }))
    .sort((a, b) => b.remainder - a.remainder || a.at - b.at);
  for (const { at } of byRemainder) {
    if (rest-- <= 0) break;
    parts[at] = (parts[at] ?? 0) + 1;
  }
  return parts;
}
