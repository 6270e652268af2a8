// What `GET /api/status` answers: everything a server knows about how it is doing.
import * as v from "valibot";
import { RuntimeStatusSchema } from "../../runtime/status-schema.ts";

const gateway = v.object({
  enabled: v.boolean(),
  listening: v.boolean(),
  port: v.number(),
  upstream: v.string(),
  proxy: v.exactOptional(v.string()),
  error: v.exactOptional(v.string()),
  requests: v.number(),
  rewritten: v.number(),
  unsure: v.number(),
  failed: v.number(),
  whole: v.number(),
  unreached: v.number(),
  refused: v.number(),
  sessions: v.number(),
});

const part = {
  pid: v.number(),
  port: v.number(),
  socket: v.nullable(v.string()),
  version: v.string(),
  home: v.string(),
  startedAt: v.number(),
};
const { home: _home, startedAt: _startedAt, uptimeMs, ...runtime } = RuntimeStatusSchema.entries;
const more = {
  /** Events that were not taken since the start, by reason. */
  refused: v.record(v.string(), v.number()),
  spool: v.object({ waiting: v.number() }),
  /** Absent in servers that have none. */
  gateway: v.exactOptional(gateway),
  /** While what was lost is made again. */
  rebuild: v.exactOptional(
    v.object({ sessions: v.object({ done: v.number(), total: v.number() }), records: v.number() }),
  ),
};
const ServerPartSchema = v.object({ ...part, ...more });
/** What the server says of itself, beside the runtime's status. */
export type ServerPart = v.InferOutput<typeof ServerPartSchema>;

/** The whole answer. */
export const StatusAnswer = v.object({ ...part, uptimeMs, ...runtime, ...more });
export type ServerStatus = v.InferOutput<typeof StatusAnswer>;
