// Which client an event is from: chosen here, once. The name that the hook command was given decides, but for Claude Code's
// hooks: other clients read its settings and run them with payloads of their own.
import { dropOldest, recordOf, textField } from "../text/text.ts";
import type { Client } from "./adapter.ts";
import { claudeCode, clients } from "./index.ts";

type Payload = Readonly<Record<string, unknown>>;

/** Payloads that only one of those clients writes, by its name; Claude Code's come first, as the most usual. */
const marks: ReadonlyArray<readonly [name: string, isIts: (payload: Payload) => boolean]> = [
  ["claude-code", (payload) => hasPath(payload, /[\\/]projects[\\/][^\\/]+[\\/][^\\/]+\.jsonl$/)],
  [
    "cursor",
    (payload) =>
      hasText(payload, "cursor_version") ||
      (hasText(payload, "conversation_id") && hasText(payload, "generation_id")),
  ],
  // Each field in two spellings.
  ["grok", (payload) => hasText(payload, "hookEventName") && hasText(payload, "hook_event_name")],
  [
    "codex",
    (payload) =>
      hasPath(payload, /[\\/]rollout-[^\\/]+\.jsonl$/) ||
      hasText(payload, "turn_id") ||
      // It keeps none of some sessions, and says so.
      (payload.transcript_path === null && hasText(payload, "model")),
  ],
  [
    "qwen",
    (payload) =>
      hasPath(payload, /[\\/]projects[\\/][^\\/]+[\\/]chats[\\/][^\\/]+\.jsonl$/) &&
      "timestamp" in payload,
  ],
  [
    "gemini",
    (payload) =>
      hasPath(payload, /[\\/]chats[\\/](?:[^\\/]+[\\/])?session-[\dT-]{16}-[^\\/]+\.jsonl?$/) ||
      /^(?:Before|After)(?:Agent|Tool|Model)$|^BeforeToolSelection$|^PreCompress$/.test(
        textField(payload, "hook_event_name"),
      ),
  ],
  ["droid", (payload) => hasPath(payload, /[\\/]\.factory[\\/]sessions[\\/]/)],
  [
    "copilot",
    (payload) =>
      hasPath(payload, /[\\/]session-state[\\/][^\\/]+[\\/]events\.jsonl$/) ||
      hasText(payload, "initial_prompt") ||
      hasText(payload.tool_result, "text_result_for_llm") ||
      (hasText(payload, "sessionId") && typeof payload.timestamp === "number"),
  ],
];

/** One that runs Claude Code's hooks and that memoir does not know: kept under a name that is nobody's. */
const unknownClient: Client = {
  name: "unknown",
  title: "an unknown client",
  abilities: claudeCode.abilities,
  remark: "",
  load: async () => ({ adapter: (await import("./claude-code/index.ts")).unknownAdapter }),
};

/**
 * The client of one event that came by the command of `road`; undefined where memoir knows none of that name, though a
 * plugin may. `variables`: those of the hook's environment that clients set; an agent that was started in another's
 * shell has that one's too, so the payload counts first.
 */
export function chooseClient(
  road: string,
  payload: unknown,
  variables: ReadonlySet<string>,
): Client | undefined {
  if (road !== claudeCode.name) return clients.get(road);
  const fields = recordOf(payload);
  const [shown] = marks.find(([, isIts]) => isIts(fields)) ?? [];
  if (shown !== undefined) return clients.get(shown);
  const setting = [...clients.values()].find(
    ({ variable }) => variable !== undefined && variables.has(variable),
  );
  return setting ?? (isForeign(fields) ? unknownClient : claudeCode);
}

/** Claude Code neither tells the time nor writes its fields like this. */
function isForeign(payload: Payload): boolean {
  return "timestamp" in payload || "sessionId" in payload || "hookEventName" in payload;
}

const mostSessions = 1_000;

/** The same, which stays with what it chose for a session: one event may show less than another. */
export function createClientChoice(): typeof chooseClient {
  const chosen = new Map<string, Client>();
  return (road, payload, variables) => {
    const client = chooseClient(road, payload, variables);
    if (road !== claudeCode.name || !client) return client;
    const session = textField(payload, "session_id", "sessionId", "conversation_id");
    const before = chosen.get(session);
    if (before) return before;
    if (session !== "") chosen.set(session, client);
    dropOldest(chosen, mostSessions);
    return client;
  };
}

function hasText(value: unknown, name: string): boolean {
  return textField(value, name) !== "";
}

function hasPath(payload: Payload, form: RegExp): boolean {
  return form.test(textField(payload, "transcript_path", "transcriptPath"));
}
