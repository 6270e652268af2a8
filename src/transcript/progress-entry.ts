// Progress lines are a third of real transcripts and hardly ever read: told by their first bytes, decoded only when asked.
import { Buffer } from "node:buffer";
import type { OtherEntry } from "./entry.ts";
import { asBuffer, decodeLine, endsWith, type Line, parseObject, timeOf } from "./lines.ts";

const mark = Buffer.from('"type":"progress","data":');
/** Every line of a session has it once, before the mark; a second one is another line, glued to a torn one. */
const envelopeKey = Buffer.from('"sessionId":');
/** Time and uuid end such a line, in either order. */
const nearEnd = Buffer.from(',"timestamp":"');
const endBytes = 100;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const quote = 0x22;

/**
 * True only for a line whose top-level type is `progress` and that is whole from its looks; some that are may go
 * unrecognised, and cost a full parse.
 */
export function isProgress(content: Uint8Array): boolean {
  const bytes = asBuffer(content);
  const end = bytes.length - 1;
  if (bytes[0] !== openBrace || bytes[end] !== closeBrace || bytes[end - 1] !== quote) return false;
  // An unescaped quote is never inside a string, and before the second brace nothing is nested.
  const dataAt = bytes.indexOf(openBrace, 1);
  if (!endsWith(bytes, dataAt, mark)) return false;
  return (
    bytes.indexOf(nearEnd, Math.max(dataAt, bytes.length - endBytes)) > 0 &&
    bytes.indexOf(envelopeKey, dataAt) < 0
  );
}

/** The entry of a line that `isProgress`; its members are parsed when one is first asked for. */
export function progressEntry(line: Line): OtherEntry {
  return new ProgressEntry(line);
}

/** A class, not an object of getters: there are thousands, and most are passed over. */
class ProgressEntry implements OtherEntry {
  readonly kind = "other";
  readonly type = "progress";
  readonly isMeta = false;
  readonly line: number;
  readonly offset: number;
  readonly bytes: number;
  readonly content: Uint8Array;
  #members: Record<string, unknown> | null | undefined;

  constructor({ number, offset, content }: Line) {
    this.line = number;
    this.offset = offset;
    this.bytes = content.length;
    this.content = content;
  }

  /** All members; undefined when the skipped part is malformed. */
  raw(): Record<string, unknown> | undefined {
    if (this.#members === undefined) this.#members = parseObject(decodeLine(this.content)) ?? null;
    return this.#members ?? undefined;
  }

  get isSidechain(): boolean {
    return this.raw()?.isSidechain === true;
  }
  get uuid(): string | undefined {
    return this.#text("uuid");
  }
  get parentUuid(): string | undefined {
    return this.#text("parentUuid");
  }
  get sessionId(): string | undefined {
    return this.#text("sessionId");
  }
  get time(): number | undefined {
    return timeOf(this.raw()?.timestamp);
  }
  get agentId(): string | undefined {
    return this.#text("agentId");
  }
  get cwd(): string | undefined {
    return this.#text("cwd");
  }
  get gitBranch(): string | undefined {
    return this.#text("gitBranch");
  }
  get version(): string | undefined {
    return this.#text("version");
  }

  #text(key: string): string | undefined {
    const value = this.raw()?.[key];
    return typeof value === "string" ? value : undefined;
  }
}
