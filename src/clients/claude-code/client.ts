// Claude Code, without its adapter.
import type { Client } from "../adapter.ts";

export const claudeCode: Client = {
  name: "claude-code",
  title: "Claude Code",
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
    driven: "2.1.329",
  },
  remark:
    "Its settings, or a project's (`--scope`), its MCP servers, and a skill that says when to search. Its form of events and tools is the one that memoir thinks in.",
  load: async () => (await import("./index.ts")).claudeCodeAdapter,
};
