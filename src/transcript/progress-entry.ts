// Progress lines are a third of real transcripts and hardly ever read: told by their first bytes, decoded only when asked.
import { Buffer } from "node:buffer";
import type { OtherEntry } from "./entry.ts";
import { asBuffer, decodeLine, type Line } from "./lines.ts";

const mark = Buffer.from('"type":"progress","data":');
/** Every line of a session has it once, before the mark; a second one is another line, glued to a torn one. */
const envelopeKey = Buffer.from('"sessionId":');
/** Time and uuid end such a line, in either order. */
const nearEnd = Buffer.from(',"timestamp":"');
const endBytes = 100;
const headBytes = 640;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const quote = 0x22;

/**
 * True only for a line whose top-level type is `progress` and that is whole from its looks; some that are may go
 * unrecognised, and cost a full parse.
 */
export function isProgress(content: Uint8Array): boolean {
  const bytes = asBuffer(content);
  const at = bytes.subarray(0, headBytes).indexOf(mark);
  // An unescaped quote is never inside a string; a second brace before it could open a nested object.
  if (at < 0 || bytes[0] !== openBrace || bytes.indexOf(openBrace, 1) < at) return false;
  if (bytes[bytes.length - 1] !== closeBrace || bytes[bytes.length - 2] !== quote) return false;
  return (
    bytes.indexOf(nearEnd, Math.max(at, bytes.length - endBytes)) > 0 &&
    bytes.indexOf(envelopeKey, at) < 0
  );
}

/** The entry of a line that `isProgress`; its members are parsed when one is first asked for. */
export function progressEntry(line: Line): OtherEntry {
  let parsed: Record<string, unknown> | undefined;
  let tried = false;
  const raw = () => {
    if (!tried) {
      tried = true;
      parsed = parse(decodeLine(line.content));
    }
    return parsed;
  };
  const text = (key: string): string | undefined => {
    const value = raw()?.[key];
    return typeof value === "string" ? value : undefined;
  };
  return {
    kind: "other",
    type: "progress",
    line: line.number,
    offset: line.offset,
    bytes: line.content.length,
    content: line.content,
    isMeta: false,
    raw,
    get isSidechain() {
      return raw()?.isSidechain === true;
    },
    get uuid() {
      return text("uuid");
    },
    get parentUuid() {
      return text("parentUuid");
    },
    get sessionId() {
      return text("sessionId");
    },
    get time() {
      const time = Date.parse(text("timestamp") ?? "");
      return Number.isNaN(time) ? undefined : time;
    },
    get agentId() {
      return text("agentId");
    },
    get cwd() {
      return text("cwd");
    },
  } as OtherEntry;
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
