// GitHub Copilot CLI, without its adapter.
import { textField } from "../../text/values.ts";
import type { Client } from "../adapter.ts";

const ownTranscript = /[\\/]session-state[\\/][^\\/]+[\\/]events\.jsonl$/;

export const copilot: Client = {
  name: "copilot",
  title: "GitHub Copilot CLI",
  abilities: {
    way: "hooks",
    sessionContext: true,
    promptContext: true,
    prompts: "told",
    outcomes: "told",
    results: true,
    sessionEnd: "told",
    mcp: true,
    backfill: true,
    driven: "1.0.102",
  },
  remark:
    "It runs hooks of `~/.copilot` without asking, and Claude Code's of a project that you trust: one event by both is one. Its tool uses have no ids; memoir gives them one that its transcript has too. A resumed session has lost the context of its beginning and is given it anew, a compacted one with its next prompt. A line for the person at the terminal is not shown there.",
  recognises(payload) {
    const path = textField(payload, "transcript_path", "transcriptPath");
    if (path !== "") return ownTranscript.test(path);
    const { session_id, sessionId, hook_event_name, timestamp, cursor_version } = payload;
    if (cursor_version !== undefined) return false;
    // Claude Code's spelling of it, or its own: nobody else tells the time and no transcript.
    if (typeof session_id === "string")
      return typeof hook_event_name === "string" && typeof timestamp === "string";
    return typeof sessionId === "string" && typeof timestamp === "number";
  },
  variable: "COPILOT_CLI",
  load: async () => (await import("./index.ts")).copilotAdapter,
};
