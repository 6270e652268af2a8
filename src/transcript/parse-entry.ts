// One line → one typed entry. Bulk that most readers skip (structured results, progress data, snapshots) is parsed only when asked.
import { parseContent, parseUsage } from "./content.ts";
import type {
  AssistantEntry,
  BrokenLine,
  EntryBase,
  SummaryEntry,
  TranscriptEntry,
  UserEntry,
} from "./entry.ts";
import { type Span, scanMembers } from "./line-scan.ts";
import { decodeLine, type Line } from "./lines.ts";
import { isProgress, progressEntry } from "./progress-entry.ts";

/** Parses one line. Undefined for an empty one. Never throws. */
export function parseEntry(line: Line): TranscriptEntry | BrokenLine | undefined {
  if (line.tooLong) return broken(line, "too long");
  if (isProgress(line.content)) return progressEntry(line);
  const text = decodeLine(line.content);
  if (text.trim() === "") return undefined;
  const members = scanMembers(text);
  const read = members ? spanReader(text, members) : objectReader(text);
  if (!read) return broken(line, brokenReason(line, text));
  try {
    return toEntry(line, text, read);
  } catch {
    // A member that was scanned but does not parse.
    return broken(line, brokenReason(line, text));
  }
}

/** Reads one member's value; undefined when it is missing. Throws SyntaxError when it is malformed. */
type ReadMember = (key: string) => unknown;

function toEntry(line: Line, text: string, read: ReadMember): TranscriptEntry {
  const base = baseOf(line, text, read);
  switch (base.type) {
    case "user":
      return userEntry(base, read);
    case "assistant":
      return assistantEntry(base, read);
    case "system":
      return { ...base, kind: "system", subtype: stringOf(read("subtype")) ?? "" };
    case "summary": {
      const entry: SummaryEntry = {
        ...base,
        kind: "summary",
        summary: stringOf(read("summary")) ?? "",
      };
      const leafUuid = stringOf(read("leafUuid"));
      if (leafUuid !== undefined) entry.leafUuid = leafUuid;
      return entry;
    }
    default:
      return { ...base, kind: "other" };
  }
}

function userEntry(base: EntryBase, read: ReadMember): UserEntry {
  const entry = base as UserEntry;
  entry.kind = "user";
  entry.blocks = parseContent(recordOf(read("message"))?.content);
  entry.isCompactSummary = read("isCompactSummary") === true;
  entry.toolUseResult = () => {
    try {
      return read("toolUseResult");
    } catch {
      return undefined;
    }
  };
  return entry;
}

function assistantEntry(base: EntryBase, read: ReadMember): AssistantEntry {
  const entry = base as AssistantEntry;
  const message = recordOf(read("message"));
  entry.kind = "assistant";
  entry.blocks = parseContent(message?.content);
  entry.isApiError = read("isApiErrorMessage") === true;
  const requestId = stringOf(read("requestId"));
  if (requestId !== undefined) entry.requestId = requestId;
  const messageId = stringOf(message?.id);
  if (messageId !== undefined) entry.messageId = messageId;
  const model = stringOf(message?.model);
  if (model !== undefined) entry.model = model;
  const stopReason = stringOf(message?.stop_reason);
  if (stopReason !== undefined) entry.stopReason = stopReason;
  const usage = parseUsage(message?.usage);
  if (usage) entry.usage = usage;
  return entry;
}

function baseOf(line: Line, text: string, read: ReadMember): EntryBase {
  const base: EntryBase = {
    type: stringOf(read("type")) ?? "",
    line: line.number,
    offset: line.offset,
    bytes: line.content.length,
    content: line.content,
    isSidechain: read("isSidechain") === true,
    isMeta: read("isMeta") === true,
    raw: () => parseObject(text),
  };
  for (const key of envelopeStrings) {
    const value = read(key);
    if (typeof value === "string") base[key] = value;
  }
  const time = Date.parse(stringOf(read("timestamp")) ?? "");
  if (!Number.isNaN(time)) base.time = time;
  return base;
}

const envelopeStrings = [
  "uuid",
  "parentUuid",
  "logicalParentUuid",
  "sessionId",
  "cwd",
  "gitBranch",
  "version",
  "agentId",
] as const;

function spanReader(text: string, members: Span[]): ReadMember {
  return (key) => {
    // Backwards: the last of two equal keys wins, as in JSON.parse.
    for (let i = members.length - 1; i >= 0; i--) {
      const member = members[i];
      if (member?.key === key) return parseSlice(text, member);
    }
    return undefined;
  };
}

/** Most members are short plain strings: those are cut out, not parsed. */
function parseSlice(text: string, { start, end }: Span): unknown {
  if (text.charCodeAt(start) === 0x22 && end - start < 512) {
    const inner = text.slice(start + 1, end - 1);
    if (plain.test(inner)) return inner;
  }
  return JSON.parse(text.slice(start, end));
}
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what makes a JSON string invalid
const plain = /^[^\\\u0000-\u001f]*$/;

function objectReader(text: string): ReadMember | undefined {
  const value = parseObject(text);
  return value && ((key) => value[key]);
}

/** The line's object, or undefined. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    return recordOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function broken(line: Line, reason: BrokenLine["reason"]): BrokenLine {
  const { number, offset, content, tooLong } = line;
  return {
    kind: "broken",
    reason,
    line: number,
    offset,
    bytes: tooLong || content.length,
    content,
  };
}

function brokenReason(line: Line, text: string): BrokenLine["reason"] {
  try {
    JSON.parse(text);
    return "not an object";
  } catch {
    return line.complete ? "malformed" : "torn";
  }
}

function stringOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function recordOf(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
