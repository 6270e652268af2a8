// What a server tells of itself, for `status` and `doctor`.
import type { RuntimeStatus } from "../../runtime/status.ts";
import type { ServerInfo } from "../../server/endpoint.ts";
import type { GatewayStatus } from "../../server/gateway/gateway.ts";

/** What `GET /api/status` answers. */
export interface ServerStatus extends RuntimeStatus, ServerInfo {
  /** Events that were not taken since the start, by reason. */
  refused: Record<string, number>;
  spool: { waiting: number };
  /** Absent in servers that have none. */
  gateway?: GatewayStatus;
}
