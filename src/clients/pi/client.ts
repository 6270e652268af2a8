// pi, without its adapter.
import type { Client } from "../adapter.ts";

export const pi: Client = {
  name: "pi",
  title: "pi",
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
    driven: "0.87.1",
  },
  remark:
    "It has no hooks: memoir writes an extension of a few functions, which hands on what happens and offers memoir's tools as pi's own, as versions before 1 have no MCP. Calls of tools that pi refuses by itself come from the transcript. Tried with 1.5.2 and with 0.73.1 of `@mariozechner/pi-coding-agent` too, which does not tell of a prompt that is typed into a running turn.",
  load: async () => (await import("./index.ts")).piAdapter,
};
