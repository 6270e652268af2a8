// A server's status with nothing to report, for tests of those who read it.
import type { ServerStatus } from "../../src/server/schemas/status.ts";

/** Change what a test is about. */
export const quietStatus: ServerStatus = {
  pid: 7,
  port: 4_000,
  socket: "/h/memoir.sock",
  version: "1.2.3",
  home: "/h",
  startedAt: 0,
  uptimeMs: 0,
  refused: {},
  spool: { waiting: 0 },
  config: { path: "/h/config.json", broken: false, problems: [] },
  textWithheld: false,
  models: {
    providers: [],
    inForce: null,
    budget: { dailyTokens: 1_000_000, sessionTokens: 300_000, day: "2026-11-21", usedToday: 0 },
  },
  plugins: [
    {
      name: "sqlite",
      description: "",
      slots: ["storage"],
      fills: ["storage"],
      origin: "built-in",
      state: "running",
    },
  ],
  subscriptions: [],
  local: [],
  findings: [],
  endless: { kept: null, fileBytes: 0, damaged: [] },
  journal: {
    pendingEvents: 0,
    pendingWork: 0,
    leasedWork: 0,
    parkedWork: 0,
    parked: [],
    silent: [],
    counters: {},
    oldestPendingAt: null,
    bytes: 1_000,
    damaged: [],
  },
  storage: {
    sessions: 1,
    prompts: 2,
    observations: 3,
    summaries: 1,
    memory: 0,
    turns: 0,
    bytes: 2_000_000,
    schemaVersion: 1,
    projects: [],
  },
};
