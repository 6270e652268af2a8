// `memoir session dump`: a session to be read by people: what was asked, thought, said and done, without noise.
import { stripContext } from "../../../privacy/marker.ts";
import { cut, oneLine, plural } from "../../../text/text.ts";
import type { TranscriptEntry } from "../../../transcript/entry.ts";
import { personText, textOfContent } from "../../../transcript/parse-entry.ts";
import { readEntries } from "../../../transcript/read.ts";
import {
  createToolUseMatcher,
  type ToolUseMatcher,
  type TranscriptToolUse,
} from "../../../transcript/tool-uses.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { findTranscript, type TranscriptOptions } from "./find.ts";
import { fenced, quoted, stamp } from "./markdown-text.ts";

/** One readable thing in a transcript. */
export interface Part {
  kind: "user" | "assistant" | "thinking" | "tool";
  /** Epoch ms. */
  time?: number;
  /** What was asked, said or thought; a tool's result, shortened. */
  text: string;
  subagent: boolean;
  /** Tools only. */
  tool?: { id: string; name: string; target: string; failed: boolean };
}

/** Lines and characters of a result. */
const resultLines = 12;
const resultCharacters = 1_000;

/** Prints as it reads; with `json` an object a line. Gives exit code 0. */
export async function dumpTranscript(
  which: string | undefined,
  options: TranscriptOptions<"dump">,
  terminal: Terminal,
): Promise<number> {
  const { session, path, parse, chunks } = await findTranscript(which, options, terminal);
  const show = (part: Part) =>
    terminal.print(options.json ? JSON.stringify(part) : `\n${partMarkdown(part)}`);
  if (!options.json) terminal.print(`# Session ${session}`);
  const matcher = createToolUseMatcher();
  for await (const entry of readEntries(chunks(path), { parse }))
    if (entry.kind !== "broken")
      for (const part of dumped(entry, matcher))
        if (part.kind !== "thinking" || options.thinking) show(part);
  for (const use of matcher.open()) show(toolPart(use));
  return 0;
}

/** An entry's readable parts; most entries have none. A tool comes with its result. */
function dumped(entry: TranscriptEntry, matcher: ToolUseMatcher): Part[] {
  const parts: Part[] = [];
  const subagent = entry.isSidechain;
  const at = entry.time === undefined ? {} : { time: entry.time };
  const person = subagent ? undefined : personText(entry, stripContext);
  if (person && person.kind !== "expansion")
    parts.push({ kind: "user", ...at, text: person.text, subagent });
  if (entry.kind === "assistant" && entry.model !== "<synthetic>")
    for (const block of entry.blocks) {
      if (block.type === "text" && block.text.trim() !== "")
        parts.push({ kind: "assistant", ...at, text: block.text, subagent });
      if (block.type === "thinking" && block.thinking.trim() !== "")
        parts.push({ kind: "thinking", ...at, text: block.thinking, subagent });
    }
  for (const use of matcher.add(entry)) parts.push(toolPart(use));
  return parts;
}

/** A part as Markdown. */
function partMarkdown({ kind, time, text, subagent, tool }: Part): string {
  if (kind === "thinking") return quoted(text);
  if (kind === "user") return `## ${stamp(time)} · user\n\n${text}`;
  if (!tool) return `### ${stamp(time)} · ${subagent ? "subagent" : "assistant"}\n\n${text}`;
  const who = subagent ? "subagent: " : "";
  const line = `- ${who}**${tool.name}** \`${tool.target.replaceAll("`", "'")}\``;
  return `${line}\n\n${fenced(`${tool.failed ? "failed: " : ""}${text}`)}`;
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

function toolPart({ id, name, input, time, isSidechain, result }: TranscriptToolUse): Part {
  const fields = typeof input === "object" && input !== null ? input : {};
  const key = telling.find((one) => one in fields);
  const value = key === undefined ? JSON.stringify(input) : String(Reflect.get(fields, key));
  const target = cut(oneLine(value ?? ""), 160);
  const text = result ? shortened(textOfContent(result.content)) : "(no result)";
  return {
    kind: "tool",
    ...(time !== undefined && { time }),
    text,
    subagent: isSidechain,
    tool: { id, name, target, failed: result?.isError === true },
  };
}

function shortened(result: string): string {
  const text = result.trim();
  const head = text.split("\n").slice(0, resultLines).join("\n").slice(0, resultCharacters);
  const left = text.length - head.length;
  return left > 0 ? `${head}\n… ${plural(left, "character")} more` : head;
}
