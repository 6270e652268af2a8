// Google's Gemini CLI, without its adapter.
import type { Client } from "../adapter.ts";

export const gemini: Client = {
  name: "gemini",
  title: "Gemini CLI",
  abilities: {
    way: "hooks",
    sessionContext: true,
    promptContext: true,
    prompts: "told",
    outcomes: "told",
    results: false,
    sessionEnd: "told",
    mcp: true,
    backfill: true,
    driven: "0.61.0",
  },
  remark:
    "It runs hooks and tools in folders only that it was told to trust. It tells no ids of tool uses and nothing of a tool that was refused or never ran: both come from its transcript. It can take another result for a tool's as an error alone, so `live` of Endless Mode leaves its results as they are. What a session is to know comes with its first prompt, since Gemini drops what is told before it after `/clear` and when it goes on with a session; a resumed session has it still, and is told what came since.",
  variable: "GEMINI_SESSION_ID",
  load: async () => (await import("./index.ts")).geminiAdapter,
};
