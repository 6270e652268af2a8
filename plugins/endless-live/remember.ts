// Keeps the memory of what an agent has seen up to date with what it read and changed.
import * as v from "valibot";
import type { Arrived, Reduced } from "./reducer.ts";
import type { SeenRecord, SeenView } from "./seen.ts";

const Read = v.object({
  type: v.literal("text"),
  file: v.object({
    filePath: v.string(),
    content: v.string(),
    startLine: v.number(),
    totalLines: v.number(),
  }),
});
const Change = v.object({ filePath: v.string() });

const changes = new Set(["Edit", "MultiEdit", "Write"]);

/** Whether a tool's results say anything about files that is worth remembering. */
export function isMemorable(tool: string): boolean {
  return tool === "Read" || changes.has(tool);
}

/** Books what came of a tool use; without `reduced` the model got the result whole. */
export function remember(
  arrived: Pick<Arrived, "id" | "tool" | "response"> & Partial<Pick<Arrived, "input">>,
  reduced: Pick<Reduced, "shownLines"> | undefined,
  seen: SeenRecord,
): void {
  if (reduced) seen.addReduced(arrived.id);
  if (changes.has(arrived.tool)) {
    const change = v.safeParse(Change, arrived.response);
    if (change.success) {
      seen.addChange(change.output.filePath);
      for (const text of written(arrived.input ?? {}))
        seen.addView({
          path: change.output.filePath,
          toolUseId: arrived.id,
          startLine: 1,
          lines: text.split("\n"),
          totalLines: 0,
          own: true,
        });
    }
  }
  if (arrived.tool !== "Read") return;
  const read = v.safeParse(Read, arrived.response);
  if (!read.success) return;
  const { filePath, content, startLine, totalLines } = read.output.file;
  seen.addView({
    path: filePath,
    toolUseId: arrived.id,
    startLine,
    lines: content.split("\n"),
    totalLines,
    ...(reduced && { shown: reduced.shownLines ?? [] }),
  });
}

/** What an edit or a write put into a file; it stands in the context as the tool's input. */
function written({ content, new_string, edits }: Arrived["input"]): string[] {
  const parts: unknown[] = Array.isArray(edits) ? edits : [];
  return [
    content,
    new_string,
    ...parts.map((edit) => (edit as { new_string?: unknown } | null)?.new_string),
  ].filter((text) => typeof text === "string");
}

/** The earlier reduced read whose left out part the agent now reads; undefined when there is none. */
export function rereadOf(
  arrived: Pick<Arrived, "tool" | "response">,
  seen: SeenRecord,
): string | undefined {
  if (arrived.tool !== "Read") return undefined;
  const read = v.safeParse(Read, arrived.response);
  if (!read.success) return undefined;
  const { filePath, content, startLine } = read.output.file;
  const endLine = startLine + content.split("\n").length - 1;
  const views = seen.file(filePath)?.views ?? [];
  // What was read whole since then is read once more for another reason.
  const isShownSince = (line: number, { order }: SeenView): boolean =>
    views.some((later) => {
      const hash = later.hashes[line - later.startLine];
      return later.order > order && !later.own && hash !== undefined && !Number.isNaN(hash);
    });
  return views.findLast((view) => {
    if (!view.reduced) return false;
    const last = Math.min(endLine, view.endLine);
    for (let line = Math.max(startLine, view.startLine); line <= last; line++)
      if (Number.isNaN(view.hashes[line - view.startLine]) && !isShownSince(line, view))
        return true;
    return false;
  })?.toolUseId;
}
