// Google's Antigravity CLI, without its adapter.
import type { Client } from "../adapter.ts";

export const antigravity: Client = {
  name: "antigravity",
  title: "Antigravity CLI",
  abilities: {
    way: "hooks",
    sessionContext: true,
    promptContext: false,
    prompts: "transcript",
    outcomes: "transcript",
    results: false,
    sessionEnd: "quiet",
    mcp: true,
    backfill: true,
  },
  remark:
    "It could not be run for the tests: what is known of it are the payloads and transcripts that its makers and others document, and those are tested. Its versions differ in which hooks they run, so memoir uses the two that its latest versions are known to run (from 1.1 on): before the model is asked first in a turn, where it gives what a session is to know, and when a turn ends. Prompts and tools come from its transcript.",
  variable: "ANTIGRAVITY_CONVERSATION_ID",
  load: async () => (await import("./index.ts")).antigravityAdapter,
};
