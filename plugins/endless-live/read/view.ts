// A read as it arrived, and as the client shows it: numbered lines.
import * as v from "valibot";

const Response = v.looseObject({
  type: v.literal("text"),
  file: v.looseObject({
    filePath: v.string(),
    content: v.string(),
    numLines: v.number(),
    startLine: v.number(),
    totalLines: v.number(),
  }),
});

/** A stretch of a text file. */
export interface FileView {
  response: v.InferOutput<typeof Response>;
  path: string;
  /** The file's number of the first line. */
  startLine: number;
  totalLines: number;
  lines: readonly string[];
}

/** Undefined for images, notebooks, PDFs and whatever else a read can give. */
export function parseView(response: unknown): FileView | undefined {
  const parsed = v.safeParse(Response, response);
  if (!parsed.success) return undefined;
  const { filePath: path, content, startLine, totalLines } = parsed.output.file;
  return { response: parsed.output, path, startLine, totalLines, lines: content.split("\n") };
}

/** Characters that a line costs beyond its own. */
export const numberLength = 8;

/** The client's own form of a read: each line behind its number. */
export function numbered(lines: readonly string[], startLine: number): string {
  return lines.map((line, at) => `${String(startLine + at).padStart(6)}→${line}`).join("\n");
}
