// `memoir transcript dump`: a session to be read by people: what was asked, thought, said and done, without noise.
import { stripContext } from "../../sdk/marker.ts";
import { cut, oneLine } from "../../sdk/text.ts";
import {
  type ContentBlock,
  createToolUseMatcher,
  fileChunks,
  personText,
  readEntries,
  type ToolUseMatcher,
  type TranscriptEntry,
  type TranscriptToolUse,
  textOfContent,
} from "../../transcript/index.ts";
import type { Terminal } from "../terminal.ts";
import { findTranscript, type Which } from "./find.ts";
import { fenced, quoted, stamp } from "./markdown-text.ts";

export interface DumpOptions extends Which {
  /** Also what the model thought. */
  thinking?: boolean;
}

/** Lines and characters of a result. */
const resultLines = 12;
const resultCharacters = 1_000;

/** Prints as it reads. Gives exit code 0. */
export async function dumpTranscript(
  which: string | undefined,
  options: DumpOptions,
  terminal: Terminal,
): Promise<number> {
  const { session, path } = await findTranscript(which, options, terminal);
  terminal.print(`# Session ${session}`);
  const matcher = createToolUseMatcher();
  for await (const entry of readEntries(fileChunks(path)))
    if (entry.kind !== "broken")
      for (const part of dumped(entry, matcher, options.thinking === true))
        terminal.print(`\n${part}`);
  for (const use of matcher.open()) terminal.print(`\n${toolLine(use)} (no result)`);
  return 0;
}

/** An entry's readable parts; most entries have none. Pure, but for what the matcher remembers. */
export function dumped(
  entry: TranscriptEntry,
  matcher: ToolUseMatcher,
  thinking: boolean,
): string[] {
  const parts: string[] = [];
  const person = entry.isSidechain ? undefined : personText(entry, stripContext);
  if (person && person.kind !== "expansion")
    parts.push(`## ${stamp(entry.time)} · user\n\n${person.text}`);
  if (entry.kind === "assistant" && entry.model !== "<synthetic>")
    for (const block of entry.blocks) parts.push(...said(block, entry, thinking));
  for (const use of matcher.add(entry)) parts.push(`${toolLine(use)}\n\n${shownResult(use)}`);
  return parts;
}

function said(block: ContentBlock, entry: TranscriptEntry, thinking: boolean): string[] {
  const who = entry.isSidechain ? "subagent" : "assistant";
  if (block.type === "text" && block.text.trim() !== "")
    return [`### ${stamp(entry.time)} · ${who}\n\n${block.text}`];
  if (thinking && block.type === "thinking" && block.thinking.trim() !== "")
    return [quoted(block.thinking)];
  return [];
}

const telling = [
  "command",
  "file_path",
  "path",
  "pattern",
  "query",
  "url",
  "description",
  "prompt",
];

function toolLine({ name, input, isSidechain }: TranscriptToolUse): string {
  const fields = typeof input === "object" && input !== null ? input : {};
  const key = telling.find((one) => one in fields);
  const value = key === undefined ? JSON.stringify(input) : String(Reflect.get(fields, key));
  return `- ${isSidechain ? "subagent: " : ""}**${name}** \`${cut(oneLine(value ?? ""), 160).replaceAll("`", "'")}\``;
}

function shownResult({ result }: TranscriptToolUse): string {
  const text = textOfContent(result?.content).trim();
  const head = text.split("\n").slice(0, resultLines).join("\n").slice(0, resultCharacters);
  const left = text.length - head.length;
  const more = left > 0 ? `\n… ${left} characters more` : "";
  return fenced(`${result?.isError ? "failed: " : ""}${head}${more}`);
}
