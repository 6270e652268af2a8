// GitHub Copilot CLI, without its adapter.
import type { Client } from "../adapter.ts";

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
  variable: "COPILOT_CLI",
  load: async () => (await import("./index.ts")).copilotAdapter,
};
