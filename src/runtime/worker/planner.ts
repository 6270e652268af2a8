// Decides which committed events form which pieces of work: a pure function of one session's unplanned events and the time.
import type { PendingEvent, Plan, PlannedWork, PromptPast } from "../journal/journal-types.ts";
import { gatherTools, type ToolGroups } from "./tool-groups.ts";
import { planTurns } from "./turn-plan.ts";
import { workKey } from "./work-key.ts";
import type { PlanLimits } from "./worker-types.ts";

/** All that planning one session depends on. */
export interface PlanInput {
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
 * Plans one session.
 * - A prompt becomes `prompt` work at once.
 * - What ends a prompt makes its `turn`, before anything is derived of it.
 * - Tool events gather per prompt until its Stop, the next prompt, SessionEnd, quiet, or a size limit; then `observe`.
 * - Those of a background subagent that outlives its prompt's Stop gather on, until its SubagentStop or the other ends.
 * - Stop gives `summarize-prompt`, SessionEnd or long silence `summarize-session`, each only when there is something new.
 * - A tool use somebody waits for is observed alone and at once; the rest of its episode goes on gathering.
 */
export function plan(input: PlanInput): Plan {
  const works: PlannedWork[] = [];
  const settled: Plan["settled"] = [];
  const groups = gatherTools(input.limits, input.past, promptBefore(input));
  const turns = planTurns(input.past);
  let summarizedSeq: number | null = null;

  const add = (kind: PlannedWork["kind"], promptNumber: number, events: readonly PendingEvent[]) =>
    works.push(work(kind, promptNumber, events, false));
  const observe = (closed: ReturnType<ToolGroups["close"]>) => {
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
