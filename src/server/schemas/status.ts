// What `GET /api/status` answers: everything a server knows about how it is doing.
import * as v from "valibot";
import type { RebuildProgress } from "../../backfill/rebuild.ts";
import type { RuntimeStatus } from "../../runtime/status.ts";
import type { MeaningState, SearchIndexState } from "../../sdk/storage.ts";
import type { ServerInfo } from "../endpoint.ts";
import type { GatewayStatus } from "../gateway/gateway.ts";
import { describes, optional } from "./parts.ts";
import { LocalSchema, PluginSchema, SubscriptionSchema } from "./plugins.ts";

/** What the server says of itself, beside the runtime's status. */
export interface ServerPart extends ServerInfo {
  home: string;
  /** Events that were not taken since the start, by reason. */
  refused: Record<string, number>;
  spool: { waiting: number };
  /** Absent in servers that have none. */
  gateway?: GatewayStatus;
  /** While what was lost is made again. */
  rebuild?: RebuildProgress;
}

/** The whole answer. */
export interface ServerStatus extends RuntimeStatus, ServerPart {}

const unasked = v.object({ error: v.string() });
const counts = v.record(v.string(), v.number());

/** A fault in words, with what to do. */
export const FaultSchema = v.object({ code: v.string(), message: v.string(), fix: v.string() });

/** How what search needs beside the records is doing. */
export const IndexStateSchema = describes<SearchIndexState>()(
  v.object({
    isWhole: v.boolean(),
    indexed: v.number(),
    records: v.number(),
    madeAnewAt: optional(v.number()),
  }),
);

/** Search by meaning. */
const MeaningStateSchema = describes<MeaningState>()(
  v.object({ model: v.string(), turns: v.number(), trouble: optional(v.string()) }),
);

/** A piece of work that was given up. */
export const ParkedSchema = v.object({
  id: v.number(),
  kind: v.picklist(["prompt", "turn", "observe", "summarize-prompt", "summarize-session"]),
  session: v.string(),
  reason: v.string(),
  at: v.number(),
});

const journal = v.object({
  pendingEvents: v.number(),
  pendingWork: v.number(),
  leasedWork: v.number(),
  parkedWork: v.number(),
  parked: v.array(ParkedSchema),
  silent: v.array(v.object({ project: v.string(), kind: v.string(), keptBack: v.number() })),
  counters: counts,
  oldestPendingAt: v.nullable(v.number()),
  bytes: v.number(),
  damaged: v.array(v.string()),
});

const storage = v.object({
  sessions: v.number(),
  prompts: v.number(),
  observations: v.number(),
  summaries: v.number(),
  memory: v.number(),
  turns: v.number(),
  bytes: v.number(),
  schemaVersion: v.number(),
  index: optional(IndexStateSchema),
  meaning: optional(MeaningStateSchema),
  projects: v.array(
    v.object({
      id: v.string(),
      name: v.string(),
      sessions: v.number(),
      observations: v.number(),
      lastActiveAt: v.number(),
    }),
  ),
});

const models = v.object({
  providers: v.array(
    v.object({
      name: v.string(),
      state: v.picklist(["untried", "works", "failing", "paused"]),
      model: optional(v.string()),
      at: optional(v.number()),
      error: optional(FaultSchema),
      pausedUntil: optional(v.number()),
    }),
  ),
  inForce: v.nullable(v.string()),
  budget: v.object({
    dailyTokens: v.number(),
    sessionTokens: v.number(),
    day: v.string(),
    usedToday: v.number(),
  }),
  error: optional(v.object({ message: v.string(), fix: v.string() })),
});

const endless = v.object({
  kept: v.nullable(
    v.object({
      contents: v.number(),
      references: v.number(),
      characters: v.number(),
      bytes: v.number(),
      oldestAt: v.nullable(v.number()),
    }),
  ),
  fileBytes: v.number(),
  damaged: v.array(v.string()),
  error: optional(v.string()),
});

const gateway = v.object({
  enabled: v.boolean(),
  listening: v.boolean(),
  port: v.number(),
  upstream: v.string(),
  proxy: optional(v.string()),
  error: optional(v.string()),
  requests: v.number(),
  rewritten: v.number(),
  unsure: v.number(),
  failed: v.number(),
  whole: v.number(),
  unreached: v.number(),
  refused: v.number(),
  sessions: v.number(),
});

/** `GET /api/status`. */
export const StatusAnswer = describes<ServerStatus>()(
  v.object({
    pid: v.number(),
    port: v.number(),
    socket: v.nullable(v.string()),
    version: v.string(),
    home: v.string(),
    startedAt: v.number(),
    uptimeMs: v.number(),
    config: v.object({
      path: v.string(),
      broken: v.boolean(),
      problems: v.array(
        v.object({
          path: v.string(),
          message: v.string(),
          fix: optional(v.string()),
          text: v.string(),
        }),
      ),
    }),
    textWithheld: v.boolean(),
    plugins: v.array(PluginSchema),
    subscriptions: v.array(SubscriptionSchema),
    local: v.array(LocalSchema),
    journal: v.union([journal, unasked]),
    storage: v.union([storage, unasked]),
    models,
    endless,
    findings: v.array(
      v.object({
        time: v.number(),
        file: v.string(),
        aside: optional(v.string()),
        text: v.string(),
      }),
    ),
    refused: counts,
    spool: v.object({ waiting: v.number() }),
    gateway: optional(gateway),
    rebuild: optional(
      v.object({
        sessions: v.object({ done: v.number(), total: v.number() }),
        records: v.number(),
      }),
    ),
  }),
);
