// Tool events of one session on their way to a batch: gathered per prompt, closed by what ends an episode.
import type { PendingEvent, PromptPast } from "../journal/journal-types.ts";
import type { PlanLimits } from "./worker-types.ts";

/** What was gathered for one prompt; `toolUses` counts the tool events among `events`. */
export interface ToolGroup {
  promptNumber: number;
  events: PendingEvent[];
  toolUses: number;
  bytes: number;
}

/** Gathering in progress; each call answers the groups it closed, oldest prompt first. */
export interface ToolGroups {
  addTool(event: PendingEvent): ToolGroup[];
  addSubagentStop(event: PendingEvent): ToolGroup[];
  /**
   * Closes everything up to this Stop's prompt but the tool uses of that prompt's agents that still run; the Stop joins
   * its own prompt's group. Without a Stop closes all.
   */
  close(stop?: PendingEvent): ToolGroup[];
  /** A prompt begins: closes those below it. */
  nextPrompt(promptNumber: number): ToolGroup[];
  closeQuiet(now: number): ToolGroup[];
  /** When the first open group will have been quiet for long enough. */
  quietAt(): number | null;
  /** True when the event's prompt had a tool use, gathered now or planned before. */
  seen(event: PendingEvent): boolean;
}

/** Starts with nothing gathered; `past` tells which prompts were stopped before, `openPrompt` which one runs. */
export function gatherTools(
  limits: PlanLimits,
  past: ReadonlyMap<number, PromptPast>,
  openPrompt: number,
): ToolGroups {
  let current = openPrompt;
  const open = new Map<number, ToolGroup>();
  const stopped = new Set<number>();
  const withTools = new Set<number>();
  for (const [number, facts] of past) {
    if (facts.stopped) stopped.add(number);
    if (facts.toolUses) withTools.add(number);
  }

  const group = (number: number): ToolGroup => {
    const found = open.get(number) ?? { promptNumber: number, events: [], toolUses: 0, bytes: 0 };
    open.set(number, found);
    return found;
  };
  const closeWhere = (matches: (group: ToolGroup) => boolean): ToolGroup[] => {
    const closed = [...open.values()].filter(matches);
    for (const { promptNumber } of closed) open.delete(promptNumber);
    return closed.sort((a, b) => a.promptNumber - b.promptNumber);
  };
  const quietSince = ({ events }: ToolGroup) =>
    Math.max(...events.map((event) => event.receivedAt)) + limits.quietMs;

  return {
    addTool(event) {
      const target = group(event.promptNumber);
      const full = target.toolUses > 0 && target.bytes + event.bytes > limits.maxBytes;
      const closed = full ? closeWhere((other) => other === target) : [];
      const filling = full ? group(event.promptNumber) : target;
      filling.events.push(event);
      filling.toolUses++;
      filling.bytes += event.bytes;
      withTools.add(event.promptNumber);
      if (filling.toolUses >= limits.maxToolUses)
        closed.push(...closeWhere((other) => other === filling));
      return closed;
    },
    addSubagentStop(event) {
      const target = group(event.promptNumber);
      target.events.push(event);
      if (event.promptNumber >= current && !stopped.has(event.promptNumber)) return [];
      // A background agent has finished: its events go, another agent's go on gathering.
      const mine = target.events.filter((other) => other.agent === event.agent);
      const rest = target.events.filter((other) => other.agent !== event.agent);
      open.delete(event.promptNumber);
      if (rest.length > 0) open.set(event.promptNumber, grouped(event.promptNumber, rest));
      return [grouped(event.promptNumber, mine)];
    },
    close(stop) {
      if (!stop) return closeWhere(() => true);
      stopped.add(stop.promptNumber);
      const events = open.get(stop.promptNumber)?.events ?? [];
      // What a background agent found out is in its last message, and that is still to come.
      const [running = [], done = []] = [true, false].map((isRunning) =>
        events.filter((event) => isAgentRunning(event, events) === isRunning),
      );
      const own = grouped(stop.promptNumber, done);
      if (own.toolUses > 0) own.events.push(stop);
      if (own.events.length > 0) open.set(stop.promptNumber, own);
      else open.delete(stop.promptNumber);
      const closed = closeWhere((other) => other.promptNumber <= stop.promptNumber);
      if (running.length > 0) open.set(stop.promptNumber, grouped(stop.promptNumber, running));
      return closed;
    },
    nextPrompt(promptNumber) {
      current = promptNumber;
      return closeWhere((other) => other.promptNumber < promptNumber);
    },
    closeQuiet: (now) => closeWhere((other) => quietSince(other) <= now),
    quietAt: () => (open.size === 0 ? null : Math.min(...[...open.values()].map(quietSince))),
    seen: (event) => withTools.has(event.promptNumber),
  };
}

/** True for an event of an agent that has not said its last word among `events`. */
function isAgentRunning({ agent }: PendingEvent, events: readonly PendingEvent[]): boolean {
  if (agent === undefined) return false;
  return events.findLast((event) => event.agent === agent)?.name !== "SubagentStop";
}

function grouped(promptNumber: number, events: PendingEvent[]): ToolGroup {
  const tools = events.filter((event) => event.toolUseId !== undefined);
  const bytes = tools.reduce((sum, event) => sum + event.bytes, 0);
  return { promptNumber, events, toolUses: tools.length, bytes };
}
