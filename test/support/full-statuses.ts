// Statuses of servers with much to tell, for golden files of what shows them.
import type { PluginInfo } from "../../src/runtime/ports.ts";
import type { ServerStatus } from "../../src/server/schemas/status.ts";
import { quietStatus } from "./quiet-status.ts";

const minute = 60_000;
/** When they are looked at. */
export const now = 100 * minute;
const plugin = (name: string, part: Partial<PluginInfo> = {}): PluginInfo => ({
  ...{ name, description: "", slots: [], fills: [], origin: "file", state: "running", ...part },
});
const { journal, storage } = quietStatus;
/** Everything that can be told, most of it trouble. */
export const busy: ServerStatus = {
  ...quietStatus,
  startedAt: 10 * minute,
  config: {
    ...{ path: "/h/config.json", broken: false },
    problems: [{ path: "log.level", message: "m", text: "log.level wants one of debug, info" }],
  },
  plugins: [
    plugin("sqlite", { origin: "built-in" }),
    plugin("edited", { error: "line 3: unexpected end" }),
    plugin("broken", { state: "failed", error: "it cannot be loaded" }),
    plugin("mute", { state: "failed" }),
    plugin("off", { state: "disabled" }),
    plugin("stray", { stray: { count: 2, error: "boom (a.ts:1)", at: 0 } }),
    plugin("weak", {
      paused: [{ part: "everything", hook: "event", error: "too slow", at: 0, until: now + 9_000 }],
    }),
  ],
  subscriptions: [
    {
      ...{ plugin: "edited", hook: "stored", kind: "parallel", order: "normal" },
      ...{ deadlineMs: 5, calls: 7, failures: 2, p50: 1, p99: 2 },
      lastError: "plugin edited failed in stored: boom",
    },
  ],
  local: [
    { folder: "/w/one", state: "untrusted", fix: "Look at its files." },
    { folder: "/w/two", state: "trusted", fix: "" },
  ],
  refused: { payload_invalid: 2, internal: 1 },
  spool: { waiting: 3 },
  textWithheld: true,
  rebuild: { sessions: { done: 1, total: 4 }, records: 12 },
  endless: {
    kept: { contents: 2, references: 3, characters: 90_000, bytes: 20_000, oldestAt: 0 },
    ...{ fileBytes: 4_000_000, damaged: ["/h/endless.db.damaged-1"], error: "the disk is full" },
  },
  findings: [
    {
      ...{ time: now - 5 * minute, file: "journal.db", aside: "/h/journal.db.damaged-1" },
      text: "journal.db was damaged",
    },
  ],
  journal: {
    ...journal,
    ...{ pendingEvents: 5, pendingWork: 1, leasedWork: 1, parkedWork: 2, bytes: 3_000 },
    parked: [{ id: 1, kind: "observe", session: "s", reason: "no title", at: 0 }],
    silent: [
      { project: "github.com/acme/shop", kind: "file", keptBack: 0 },
      { project: "/home/ada/till", kind: "error", keptBack: 4 },
    ],
    counters: {
      ...{ "event:Stop": 2, "event:PostToolUse": 9, "event:never": 0, "xevent:no": 4 },
      ...{ "drop:skipped tool": 1, "settled:stored": 3, "settled:skipped": 4, "skip:routine": 4 },
    },
    damaged: ["/h/journal.db.damaged-1", "/h/journal.db.damaged-2"],
  },
  storage: {
    ...storage,
    ...{ observations: 3, summaries: 1, sessions: 2, turns: 8 },
    projects: [
      { id: "a", name: "a", sessions: 1, observations: 1, lastActiveAt: 0 },
      { id: "b", name: "b", sessions: 1, observations: 2, lastActiveAt: 0 },
    ],
    index: { isWhole: false, indexed: 7, records: 20 },
    meaning: { turns: 4, model: "small", trouble: "nobody answers" },
  } as ServerStatus["storage"],
};
/** What cannot be read. */
export const unreadable: ServerStatus = {
  ...quietStatus,
  startedAt: now - 1_000,
  socket: null,
  storage: { error: "database disk image is malformed" },
  journal: { error: "disk I/O error" },
  refused: {},
  spool: { waiting: 1 },
};
/** What was, and is over. */
export const mended: ServerStatus = {
  ...quietStatus,
  journal: {
    ...journal,
    ...{ parkedWork: 1, pendingWork: 2, damaged: ["/h/journal.db.damaged-9"] },
  } as ServerStatus["journal"],
  storage: {
    ...storage,
    index: { isWhole: true, indexed: 1, records: 1, madeAnewAt: now - 2 * minute },
    meaning: { turns: 1, model: "" },
    turns: 1,
  } as ServerStatus["storage"],
  endless: { kept: null, fileBytes: 0, damaged: ["/h/endless.db.damaged-1"] },
};
