// Sends a request on to the API and gives the answer as it comes: nothing is buffered, and the client's leaving ends it. The usage
// in it is read as it passes.

import { Buffer } from "node:buffer";
import * as zlib from "node:zlib";
import { errorMessage } from "../../home/describe-error.ts";
import type { Host } from "../../host/host.ts";
import type { TokenUsage } from "../../sdk/work.ts";
import { isRecord, recordOf } from "../../text/text.ts";

// Headers on their way through the gateway: everything passes but what belongs to one connection only.

const ofOneConnection: readonly string[] = [
  "connection",
  "expect",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

/** A request's headers for the upstream. Length and host are set anew by whoever sends it. */
export function requestHeaders(from: Headers): Headers {
  const kept = withoutConnection(from);
  kept.delete("host");
  kept.delete("content-length");
  return kept;
}

/** An answer's headers for the client, each as often as it came. */
export function answerHeaders(from: Headers): Headers {
  return withoutConnection(from);
}

function withoutConnection(from: Headers): Headers {
  const kept = new Headers(from);
  const named = (from.get("connection") ?? "").split(",").map((name) => name.trim());
  // A name that is none would throw.
  const valid = named.filter((name) => /^[\w!#$%&'*+.^`|~-]+$/.test(name));
  for (const name of [...ofOneConnection, ...valid]) kept.delete(name);
  return kept;
}

interface SendOn {
  host: Host["name"];
  /** Where to, without a slash at its end. */
  upstream: string;
  request: Request;
  /** What the fetch is given to take another way than the usual one. */
  by?: RequestInit | undefined;
  /** Instead of the request's own body. */
  body?: Uint8Array<ArrayBuffer>;
  /** Where `body` was shortened: what is sent instead when the API refuses it. */
  whole?: Whole;
  /** Sees each chunk of the answer. Must not throw. */
  chunk?(bytes: Uint8Array): void;
  /** Called with the answer's status and headers before any chunk. */
  answered?(status: number, headers: Headers): void;
  /** Called once: all of it went by, or one of the two sides left. */
  over?(): void;
  /** Called with why the upstream could not be reached. */
  failed?(reason: string): void;
}

/** The request as the client wrote it. */
interface Whole {
  body: Uint8Array<ArrayBuffer>;
  /** The shortened one was refused, and why; with this status the whole one was answered. */
  answered(status: number, why: string): void;
}

/** What the API says to a request that it does not take as it is. */
const refusals: ReadonlySet<number> = new Set([400, 422]);
const withoutBody: ReadonlySet<number> = new Set([101, 204, 205, 304]);

/** Never rejects: an upstream that cannot be reached is a 502 that the client tries again. */
export async function sendOn(options: SendOn): Promise<Response> {
  const { request, upstream } = options;
  const { pathname, search } = new URL(request.url);
  const leaving = new AbortController();
  const leave = () => leaving.abort();
  request.signal.addEventListener("abort", leave, { once: true });
  const headers = requestHeaders(request.headers);
  // Bun gives an answer compressed as it came when it is asked to; elsewhere the client's wish would be undone on the way.
  if (options.host !== "bun") headers.set("accept-encoding", "identity");
  const bodyless = request.method === "GET" || request.method === "HEAD";
  const body = bodyless ? undefined : (options.body ?? request.body ?? undefined);
  const ask = (body: BodyInit | undefined) =>
    fetch(`${upstream}${pathname}${search}`, {
      method: request.method,
      headers,
      ...(body !== undefined && { body }),
      ...(body instanceof ReadableStream && { duplex: "half" }),
      redirect: "manual",
      signal: leaving.signal,
      // Bun's own: neither decompresses nor gives up on a model that thinks for long.
      ...{ decompress: false, timeout: false },
      ...options.by,
    });
  let answer: Response;
  try {
    answer = await ask(body);
    // The client would leave out its signed thinking and try again; it is not at fault, and never learns of it.
    if (options.whole && refusals.has(answer.status)) {
      const why = await errorOf(answer);
      answer = await ask(options.whole.body);
      options.whole.answered(answer.status, why);
    }
  } catch (error) {
    request.signal.removeEventListener("abort", leave);
    if (!leaving.signal.aborted) options.failed?.(errorMessage(error));
    options.over?.();
    return apiError(502, "api_error", `memoir's gateway cannot reach ${hostOf(upstream)}.`);
  }
  const { status, statusText } = answer;
  options.answered?.(status, answer.headers);
  const init = { status, statusText, headers: answerHeaders(answer.headers) };
  if (!answer.body || withoutBody.has(status)) {
    options.over?.();
    return new Response(null, init);
  }
  return new Response(watched(answer.body, options, leave), init);
}

/** The API's own words; its status where they cannot be read. */
async function errorOf(answer: Response): Promise<string> {
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const encoding = answer.headers.get("content-encoding") ?? "identity";
  try {
    const text = new TextDecoder().decode(await unpacked(bytes, encoding));
    const { error } = JSON.parse(text) as { error?: { message?: unknown } };
    if (typeof error?.message === "string") return error.message.slice(0, 500);
  } catch {
    // No error as the API writes it.
  }
  return `status ${answer.status}`;
}

/** The same bytes, chunk by chunk as they come; leaving it lets go of the upstream. */
function watched(
  body: ReadableStream<Uint8Array>,
  { chunk, over }: SendOn,
  leave: () => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let reported = false;
  const end = () => {
    if (!reported) over?.();
    reported = true;
  };
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (value) {
          chunk?.(value);
          controller.enqueue(value);
        }
        if (!done) return;
        end();
        controller.close();
      } catch (error) {
        end();
        // The client must see that it broke: an end in good order would pass for the whole answer.
        controller.error(error);
      }
    },
    cancel() {
      end();
      leave();
      return reader.cancel().catch(() => undefined);
    },
  });
}

function hostOf(upstream: string): string {
  return new URL(upstream).host;
}

// Errors of the gateway's own, in the shape of the Messages API, so that the client takes them as it takes the API's.

/** `overloaded` and the like come from upstream; the gateway has only these. */
type OwnErrorType = "api_error" | "permission_error" | "request_too_large";

/** One error as the API writes it. A 502 with `api_error` is one that the client tries again. */
export function apiError(status: number, type: OwnErrorType, message: string): Response {
  return Response.json({ type: "error", error: { type, message } }, { status });
}

// Reads the token usage out of an answer while it passes by: a copy of each chunk is looked at, nothing is held back.

/** What an answer says of itself. */
interface Reported {
  model?: string;
  usage?: TokenUsage;
}

export interface UsageTap {
  /** Never throws. */
  write(chunk: Uint8Array): void;
  /** What the answer reported; call it once, at the end. Never rejects. */
  end(): Promise<Reported>;
}

interface Reader {
  text(part: string): void;
  reported(): Reported;
}

/** Of a line or a whole answer; usage stands far below it, and content is not collected. */
const mostCharacters = 1_048_576;
/** Compressed bytes that may wait to be decompressed. */
const mostWaiting = 8_388_608;

/** A tap for an answer with these headers: events or JSON, plain or compressed in a way that is known here. */
export function tapUsage(headers: Headers): UsageTap {
  const type = headers.get("content-type") ?? "";
  if (type.includes("text/event-stream")) return tapWith(eventReader(), headers);
  if (type.includes("application/json")) return tapWith(jsonReader(), headers);
  return { write: () => {}, end: async () => ({}) };
}

function tapWith(reader: Reader, headers: Headers): UsageTap {
  const decoder = new TextDecoder();
  const read = (chunk: Uint8Array) => reader.text(decoder.decode(chunk, { stream: true }));
  const encoding = headers.get("content-encoding") ?? "identity";
  if (encoding === "identity") return { write: read, end: async () => reader.reported() };
  const stream = decompressor(encoding);
  if (!stream) return { write: () => {}, end: async () => ({}) };
  const done = new Promise<void>((resolve) => {
    stream.on("end", resolve).on("close", resolve).on("error", resolve);
  });
  stream.on("data", read);
  return {
    write(chunk) {
      if (stream.destroyed) return;
      if (stream.writableLength > mostWaiting) stream.destroy();
      else stream.write(chunk);
    },
    async end() {
      if (!stream.destroyed) stream.end();
      await done;
      return reader.reported();
    },
  };
}

/** A whole answer's bytes as they were before they were compressed; rejects where that is not known here. */
async function unpacked(bytes: Uint8Array, encoding: string): Promise<Uint8Array> {
  if (encoding === "identity") return bytes;
  const stream = decompressor(encoding);
  if (!stream) throw new Error(`no way to read ${encoding}`);
  stream.end(bytes);
  return Buffer.concat(await stream.toArray());
}

function decompressor(encoding: string): zlib.Gunzip | undefined {
  if (encoding === "gzip") return zlib.createGunzip();
  if (encoding === "deflate") return zlib.createInflate();
  if (encoding === "br") return zlib.createBrotliDecompress();
  if (encoding === "zstd") return zlib.createZstdDecompress();
  return undefined;
}

/** Server-sent events: the first message tells what went in, the last delta what came out. */
function eventReader(): Reader {
  let rest = "";
  let skipping = false;
  let reported: Reported = {};
  return {
    text(part) {
      const lines = (rest + part).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (!skipping) reported = { ...reported, ...reportedBy(line, reported) };
        skipping = false;
      }
      if (rest.length > mostCharacters) {
        skipping = true;
        rest = "";
      }
    },
    reported: () => reported,
  };
}

function reportedBy(line: string, sofar: Reported): Reported {
  if (!line.startsWith("data:")) return {};
  // The type is the first key; content is passed over without being parsed.
  const head = line.slice(0, 60);
  if (!head.includes('"message_start"') && !head.includes('"message_delta"')) return {};
  const event = recordOf(parsed(line.slice(5)));
  const message = recordOf(event.message);
  const usage = usageIn(message.usage ?? event.usage, sofar.usage);
  return {
    ...(typeof message.model === "string" && { model: message.model }),
    ...(usage && { usage }),
  };
}

/** A whole answer that is no stream. */
function jsonReader(): Reader {
  let text = "";
  return {
    text(part) {
      if (text.length <= mostCharacters) text += part;
    },
    reported() {
      if (text.length > mostCharacters) return {};
      const answer = recordOf(parsed(text));
      const usage = usageIn(answer.usage);
      return {
        ...(typeof answer.model === "string" && { model: answer.model }),
        ...(usage && { usage }),
      };
    },
  };
}

/** Counts that are reported later replace earlier ones. */
function usageIn(value: unknown, before?: TokenUsage): TokenUsage | undefined {
  if (!isRecord(value)) return before;
  const reported = value;
  const count = (name: string, or = 0) =>
    typeof reported[name] === "number" ? reported[name] : or;
  return {
    input: count("input_tokens", before?.input),
    output: count("output_tokens", before?.output),
    cacheRead: count("cache_read_input_tokens", before?.cacheRead),
    cacheWrite: count("cache_creation_input_tokens", before?.cacheWrite),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
