// `memoir session markdown`: a transcript one to one, every line and every field of it.
import { Buffer } from "node:buffer";
import type { BrokenLine, TranscriptEntry } from "../../../transcript/entry.ts";
import { readEntries } from "../../../transcript/read.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { findTranscript, type TranscriptOptions } from "./find.ts";
import { fenced, fencedValue, quoted, stamp } from "./markdown-text.ts";

/** Prints as it reads; with `json` an object a line. Gives exit code 0. */
export async function transcriptMarkdown(
  which: string | undefined,
  options: TranscriptOptions<"markdown">,
  terminal: Terminal,
): Promise<number> {
  const { session, path, parse, chunks } = await findTranscript(which, options, terminal);
  if (!options.json) terminal.print(`# ${session}\n\n${path}`);
  for await (const entry of readEntries(chunks(path), { parse }))
    terminal.print(options.json ? JSON.stringify(dataOf(entry)) : `\n${markdownOf(entry)}`);
  return 0;
}

function dataOf(entry: TranscriptEntry | BrokenLine): Record<string, unknown> {
  const { line, offset, bytes } = entry;
  const place = { line, offset, bytes };
  return entry.kind === "broken"
    ? { ...place, broken: entry.reason }
    : { ...place, entry: entry.raw };
}

/** One line of a transcript. Pure. */
function markdownOf(entry: TranscriptEntry | BrokenLine): string {
  if (entry.kind === "broken") {
    const text = Buffer.from(entry.content).toString("utf8");
    return `## ${entry.line} · ${entry.reason}\n\n${fenced(text)}`;
  }
  const head = `## ${entry.line} · ${entry.type || "(no type)"} · ${stamp(entry.time)}`;
  const { message, ...fields } = entry.raw;
  const meta = fencedValue(fields);
  if (entry.kind !== "user" && entry.kind !== "assistant")
    return `${head}\n\n${fencedValue(entry.raw)}`;
  return [head, meta, ...messageParts(message)].join("\n\n");
}

function messageParts(message: unknown): string[] {
  if (typeof message !== "object" || message === null) return [fencedValue(message)];
  const { content, ...rest } = message as Record<string, unknown>;
  const blocks = Array.isArray(content) ? content.map(blockPart) : [String(content ?? "")];
  return [fencedValue(rest), ...blocks];
}

function blockPart(block: unknown): string {
  if (typeof block !== "object" || block === null) return fencedValue(block);
  const { type, ...fields } = block as Record<string, unknown>;
  const { text, thinking, input, content, ...others } = fields;
  const rest = Object.keys(others).length > 0 ? [fencedValue(others)] : [];
  const parts = [`**${String(type)}**`, ...rest];
  if (typeof text === "string") parts.push(text);
  else if (text !== undefined) parts.push(fencedValue(text));
  if (thinking !== undefined)
    parts.push(typeof thinking === "string" ? quoted(thinking) : fencedValue(thinking));
  if (input !== undefined) parts.push(fencedValue(input));
  if (content !== undefined) parts.push(fencedValue(content));
  return parts.join("\n\n");
}
