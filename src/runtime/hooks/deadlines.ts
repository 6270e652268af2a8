// How long one call of a handler may take when its subscription does not say: one table for all hooks.
import type { HookName } from "../../sdk/hooks.ts";

const clientEvent = 1_000;
const storage = 15_000;
const model = 120_000;
const notice = 5_000;

/** Default deadline of each hook, in milliseconds. */
export const defaultDeadlines: { readonly [Name in HookName]: number } = {
  // With the wait for earlier work this stays below the two seconds that the hook command gives.
  SessionStart: 1_200,
  UserPromptSubmit: 1_500,
  PreToolUse: clientEvent,
  PostToolUse: clientEvent,
  PostToolUseFailure: clientEvent,
  PostToolBatch: clientEvent,
  Stop: clientEvent,
  SubagentStart: clientEvent,
  SubagentStop: clientEvent,
  SessionEnd: clientEvent,
  PreCompact: clientEvent,
  PostCompact: clientEvent,
  Other: clientEvent,
  // Nobody else can read the payload: what is late is lost.
  "client.payload": 2_000,
  "client.answer": clientEvent,
  capture: 500,
  observe: model,
  extract: model,
  summarize: model,
  complete: model,
  "storage.put": storage,
  "storage.search": storage,
  "storage.get": storage,
  "storage.observations": storage,
  "storage.summaries": storage,
  "storage.prompts": storage,
  "storage.sessions": storage,
  "storage.memory": storage,
  "storage.turns": storage,
  "storage.stats": storage,
  "storage.delete": storage,
  "storage.amend": storage,
  "storage.reindex": storage,
  // Before the agent's own request goes out: late is as good as never.
  request: 2_000,
  responded: notice,
  stored: notice,
  forgotten: notice,
  amended: notice,
  settled: notice,
};
