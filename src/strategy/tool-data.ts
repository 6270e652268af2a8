// Tool uses as the data part of a prompt: numbered, each in its own tags, every text cleaned, escaped and bounded.

import type { ContextTurn, ToolUse } from "../sdk/work.ts";
import type { Paths } from "../text/prose/paths.ts";
import { escapeMarkup, forModel } from "./model-text.ts";
import { renderValue, textsIn } from "./render-value.ts";

/** How much of each text is shown, in characters. */
export interface ToolDataLimits {
  input: number;
  result: number;
  reasoning: number;
}

/** Tool uses and the conversation they belong to. */
export interface ToolDataInput {
  toolUses: readonly ToolUse[];
  /** The prompt as it is told elsewhere in the request; an intent that equals it is not repeated. */
  prompt: string;
  /** Paths inside the project are shown from its root on. */
  paths: Paths;
  limits: ToolDataLimits;
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

/** The last turns before the first tool use, oldest first; empty where the transcript told none. */
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
  const input = renderValue(use.input, limits.input * 2);
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
    part("result", resultOf(use, limits), limits.result),
  ].filter((text) => text !== "");
  return [`<use${attributes(use, number)}>`, ...parts, "</use>"].join("\n");
}

function resultOf(use: ToolUse, limits: ToolDataLimits): string | undefined {
  if (use.response === undefined) return use.error === undefined ? use.context?.result : undefined;
  const rendered = renderValue(use.response, limits.result * 3, textsIn(use.input));
  return rendered === "" ? use.context?.result : rendered;
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
function attribute(value: string): string {
  return forModel(value.replace(/\s+/g, " "), 80).replaceAll('"', "'").replaceAll(">", "");
}

/** `14:05:12`, UTC. */
function clock(time: number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? "unknown" : escapeMarkup(date.toISOString().slice(11, 19));
}
