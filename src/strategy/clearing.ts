// What strategies of Endless Mode share that take parts of a conversation out: of which tools, whether it pays, what stands there instead, and what is said of it.

import { wrapContext } from "../privacy/marker.ts";
import { memoirCommand } from "../sdk/command.ts";
import type { PluginContext } from "../sdk/context.ts";
import type { KeepRequest, ToolFigures, ToolPart } from "../sdk/endless.ts";
import type { Observation } from "../sdk/model.ts";
import { toolNamesOption } from "../sdk/options.ts";
import { isOwnTool, namesTool } from "../sdk/tool-names.ts";
import { cut, estimateTokens, oneLine } from "../text/text.ts";
import { type ClearedInput, clearedInput } from "../transcript/rewrite-index.ts";

// What the books have taught a strategy of Endless Mode: kinds whose reduction does not pay. Read rarely, since it changes slowly.

/** Milliseconds after which the figures are asked for again. */
const fresh = 60_000;

/** Tells what does not profit. */
export interface Learnt {
  /** Why reducing this kind of a tool's does not pay; undefined while it does, or while nothing is known. Never rejects. */
  loss(tool: string, kind: string): Promise<string | undefined>;
}

/** `figures` (`EndlessClient.figures`) is asked at most once a minute, and never while it is being asked. */
export function createLearnt(figures: () => Promise<ToolFigures[]>, now: () => number): Learnt {
  let losses: Promise<ReadonlyMap<string, string>> | undefined;
  let askedAt = 0;
  const key = (tool: string, kind: string) => JSON.stringify([tool, kind]);

  async function ask(): Promise<ReadonlyMap<string, string>> {
    try {
      const losing = (await figures()).filter(({ profits }) => !profits);
      return new Map(losing.map(({ tool, kind, why }) => [key(tool, kind), why]));
    } catch {
      return new Map();
    }
  }

  return {
    async loss(tool, kind) {
      if (!losses || now() - askedAt >= fresh) {
        askedAt = now();
        losses = ask();
      }
      return (await losses).get(key(tool, kind));
    },
  };
}

/** Tools whose inputs are the plan that the agent works by. */
const spared = ["TodoWrite", "TaskCreate", "TaskUpdate", "ExitPlanMode", "AskUserQuestion"];

/** Smaller inputs stay. Characters of JSON. */
export const leastInput = 1_024;

/** Entries of the `config` schema: whose inputs may leave. */
export const clearingOptions = {
  tools: toolNamesOption("Tools that may lose something.", ["*"]),
  spareTools: toolNamesOption("Tools that lose nothing.", spared),
};

interface ClearingConfig {
  tools: readonly string[];
  spareTools: readonly string[];
}

/** Where something leaves: the session, its project and subagent. */
type ClearingPlace = Pick<KeepRequest, "session" | "project" | "agent">;

/** Of which kind it is what leaves, for the books. */
const kinds: Readonly<Record<ToolPart, string>> = { input: "input cleared", output: "old result" };

/** What the strategies that take tool uses out of a conversation agree on: of which tools, whether it pays, and how it leaves. */
export interface Clearing {
  /** Whether config lets anything of the tool leave. */
  wants(tool: string): boolean;
  /** False once too much of it was fetched back. */
  pays(tool: string, part: ToolPart): Promise<boolean>;
  /** Keeps an input; gives what stands in its place, and undefined where it has to stay. */
  input(
    use: { id: string; name: string; input: Readonly<Record<string, unknown>> },
    place: ClearingPlace,
  ): Promise<ClearedInput | undefined>;
  /** Keeps an old result; gives the line that stands in its place, and undefined where it has to stay. */
  output(
    result: { id: string; tool: string; value: unknown; text: string; input: unknown },
    place: ClearingPlace,
  ): Promise<string | undefined>;
}

/** Asks for a strategy's figures once a minute at most. */
export async function createClearing({
  endless,
  config,
  home,
  now,
}: Pick<PluginContext<ClearingConfig>, "endless" | "config" | "home" | "now">): Promise<Clearing> {
  const learnt = createLearnt(() => endless.figures(), now);
  const command = await memoirCommand(home);
  const pays = async (tool: string, part: ToolPart) =>
    (await learnt.loss(tool, kinds[part])) === undefined;
  const keep = async (request: KeepRequest) =>
    (await pays(request.tool, request.part)) &&
    endless.keep({ ...request, kind: kinds[request.part] });
  return {
    wants: wantsTool(config),
    pays,
    async input({ id: toolUseId, name: tool, input }, place) {
      const before = JSON.stringify(input);
      const instead = clearedInput(toolUseId, before, command);
      const after = JSON.stringify(instead);
      const request = { ...place, toolUseId, tool, part: "input" as const, value: input };
      return (await keep({ ...request, before, after })) ? instead : undefined;
    },
    async output({ id: toolUseId, tool, value, text, input }, place) {
      const after = placeholder(toolUseId, text, command);
      const request = { ...place, toolUseId, tool, part: "output" as const, value };
      return (await keep({ ...request, before: text, after, otherHalf: input }))
        ? after
        : undefined;
    },
  };
}

/** The line that stands in a result's place. */
export function placeholder(toolUseId: string, text: string, command: string): string {
  return `[Old result removed to save ~${estimateTokens(text)} tokens; ${command} recall ${toolUseId}]`;
}

/** Gives a test whether anything of a tool may leave; nothing of memoir's own ever may. */
export function wantsTool({ tools, spareTools }: ClearingConfig): (tool: string) => boolean {
  return (tool) => namesTool(tools, tool) && !namesTool(spareTools, tool) && !isOwnTool(tool);
}

// Observations as an agent reads them in place of what was taken out: title and facts of each, the story where there is room. Pure.

/** The observations in at most `max` characters; empty without any. */
export function tellObservations(observations: readonly Observation[], max: number): string {
  const heads = observations.map(headOf);
  // What every observation may take of the room that the heads leave.
  const left = max - heads.reduce((sum, head) => sum + head.length + 2, 0);
  const room = Math.floor(left / Math.max(1, observations.length));
  const texts = observations.map(({ narrative, title }, at) => {
    const head = heads[at] ?? "";
    const story = oneLine(narrative);
    if (story === "" || story === oneLine(title) || room < 80) return head;
    return `${head}\n${cut(story, room - 1)}`;
  });
  return cut(texts.join("\n\n"), max);
}

/** An input that was cleared, and its length before. */
interface Gone {
  id: string;
  characters: number;
}

interface ToldCleared {
  /** Of the observations. */
  ids: string[];
  /** Those of the inputs that they are about. */
  toolUseIds: string[];
  text: string;
}

/** What was observed about inputs that were cleared, and is not known in the conversation yet; undefined without any. */
export function tellCleared(
  gone: readonly Gone[],
  observations: readonly Observation[],
  isKnown: (observation: Observation) => boolean,
): ToldCleared | undefined {
  const lengths = new Map(gone.map(({ id, characters }) => [id, characters]));
  const about = observations.filter(
    (one) => one.toolUseIds.some((id) => lengths.has(id)) && !isKnown(one),
  );
  if (about.length === 0) return undefined;
  const covered = new Set(about.flatMap((one) => one.toolUseIds));
  const toolUseIds = [...lengths.keys()].filter((id) => covered.has(id));
  const saved = toolUseIds.reduce((sum, id) => sum + (lengths.get(id) ?? 0), 0);
  const body = tellObservations(about, roomToTell(saved));
  const text = wrapContext(body, { cleared: toolUseIds.slice(0, mostMarked).join(" ") });
  return { ids: about.map(({ id }) => id), toolUseIds, text };
}

/** Cleared inputs that a mark names. */
const mostMarked = 20;

/** How many characters may be said where `saved` characters were taken out: half of that, within bounds. */
export function roomToTell(saved: number): number {
  return Math.max(600, Math.min(8_000, Math.floor(saved / 2)));
}

function headOf({ id, type, title, subtitle, facts, filesModified }: Observation): string {
  const lines = [`## ${oneLine(title)} (${type}, ${id})`];
  if (subtitle !== "") lines.push(oneLine(subtitle));
  for (const fact of facts) lines.push(`- ${oneLine(fact)}`);
  if (filesModified.length > 0)
    lines.push(`Changed: ${filesModified.slice(0, 10).map(oneLine).join(", ")}`);
  return lines.join("\n");
}
