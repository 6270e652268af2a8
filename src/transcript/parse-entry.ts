// One line → one typed entry. Bulk that most readers skip (structured results, progress data) is parsed only when asked.
import { isRecord, recordOf } from "../text/values.ts";
import { parseContent, parseUsage } from "./content.ts";
import type { AssistantEntry, BrokenLine, EntryBase, TranscriptEntry, UserEntry } from "./entry.ts";
import { type Json, parseJson, parseObject, stringOf, timeOf } from "./json.ts";
import { decodeLine, type Line } from "./lines.ts";
import { isProgress, progressEntry } from "./progress-entry.ts";
import { type SkippedResult, skipResult } from "./skip-result.ts";

export interface ParseOptions {
  /** Also parses what is otherwise skipped, so that every malformed line is reported. Costs about twice the time. */
  strict?: boolean;
}

const openBrace = 0x7b;

/** Parses one line. Undefined for an empty one. Never throws. */
export function parseEntry(
  line: Line,
  { strict = false }: ParseOptions = {},
): TranscriptEntry | BrokenLine | undefined {
  if (line.tooLong) return broken(line, "too long");
  const { content } = line;
  // A last line that is still being written can look whole.
  const skipping = !strict && line.complete;
  if (!strict && isProgress(content)) return progressEntry(line);
  const skipped = skipping ? skipResult(content) : undefined;
  const short = skipped && parseObject(skipped.rest);
  if (short && isWhole(short)) return toEntry(line, short, skipped);
  const text = decodeLine(content);
  if (content[0] !== openBrace && text.trim() === "") return undefined;
  const value = parseJson(text);
  if (value === undefined) return broken(line, line.complete ? "malformed" : "torn");
  return isRecord(value) ? toEntry(line, value) : broken(line, "not an object");
}

/**
 * Parses one line of another client's: `translate` makes of its members those that Claude Code would have written, or
 * undefined where the line tells nothing. Never throws, whatever `translate` does.
 */
export function parseTranslated(
  line: Line,
  translate: (value: Json) => Json | undefined,
): TranscriptEntry | BrokenLine | undefined {
  if (line.tooLong) return broken(line, "too long");
  const text = decodeLine(line.content);
  if (text.trim() === "") return undefined;
  const value = parseJson(text);
  if (value === undefined) return broken(line, line.complete ? "malformed" : "torn");
  if (!isRecord(value)) return broken(line, "not an object");
  try {
    const translated = translate(value);
    return translated && toEntry(line, translated);
  } catch {
    return broken(line, "malformed");
  }
}

/** Nothing that an entry needs stood behind the result and was stepped over with it. */
function isWhole(value: Json): boolean {
  return isRecord(value.message) && "uuid" in value && "timestamp" in value;
}

function toEntry(line: Line, value: Json, skipped?: SkippedResult): TranscriptEntry {
  const type = stringOf(value.type) ?? "";
  switch (type) {
    case "user":
      return userEntry(line, value, skipped);
    case "assistant":
      return assistantEntry(line, value, skipped);
    case "system":
      return {
        ...baseOf(line, type, value, skipped),
        kind: "system",
        subtype: stringOf(value.subtype) ?? "",
      };
    case "summary":
      return {
        ...baseOf(line, type, value, skipped),
        kind: "summary",
        summary: stringOf(value.summary) ?? "",
        leafUuid: stringOf(value.leafUuid),
      };
    default:
      return { ...baseOf(line, type, value, skipped), kind: "other" };
  }
}

function userEntry(line: Line, value: Json, skipped?: SkippedResult): UserEntry {
  // Filled up, not spread: these two are nearly all of a transcript.
  const entry = baseOf(line, "user", value, skipped) as UserEntry;
  entry.kind = "user";
  entry.blocks = parseContent(recordOf(value.message).content);
  entry.isCompactSummary = value.isCompactSummary === true;
  entry.toolUseResult = skipped
    ? () =>
        parseJson(decodeLine(line.content.subarray(skipped.start, skipped.end))) ??
        // More than the value was stepped over: a member that is no plain string follows it.
        entry.raw()?.toolUseResult
    : () => value.toolUseResult;
  return entry;
}

function assistantEntry(line: Line, value: Json, skipped?: SkippedResult): AssistantEntry {
  const entry = baseOf(line, "assistant", value, skipped) as AssistantEntry;
  const message = recordOf(value.message);
  entry.kind = "assistant";
  entry.blocks = parseContent(message.content);
  entry.isApiError = value.isApiErrorMessage === true;
  entry.requestId = stringOf(value.requestId);
  entry.messageId = stringOf(message.id);
  entry.model = stringOf(message.model);
  entry.stopReason = stringOf(message.stop_reason);
  entry.usage = parseUsage(message.usage);
  return entry;
}

function baseOf(line: Line, type: string, value: Json, skipped?: SkippedResult): EntryBase {
  const { content } = line;
  // One shape for all, absent members as undefined: transcripts have tens of thousands of lines.
  return {
    type,
    line: line.number,
    offset: line.offset,
    bytes: content.length,
    uuid: stringOf(value.uuid),
    parentUuid: stringOf(value.parentUuid),
    logicalParentUuid: stringOf(value.logicalParentUuid),
    sessionId: stringOf(value.sessionId),
    time: timeOf(value.timestamp),
    cwd: stringOf(value.cwd),
    gitBranch: stringOf(value.gitBranch),
    version: stringOf(value.version),
    isSidechain: value.isSidechain === true,
    agentId: stringOf(value.agentId),
    isMeta: value.isMeta === true,
    content,
    raw: skipped ? () => parseObject(decodeLine(content)) : () => value,
  };
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
