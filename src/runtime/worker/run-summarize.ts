// Runs the two summaries: of a prompt after its Stop, of a session at its end.

import type { HookOutput } from "../../sdk/hooks.ts";
import type { NewPrompt } from "../../sdk/model.ts";
import type { SummaryInput } from "../../sdk/work.ts";
import { askForSummary, summaryRecords } from "./ask-summary.ts";
import { putRecords, type RunContext, type RunResult } from "./run-work.ts";
import { toToolUse } from "./tool-use.ts";
import { turnOf } from "./turn-of.ts";
import { sessionUpdate, workSession } from "./work-session.ts";

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
