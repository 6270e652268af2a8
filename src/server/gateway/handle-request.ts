// One request through the gateway: guard, rewriting for the Messages API, sending on, and telling what the answer took.
import type { Log } from "../../home/log.ts";
import type { Host } from "../../host/host.ts";
import type { Hooks } from "../../runtime/ports.ts";
import type { ModelRequest } from "../../sdk/endless.ts";
import { within } from "../../sdk/within.ts";
import { apiError, sendOn, tapUsage, type UsageTap } from "./send-on.ts";

/** What came of requests; `GatewayStatus` says what each is. */
export const noCounts = {
  requests: 0,
  rewritten: 0,
  unsure: 0,
  failed: 0,
  whole: 0,
  unreached: 0,
  refused: 0,
};
export type GatewayCounts = typeof noCounts;

interface HandleOptions {
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
  /** Whether it refused one of any session. */
  anyRefused?(): boolean;
  /** It did, and took the whole one. */
  refused?(session: string): void;
  counts: GatewayCounts;
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
  const asked = { ...caller, ...(options.anyRefused?.() && { wasRefused: true as const }) };
  const { bytes, outcome } = await rewrite(original, text, asked, hooks(), log);
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

// Whose request it is: the client's session and subagent, from its headers, else from the body's metadata.

interface Caller {
  client: string;
  session: string;
  /** The subagent's id inside a subagent. */
  agent?: string;
}

const sessionHeader = "x-claude-code-session-id";
const agentHeader = "x-claude-code-agent-id";
const idForm = /^[\w-]{1,128}$/;

/** The caller, or undefined where nothing names a session. The body's text is looked at only when the headers do not say. */
export function callerOf(headers: Headers, body: () => string): Caller | undefined {
  const client = "claude-code";
  const session = headers.get(sessionHeader) ?? "";
  const agent = headers.get(agentHeader) ?? "";
  if (idForm.test(session)) return { client, session, ...(idForm.test(agent) && { agent }) };
  const found = sessionInMetadata(body());
  return found === undefined ? undefined : { client, session: found };
}

/** `metadata.user_id` is a JSON string with `session_id`, or ends in `_session_<id>` in older clients. */
function sessionInMetadata(text: string): string | undefined {
  const at = text.lastIndexOf('"metadata":{"user_id":"');
  if (at < 0) return undefined;
  const near = text.slice(at, at + 1_000);
  return (
    /\\"session_id\\":\\"([\w-]{1,128})\\"/.exec(near)?.[1] ??
    /_session_([0-9a-f-]{36})"/.exec(near)?.[1]
  );
}

// Hands a request to the strategies that are switched on and gives the bytes that go out: the original ones whenever anything is unsure.

/** How long strategies may take all together, in ms: the agent waits. */
const rewriteMs = 2_000;

/** What became of a body. `unsure`: it was not looked at. `failed`: a strategy threw, was late, or gave no body. */
type Outcome = "untouched" | "rewritten" | "unsure" | "failed";

interface Rewritten {
  bytes: Uint8Array<ArrayBuffer>;
  outcome: Outcome;
}

const nothing: Body = Object.freeze({});

/** Never rejects. The body is parsed only when a strategy looks at it. */
async function rewrite(
  bytes: Uint8Array<ArrayBuffer>,
  text: () => string | undefined,
  caller: Omit<ModelRequest, "body">,
  hooks: Hooks,
  log: Log,
): Promise<Rewritten> {
  let body: Body | undefined;
  let unsure = false;
  const request: ModelRequest = {
    ...caller,
    get body() {
      if (body) return body;
      const source = text();
      const parsed = source === undefined ? undefined : parseBody(source);
      unsure = parsed === undefined;
      // A body without messages: there is nothing in it that a strategy would touch.
      body = parsed ?? nothing;
      return body;
    },
  };
  try {
    const ended = await within(rewriteMs, hooks.reduce("request", request), undefined);
    if (ended === undefined) {
      log.warn("a request was passed on unchanged: its rewriting was late", { ms: rewriteMs });
      return { bytes, outcome: "failed" };
    }
    if (unsure) return { bytes, outcome: "unsure" };
    const { value, failed } = ended;
    if (value === request || value.body === body)
      return { bytes, outcome: failed.length > 0 ? "failed" : "untouched" };
    const written = writeBody(value.body);
    if (written !== undefined)
      return { bytes: new TextEncoder().encode(written), outcome: "rewritten" };
    log.warn("a request was passed on unchanged: a strategy gave no body");
    return { bytes, outcome: "failed" };
  } catch (error) {
    log.warn("a request was passed on unchanged", { error });
    return { bytes, outcome: "failed" };
  }
}

// A request's body as a value that strategies may change, and back to bytes. Sure means: written again it is the same, byte for byte.

type Body = Readonly<Record<string, unknown>>;

/** The body, or undefined where reading and writing it again would not give the very same text. */
function parseBody(text: string): Body | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isBody(value) && JSON.stringify(value) === text ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The changed body's text, or undefined where it is none that the API could take. Parts that nobody changed come out as
 * they came, because the original did.
 */
function writeBody(body: unknown): string | undefined {
  try {
    return isBody(body) ? JSON.stringify(body) : undefined;
  } catch {
    return undefined;
  }
}

function isBody(value: unknown): value is Body {
  return (
    typeof value === "object" &&
    value !== null &&
    Array.isArray((value as Record<string, unknown>).messages)
  );
}
