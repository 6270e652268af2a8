// Progress lines are a third of real transcripts and hardly ever read: told by their first bytes, decoded only when asked.
import { Buffer } from "node:buffer";
import type { OtherEntry } from "./entry.ts";
import { decodeLine, type Line } from "./lines.ts";

const mark = Buffer.from('"type":"progress","data":');
const headBytes = 640;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** True only for a line whose top-level type is `progress`; some that are may go unrecognised. */
export function isProgress(content: Uint8Array): boolean {
  const head = Buffer.from(content.buffer, content.byteOffset, Math.min(content.length, headBytes));
  const at = head.indexOf(mark);
  // A torn line must not pass for an entry.
  if (content[content.length - 1] !== closeBrace) return false;
  // An unescaped quote is never inside a string; a second brace before it could open a nested object.
  return at > 0 && head[0] === openBrace && head.indexOf(openBrace, 1) > at;
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
