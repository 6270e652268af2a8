// Stores a prompt, and runs the two summaries: of a prompt after its Stop, of a session at its end.

import * as v from "valibot";
import type { HookOutput } from "../../sdk/hooks.ts";
import { type NewPrompt, type NewSummary, SummaryDraftSchema } from "../../sdk/model.ts";
import type { SummaryInput } from "../../sdk/work.ts";
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

/** What a summary is given of one prompt's tool uses at most, the newest. */
const toolLimits = { events: 500, bytes: 16 * 1024 * 1024 };

/** Rejects when the strategy or storage failed. */
export async function runSummarizePrompt(context: RunContext): Promise<RunResult> {
  const { work, session, journal } = context;
  const stop = work.events.findLast(({ event }) => event.name === "Stop");
  const said = stop?.event.name === "Stop" ? stop.event.lastAssistantMessage : undefined;
  const prompt = journal.prompt(work.row, work.promptNumber)?.event;
  const events = journal.toolEvents(work.row, work.promptNumber, toolLimits);
  const turn = await turnOf(context);
  const observations = await storedOfSession(context, "storage.observations");
  const input: SummaryInput = {
    key: work.key,
    scope: "prompt",
    session: workSession(session, work.events),
    prompts:
      prompt?.name === "UserPromptSubmit"
        ? [promptRecord(context, prompt.prompt, prompt.time)]
        : [],
    ...(turn && { turns: [turn] }),
    toolUses: events.flatMap(({ event }) => toToolUse(event) ?? []),
    observations: observations.filter(({ promptNumber }) => promptNumber === work.promptNumber),
    summaries: [],
    ...(said !== undefined && { lastAssistantMessage: said }),
  };
  const answer = await askForSummary(context, input);
  const time = stop?.event.time ?? session.lastEventAt;
  const summaries = summaryRecords(answer, input, "prompt", work.promptNumber, time);
  if (summaries.length === 0 && !answer?.title && !answer?.subtitle) return { outcomes: new Map() };
  const { project } = input.session;
  const notice = await putRecords(context, project.id, {
    sessions: [sessionUpdate(session, project, answer)],
    summaries,
  });
  return { outcomes: new Map(), notice };
}

/** Also writes the session's end; a session that went silent ended with its last event. Rejects like the other. */
export async function runSummarizeSession(context: RunContext): Promise<RunResult> {
  const { work, session, journal } = context;
  const stop = journal.lastStop(work.row)?.event;
  const said = stop?.name === "Stop" ? stop.lastAssistantMessage : undefined;
  const [turns, prompts, observations, summaries] = await Promise.all([
    storedOfSession(context, "storage.turns"),
    storedOfSession(context, "storage.prompts"),
    storedOfSession(context, "storage.observations"),
    storedOfSession(context, "storage.summaries"),
  ]);
  const input: SummaryInput = {
    key: work.key,
    scope: "session",
    session: workSession(session, work.events),
    prompts: prompts.map(withoutId),
    turns: turns.map(withoutId),
    toolUses: [],
    observations,
    summaries: summaries.filter(({ scope }) => scope === "prompt"),
    ...(said !== undefined && { lastAssistantMessage: said }),
  };
  const answer = await askForSummary(context, input);
  const { project } = input.session;
  const endedAt = session.endedAt ?? session.lastEventAt;
  const notice = await putRecords(context, project.id, {
    sessions: [
      { ...sessionUpdate(session, project, answer), ...endReason(work), status: "ended", endedAt },
    ],
    summaries: summaryRecords(answer, input, "session", work.promptNumber, endedAt),
  });
  return { outcomes: new Map(), notice: { ...notice, ended: true } };
}

/** As the client gave it; what a transcript shows is only that it is over. */
function endReason({ events }: RunContext["work"]): { endReason?: string } {
  const end = events.findLast(({ event }) => event.name === "SessionEnd")?.event;
  return end?.name === "SessionEnd" && !end.recovered ? { endReason: end.reason } : {};
}

function promptRecord({ work, session }: RunContext, text: string, time: number): NewPrompt {
  return {
    session: session.session,
    client: session.client,
    project: session.project.id,
    promptNumber: work.promptNumber,
    text,
    time,
  };
}

function withoutId<Record extends { id: string }>({
  id: _,
  ...record
}: Record): Omit<Record, "id"> {
  return record;
}

type SessionList =
  | "storage.observations"
  | "storage.prompts"
  | "storage.summaries"
  | "storage.turns";

const page = 200;
/** A session is cut off here, at its newest records: a summary needs no more. */
const most = 2_000;

/** Asks in pages; empty when no storage answers. Rejects when storage failed. */
async function storedOfSession<Name extends SessionList>(
  { hooks, session }: RunContext,
  name: Name,
): Promise<HookOutput<Name>> {
  const found: Array<HookOutput<Name>[number]> = [];
  for (let offset = 0; offset < most; offset += page) {
    const answer = await hooks.first<SessionList>(name, {
      session: session.session,
      order: "newest",
      limit: page,
      offset,
    });
    const records = answer?.result ?? [];
    found.push(...records);
    if (records.length < page) break;
  }
  // Storage takes the beginning of a session id as well, and another client may use the same one.
  const own = found.filter(
    (record) => record.session === session.session && record.client === session.client,
  );
  return own.reverse() as HookOutput<Name>;
}

// Runs a `prompt` piece: the prompt and its session become records; the first prompt may give the session a title.

/** Rejects when storage failed. A title that cannot be made now is no reason to wait with the prompt. */
export async function runPrompt(context: RunContext): Promise<RunResult> {
  const { work, session } = context;
  const { project } = workSession(session, work.events);
  const prompts = work.events.flatMap(({ event }): NewPrompt[] =>
    event.name === "UserPromptSubmit" ? [promptRecord(context, event.prompt, event.time)] : [],
  );
  const titles = work.promptNumber === 1 ? await opening(context, prompts) : undefined;
  const notice = await putRecords(context, project.id, {
    sessions: [sessionUpdate(session, project, titles)],
    prompts,
  });
  return { outcomes: new Map(), notice };
}

async function opening(context: RunContext, prompts: NewPrompt[]): Promise<Summarized | undefined> {
  const { work, session, log } = context;
  try {
    return await askForSummary(context, {
      key: work.key,
      scope: "opening",
      session: workSession(session, work.events),
      prompts,
      toolUses: [],
      observations: [],
      summaries: [],
    });
  } catch (error) {
    log.warn("The session has no title yet: the summarization plugin failed.", {
      session: work.session,
      error,
    });
    return undefined;
  }
}

// Asks the summarization slot and checks what it answers.

const SummaryResultSchema = v.object({
  summary: v.optional(SummaryDraftSchema),
  title: v.optional(v.string()),
  subtitle: v.optional(v.string()),
  model: v.optional(v.nullable(v.string())),
  observerTokens: v.optional(v.nullable(v.number())),
});

/** A checked answer and who gave it. */
interface Summarized extends v.InferOutput<typeof SummaryResultSchema> {
  plugin: string;
}

/** Undefined when nobody answered. An answer of no known shape is not one: the next in the slot is asked. */
async function askForSummary(
  { hooks, work }: RunContext,
  input: SummaryInput,
): Promise<Summarized | undefined> {
  // By the slot `summarization`, whose order is in `plugins/registry.ts`: `heuristic-summary`, or a strategy that asks a model.
  const answer = await hooks.first("summarize", input, {
    stopAt: (error) => canWait(work, error),
    check: (result) =>
      v.is(SummaryResultSchema, result) ? undefined : "its answer is not a valid summary",
  });
  return answer && { ...v.parse(SummaryResultSchema, answer.result), plugin: answer.plugin };
}

/** The answer as a record; nothing when it has no summary. */
function summaryRecords(
  answer: Summarized | undefined,
  input: SummaryInput,
  scope: NewSummary["scope"],
  promptNumber: number,
  time: number,
): NewSummary[] {
  if (!answer?.summary) return [];
  const evidence = answer.summary.evidence ?? placesIn(input.turns ?? []);
  return [
    {
      ...answer.summary,
      ...(evidence && { evidence }),
      scope,
      session: input.session.id,
      client: input.session.client,
      project: input.session.project.id,
      promptNumber,
      time,
      observerTokens: answer.observerTokens ?? null,
      provenance: { strategy: answer.plugin, model: answer.model ?? null },
    },
  ];
}
