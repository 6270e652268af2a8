// Does the gateway listen where the client is led to, and does it reach the API?

import { withoutPasswords } from "../privacy/passwords.ts";
import type { GatewayStatus } from "../server/gateway/gateway.ts";
import { plural } from "../text/text.ts";
import { type Check, fail, ok, warn } from "./check.ts";

/** No check while it is off. */
export function checkGateway(gateway: GatewayStatus | undefined): Check[] {
  if (!gateway?.enabled) return [];
  const { listening, error, port, upstream, requests, failed, unreached } = gateway;
  const off = "`memoir endless gateway off` leads the client past it.";
  if (!listening)
    return [
      fail("gateway", error ?? `it does not listen on port ${port}`, `Free the port. ${off}`),
    ];
  const about = `port ${port} → ${withoutPasswords(upstream)}, ${plural(requests, "request")}`;
  if (unreached > 0)
    return [warn("gateway", `${about}; ${unreached} did not reach it`, "Check the network.")];
  if (failed > 0)
    return [
      warn("gateway", `${about}; ${failed} passed as a strategy failed`, `See the log. ${off}`),
    ];
  return [ok("gateway", about)];
}
