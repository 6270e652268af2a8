// Client events for tests, a line each.
import type { ClientEvent, ClientEventName, ClientEvents } from "../../sdk/events.ts";

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

/** A whole session of the shop: a test fails, the cart is looked at and corrected, the test passes. Ten events, the same each time. */
export function sampleSessionEvents(): ClientEvent[] {
  const root = "/home/ada/shop";
  const file = `${root}/src/cart.ts`;
  const command = { command: "bun test test/cart.test.ts", description: "Run the cart tests" };
  const [before, after] = ["return sum - voucher.amount;", "return sum;"];
  const use = (n: number, toolName: string, toolInput: unknown) => ({
    toolUseId: `toolu_${n}`,
    key: `tool:toolu_${n}`,
    toolName,
    toolInput,
    durationMs: 20,
  });
  const events = [
    clientEvent("SessionStart"),
    clientEvent("UserPromptSubmit", { prompt: "The cart total is wrong, please fix it." }),
    clientEvent("PreToolUse", { ...use(1, "Bash", command), key: "pre:toolu_1" }),
    clientEvent("PostToolUseFailure", {
      ...use(1, "Bash", command),
      error: "Exit code 1\nexpect(received).toBe(expected)\nExpected: 90\nReceived: 80\n 1 fail",
    }),
    clientEvent("PostToolUse", {
      ...use(2, "Read", { file_path: file }),
      toolResponse: {
        type: "text",
        file: { filePath: file, content: before, numLines: 1, startLine: 1, totalLines: 1 },
      },
    }),
    clientEvent("PostToolUse", {
      ...use(3, "Edit", { file_path: file, old_string: before, new_string: after }),
      toolResponse: {
        filePath: file,
        oldString: before,
        newString: after,
        originalFile: before,
        structuredPatch: [{ oldStart: 1, newStart: 1, lines: [`-${before}`, `+${after}`] }],
        userModified: false,
        replaceAll: false,
      },
    }),
    clientEvent("PostToolUse", {
      ...use(4, "Bash", command),
      toolResponse: { stdout: " 3 pass\n 0 fail\n", stderr: "", interrupted: false },
    }),
    clientEvent("Stop", { lastAssistantMessage: "The voucher is subtracted once now." }),
    clientEvent("SessionEnd"),
    clientEvent("Other", { clientEvent: "Notification", extra: { level: "info", n: [1, null] } }),
  ];
  const begun = Date.UTC(2026, 10, 20, 14, 5);
  return events.map((event, at) => ({
    ...event,
    id: `event-${at + 1}`,
    key: event.key.startsWith("key") ? `event-${at + 1}` : event.key,
    time: begun + at * 1_000,
  }));
}
