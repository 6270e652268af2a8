// Client events for tests, a line each.
import type { ClientEvent, ClientEventName, ClientEvents } from "../../src/sdk/events.ts";

let made = 0;

/** An event of session `s1` at time `made` × 10 unless `fields` says otherwise; its key is its own. */
export function clientEvent<Name extends ClientEventName>(
  name: Name,
  fields: Partial<ClientEvents[Name]> = {},
): ClientEvents[Name] {
  made++;
  const base = {
    id: `id${made}`,
    key: `key${made}`,
    client: "claude-code",
    session: "s1",
    time: made * 10,
    cwd: "/home/ada/shop",
    project: { id: "github.com/acme/shop", name: "shop", root: "/home/ada/shop", branch: "main" },
  };
  return { ...base, name, ...defaults[name], ...fields } as ClientEvents[Name];
}

const tool = { toolName: "Read", toolInput: { file_path: "/home/ada/shop/a.ts" } };
const defaults: { [Name in ClientEventName]: Partial<ClientEvents[Name]> } = {
  SessionStart: { source: "startup" },
  UserPromptSubmit: { prompt: "Fix the login" },
  PreToolUse: { ...tool, toolUseId: "t0" },
  PostToolUse: { ...tool, toolUseId: "t0", toolResponse: { ok: true } },
  PostToolUseFailure: { ...tool, toolUseId: "t0", error: "no such file", isInterrupt: false },
  PostToolBatch: { toolCalls: [] },
  Stop: { stopHookActive: false, lastAssistantMessage: "Done." },
  SubagentStart: {},
  SubagentStop: {},
  SessionEnd: { reason: "other" },
  PreCompact: { trigger: "auto" },
  PostCompact: { trigger: "auto" },
  Other: { clientEvent: "Notification" },
};

/** A finished tool use with this id. */
export function toolEvent(
  toolUseId: string,
  fields: Partial<ClientEvents["PostToolUse"]> = {},
): ClientEvent {
  return clientEvent("PostToolUse", { toolUseId, key: `tool:${toolUseId}`, ...fields });
}
