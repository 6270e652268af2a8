// Factory droid, without its adapter.
import type { Client } from "../adapter.ts";

export const droid: Client = {
  name: "droid",
  title: "Factory droid",
  abilities: {
    way: "hooks",
    sessionContext: true,
    promptContext: false,
    prompts: "transcript",
    outcomes: "transcript",
    results: false,
    sessionEnd: "told",
    mcp: true,
    backfill: true,
    driven: "0.215.0",
  },
  remark:
    "Without a screen (`droid exec`) its hooks tell no prompt, no ids and nothing of a tool that failed: all of that comes from its transcript. It takes context when a session starts; a prompt gets none.",
  variable: "DROID_PROJECT_DIR",
  load: async () => (await import("./index.ts")).droidAdapter,
};
