// Cursor, the editor and its `cursor-agent`, without its adapter.
import type { Client } from "../adapter.ts";

export const cursor: Client = {
  name: "cursor",
  title: "Cursor",
  abilities: {
    way: "hooks",
    sessionContext: true,
    promptContext: false,
    prompts: "told",
    outcomes: "told",
    results: false,
    sessionEnd: "told",
    mcp: true,
    backfill: false,
  },
  remark:
    "It could not be run for the tests: what is known of it are the payloads that its makers and others document, and those are tested. It takes context when a session starts and after a tool; with a prompt it takes none, so its agent should search. Without a screen (`cursor-agent -p`) its hooks tell no prompt. It reads Claude Code's settings too: one event by both is one. Its history has no times and is not read.",
  variable: "CURSOR_VERSION",
  load: async () => (await import("./index.ts")).cursorAdapter,
};
