// Reads the token usage out of an answer while it passes by: a copy of each chunk is looked at, nothing is held back.
import { Buffer } from "node:buffer";
import * as zlib from "node:zlib";
import type { TokenUsage } from "../../sdk/work.ts";
import { isRecord, recordOf } from "../../text/text.ts";

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
export async function unpacked(bytes: Uint8Array, encoding: string): Promise<Uint8Array> {
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
