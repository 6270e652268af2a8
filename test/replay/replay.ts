// Replays recorded sessions through observation and summarization and measures what comes out.
import * as v from "valibot";
import {
  type NewPrompt,
  type Observation,
  type ObservationDraft,
  type Summary,
  SummaryDraftSchema,
} from "../../src/sdk/model.ts";
import type {
  ObservationBatch,
  ObservationResult,
  SummaryInput,
  SummaryResult,
} from "../../src/sdk/work.ts";
import type { RecordedSession } from "../support/transcript-events.ts";
import { type Break, batchBreaks, breaksOf, summaryBreaks } from "./rules.ts";

/** The strategies under replay. */
export interface Strategies {
  observe(batch: ObservationBatch): ObservationResult;
  summarize(input: SummaryInput): SummaryResult;
}

/** One replayed prompt. */
export interface ReplayedPrompt {
  folder: string;
  session: string;
  prompt: string;
  closing: string;
  toolUses: number;
  used: number;
  observations: ObservationDraft[];
  summary: SummaryResult;
  breaks: Break[];
  milliseconds: number;
}

/** A replayed session: its prompts, and title and summary as they were at its start and end. */
export interface ReplayedSession {
  prompts: ReplayedPrompt[];
  opening: SummaryResult;
  ending: SummaryResult;
  breaks: Break[];
}

/** Replays one session as the worker would: opening, then each prompt, then the session. */
export function replaySession(
  folder: string,
  session: RecordedSession,
  strategies: Strategies,
): ReplayedSession {
  const root = session.cwd === "" ? "/nowhere" : session.cwd;
  const workSession = {
    id: session.id,
    client: "claude-code",
    project: { id: root, name: root.split("/").at(-1) ?? "project", root },
  };
  const prompts: ReplayedPrompt[] = [];
  const stored: Observation[] = [];
  const summaries: Summary[] = [];
  const records: NewPrompt[] = session.prompts.map((prompt) => ({
    session: session.id,
    client: "claude-code",
    project: root,
    promptNumber: prompt.number,
    text: prompt.text,
    time: prompt.time,
  }));
  const opening = strategies.summarize({
    key: "opening",
    scope: "opening",
    session: workSession,
    prompts: records.slice(0, 1),
    toolUses: [],
    observations: [],
    summaries: [],
  });
  for (const [index, prompt] of session.prompts.entries()) {
    const { toolUses } = prompt;
    const batch: ObservationBatch = {
      key: `${session.id}:${prompt.number}`,
      session: workSession,
      prompt: { number: prompt.number, text: prompt.text },
      toolUses,
      lastAssistantMessage: prompt.lastAssistantMessage,
      agentMessages: prompt.agentMessages,
      waiting: false,
    };
    const started = performance.now();
    const result = strategies.observe(batch);
    const milliseconds = performance.now() - started;
    const mine = result.observations.map((draft, at) =>
      bound(draft, `o${stored.length + at}`, session, root, prompt.number, prompt.time),
    );
    stored.push(...mine);
    const summary = strategies.summarize({
      key: batch.key,
      scope: "prompt",
      session: workSession,
      prompts: records.slice(index, index + 1),
      toolUses,
      observations: mine,
      summaries: [],
      lastAssistantMessage: prompt.lastAssistantMessage,
    });
    if (summary.summary !== undefined) {
      summaries.push({
        ...v.parse(SummaryDraftSchema, summary.summary),
        id: `s${summaries.length}`,
        scope: "prompt",
        session: session.id,
        client: "claude-code",
        project: root,
        promptNumber: prompt.number,
        time: prompt.time,
        observerTokens: 0,
        provenance: { strategy: "heuristic-summary", model: null },
      });
    }
    prompts.push({
      folder,
      session: session.id,
      prompt: prompt.text,
      closing: prompt.lastAssistantMessage,
      toolUses: prompt.toolUses.length,
      used: new Set(result.observations.flatMap((draft) => draft.toolUseIds)).size,
      observations: result.observations,
      summary,
      breaks: [
        ...result.observations.flatMap(breaksOf),
        ...batchBreaks(result.observations),
        ...(summary.summary === undefined ? [] : summaryBreaks(summary.summary)),
      ],
      milliseconds,
    });
  }
  const ending = strategies.summarize({
    key: "session",
    scope: "session",
    session: workSession,
    prompts: records,
    toolUses: [],
    observations: stored,
    summaries,
  });
  return {
    prompts,
    opening,
    ending,
    breaks: ending.summary === undefined ? [] : summaryBreaks(ending.summary),
  };
}

function bound(
  draft: ObservationDraft,
  id: string,
  session: RecordedSession,
  project: string,
  promptNumber: number,
  time: number,
): Observation {
  return {
    ...draft,
    id,
    session: session.id,
    client: "claude-code",
    project,
    promptNumber,
    time: draft.time ?? time,
    discoveryTokens: null,
    observerTokens: 0,
    provenance: { strategy: "heuristic", model: null },
  };
}
