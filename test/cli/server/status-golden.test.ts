// `memoir status` to the letter: every part that can be told, in its place and colour, wide and narrow.
import { expect, test } from "bun:test";
import { join } from "node:path";
import pc from "picocolors";
import { statusLines } from "../../../src/cli/server/status-lines.ts";
import type { PluginInfo } from "../../../src/runtime/ports.ts";
import type { ServerStatus } from "../../../src/server/schemas/status.ts";
import { expectGolden } from "../../support/golden.ts";
import { painted } from "../../support/painted.ts";
import { quietStatus } from "../../support/quiet-status.ts";

const minute = 60_000;
const now = 100 * minute;
const plugin = (name: string, part: Partial<PluginInfo> = {}): PluginInfo => ({
  ...{ name, description: "", slots: [], fills: [], origin: "file", state: "running", ...part },
});
const { journal, storage } = quietStatus;
const busy: ServerStatus = {
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
const other: ServerStatus = {
  ...quietStatus,
  startedAt: now - 1_000,
  socket: null,
  storage: { error: "database disk image is malformed" },
  journal: { error: "disk I/O error" },
  refused: {},
  spool: { waiting: 1 },
};
const whole: ServerStatus = {
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

test("every part of it", async () => {
  const shown = (status: ServerStatus, width: number | undefined) =>
    statusLines(status, { colors: pc.createColors(true), now: () => now, width });
  const all: Array<[string, string[]]> = [
    ["much to tell", shown(busy, undefined)],
    ["the same, narrow", shown(busy, 60)],
    ["what cannot be read", shown(other, undefined)],
    ["what was", shown(whole, undefined)],
  ];
  const text = all
    .map(([title, lines]) => `== ${title}\n${painted(lines.join("\n"))}\n`)
    .join("\n");
  expect(text).not.toContain("undefined");
  await expectGolden(join(import.meta.dir, "golden/status.txt"), text);
});
