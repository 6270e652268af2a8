// Turns the events of an `observe` piece into the batch that strategies are given: pure.
import type { ObservationBatch } from "../../sdk/work.ts";
import type { JournalEvent, JournalSession, Work } from "../ports.ts";
import { toToolUse } from "./tool-use.ts";
import { workSession } from "./work-session.ts";

/** `prompt` is the journal's prompt event, when it has one. */
export function observationBatch(
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
