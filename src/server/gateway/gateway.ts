// The gateway's life: it listens on its one port while config says so, says why when it cannot, and lets go in order.

import { errorMessage } from "../../home/describe-error.ts";
import type { Log } from "../../home/log.ts";
import type { Host, Listener } from "../../host/host.ts";
import type { Hooks } from "../../runtime/ports.ts";
import { type GatewayCounts, handleRequest } from "./handle-request.ts";
import { createRecentSessions } from "./recent-sessions.ts";

/** `endless.gateway` of config. */
export interface GatewaySettings {
  enabled: boolean;
  port: number;
  upstream: string;
}

export interface GatewayOptions {
  host: Host;
  /** Config as it is now. */
  settings(): Promise<GatewaySettings>;
  /** The hooks in force. */
  hooks(): Hooks;
  log: Log;
  now(): number;
}

/** As `status` and `doctor` show it. */
export interface GatewayStatus extends GatewayCounts {
  enabled: boolean;
  listening: boolean;
  port: number;
  upstream: string;
  /** Sessions that sent a request in the last half hour. */
  sessions: number;
  /** Why it does not listen although it should. */
  error?: string;
}

export interface Gateway {
  /**
   * Listens, or moves, as config says now; tries a taken port again. Switched off while it listens, it goes on for the
   * sessions that are open and asks no strategy any more. Never rejects.
   */
  apply(): Promise<void>;
  status(): GatewayStatus;
  /** One line for a person whose client cannot reach its model through here; undefined while all is well. */
  trouble(): string | undefined;
  stop(graceMs: number): Promise<void>;
}

const loopback = "127.0.0.1";

/** Nothing listens before the first `apply`. */
export function createGateway({ host, settings, hooks, log, now }: GatewayOptions): Gateway {
  const counts: GatewayCounts = {
    ...{ requests: 0, rewritten: 0, unsure: 0, failed: 0, unreached: 0, refused: 0 },
  };
  const sessions = createRecentSessions(now);
  let wanted: GatewaySettings = { enabled: false, port: 0, upstream: "" };
  let listener: Listener | undefined;
  let listensOn = 0;
  let error: string | undefined;
  let under: Promise<void> = Promise.resolve();

  const close = async (graceMs: number): Promise<void> => {
    const open = listener;
    listener = undefined;
    await open?.stop(graceMs);
  };

  const listen = async (port: number): Promise<void> => {
    try {
      listener = await host.listen({ hostname: loopback, port }, (request) =>
        handleRequest(request, {
          ...{ host: host.name, log, now, counts, seen: sessions.seen },
          ...(wanted.enabled && { hooks }),
          upstream: wanted.upstream.replace(/\/+$/, ""),
        }),
      );
      listensOn = port;
      error = undefined;
      log.info("gateway listens", { port });
    } catch (cause) {
      const taken = `port ${port} of the gateway cannot be used: ${errorMessage(cause)}`;
      if (error !== taken) log.error("the gateway does not listen", { port, error: cause });
      error = taken;
    }
  };

  const reconcile = async (): Promise<void> => {
    try {
      wanted = await settings();
    } catch (cause) {
      log.warn("the gateway's config was not read", { error: cause });
      return;
    }
    const { enabled, port, upstream } = wanted;
    const loops = enabled && leadsTo(upstream, port);
    if (loops)
      error = `endless.gateway.upstream leads back to the gateway itself: ${withoutUser(upstream)}`;
    // Switched off, it stays for sessions that are open, and passes everything on as it comes.
    if (listener && (loops || port !== listensOn)) await close(1_000);
    if (!enabled) error = undefined;
    if (enabled && !loops && !listener) await listen(port);
  };

  return {
    apply() {
      under = under.then(reconcile);
      return under;
    },
    status: () => ({
      ...wanted,
      upstream: withoutUser(wanted.upstream),
      ...counts,
      sessions: sessions.count(),
      listening: listener !== undefined,
      ...(error !== undefined && { error }),
    }),
    trouble: () =>
      wanted.enabled && error !== undefined
        ? `memoir: ${error}. Requests do not pass through memoir; \`memoir endless gateway off\` leads them past it.`
        : undefined,
    async stop(graceMs) {
      await under;
      wanted = { ...wanted, enabled: false };
      await close(graceMs);
    },
  };
}

/** True when an address is this very gateway's. */
export function leadsTo(upstream: string, port: number): boolean {
  try {
    const { hostname, port: named, protocol } = new URL(upstream);
    const at = Number(named || (protocol === "https:" ? 443 : 80));
    return at === port && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  } catch {
    return false;
  }
}

/** An address as it may be shown: who is named before the host, often with a password, is left out. */
function withoutUser(address: string): string {
  return address.replace(/^(\w+:\/\/)[^/?#]*@/, "$1");
}
