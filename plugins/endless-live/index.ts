// Endless Mode at arrival: large results are made smaller before they enter the context, so the prompt cache is never touched.

import { basename, dirname, join } from "node:path";
import * as v from "valibot";
import {
  type ClientEvents,
  definePlugin,
  isOwnTool,
  memoirCommand,
  namesTool,
  type Reply,
} from "../../src/sdk/index.ts";
import { createLearnt, type Learnt } from "../../src/strategy/index.ts";
import { isRecord, recordOf } from "../../src/text/index.ts";
import { lastContext, saidBefore } from "../../src/transcript/index.ts";
import { askedIn } from "./look/asked.ts";
import {
  type Config,
  ConfigSchema,
  isWorthIt,
  leastIn,
  longResult,
  type Policy,
  policyOf,
} from "./policy.ts";
import { parseView } from "./read/gaps.ts";
import { reduceRead } from "./read/read.ts";
import { longestChosen, reduceBash, reduceTaskOutput, thingsOf } from "./reduce/bash.ts";
import { reduceAgent, reduceMcp, reduceNames, reduceWebFetch } from "./reduce/blocks.ts";
import type { Arrived, Reduced, Reducer } from "./reducer.ts";
import { isReduced, reduceText } from "./reducer.ts";
import { createSeen, type Seen, type SeenByAgent } from "./seen.ts";
import { shortenGeneric } from "./text/log.ts";
import { shortenMatches } from "./text/matches.ts";

// Keeps the memory of what an agent has seen up to date with what it read and changed.

const changes = new Set(["Edit", "MultiEdit", "Write"]);

/** Whether a tool's results say anything about files that is worth remembering. */
export function isMemorable(tool: string): boolean {
  return tool === "Read" || changes.has(tool);
}

/** Remembers what came of a tool use; without `reduced` the model got the result whole. */
export function remember(
  arrived: Pick<Arrived, "tool" | "response"> & Partial<Pick<Arrived, "input">>,
  reduced: Pick<Reduced, "shownLines"> | undefined,
  seen: Seen,
): void {
  const { tool, response, input = {} } = arrived;
  const path = recordOf(response).filePath;
  if (changes.has(tool) && typeof path === "string") {
    seen.addChange();
    for (const text of written(input))
      seen.addView({ path, startLine: 1, lines: text.split("\n"), own: true });
  }
  const { command } = input;
  if (tool === "Bash" && reduced && typeof command === "string")
    seen.addCut(thingsOf(command), command);
  const view = tool === "Read" ? parseView(response) : undefined;
  if (view) seen.addView({ ...view, ...(reduced && { shown: reduced.shownLines ?? [] }) });
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

// Decides on one result: small, unknown and not worth it stay whole, the rest is what its reducer makes of it.

// Compares shapes: a client ignores a replacement that is not built like the tool's own result.

/**
 * True when `after` is built like `before`: the same keys with values of the same kind, all the way down. Lists may
 * differ in length; each entry of `after` must then be built like some entry of `before`. A field that was a string
 * stays one, an unknown field stays there.
 */
export function hasSameShape(before: unknown, after: unknown): boolean {
  if (Array.isArray(before)) return Array.isArray(after) && sameList(before, after);
  if (!isRecord(before) || !isRecord(after)) return kind(before) === kind(after);
  const keys = Object.keys(before);
  return (
    keys.length === Object.keys(after).length &&
    keys.every((key) => Object.hasOwn(after, key) && hasSameShape(before[key], after[key]))
  );
}

function sameList(before: readonly unknown[], after: readonly unknown[]): boolean {
  if (before.length === 0) return after.length === 0;
  return after.every(
    (entry, at) =>
      (at < before.length && hasSameShape(before[at], entry)) ||
      before.some((known) => hasSameShape(known, entry)),
  );
}

const kind = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "list" : typeof value;

// Reduces a search's result: matches grouped by file, lists of files grouped by folder.

const Content = v.looseObject({
  mode: v.picklist(["content", "count"]),
  content: v.string(),
});
const Files = v.looseObject({
  mode: v.literal("files_with_matches"),
  filenames: v.array(v.string()),
});

/** Anything unknown is left alone. */
const reduceGrep: Reducer = (arrived, _, policy): Reduced | undefined => {
  const content = v.safeParse(Content, arrived.response);
  if (content.success) {
    const response = content.output;
    const { path, head_limit: limit } = arrived.input;
    const isChosen = limit !== undefined || /\.\w+$/.test(String(path));
    if (isChosen && response.content.length <= longestChosen) return undefined;
    const withContent = (content: string) => ({ ...response, content });
    const shorten = response.mode === "count" ? shortenGeneric : shortenMatches;
    return reduceText(arrived, response.content, withContent, shorten, policy);
  }
  const files = v.safeParse(Files, arrived.response);
  return files.success ? reduceNames(arrived, files.output, policy) : undefined;
};

/** Raised when reducers keep something else than before: whether a kind pays is learnt anew then. */
const reducersVersion = 9;

/** Of which kind a reduction is, for the books. */
function kindOf({ how }: Pick<Reduced, "how">): string {
  return `${how} (${reducersVersion})`;
}

/** A smaller result in the same shape, or undefined: it stays as it is. Never throws, whatever the response is. */
export function decide(arrived: Arrived, seen: Seen, policy: Policy): Reduced | undefined {
  const over = threshold(arrived.tool, policy);
  if (over === undefined || weight(arrived.response, over) <= over) return undefined;
  const said = arrived.said === undefined ? [] : [arrived.said];
  const asked = askedIn([...said, ...seen.lastPrompts()], textsOf(arrived.input));
  const reduced = reducers[kindOfTool(arrived.tool)]?.reduce({ ...arrived, asked }, seen, policy);
  if (!reduced || reduced.before.length <= over || isReduced(reduced.before)) return undefined;
  const shown = shownLength(arrived.tool, reduced.before.length);
  if (!isWorthIt(shown, reduced.after.length, policy)) return undefined;
  return hasSameShape(arrived.response, reduced.response) ? reduced : undefined;
}

/** The texts of a tool's input, but the name of the file that all of it is about. */
function textsOf({ file_path: _, ...input }: Arrived["input"]): string[] {
  return Object.values(input).filter((value) => typeof value === "string");
}

/** Results above these sizes the client shows as a preview by itself; that is what there is to save. Bash tells it. */
const previewedOver: Readonly<Record<string, number>> = { Grep: 20_000 };
const preview = 2_200;

const shownLength = (tool: string, length: number): number =>
  length > (previewedOver[tool] ?? length) ? preview : length;

/** Characters of all strings in a value, counted no further than just above `enough`. */
export function weight(value: unknown, enough: number): number {
  let sum = 0;
  const open: unknown[] = [value];
  while (open.length > 0 && sum <= enough) {
    const next = open.pop();
    if (typeof next === "string") sum += next.length;
    else if (typeof next === "object" && next !== null)
      for (const part of Object.values(next)) open.push(part);
    else sum += 4;
  }
  return sum;
}

// Which reducer a tool's result goes to.

// Reduces a list of file names.

const Response = v.looseObject({ filenames: v.array(v.string()) });

const reduceGlob: Reducer = (arrived, _, policy) => {
  const parsed = v.safeParse(Response, arrived.response);
  return parsed.success ? reduceNames(arrived, parsed.output, policy) : undefined;
};

interface ToolReducer {
  reduce: Reducer;
  /** Its results are looked at above so many characters, unless config says otherwise. */
  over: number;
}

/** By tool name; `mcp__*` stands for every tool of an MCP server. A tool that is not here is left alone. */
const reducers: Readonly<Record<string, ToolReducer>> = {
  Read: { reduce: reduceRead, over: 800 },
  Bash: { reduce: reduceBash, over: 1_500 },
  TaskOutput: { reduce: reduceTaskOutput, over: 3_000 },
  Grep: { reduce: reduceGrep, over: 1_500 },
  Glob: { reduce: reduceGlob, over: 2_500 },
  WebFetch: { reduce: reduceWebFetch, over: 10_000 },
  Task: { reduce: reduceAgent, over: 10_000 },
  Agent: { reduce: reduceAgent, over: 10_000 },
  "mcp__*": { reduce: reduceMcp, over: 4_000 },
};

const kindOfTool = (tool: string): string => (tool.startsWith("mcp__") ? "mcp__*" : tool);

/** Characters above which a tool's results are looked at; undefined when it is to be left alone. */
export function threshold(tool: string, policy: Policy): number | undefined {
  const kind = kindOfTool(tool);
  if (!Object.hasOwn(reducers, kind) || namesTool(policy.leave, tool)) return undefined;
  return policy.over[tool] ?? policy.over[kind] ?? reducers[kind]?.over;
}

// Recognises what fetches something back from memoir: it must arrive whole, or nothing could ever be had back.

const recall =
  /(?:^|[\s;&|("'/\\])memoir(?:\.exe)?["']?\s+(?:recall|show|search|context|endless)\b/;

/** True for a shell command that asks memoir for anything, and for memoir's own MCP tools. */
export function isOwnCall({ tool, input }: Pick<Arrived, "tool" | "input">): boolean {
  if (isOwnTool(tool)) return true;
  return typeof input.command === "string" && recall.test(input.command);
}

interface State {
  policy: Policy;
  /** How the agent's shell calls memoir. */
  command: string;
  seen: SeenByAgent;
  learnt: Learnt;
}

/** Tools that hand a prompt to another agent. */
const agents = new Set(["Task", "Agent"]);

type ToolUse = ClientEvents["PostToolUse"];

/** Whether a result may be reduced already, for how full the context is that it enters. */
async function isTime(length: number, event: ToolUse, policy: Policy) {
  const path = transcriptOf(event);
  if (length >= longResult || path === undefined) return true;
  return length >= leastIn(await lastContext(path, event.agent !== undefined), policy);
}

/** The transcript of the agent that used a tool. */
function transcriptOf({ transcriptPath, session, agent }: ToolUse): string | undefined {
  return agent && transcriptPath !== undefined
    ? join(dirname(transcriptPath), session, "subagents", `agent-${basename(agent.id)}.jsonl`)
    : transcriptPath;
}

/** The tool use as reducers see it; undefined for an input that is no object. */
function arrivedFrom(event: ToolUse, input: unknown, response: unknown, command: string): Arrived {
  return {
    id: event.toolUseId,
    tool: event.toolName,
    input: recordOf(input),
    response,
    recall: `${command} recall ${event.toolUseId}`,
  };
}

export default definePlugin<Config, State>({
  name: "live",
  description: "Makes large tool results smaller as they arrive; the whole stays one command away.",
  sdk: 1,
  slot: "endless-mode",
  config: ConfigSchema,
  start: async (ctx) => ({
    policy: policyOf(ctx.config),
    command: await memoirCommand(ctx.home),
    seen: createSeen(),
    learnt: createLearnt(
      () => ctx.endless.figures(),
      () => ctx.now(),
    ),
  }),
  hooks: {
    SessionStart: (event, ctx) => ctx.state.seen.forget(event.session),
    PostCompact: (event, ctx) => ctx.state.seen.forget(event.session, event.agent?.id ?? ""),
    UserPromptSubmit: (event, ctx) => ctx.state.seen.addPrompt(event.session, event.prompt),
    PreToolUse: (event, ctx) => {
      const { session, toolName, toolInput } = event;
      if (!agents.has(toolName) || !isRecord(toolInput)) return;
      if (typeof toolInput.prompt === "string") ctx.state.seen.addPrompt(session, toolInput.prompt);
    },
    PostToolUseFailure: (event, ctx) => {
      const { session, agent, toolName, toolInput } = event;
      if (!isMemorable(toolName) || !isRecord(toolInput)) return;
      if (typeof toolInput.file_path === "string")
        ctx.state.seen.of(session, agent?.id).addFailure(toolInput.file_path);
    },
    PostToolUse: async (event, ctx): Promise<Reply | undefined> => {
      const { endless, state } = ctx;
      const { policy } = state;
      const { toolName: tool, toolUseId, session } = event;
      if (event.recovered) return undefined;
      const memorable = isMemorable(tool);
      const over = threshold(tool, policy);
      const large = over !== undefined && weight(event.toolResponse, over) > over;
      if (!memorable && !large) return undefined;
      const seen = state.seen.of(session, event.agent?.id);
      // The event itself has a small read whole, which spares the way to the original.
      const original = large
        ? await endless.original(toolUseId)
        : { input: event.toolInput, response: event.toolResponse };
      if (!original) return undefined;
      const arrived = arrivedFrom(event, original.input, original.response, state.command);
      const place = { session, ...(event.project && { project: event.project.id }) };

      const path = large ? transcriptOf(event) : undefined;
      const said = path === undefined ? undefined : await saidBefore(path, toolUseId);
      const smaller = isOwnCall(arrived) ? undefined : decide({ ...arrived, said }, seen, policy);
      const isNow = smaller && (await isTime(smaller.before.length, event, policy));
      const reduced = isNow ? smaller : undefined;
      const kind = reduced ? kindOf(reduced) : "";
      const loss = reduced && (await state.learnt.loss(tool, kind));
      if (reduced && loss !== undefined)
        await endless.note({ kind: "declined", ...place, tool, toolUseId, reason: loss });
      const kept =
        reduced !== undefined &&
        loss === undefined &&
        !ctx.signal.aborted &&
        (await endless.keep({
          ...place,
          ...(event.agent && { agent: event.agent.id }),
          toolUseId,
          tool,
          part: "output",
          value: original.response,
          before: reduced.before,
          after: reduced.after,
          kind,
        }));
      remember(arrived, kept ? reduced : undefined, seen);
      return kept ? { updatedToolOutput: reduced.response } : undefined;
    },
  },
});
