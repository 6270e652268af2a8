// Asks Claude through the user's own Claude Code login: no key needed, nothing of the user's setup taken along.
import { definePlugin } from "../../src/sdk/index.ts";
import { type Config, ConfigSchema } from "./config.ts";
import { createTurns, type Turns } from "./turns.ts";

/** Copies of Claude Code at the same time. */
const mostProcesses = 2;

export default definePlugin<Config, Turns>({
  name: "claude-cli",
  description:
    "Asks Claude through your own Claude Code login, without tools, settings or history.",
  sdk: 1,
  slot: "provider",
  config: ConfigSchema,
  start: () => createTurns(mostProcesses),
  hooks: {
    complete: {
      // A call may have to wait for its turn first.
      deadlineMs: 10 * 60_000,
      handler: async (request, ctx) => (await import("./complete.ts")).complete(request, ctx),
    },
  },
});
