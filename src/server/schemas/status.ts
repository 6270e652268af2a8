// What `GET /api/status` answers: everything a server knows about how it is doing.
import * as v from "valibot";
import { RuntimeStatusSchema } from "../../runtime/status-schema.ts";

const gateway = v.object({
  enabled: v.boolean(),
  listening: v.boolean(),
  port: v.number(),
  upstream: v.string(),
  /** Host and port of the proxy that requests take. */
  proxy: v.exactOptional(v.string()),
  /** Why it does not listen although it should. */
  error: v.exactOptional(v.string()),
  /** Since the server started, as what follows. */
  requests: v.number(),
  rewritten: v.number(),
  /** Sent on as they came, because they could not be read and written again byte for byte. */
  unsure: v.number(),
  /** Sent on as they came, because a strategy failed. */
  failed: v.number(),
  /** Sent once more as they came, because the API refused what a strategy had made of them. */
  whole: v.number(),
  /** The upstream could not be reached. */
  unreached: v.number(),
  refused: v.number(),
  /** Sessions that sent a request and are open still. */
  sessions: v.number(),
});
/** As `status` and `doctor` show it. */
export type GatewayStatus = v.InferOutput<typeof gateway>;

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
  /** Absent where nothing is shared. */
  sync: v.exactOptional(
    v.object({
      lastAt: v.nullable(v.number()),
      /** Why the last round came to nothing. */
      trouble: v.nullable(v.string()),
      /** What else keeps memory from being shared, in words. */
      wrong: v.array(v.string()),
    }),
  ),
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
