// Tool uses as the data part of a prompt: numbered, each in its own tags, every text cleaned, escaped and bounded.

import * as v from "valibot";
import { lookingTools } from "../sdk/tool-names.ts";
import type { Evidence, NewTurn } from "../sdk/turn.ts";
import type { ContextTurn, ObservationBatch, ToolUse } from "../sdk/work.ts";
import type { Paths } from "../text/paths.ts";
import { codeNames } from "../text/prose/plain.ts";
import { tooDeep } from "../text/text.ts";
import { escapeMarkup, forModel } from "./model-text.ts";

// What a turn holds beside its prompt, its closing and its tool uses, for a model: the user's word on the way, and what became of the work.

const shown: ReadonlySet<Evidence["kind"]> = new Set([
  ...([
    "typed",
    "choice",
    "refusal",
    "plan",
    "interrupted",
    "commit",
    "published",
    "repair",
  ] as const),
]);
const each = { text: 1_000, about: 200 };

/** What the newest turn came to; undefined where that is not known. */
export function closingWords(turns: readonly NewTurn[]): string | undefined {
  return turns.at(-1)?.pieces.find(({ kind }) => kind === "closing")?.text;
}

/** What came of a tool use that was carried out. */
const came: ReadonlySet<Evidence["kind"]> = new Set<Evidence["kind"]>([
  ...(["commit", "published", "failure", "repair", "passed", "ran"] as const),
]);

/** False for a batch behind which more was done in the turn: the turn's closing is no word of it. The same whether it is read while the turn goes on or after it. */
export function endsTurn({ turn, toolUses, lastAssistantMessage }: ObservationBatch): boolean {
  const own = new Set(toolUses.map(({ id }) => id));
  const done = (turn?.pieces ?? []).filter(({ kind, agent }) => came.has(kind) && !agent);
  const { toolUseId } = done.at(-1) ?? {};
  return lastAssistantMessage !== undefined || toolUseId === undefined || own.has(toolUseId);
}

/** Evidence, each piece in a tag of its kind and escaped; of more than `most` characters the newest. "" where there is none. */
export function turnEvidence(turns: readonly NewTurn[], most: number): string {
  const lines: string[] = [];
  let room = most;
  const pieces = turns.flatMap((turn) => turn.pieces.filter(({ kind }) => shown.has(kind)));
  for (const { kind, about, text } of pieces.toReversed()) {
    const of = about ? `${forModel(about, each.about)}: ` : "";
    const line = `<${kind}>${of}${forModel(text, each.text)}</${kind}>`;
    room -= line.length + 1;
    if (room < 0) break;
    lines.unshift(line);
  }
  return lines.join("\n");
}

/** How much of each text is shown, in characters. */
interface ToolDataLimits {
  input: number;
  result: number;
  /** Of the result of a tool that only looks. */
  looked: number;
  reasoning: number;
}

/** Tool uses and the conversation they belong to. */
interface ToolDataInput {
  toolUses: readonly ToolUse[];
  /** The prompt as it stands elsewhere in the request; an intent that equals it is not repeated. */
  prompt: string;
  /** Paths inside the project are shown from its root on. */
  paths: Paths;
  limits: ToolDataLimits;
}

/** Names of files and code that tool uses are about. */
export function namesIn(toolUses: readonly ToolUse[]): Set<string> {
  return new Set(toolUses.flatMap(({ input }) => textsIn(input).flatMap(codeNames)));
}

/** One tool use as text; the model calls it by its place, 1 for the first. */
export interface ShownUse {
  use: ToolUse;
  text: string;
}

const intentLimit = 600;
const turnLimit = 400;

/** Each tool use as text. What the one before already said (intent, reasoning) is not said again. */
export function showToolUses({ toolUses, prompt, paths, limits }: ToolDataInput): ShownUse[] {
  let said: ToolUse["context"];
  return toolUses.map((use, index) => {
    const text = showToolUse(use, index + 1, { prompt, paths, said, limits });
    said = use.context ?? said;
    return { use, text };
  });
}

/** The last turns before the first tool use, oldest first; empty where the transcript has none. */
export function showTurns(toolUses: readonly ToolUse[], prompt: string): string {
  const turns: readonly ContextTurn[] =
    toolUses.find(({ context }) => context)?.context?.turns ?? [];
  return turns
    .filter(({ text }) => text.trim() !== "" && text.trim() !== prompt.trim())
    .slice(-3)
    .map(({ role, text }) => `<turn by="${role}">${forModel(text.trim(), turnLimit)}</turn>`)
    .join("\n");
}

interface Before {
  prompt: string;
  paths: Paths;
  said: ToolUse["context"];
  limits: ToolDataLimits;
}

function showToolUse(
  use: ToolUse,
  number: number,
  { prompt, paths, said, limits }: Before,
): string {
  const { context } = use;
  const fresh = (value: string | undefined, before: string | undefined) =>
    value !== undefined && value.trim() !== "" && value !== before ? value.trim() : undefined;
  const isPatch = patchOf(use) !== undefined;
  const input = renderValue(isPatch ? withoutChange(use.input) : use.input, limits.input * 2);
  // A patch has the room of the input that it stands for; what was only looked at says less than what was done.
  const most = lookingTools.has(use.name) ? limits.looked : limits.result;
  const part = (name: string, text: string | undefined, limit: number) =>
    text === undefined || text.trim() === ""
      ? ""
      : `<${name}>${forModel(paths.inText(text), limit)}</${name}>`;
  const intent = fresh(context?.userIntent, said?.userIntent);
  const parts = [
    part("asked", intent === prompt.trim() ? undefined : intent, intentLimit),
    part("reasoning", fresh(context?.reasoning, said?.reasoning), limits.reasoning),
    part("said", fresh(context?.assistantText, said?.assistantText), limits.reasoning),
    part("input", input, limits.input),
    part("failed", use.error, limits.result),
    part("result", resultOf(use, limits), most + (isPatch ? limits.input : 0)),
  ].filter((text) => text !== "");
  return [`<use${attributes(use, number)}>`, ...parts, "</use>"].join("\n");
}

function resultOf(use: ToolUse, limits: ToolDataLimits): string | undefined {
  if (use.response === undefined) return use.error === undefined ? use.context?.result : undefined;
  const patch = patchOf(use);
  const rendered = patch ?? renderValue(use.response, limits.result * 3, textsIn(use.input));
  return rendered === "" ? use.context?.result : rendered;
}

const HunkSchema = v.object({ newStart: v.optional(v.number(), 1), lines: v.array(v.string()) });
const PatchSchema = v.object({ structuredPatch: v.pipe(v.array(HunkSchema), v.minLength(1)) });

/** A result that shows the change line by line, with its place: then nothing else needs to. */
function patchOf({ response }: ToolUse): string | undefined {
  const parsed = v.safeParse(PatchSchema, response);
  if (!parsed.success) return undefined;
  const hunks = parsed.output.structuredPatch;
  return hunks.map(({ newStart, lines }) => [`@@ ${newStart}`, ...lines].join("\n")).join("\n");
}

const changeFields = new Set("old_string new_string oldString newString edits content".split(" "));

function withoutChange(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !changeFields.has(name)));
}

function attributes(use: ToolUse, number: number): string {
  const { context } = use;
  const values: Array<[string, string | undefined]> = [
    ["n", String(number)],
    ["tool", use.name],
    ["time", Number.isFinite(use.time) ? clock(use.time) : undefined],
    ["took", use.durationMs === undefined ? undefined : `${Math.round(use.durationMs)} ms`],
    ["subagent", use.agent ? (use.agent.type ?? use.agent.id) : undefined],
    ["branch", context?.branch],
    ["stopped", use.interrupted ? "by the user" : undefined],
  ];
  return values
    .map(([name, value]) => (value === undefined ? "" : ` ${name}="${attribute(value)}"`))
    .join("");
}

/** One line without quotes and angle brackets. */
export function attribute(value: string): string {
  return forModel(value.replace(/\s+/g, " "), 80).replaceAll('"', "'").replaceAll(">", "");
}

/** `14:05:12`, UTC. */
function clock(time: number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? "unknown" : escapeMarkup(date.toISOString().slice(11, 19));
}

// A tool's input or result as readable text: strings as they are, names before values, nothing twice.

const maxDepth = 6;
const maxItems = 200;
/** What a result repeats of the file it changed; the change itself stands beside it. */
const copies = new Set(["originalFile", "originalFileContents"]);

/**
 * Renders a JSON value in lines (`name: value`, lists with dashes). `known` are texts that were shown before and are not
 * repeated. Stops once `limit` characters are written.
 */
export function renderValue(value: unknown, limit: number, known: readonly string[] = []): string {
  const lines: string[] = [];
  let left = limit;
  const write = (line: string) => {
    lines.push(line);
    left -= line.length + 1;
  };

  function walk(item: unknown, label: string, depth: number): void {
    if (left <= 0) return;
    const pad = "  ".repeat(Math.min(depth, maxDepth));
    if (typeof item === "string") {
      const isKnown = item.length > 12 && known.includes(item);
      if (isKnown && item.length > 200) write(`${pad}${label}[as above]`);
      else if (isKnown) return;
      else if (item.includes("\n")) write(`${pad}${label}\n${item}`.trimStart());
      else write(`${pad}${label}${item}`);
    } else if (typeof item !== "object" || item === null) {
      if (item !== undefined && item !== null) write(`${pad}${label}${String(item)}`);
    } else if (depth >= maxDepth) {
      write(`${pad}${label}${tooDeep}`);
    } else if (Array.isArray(item)) {
      if (item.length > 0 && item.every((one) => typeof one === "string"))
        write(`${pad}${label}\n${item.slice(0, maxItems * 5).join("\n")}`.trimStart());
      else for (const one of item.slice(0, maxItems)) walk(one, `${label}- `, depth);
    } else {
      const entries = Object.entries(item).filter(([name, inner]) => !isEmpty(name, inner));
      if (label !== "" && entries.length > 0) write(`${pad}${label.trimEnd()}`);
      for (const [name, inner] of entries.slice(0, maxItems))
        walk(inner, `${name}: `, label === "" ? depth : depth + 1);
    }
  }

  walk(value, "", 0);
  return lines.join("\n");
}

/** All strings inside a value, for `known`. */
export function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null || depth >= maxDepth) return [];
  return Object.values(value).flatMap((item) => textsIn(item, depth + 1));
}

function isEmpty(name: string, value: unknown): boolean {
  return (
    copies.has(name) ||
    value === null ||
    value === undefined ||
    value === "" ||
    value === false ||
    (Array.isArray(value) && value.length === 0)
  );
}
