// Plans a session, in this order: asks the journal what it has of it, decides which of its events form which pieces of work
// (pure: of its unplanned events and the time), and has the journal write that down.

import { createHash } from "node:crypto";
import type { Journal } from "../journal/journal.ts";
import type { PendingEvent, Plan, PlannedWork, PromptPast } from "../journal/planning.ts";
import type { WorkKind } from "../ports.ts";
import type { PlanLimits } from "./worker-types.ts";

interface SessionPlannerDeps {
  journal: Journal;
  /** Epoch ms. */
  now: () => number;
  limits: PlanLimits;
  /** Tool uses that somebody waits for. */
  waiting: () => ReadonlySet<string>;
}

/** What comes after a session's end came late, out of the spool; there is no prompt left to gather for. */
const stragglerMs = 5_000;

export type SessionPlanner = ReturnType<typeof createSessionPlanner>;

/** Nothing is planned before the first call. */
export function createSessionPlanner(deps: SessionPlannerDeps) {
  const { journal, now, limits, waiting } = deps;
  const endedLimits: PlanLimits = {
    ...limits,
    quietMs: Math.min(limits.quietMs, stragglerMs),
    idleMs: Math.min(limits.idleMs, stragglerMs),
  };
  const flushing = new Set<number>();

  return {
    /** Closes what the session has gathered, at its next planning. */
    flush: (row: number) => void flushing.add(row),
    /** Answers when time alone makes more of it, epoch ms; null for never. */
    plan(row: number): number | null {
      const flush = flushing.delete(row);
      const session = journal.state(row);
      if (!session) return null;
      const events = journal.pending(row);
      const first = events.reduce((least, event) => Math.min(least, event.promptNumber), Infinity);
      const planned = decideWork({
        events,
        past: events.length === 0 ? new Map() : journal.past(row, first - 1),
        prompts: session.prompts,
        lastActivity: session.lastActivity,
        summarizedSeq: session.summarizedSeq,
        lastReceivedAt: session.lastReceivedAt,
        now: now(),
        limits: session.endedAt === null ? limits : endedLimits,
        waiting: waiting(),
        flush,
      });
      if (planned.works.length > 0 || planned.settled.length > 0) journal.writePlan(row, planned);
      return planned.dueAt;
    },
  };
}

// Which events form which pieces of work: pure.

/** All that planning one session depends on. */
interface PlanInput {
  /** Unplanned events, by seq. */
  events: readonly PendingEvent[];
  /** What already planned events say of the prompts that appear in `events`. */
  past: ReadonlyMap<number, PromptPast>;
  /** The session's prompt counter. */
  prompts: number;
  lastActivity: { seq: number; key: string } | null;
  summarizedSeq: number;
  lastReceivedAt: number;
  now: number;
  limits: PlanLimits;
  /** Tool uses somebody waits for. */
  waiting: ReadonlySet<string>;
  /** Close everything that is gathered. */
  flush: boolean;
}

/**
 * Decides what one session's events become.
 * - A prompt becomes `prompt` work at once.
 * - What ends a prompt makes its `turn`, before anything is derived of it.
 * - Tool events gather per prompt until its Stop, the next prompt, SessionEnd, quiet, or a size limit; then `observe`. Those that
 *   are read from a transcript wait for the end of their prompt, which comes soon: how fast it is read must not tell in memory.
 * - Those of a background subagent that outlives its prompt's Stop gather on, until its SubagentStop or the other ends.
 * - Stop gives `summarize-prompt`, SessionEnd or long silence `summarize-session`, each only when there is something new.
 * - A tool use somebody waits for is observed alone and at once; the rest of its group goes on gathering.
 */
export function decideWork(input: PlanInput): Plan {
  const works: PlannedWork[] = [];
  const settled: Plan["settled"] = [];
  const groups = gatherTools(input.limits, input.past, promptBefore(input));
  const turns = planTurns(input.past);
  let summarizedSeq: number | null = null;

  const add = (kind: PlannedWork["kind"], promptNumber: number, events: readonly PendingEvent[]) =>
    works.push(work(kind, promptNumber, events, false));
  const observe = (closed: readonly ToolGroup[]) => {
    for (const group of closed) {
      if (group.toolUses > 0) add("observe", group.promptNumber, group.events);
      else
        for (const event of group.events) settled.push({ seq: event.seq, reason: "no tool use" });
    }
  };
  const summarizeSession = (event: { seq: number; key: string }, prompts: number, upTo: number) => {
    works.push(work("summarize-session", prompts, [event], false));
    summarizedSeq = upTo;
  };

  const waitedFor = takeWaited(input.events, input.waiting);
  works.push(...waitedFor.works);

  for (const event of waitedFor.rest) {
    turns.meet(event);
    switch (event.name) {
      case "PostToolUse":
      case "PostToolUseFailure":
        observe(groups.addTool(event));
        break;
      case "SubagentStop":
        observe(turns.closed(groups.addSubagentStop(event)));
        break;
      case "Stop": {
        const something =
          event.spoken || waitedFor.prompts.has(event.promptNumber) || groups.seen(event);
        observe(turns.closed(groups.close(event)));
        if (something) {
          dropOlderSummary(works, settled, event);
          add("summarize-prompt", event.promptNumber, [event]);
        } else settled.push({ seq: event.seq, reason: "nothing happened" });
        break;
      }
      case "UserPromptSubmit":
        observe(turns.closed(groups.nextPrompt(event.promptNumber)));
        add("prompt", event.promptNumber, [event]);
        break;
      case "SessionEnd": {
        observe(turns.closed(groups.close()));
        const upTo = Math.min(event.seq, input.lastActivity?.seq ?? 0);
        if (upTo > (summarizedSeq ?? input.summarizedSeq))
          summarizeSession(event, event.promptNumber, upTo);
        else settled.push({ seq: event.seq, reason: "nothing new to summarize" });
        break;
      }
      default:
        settled.push({ seq: event.seq, reason: "nothing to do" });
    }
  }

  const { lastActivity, limits, now } = input;
  const silentSince = input.lastReceivedAt + limits.idleMs;
  const unsummarized =
    lastActivity !== null && lastActivity.seq > (summarizedSeq ?? input.summarizedSeq);
  const silent = unsummarized && silentSince <= now;
  observe(turns.closed(input.flush || silent ? groups.close() : groups.closeQuiet(now)));
  if (silent) {
    turns.silent(input.prompts, lastActivity);
    summarizeSession(lastActivity, input.prompts, lastActivity.seq);
  }
  turns.insertInto(works);

  const dueTimes = [groups.quietAt(), unsummarized && !silent ? silentSince : null];
  return { works, settled, summarizedSeq, dueAt: earliest(dueTimes) };
}

/** The prompt that was open when the first of these events came. */
function promptBefore({ events, prompts }: PlanInput): number {
  const first = events.find((event) => event.name === "UserPromptSubmit");
  return first ? first.promptNumber - 1 : prompts;
}

/** One `observe` per prompt for the tool uses that somebody waits for, and the events that are left. */
function takeWaited(events: readonly PendingEvent[], waiting: ReadonlySet<string>) {
  const isWaited = (event: PendingEvent) =>
    event.toolUseId !== undefined && waiting.has(event.toolUseId);
  if (waiting.size === 0 || !events.some(isWaited))
    return { works: [], rest: events, prompts: new Set<number>() };
  const byPrompt = Map.groupBy(events.filter(isWaited), (event) => event.promptNumber);
  return {
    works: [...byPrompt].map(([number, waited]) => work("observe", number, waited, true)),
    rest: events.filter((event) => !isWaited(event)),
    prompts: new Set(byPrompt.keys()),
  };
}

/** Of several Stops of one prompt that are planned together, only the last needs a summary. */
function dropOlderSummary(
  works: PlannedWork[],
  settled: Plan["settled"],
  stop: PendingEvent,
): void {
  const older = works.findIndex(
    (other) => other.kind === "summarize-prompt" && other.promptNumber === stop.promptNumber,
  );
  const [dropped] = older < 0 ? [] : works.splice(older, 1);
  for (const seq of dropped?.seqs ?? []) settled.push({ seq, reason: "a later Stop follows" });
}

function work(
  kind: PlannedWork["kind"],
  promptNumber: number,
  events: readonly { seq: number; key: string }[],
  waiting: boolean,
): PlannedWork {
  const key = workKey(
    kind,
    events.map((event) => event.key),
  );
  return { kind, key, promptNumber, seqs: events.map((event) => event.seq), waiting };
}

function earliest(times: ReadonlyArray<number | null>): number | null {
  const set = times.filter((time) => time !== null);
  return set.length === 0 ? null : Math.min(...set);
}

// Tool events of one session on their way to a batch: gathered per prompt, closed by what ends an episode.

/** What was gathered for one prompt; `toolUses` counts the tool events among `events`. */
interface ToolGroup {
  promptNumber: number;
  events: PendingEvent[];
  toolUses: number;
  bytes: number;
}

/**
 * Starts with nothing gathered; `past` tells which prompts were stopped before, `openPrompt` which one runs. Each call
 * answers the groups it closed, oldest prompt first. Long because its short steps share what is gathered.
 */
function gatherTools(
  limits: PlanLimits,
  past: ReadonlyMap<number, PromptPast>,
  openPrompt: number,
) {
  let current = openPrompt;
  const open = new Map<number, ToolGroup>();
  /** Of a size that is enough, but read from a transcript that goes on. */
  let full: ToolGroup[] = [];
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
    const closed = [...full, ...open.values()].filter(matches);
    full = full.filter((one) => !closed.includes(one));
    for (const one of closed) if (open.get(one.promptNumber) === one) open.delete(one.promptNumber);
    return closed.sort((a, b) => a.promptNumber - b.promptNumber);
  };
  const quietSince = ({ events }: ToolGroup) =>
    Math.max(...events.map((event) => event.receivedAt)) + limits.quietMs;

  return {
    addTool(event: PendingEvent): ToolGroup[] {
      const closed: ToolGroup[] = [];
      const end = (one: ToolGroup) => {
        open.delete(one.promptNumber);
        (event.recovered ? full : closed).push(one);
      };
      let filling = group(event.promptNumber);
      if (filling.toolUses > 0 && filling.bytes + event.bytes > limits.maxBytes) {
        end(filling);
        filling = group(event.promptNumber);
      }
      filling.events.push(event);
      filling.toolUses++;
      filling.bytes += event.bytes;
      withTools.add(event.promptNumber);
      if (filling.toolUses >= limits.maxToolUses) end(filling);
      return closed;
    },
    addSubagentStop(event: PendingEvent): ToolGroup[] {
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
    /**
     * Closes everything up to this Stop's prompt but the tool uses of that prompt's agents that still run; the Stop joins
     * its own prompt's group. Without a Stop closes all.
     */
    close(stop?: PendingEvent): ToolGroup[] {
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
    /** A prompt begins: closes those below it. */
    nextPrompt(promptNumber: number): ToolGroup[] {
      current = promptNumber;
      return closeWhere((other) => other.promptNumber < promptNumber);
    },
    closeQuiet: (now: number) => closeWhere((other) => quietSince(other) <= now),
    /** When the first open group will have been quiet for long enough. */
    quietAt: () => {
      const all = [...full, ...open.values()];
      return all.length === 0 ? null : Math.min(...all.map(quietSince));
    },
    /** True when the event's prompt had a tool use, gathered now or planned before. */
    seen: (event: PendingEvent) => withTools.has(event.promptNumber),
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

// Which turns are to be made, or made anew, after these events: pure.

/**
 * A turn is made at its Stop, when the user stops a tool or the session ends, and when it goes quiet. It is made anew at
 * the next prompt: clients write their transcript a little behind. What a transcript tells is complete with its Stop.
 */
function planTurns(past: ReadonlyMap<number, PromptPast>) {
  const wanted = new Map<number, PlannedWork>();
  const stopped = new Set([...past].filter(([, { stopped }]) => stopped).map(([number]) => number));

  function want(promptNumber: number, event: { key: string }, why: string): void {
    const key = workKey("turn", [String(promptNumber), why, event.key]);
    wanted.delete(promptNumber);
    wanted.set(promptNumber, { kind: "turn", key, promptNumber, seqs: [], waiting: false });
  }

  return {
    /** Every event, before anything else is done for it. A tool use that gathers is met at each planning. */
    meet(event: PendingEvent): void {
      const { name, promptNumber, recovered, agent } = event;
      if (name === "Stop") {
        stopped.add(promptNumber);
        want(promptNumber, event, "stop");
      } else if (name === "UserPromptSubmit" && promptNumber > 0) {
        const before = promptNumber - 1;
        if (!(recovered && stopped.has(before))) want(before, event, "next");
      } else if (name === "SessionEnd") {
        if (promptNumber > 0 && !(recovered && stopped.has(promptNumber)))
          want(promptNumber, event, "end");
      } else if (isStoppedByUser(event) && agent === undefined && !recovered)
        want(promptNumber, event, "stopped");
    },
    /** Tool uses that stopped gathering for another reason than their number; gives them back. */
    closed(groups: ToolGroup[]): ToolGroup[] {
      for (const { promptNumber, events } of groups) {
        const last = events.at(-1);
        if (last && !wanted.has(promptNumber)) want(promptNumber, last, "closed");
      }
      return groups;
    },
    /** The session went silent after this event. */
    silent(promptNumber: number, event: { key: string }): void {
      want(promptNumber, event, "silent");
    },
    /** Puts each turn's piece before the first other piece of its prompt, but behind the prompt itself. */
    insertInto(works: PlannedWork[]): void {
      for (const turn of wanted.values()) {
        const at = works.findIndex(
          ({ promptNumber, kind }) =>
            promptNumber > turn.promptNumber ||
            (promptNumber === turn.promptNumber && kind !== "prompt"),
        );
        works.splice(at < 0 ? works.length : at, 0, turn);
      }
    },
  };
}

/** A failed tool use is `spoken` where the user stopped it. */
function isStoppedByUser({ name, spoken }: PendingEvent): boolean {
  return name === "PostToolUseFailure" && spoken;
}

// The idempotency key of a piece of work, made from its inputs so that a retry has the same one.

/** 32 hex digits of SHA-256 over the kind and the keys of its events, in order. */
export function workKey(kind: WorkKind, eventKeys: readonly string[]): string {
  const text = JSON.stringify([kind, ...eventKeys]);
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
