// A recorded session as the capture plugins let it through: what the observer gets in a real installation.
import * as v from "valibot";
import cleanPrompts from "../../plugins/capture-clean-prompts/index.ts";
import privacy from "../../plugins/capture-privacy/index.ts";
import skipTools from "../../plugins/capture-skip-tools/index.ts";
import { toToolUse } from "../../src/runtime/worker/piece.ts";
import type { ClientEvent } from "../../src/sdk/events.ts";
import type { Drop } from "../../src/sdk/hooks.ts";
import type { AnyPlugin } from "../../src/sdk/plugin.ts";
import type { ToolUse } from "../../src/sdk/work.ts";
import {
  eventsOf,
  type RecordedPrompt,
  type RecordedSession,
} from "../support/transcript-events.ts";

type Capture = (event: ClientEvent) => Promise<ClientEvent | Drop>;

/** What capture did to a session. */
export interface CapturedSession {
  session: RecordedSession;
  /** Drops by reason. */
  dropped: Record<string, number>;
  /** Tool uses before capture. */
  toolUses: number;
}

const stack = [skipTools, cleanPrompts, privacy].map(captureOf);

/** Runs every event of the session through the capture stack and puts what is left together again. */
export async function captured(session: RecordedSession): Promise<CapturedSession> {
  const prompts: RecordedPrompt[] = [];
  const dropped: Record<string, number> = {};
  let toolUses = 0;
  for (const event of eventsOf(session)) {
    if (event.name === "PostToolUse" || event.name === "PostToolUseFailure") toolUses++;
    const kept = await through(event);
    if ("drop" in kept) {
      dropped[kept.drop] = (dropped[kept.drop] ?? 0) + 1;
      continue;
    }
    place(kept, prompts);
  }
  return { session: { ...session, prompts }, dropped, toolUses };
}

function place(event: ClientEvent, prompts: RecordedPrompt[]): void {
  if (event.name === "UserPromptSubmit") {
    prompts.push({
      number: prompts.length + 1,
      text: event.prompt,
      time: event.time,
      toolUses: [],
      lastAssistantMessage: "",
      agentMessages: [],
    });
    return;
  }
  const prompt = prompts.at(-1);
  if (prompt === undefined) return;
  const use: ToolUse | undefined = toToolUse(event);
  if (use !== undefined) prompt.toolUses.push(use);
  else if (event.name === "Stop") prompt.lastAssistantMessage = event.lastAssistantMessage ?? "";
  else if (
    event.name === "SubagentStop" &&
    event.agent !== undefined &&
    event.lastAssistantMessage !== undefined
  ) {
    prompt.agentMessages.push({ agent: event.agent, text: event.lastAssistantMessage });
  }
}

async function through(event: ClientEvent): Promise<ClientEvent | Drop> {
  let value: ClientEvent | Drop = event;
  for (const capture of stack) {
    if ("drop" in value) break;
    value = await capture(value);
  }
  return value;
}

/** A capture plugin's handler with its filter and default config. */
function captureOf(plugin: AnyPlugin): Capture {
  const hook = plugin.hooks.capture;
  const handler = typeof hook === "function" ? hook : hook?.handler;
  const events = typeof hook === "function" ? undefined : hook?.filter?.event;
  const config: unknown = plugin.config === undefined ? {} : v.parse(plugin.config, {});
  return async (event) => {
    if (handler === undefined || (events !== undefined && !events.includes(event.name)))
      return event;
    return (await handler(event, { config } as Parameters<typeof handler>[1])) ?? event;
  };
}
