// xAI's Grok Build, without its adapter.
import type { Client } from "../adapter.ts";

export const grok: Client = {
  name: "grok",
  title: "Grok Build",
  abilities: {
    way: "hooks",
    sessionContext: false,
    promptContext: false,
    prompts: "told",
    outcomes: "told",
    results: false,
    sessionEnd: "told",
    mcp: true,
    backfill: false,
    driven: "1.0.41",
  },
  remark:
    "It runs Claude Code's hooks and MCP servers by itself: where memoir is installed for Claude Code, Grok's sessions are remembered without more, under its own name. Its hooks take no context, so its agent should search. A subagent's prompts are nobody's and are not kept.",
  load: async () => (await import("./index.ts")).grokAdapter,
};
