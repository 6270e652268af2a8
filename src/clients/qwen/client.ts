// Qwen Code, without its adapter.
import type { Client } from "../adapter.ts";

export const qwen: Client = {
  name: "qwen",
  title: "Qwen Code",
  abilities: {
    way: "hooks",
    sessionContext: true,
    promptContext: true,
    prompts: "told",
    outcomes: "told",
    results: false,
    sessionEnd: "quiet",
    mcp: true,
    backfill: true,
    driven: "0.24.4",
  },
  remark:
    "Without a screen it tells of no session's end. It takes context, and no other result for a tool's, so `live` of Endless Mode does nothing there.",
  variable: "QWEN_PROJECT_DIR",
  load: async () => (await import("./index.ts")).qwenAdapter,
};
