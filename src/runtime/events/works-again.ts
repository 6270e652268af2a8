// Which work has to be done again so that storage has what the journal still holds the events of: pure.
import type { PastEvent } from "../journal/events.ts";
import type { PlannedWork } from "../journal/planning.ts";
import { plan, workKey } from "../worker/plan.ts";
import { workerDefaults } from "../worker/worker.ts";

/** What storage has of one session. */
export interface StoredSession {
  /** Numbers of prompts, by what is there of them. */
  prompts: ReadonlySet<number>;
  turns: ReadonlySet<number>;
  summaries: ReadonlySet<number>;
  observed: ReadonlySet<number>;
  /** Ids. */
  observations: ReadonlySet<string>;
  /** The session itself, with its title. */
  isKnown: boolean;
  /** Its own summary. */
  isSummed: boolean;
}

/**
 * Pieces for what is missing, as the same events gave them the first time. Keys begin with `stamp`, so that storage does not
 * take them for the first ones. `wasSummed`: the session had a summary of its own. A prompt of which an event still waits for its work is left to that.
 */
export function worksAgain(
  events: readonly PastEvent[],
  stored: StoredSession,
  { stamp, wasSummed }: { stamp: string; wasSummed: boolean },
): PlannedWork[] {
  const works: PlannedWork[] = [];
  const byPrompt = Map.groupBy(events, ({ promptNumber }) => promptNumber);
  for (const [number, own] of [...byPrompt].sort(([a], [b]) => a - b))
    if (own.every(({ outcome }) => outcome !== null && outcome !== "parked"))
      works.push(...ofPrompt(number, own, stored));
  const whole = events.filter(({ isWhole }) => isWhole);
  const end =
    whole.findLast(({ name }) => name === "SessionEnd") ??
    whole.findLast(({ name }) => name === "Stop");
  if (
    end &&
    (wasSummed || (end.isAgain && end.name === "SessionEnd")) &&
    !(stored.isSummed && stored.isKnown)
  )
    works.push(piece("summarize-session", end.promptNumber, [end]));
  return works.map((work) => ({ ...work, key: `${stamp}:${work.key}` }));
}

function ofPrompt(number: number, own: readonly PastEvent[], stored: StoredSession): PlannedWork[] {
  const whole = own.filter(({ isWhole }) => isWhole);
  const prompt = whole.find(({ name }) => name === "UserPromptSubmit");
  const stop = whole.findLast(({ name }) => name === "Stop");
  const works: PlannedWork[] = [];
  // The first prompt also gives the session its title.
  if (prompt && (!stored.prompts.has(number) || (number === 1 && !stored.isKnown)))
    works.push(piece("prompt", number, [prompt]));
  if (prompt && !stored.turns.has(number)) works.push(turn(number, whole));
  works.push(...observed(number, whole, stored));
  if (stop?.spoken && !stored.summaries.has(number))
    works.push(piece("summarize-prompt", number, [stop]));
  return works;
}

/** Batches of the tool uses of which nothing is stored any more. */
function observed(
  number: number,
  whole: readonly PastEvent[],
  { observations, observed }: StoredSession,
): PlannedWork[] {
  const isLost = ({ isAgain, outcome, observations: ids }: PastEvent) =>
    isAgain
      ? !observed.has(number)
      : outcome === "stored" && ids.length > 0 && !ids.some((id) => observations.has(id));
  const lost = whole.filter((event) => event.toolUseId !== undefined && isLost(event));
  if (lost.length === 0) return [];
  const others = whole.filter(({ name }) => name === "Stop" || name === "SubagentStop");
  const { works } = plan({
    ...{ events: [...lost, ...others].sort((a, b) => a.seq - b.seq), past: new Map() },
    ...{ prompts: number, lastActivity: null, summarizedSeq: 0, lastReceivedAt: 0, now: 0 },
    ...{ limits: workerDefaults, waiting: new Set<string>(), flush: true },
  });
  return works.filter(({ kind }) => kind === "observe");
}

/** It reads its events itself. */
function turn(number: number, whole: readonly PastEvent[]): PlannedWork {
  const keys = [String(number), "again", ...whole.slice(0, 1).map(({ key }) => key)];
  const key = workKey("turn", keys);
  return { kind: "turn", key, promptNumber: number, seqs: [], waiting: false };
}

function piece(
  kind: PlannedWork["kind"],
  promptNumber: number,
  events: readonly PastEvent[],
): PlannedWork {
  const key = workKey(
    kind,
    events.map((event) => event.key),
  );
  return { kind, key, promptNumber, seqs: events.map(({ seq }) => seq), waiting: false };
}
