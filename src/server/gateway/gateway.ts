// The gateway's life: it listens on its one port while config says so, says why when it cannot, and lets go in order.

import { errorMessage } from "../../home/describe-error.ts";
import type { Log } from "../../home/log.ts";
import type { Host, Listener } from "../../host/host.ts";
import type { Config } from "../../runtime/config/config.ts";
import type { Hooks } from "../../runtime/ports.ts";
import type { ClientEvent } from "../../sdk/events.ts";
import type { GatewayStatus } from "../schemas/status.ts";
import { handleRequest, noCounts } from "./handle-request.ts";
import { type OpenSessions, openSessions, relieved, type Way } from "./open-sessions.ts";
import {
  fetchInit,
  isLoopback,
  proxyFor,
  type Reached,
  readNetwork,
  shownProxy,
  writeNetwork,
} from "./proxy.ts";

/** `endless.gateway` of config. */
export type GatewaySettings = Config["endless"]["gateway"];

interface GatewayOptions {
  host: Host;
  /** Config as it is now. */
  settings(): Promise<GatewaySettings>;
  /** The hooks in force. */
  hooks(): Hooks;
  log: Log;
  now(): number;
  /** Where it is written down which sessions are open. */
  home: string;
}

export interface Gateway {
  /**
   * Listens, or moves, as config says now; tries a taken port again. Sessions that are open keep their port and where
   * they were led when they began; switched off, it passes their requests on and asks no strategy any more. Never
   * rejects.
   */
  apply(): Promise<void>;
  /** What to call while the gateway is on or leads somebody still; empty otherwise. */
  readonly whileInUse: GatewayInUse;
  status(): GatewayStatus;
  /** One line for a person whose client cannot reach its model through here; undefined while all is well. */
  trouble(): string | undefined;
  stop(graceMs: number): Promise<void>;
}

/** Absent while no client goes through the gateway. */
interface GatewayInUse {
  /** Called from time to time: a taken port may be free, and nobody may be left. */
  look?: (() => Promise<void>) | undefined;
  /** A client's event: a session begins or ends. */
  heard?: ((event: ClientEvent) => void) | undefined;
}

const loopback = "127.0.0.1";
/** How long requests under way may take when a port is let go of that nobody is led to any more. */
const lettingGoMs = 1_000;

/** Nothing listens before the first `apply`. Long because it is the list of what a gateway does, over what it holds. */
export function createGateway(options: GatewayOptions): Gateway {
  const { host, settings, hooks, log, now, home } = options;
  const counts = { ...noCounts };
  let wanted: GatewaySettings = { enabled: false, port: 0, upstream: "" };
  let sessions: OpenSessions | undefined;
  let network: Reached | undefined;
  let loop: string | undefined;
  let under: Promise<void> = Promise.resolve();
  const whileInUse: GatewayInUse = {};
  const ports = createPorts(options, (request, port) =>
    handleRequest(request, {
      ...{ host: host.name, log, now, counts },
      ...(wanted.enabled && { hooks }),
      upstreamOf: (session) => sessions?.wayOf(session, port, current())?.upstream,
      by: (upstream) => fetchInit(host, upstream, network),
      isRefused: (session) => sessions?.isRefused(session) ?? false,
      anyRefused: () => sessions?.anyRefused() ?? false,
      refused: (session) => sessions?.refuse(session),
    }),
  );

  /** Where sessions are led that begin now. */
  function current(): Way | undefined {
    const { enabled, port, upstream } = wanted;
    if (!enabled || loop !== undefined) return undefined;
    return { port, upstream: upstream.replace(/\/+$/, "") };
  }

  async function reconcile(): Promise<void> {
    try {
      wanted = await settings();
    } catch (cause) {
      log.warn("the gateway's config was not read", { error: cause });
      return;
    }
    const { enabled, port, upstream } = wanted;
    loop =
      enabled && leadsTo(upstream, port)
        ? `endless.gateway.upstream leads back to the gateway itself: ${withoutUser(upstream)}`
        : undefined;
    const isFirst = sessions === undefined;
    sessions ??= await openSessions(home, now);
    const needed = sessions.ports();
    if (current()) needed.add(port);
    // The gateway was switched off and the last session ended: a proxy's password has no place here.
    if (!enabled && needed.size === 0 && (isFirst || ports.open().length > 0))
      await writeNetwork(home, undefined);
    network = await readNetwork(home);
    const isInUse = enabled || needed.size > 0;
    whileInUse.heard = isInUse ? heard : undefined;
    whileInUse.look = isInUse ? look : undefined;
    await ports.set(needed);
  }

  const trouble = () => loop ?? ports.trouble();
  const apply = () => {
    under = under.then(reconcile);
    return under;
  };

  async function look(): Promise<void> {
    const isIdle = () => {
      const needed = sessions?.ports() ?? new Set();
      return ports.open().some((port) => port !== current()?.port && !needed.has(port));
    };
    if (trouble() !== undefined || (ports.open().length > 0 && isIdle())) await apply();
  }

  function heard(event: ClientEvent): void {
    if ("agent" in event && event.agent) return;
    // After `/clear` and `/resume` the same client goes on under another id.
    if (event.name === "SessionEnd" && event.reason !== "clear" && event.reason !== "resume")
      sessions?.ended(event.session);
    const way = event.name === "SessionStart" && isNewProcess(event.source) && current();
    if (way) sessions?.began(event.session, way);
  }

  return {
    apply,
    whileInUse,
    status() {
      const isOpen = ports.open().length > 0;
      const way = current() ?? (isOpen ? sessions?.last() : undefined);
      const error = trouble();
      const upstream = way?.upstream ?? wanted.upstream;
      const proxy = proxyFor(upstream, network);
      return {
        ...wanted,
        upstream: withoutUser(upstream),
        ...(proxy !== undefined && { proxy: shownProxy(proxy) }),
        ...counts,
        sessions: sessions?.count() ?? 0,
        listening: way ? ports.open().includes(way.port) : isOpen,
        ...(error !== undefined && { error }),
      };
    },
    trouble() {
      const error = trouble();
      if (error === undefined) return undefined;
      const way = wanted.enabled
        ? "`memoir endless gateway off` leads new sessions past it"
        : "The gateway is off; restart the sessions that began before";
      return `memoir: ${error}. ${way}.`;
    },
    async stop(graceMs) {
      await under;
      wanted = { ...wanted, enabled: false };
      await ports.close(graceMs);
      await sessions?.written();
    },
  };
}

/** The ports that are listened on, and why others are not. */
function createPorts(
  { host, home, log }: GatewayOptions,
  answer: (request: Request, port: number) => Promise<Response>,
) {
  const listeners = new Map<number, Listener>();
  const errors = new Map<number, string>();

  async function close(port: number, graceMs: number): Promise<void> {
    const listener = listeners.get(port);
    listeners.delete(port);
    await listener?.stop(graceMs);
  }

  async function listen(port: number): Promise<void> {
    const address = { hostname: loopback, port };
    const serve = () => host.listen(address, (request) => answer(request, port));
    try {
      listeners.set(port, await relieved(home, serve));
      errors.delete(port);
      log.info("gateway listens", { port });
    } catch (cause) {
      const taken = takenPort(port, cause);
      if (errors.get(port) !== taken)
        log.error("the gateway does not listen", { port, error: cause });
      errors.set(port, taken);
    }
  }

  return {
    open: (): number[] => [...listeners.keys()],
    trouble: (): string | undefined => [...errors.values()][0],
    /** Listens on these and no others. */
    async set(wanted: ReadonlySet<number>): Promise<void> {
      for (const port of [...listeners.keys()])
        if (!wanted.has(port)) await close(port, lettingGoMs);
      for (const port of [...errors.keys()]) if (!wanted.has(port)) errors.delete(port);
      for (const port of wanted) if (!listeners.has(port)) await listen(port);
    },
    async close(graceMs: number): Promise<void> {
      await Promise.all([...listeners.keys()].map((port) => close(port, graceMs)));
    },
  };
}

/** True for a client that starts, and reads its settings then; a session that is compacted or cleared goes on in the same one. */
function isNewProcess(source: string): boolean {
  return source === "startup" || source === "resume";
}

/** What it means that another program has the port, in a user's words. */
function takenPort(port: number, cause: unknown): string {
  const message = errorMessage(cause);
  return /EADDRINUSE|in use/i.test(message + String((cause as { code?: unknown }).code ?? ""))
    ? `another program listens on port ${port}, where memoir's gateway should. Sessions that are led there talk to that program, and send it their key; \`lsof -i :${port}\` names it, and memoir takes the port once it has ended`
    : `port ${port} of the gateway cannot be used: ${message}`;
}

/** True when an address is this very gateway's. */
export function leadsTo(upstream: string, port: number): boolean {
  try {
    const { hostname, port: named, protocol } = new URL(upstream);
    const at = Number(named || (protocol === "https:" ? 443 : 80));
    return at === port && isLoopback(hostname);
  } catch {
    return false;
  }
}

/** An address as it may be shown: who is named before the host, often with a password, is left out. */
function withoutUser(address: string): string {
  return address.replace(/^(\w+:\/\/)[^/?#]*@/, "$1");
}
