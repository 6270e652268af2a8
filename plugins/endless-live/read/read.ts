// Makes reads smaller: what stands in the context already, what a tool wrote, and the bodies of long sources that nobody asked for.
import type { Policy } from "../policy.ts";
import type { Reduced, Reducer } from "../reducer.ts";
import type { Seen, SeenFile } from "../seen.ts";
import { gapsInData } from "./data.ts";
import { leaveOut } from "./gaps.ts";
import { kindOf } from "./kind.ts";
import { gapsInProse } from "./prose.ts";
import { gapsInRepeats } from "./repeats.ts";
import { gapsInSource } from "./source.ts";
import { type FileView, numberLength, parseView } from "./view.ts";

/**
 * In this order: a read of lines that were left out of the last one comes whole (it asks twice, so it needs them), and
 * so does one after an edit that failed. Lines that an earlier read shows already are left out. Of a range that was
 * asked for nothing else is. A whole file that is long keeps its structure.
 */
export const reduceRead: Reducer = (arrived, seen, policy): Reduced | undefined => {
  const view = parseView(arrived.response);
  if (!view) return undefined;
  const file = seen.file(view.path);
  if (file && (asksAgain(view, file) || file.lastFailure > (file.views.at(-1)?.order ?? 0)))
    return undefined;
  if (file && policy.read.repeats) {
    const gaps = gapsInRepeats(view.lines, file);
    const made = leaveOut(arrived, view, gaps, "left out what was read before");
    if (made) return made;
  }
  if (isRange(arrived.input, view)) return undefined;
  return structure(view, seen, policy, (gaps, how) => leaveOut(arrived, view, gaps, how));
};

type LeaveOut = (gaps: ReturnType<typeof gapsInSource>, how: string) => Reduced | undefined;

function structure(
  { path, lines }: FileView,
  seen: Seen,
  { read, lineCharacters }: Policy,
  made: LeaveOut,
): Reduced | undefined {
  const kind = kindOf(path, lines);
  const size = lines.reduce((sum, line) => sum + line.length + numberLength, 0);
  switch (kind) {
    case "generated":
    case "data":
    case "log": {
      if (size <= read.dataOver) return undefined;
      return made(gapsInData(lines, read, lineCharacters), `kept the ends of a ${kind} file`);
    }
    case "prose": {
      if (size <= read.proseOver) return undefined;
      const sections = gapsInProse(lines, read);
      if (sections) return made(sections, "kept headings and beginnings");
      return made(gapsInData(lines, read, lineCharacters), "kept the ends of a text");
    }
    case "source":
      if (size <= read.sourceOver || !isCutFor(seen, read)) return undefined;
      return made(gapsInSource(lines, seen.isMentioned, read), "kept signatures");
    default:
      return undefined;
  }
}

/** Of what a session's own agent reads it goes on to edit lines; a subagent mostly reads to tell. */
function isCutFor({ onlyReads }: Seen, { sources }: Policy["read"]): boolean {
  return sources === "everyone" || (sources === "subagents" && onlyReads());
}

/** Whether the last read that had any of these lines left some of them out. */
function asksAgain({ startLine, lines }: FileView, { views }: SeenFile): boolean {
  const endLine = startLine + lines.length - 1;
  const last = views.findLast(
    (view) => !view.own && view.startLine <= endLine && view.endLine >= startLine,
  );
  const [from, to] = [startLine - (last?.startLine ?? 0), endLine - (last?.startLine ?? 0)];
  return last?.hashes.subarray(Math.max(0, from), to + 1).some(Number.isNaN) ?? false;
}

/** True when the agent asked for a part of the file. */
function isRange(
  input: Readonly<Record<string, unknown>>,
  { lines, totalLines }: FileView,
): boolean {
  return (
    (input.offset !== undefined || input.limit !== undefined) && lines.length < totalLines * 0.9
  );
}
