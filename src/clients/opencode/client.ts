// OpenCode, without its adapter.
import type { Client } from "../adapter.ts";

export const opencode: Client = {
  name: "opencode",
  title: "OpenCode",
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
    driven: "1.18.33",
  },
  remark:
    "memoir is a small plugin there, one file that also names its MCP server, so that no setting of yours changes. What a session is told stands in the system prompt and is kept nowhere; what a later prompt is told stays with that prompt. Its history is read from its database, beside an OpenCode that writes to it. OpenCode fetches a package of its own for whoever has plugins, and waits for it at each start that cannot reach the npm registry; `memoir doctor` says when it is not there yet.",
  load: async () => (await import("./index.ts")).opencodeAdapter,
};
