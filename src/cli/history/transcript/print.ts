// `memoir session dump`, `markdown` and `examples`: a transcript as Markdown, to be read by people, line by line, or as requests with
// the reasoning that followed.
import { Buffer } from "node:buffer";
import { stripContext } from "../../../privacy/marker.ts";
import { scrubDeep } from "../../../privacy/redact.ts";
import { cut, oneLine, plural } from "../../../text/text.ts";
import type { SessionFiles } from "../../../transcript/discover.ts";
import type { BrokenLine, TranscriptEntry } from "../../../transcript/entry.ts";
import { personText, textOfContent } from "../../../transcript/parse-entry.ts";
import { readEntries } from "../../../transcript/read.ts";
import {
  createToolUseMatcher,
  type ToolUseMatcher,
  type TranscriptToolUse,
} from "../../../transcript/tool-uses.ts";
import { dateTime } from "../../terminal/layout.ts";
import { answer } from "../../terminal/output.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import {
  findTranscript,
  findTranscripts,
  type Lines,
  linesOf,
  type TranscriptOptions,
} from "./find.ts";

// dump: what was asked, thought, said and done, without noise.

/** One readable thing in a transcript. */
interface Part {
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

// markdown: every line and every field.

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

// examples: what was asked and what was thought about it, side by side.

/** One request with the reasoning that followed and the first tool it led to. */
interface Example {
  session: string;
  /** Epoch ms. */
  time?: number;
  request: string;
  reasoning: string;
  tool: string;
}

const leastRequest = 20;
const leastReasoning = 80;
const longest = 1_500;

/** Prints the first ones that are rich enough. Gives exit code 0, 1 when there are none. */
export async function transcriptExamples(
  which: string | undefined,
  options: TranscriptOptions<"examples">,
  terminal: Terminal,
): Promise<number> {
  const found: Example[] = [];
  for await (const example of examplesOf(await findTranscripts(which, options, terminal))) {
    found.push(example);
    if (found.length === options.limit) break;
  }
  const lines = () =>
    found.map(
      ({ session, time, request, reasoning, tool }) =>
        `## ${stamp(time)} · ${session}\n\n${quoted(request)}\n\n${reasoning}\n\n→ ${tool}\n`,
    );
  const none = () => ["No request with reasoning after it."];
  const isFound = found.length > 0;
  return answer(terminal, options, { examples: found }, isFound ? lines : none, isFound ? 0 : 1);
}

async function* examplesOf(sessions: readonly SessionFiles[]): AsyncGenerator<Example> {
  for (const files of sessions)
    if (files.main) yield* examplesIn(files.session, files.main.path, await linesOf(files));
}

async function* examplesIn(
  session: string,
  path: string,
  { parse, chunks }: Lines,
): AsyncGenerator<Example> {
  let asked: { text: string; time: number | undefined } | undefined;
  let thought = "";
  for await (const entry of readEntries(chunks(path), { parse })) {
    if (entry.kind === "broken" || entry.isSidechain) continue;
    const person = personText(entry, stripContext);
    if (person?.kind === "said") {
      asked = { text: person.text, time: entry.time };
      thought = "";
    }
    if (entry.kind !== "assistant" || !asked) continue;
    for (const block of entry.blocks) {
      if (block.type === "thinking") thought += `${block.thinking}\n`;
      if (block.type === "text" && thought.length < leastReasoning) thought += `${block.text}\n`;
      if (block.type !== "tool_use") continue;
      const { text, time } = asked;
      asked = undefined;
      if (text.length >= leastRequest && thought.trim().length >= leastReasoning)
        yield {
          session,
          ...(time !== undefined && { time }),
          request: clean(text),
          reasoning: clean(thought),
          tool: block.name,
        };
      break;
    }
  }
}

function clean(text: string): string {
  return cut(String(scrubDeep(text).value).trim(), longest);
}

// Markdown that holds foreign text.

/** A fenced block whose fence is longer than any inside it. */
function fenced(text: string, language = ""): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** A value as a fenced block: a text as it is, anything else as JSON. */
export function fencedValue(value: unknown): string {
  return typeof value === "string"
    ? fenced(value)
    : fenced(JSON.stringify(value, null, 2) ?? "null", "json");
}

/** Every line quoted. */
export function quoted(text: string): string {
  return text
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
}

/** `2026-11-21 09:14:03`, in local time; a question mark without a time. */
export function stamp(time: number | undefined): string {
  if (time === undefined) return "?";
  return `${dateTime(time)}:${new Date(time).toISOString().slice(17, 19)}`;
}
