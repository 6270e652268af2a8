// What strategies of Endless Mode that clear inputs have in common: whose inputs may go, and whether something is put in their place.

import type { ToolFigures } from "../sdk/endless.ts";
import type { Observation } from "../sdk/model.ts";
import { toolNamesOption } from "../sdk/options.ts";
import { isOwnTool, namesTool } from "../sdk/tool-names.ts";
import { cut, oneLine } from "../text/text.ts";

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
