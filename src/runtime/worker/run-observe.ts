// Runs an `observe` piece: batch → strategy → extractors → storage, and how each tool use ended.
import * as v from "valibot";
import { MemoirError } from "../../sdk/errors.ts";
import type { ObservationBatch, ObservationResult } from "../../sdk/work.ts";
import { withDiscoveryTokens } from "../context/discovery-tokens.ts";
import type { BatchContexts } from "../context/read-contexts.ts";
import type { ToolOutcome } from "../journal/journal-types.ts";
import type { JournalEvent, JournalSession, Work } from "../ports.ts";
import {
  type Bound,
  bindObservations,
  ObservationResultSchema,
  withObserverTokens,
} from "./bind-observations.ts";
import { canWait } from "./retry.ts";
import { putRecords, type RunContext, type RunResult } from "./run-work.ts";
import { toToolUse } from "./tool-use.ts";
import { turnOf } from "./turn-of.ts";
import { sessionUpdate, workSession } from "./work-session.ts";

/** Rejects when the strategy or storage failed: the piece is tried again. */
export async function runObserve(context: RunContext): Promise<RunResult> {
  const { work, session, journal, hooks, log } = context;
  const plain = observationBatch(work, session, journal.prompt(work.row, work.promptNumber));
  const around = await context.contexts?.(plain, recordedBytes(work.events));
  const turn = await turnOf(context);
  const batch = {
    ...(around ? withContexts(plain, around) : plain),
    ...(turn && { turn }),
  };
  const answer = await hooks.first("observe", batch, {
    stopAt: (error) => canWait(work, error),
    check: (result) =>
      v.is(ObservationResultSchema, result)
        ? undefined
        : "it answered with no list of observations",
  });
  if (!answer) return { outcomes: settle(work.events, () => skipped("no strategy answered")) };

  const result = await extracted(context, batch, answer.plugin, answer.result);
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

/** How far the transcript had come with the newest event that tells. */
function recordedBytes(events: readonly JournalEvent[]): number | undefined {
  const known = events.flatMap(({ event }) => event.transcriptBytes ?? []);
  return known.length > 0 ? Math.max(...known) : undefined;
}

/** The strategy's answer after the extractors; an extractor's answer of no known shape is not taken. */
async function extracted(
  { hooks, log }: RunContext,
  batch: ObservationBatch,
  plugin: string,
  answer: ObservationResult,
) {
  const first = v.safeParse(ObservationResultSchema, answer);
  if (!first.success)
    throw new MemoirError(
      "plugin_failed",
      `The plugin ${plugin} answered observe with no list of observations.`,
      {
        plugin,
        hook: "observe",
      },
    );
  const { value } = await hooks.reduce("extract", { batch, result: answer });
  const refined = v.safeParse(v.object({ result: ObservationResultSchema }), value);
  if (refined.success) return refined.output.result;
  log.warn("What the extractors answered has no known shape; the strategy's own answer is kept.");
  return first.output;
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
  work: Work,
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
