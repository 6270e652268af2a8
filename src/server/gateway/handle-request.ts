// One request through the gateway: guard, rewriting for the Messages API, sending on, and telling what the answer took.

import type { Log } from "../../home/log.ts";
import type { Host } from "../../host/host.ts";
import type { Hooks } from "../../runtime/ports.ts";
import { type Caller, callerOf, type Outcome, rewrite } from "./rewrite.ts";
import { apiError, sendOn } from "./send-on.ts";
import { tapUsage, type UsageTap } from "./usage-tap.ts";

/** Counted since the server started. */
export interface GatewayCounts {
  requests: number;
  rewritten: number;
  /** Sent on as they came, because they could not be read and written again byte for byte. */
  unsure: number;
  /** Sent on as they came, because a strategy failed. */
  failed: number;
  /** Sent once more as they came, because the API refused what a strategy had made of them. */
  whole: number;
  /** The upstream could not be reached. */
  unreached: number;
  refused: number;
}

export const noCounts: GatewayCounts = {
  ...{ requests: 0, rewritten: 0, unsure: 0, failed: 0, whole: 0, unreached: 0, refused: 0 },
};

export interface HandleOptions {
  host: Host["name"];
  /** The hooks in force; absent, everything passes as it comes. */
  hooks?(): Hooks;
  log: Log;
  now(): number;
  /** Where a session's requests go; "" for one that nothing names. Undefined: nobody was ever led here. */
  upstreamOf(session: string): string | undefined;
  /** What a fetch of this address is given beside its request: a proxy, certificates. */
  by?(upstream: string): RequestInit | undefined;
  /** Whether the API refused a shortened request of this session: nothing of it is shortened any more. */
  isRefused?(session: string): boolean;
  /** It did, and took the whole one. */
  refused?(session: string): void;
  counts: GatewayCounts;
  /** For tests: how long strategies may take. */
  rewriteMs?: number;
}

/** More than the API takes; such a body is sent on without being read. */
const mostBytes = 64 * 1024 * 1024;

/** Never rejects. */
export async function handleRequest(request: Request, options: HandleOptions): Promise<Response> {
  try {
    return await handle(request, options);
  } catch (error) {
    options.log.error("a request could not be handled", { error });
    return apiError(502, "api_error", "memoir's gateway could not handle the request.");
  }
}

async function handle(request: Request, options: HandleOptions): Promise<Response> {
  const { counts, log, host } = options;
  const refusal = refusalOf(request);
  if (refusal !== undefined) {
    counts.refused += 1;
    return apiError(403, "permission_error", refusal);
  }
  counts.requests += 1;
  const failed = (reason: string) => {
    counts.unreached += 1;
    // A URL may hold a key, in its query or before its host.
    log.warn("the API was not reached", {
      reason: reason.replace(/https?:\/\/[^\s"']+/g, "its URL"),
    });
  };
  const { pathname } = new URL(request.url);
  const hasBody = request.method !== "GET" && request.method !== "HEAD";
  const byHeaders = callerOf(request.headers, () => "");
  if (!hasBody || Number(request.headers.get("content-length") ?? 0) > mostBytes) {
    const upstream = options.upstreamOf(byHeaders?.session ?? "");
    if (upstream === undefined) return nobodyLed();
    return sendOn({ host, upstream, request, by: options.by?.(upstream), failed });
  }
  const began = options.now();
  let original: Uint8Array<ArrayBuffer>;
  try {
    original = new Uint8Array(await request.arrayBuffer());
  } catch {
    // The client left while it was sending.
    return apiError(502, "api_error", "The request's body ended early.");
  }
  const isMessages = pathname === "/v1/messages";
  const isRead =
    request.method === "POST" && (isMessages || pathname === "/v1/messages/count_tokens");
  const text = textOf(original, request.headers);
  const caller = byHeaders ?? (isRead ? callerOf(request.headers, () => text() ?? "") : undefined);
  const upstream = options.upstreamOf(caller?.session ?? "");
  if (upstream === undefined) return nobodyLed();
  const by = options.by?.(upstream);
  const asIs = { host, upstream, request, by, body: original, failed };
  const { hooks } = options;
  if (!hooks || !isRead || !caller) return sendOn(asIs);
  const { session } = caller;
  const follow = isMessages ? notifying(caller, began, hooks, options.now) : undefined;
  if (options.isRefused?.(session)) return sendOn({ ...asIs, ...follow?.seen });
  const { bytes, outcome } = await rewrite(original, text, caller, {
    hooks: hooks(),
    log,
    ...(options.rewriteMs !== undefined && { withinMs: options.rewriteMs }),
  });
  count(counts, outcome);
  const answered = (status: number, error: string) => {
    if (status !== 200) return;
    counts.whole += 1;
    options.refused?.(session);
    follow?.refused();
    const sizes = { bytes: original.length, shortened: bytes.length };
    log.warn(
      "the API refused a shortened request: it was sent whole, as all later ones of its session are",
      { session, ...sizes, error },
    );
  };
  const whole = outcome === "rewritten" && { whole: { body: original, answered } };
  return sendOn({ ...asIs, body: bytes, ...whole, ...follow?.seen });
}

function nobodyLed(): Response {
  return apiError(502, "api_error", "memoir's gateway is off, and no session was led to it.");
}

function count(counts: GatewayCounts, outcome: Outcome): void {
  if (outcome !== "untouched") counts[outcome] += 1;
}

/** Follows an answer and tells the strategies what it took, and whether the API refused what they had made. */
function notifying(caller: Caller, began: number, hooks: () => Hooks, now: () => number) {
  let status = 0;
  let refused = false;
  let tap: UsageTap | undefined;
  let firstByteMs: number | undefined;
  const seen = {
    answered(answered: number, headers: Headers) {
      status = answered;
      tap = tapUsage(headers);
    },
    chunk(bytes: Uint8Array) {
      firstByteMs ??= now() - began;
      tap?.write(bytes);
    },
    async over() {
      if (status === 0) return;
      const { model = "", usage } = (await tap?.end()) ?? {};
      const ms = firstByteMs ?? now() - began;
      const notice = { ...caller, model, status, firstByteMs: ms, ...(usage && { usage }) };
      await hooks().parallel("responded", {
        ...notice,
        ...(refused && { refused: true as const }),
      });
    },
  };
  return {
    seen,
    refused() {
      refused = true;
    },
  };
}

/** The body's text, once somebody asks; undefined where it is no plain UTF-8. */
function textOf(bytes: Uint8Array, headers: Headers): () => string | undefined {
  let text: string | undefined;
  let read = false;
  return () => {
    if (read) return text;
    read = true;
    if ((headers.get("content-encoding") ?? "identity") !== "identity") return undefined;
    try {
      text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      text = undefined;
    }
    return text;
  };
}

// Who may use the gateway: this machine's programs. It cannot ask for a token, as the client has none of ours; a web page is kept out.

const loopbackNames: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Why a request is refused, or undefined. Browsers send an Origin or say where a request comes from; a foreign Host is DNS rebinding. */
function refusalOf(request: Request): string | undefined {
  const { headers } = request;
  if (headers.has("origin") || headers.has("sec-fetch-site"))
    return "memoir's gateway serves no web pages.";
  return isLoopback(headers.get("host") ?? "")
    ? undefined
    : "memoir's gateway serves this machine only, by the name localhost or 127.0.0.1.";
}

function isLoopback(host: string): boolean {
  // A name and a port; what else a URL could hold would be read differently by others.
  if (!/^[\w.:[\]-]+$/.test(host)) return false;
  try {
    return loopbackNames.has(new URL(`http://${host}`).hostname);
  } catch {
    return false;
  }
}
