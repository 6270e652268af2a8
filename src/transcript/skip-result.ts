// `toolUseResult` repeats a tool result at several times its bytes and is rarely read: it is stepped over undecoded.
import { Buffer } from "node:buffer";
import { asBuffer, endsWith } from "./lines.ts";

/** A line without its `toolUseResult`, and where that value stands. */
export interface SkippedResult {
  /** The line's JSON without the member. */
  rest: string;
  /** Bytes of the value in the line. */
  start: number;
  end: number;
}

const key = Buffer.from(',"toolUseResult":');
/** What stands before the message of a line that never has such a member: half of all that is searched. */
const assistant = Buffer.from('"type":"assistant","message":');
/** A value that holds this may be another line that was glued to a torn one: it is worth a full parse. */
const envelopeKey = Buffer.from('"sessionId":');
/** Less is not worth the search. */
const leastBytes = 512;
const tailBytes = 256;
const openBrace = 0x7b;
const openBracket = 0x5b;
const quote = 0x22;

/**
 * Cuts the member out of a complete line; undefined where the line has none or where it is not certain where it ends.
 * Whether the member is one of the line's own object shows when `rest` is parsed: else its brackets do not fit.
 */
export function skipResult(content: Uint8Array): SkippedResult | undefined {
  if (content.length < leastBytes) return undefined;
  const bytes = asBuffer(content);
  // Before the second brace nothing is nested.
  if (endsWith(bytes, bytes.indexOf(openBrace, 1), assistant)) return undefined;
  const at = bytes.indexOf(key);
  if (at < 0) return undefined;
  const start = at + key.length;
  const tailFrom = Math.max(start, bytes.length - tailBytes);
  // Byte by byte: an offset in the text is an offset in the bytes.
  const tail = bytes.toString("latin1", tailFrom);
  if (!tail.endsWith("}")) return undefined;
  const tailAt = membersFrom(tail);
  const end = tailFrom + tailAt;
  const first = bytes[start];
  const last = bytes[end - 1];
  // The closing brace and bracket stand two after their opening ones.
  const fits = first === openBrace || first === openBracket ? last === first + 2 : last === quote;
  if (end - start < 2 || !fits || (last === quote && first !== quote)) return undefined;
  if (bytes.indexOf(envelopeKey, start) >= 0) return undefined;
  return { rest: joined(bytes, at, end), start, end };
}

/** Decoded in one piece: a text put together from two would be copied once more when it is parsed. */
const scratch = Buffer.alloc(128 * 1024);

/** The text of all bytes but those from `from` to `to`. */
function joined(bytes: Buffer, from: number, to: number): string {
  const length = from + bytes.length - to;
  if (length > scratch.length)
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]).toString("utf8");
  bytes.copy(scratch, 0, 0, from);
  bytes.copy(scratch, from, to);
  return scratch.toString("utf8", 0, length);
}

/** Where the plain string members begin that stand right before the line's closing brace. */
function membersFrom(tail: string): number {
  let at = tail.length - 1;
  for (;;) {
    // A quote without a backslash before it is never inside a string, so this can only be a whole member.
    if (tail[at - 1] !== '"') return at;
    const valueAt = tail.lastIndexOf('"', at - 2);
    if (valueAt < 2 || tail[valueAt - 1] !== ":" || tail[valueAt - 2] !== '"') return at;
    const keyAt = tail.lastIndexOf('"', valueAt - 3);
    if (keyAt < 1 || tail[keyAt - 1] !== ",") return at;
    at = keyAt - 1;
  }
}
