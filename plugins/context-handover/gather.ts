// What the note is made from, and how it is asked of storage.
import type { MemoryItem, Observation, StorageClient, Summary, Turn } from "../../src/sdk/index.ts";

/** What is known when a session starts. Lists are newest first. */
export interface Material {
  /** Name and id of the project, for the reader. */
  project: { id: string; name: string };
  /** What the user pinned, newest first. */
  pinned: Pinned[];
  /** Turns of other sessions. */
  turns: Turn[];
  /** This session's own turns from before a compaction; empty otherwise. */
  own: Turn[];
  /** What is stored of the project from other sessions: decisions and preferences, with their state. */
  settled: MemoryItem[];
  /** Those of them that the user hid: not to be told, and not by the turn that they were taken from either. */
  hidden: MemoryItem[];
  /** Workflows and gotchas of the project. */
  practice: MemoryItem[];
  /** Of other sessions, and of this one from before a compaction. */
  observations: Observation[];
  /** Summaries of sessions and prompts; of this session as well after a compaction. */
  summaries: Summary[];
}

/** Which session asks, and how it came to start. */
interface Occasion {
  session: string;
  /** `startup`, `clear`, `resume`, `compact`, or whatever the client says. */
  source: string;
  project: { id: string; name: string };
}

/** A pinned record. */
export type Pinned =
  | { kind: "memory"; record: MemoryItem }
  | { kind: "observation"; record: Observation }
  | { kind: "summary"; record: Summary }
  | { kind: "turn"; record: Turn };

const pinnedLooked = 20;
const turnsLooked = 30;
const ownLooked = 20;
const summariesLooked = 30;
const itemsLooked = 20;
const hiddenLooked = 200;

/**
 * Asks storage for what this start needs. A compacted session lost its own memory and gets it back first. A resumed
 * one still holds everything, so it gets only what other sessions did since it was last active.
 */
export async function gather(
  storage: StorageClient,
  occasion: Occasion,
  observations: number,
): Promise<Material> {
  const { session, source, project } = occasion;
  const inProject = { project: project.id };
  const isCompact = source === "compact";
  const since = holdsItsPast(source) ? await lastActive(storage, session) : 0;
  const kinds = ["decisions", "preferences"] as const;
  const [turns, own, notes, summaries, settled, practice, hidden, pinned] = await Promise.all([
    storage.turns({ ...inProject, limit: turnsLooked }),
    isCompact ? storage.turns({ session, limit: ownLooked }) : [],
    storage.observations({ ...inProject, limit: observations }),
    storage.summaries({ ...inProject, limit: summariesLooked }),
    storage.memory({ ...inProject, kinds, limit: itemsLooked }),
    storage.memory({ ...inProject, kinds: ["workflows", "gotchas"], limit: itemsLooked }),
    storage.memory({ ...inProject, kinds, limit: hiddenLooked, hidden: true, marked: "hidden" }),
    since > 0 ? [] : pinnedIn(storage, project.id),
  ]);
  const isOther = (record: { session: string }) => record.session !== session;
  const isTold = (record: { session: string; time: number }) =>
    isOther(record) ? record.time > since : isCompact;
  const others = turns.filter((turn) => isOther(turn) && turn.time > since);
  return {
    project,
    pinned,
    hidden: hidden.filter((item) => item.hidden),
    turns: await withElsewhere(storage, others, since),
    own,
    // A session that holds its past was told them when it began.
    settled: since > 0 ? [] : settled.filter(isOther),
    practice: since > 0 ? [] : practice,
    observations: notes.filter(isTold),
    summaries: summaries.filter(isTold),
  };
}

/** Of every kind; a storage that knows no marks answers with everything. */
async function pinnedIn(storage: StorageClient, project: string): Promise<Pinned[]> {
  const query = { project, marked: "pinned", limit: pinnedLooked } as const;
  const [items, observations, summaries, turns] = await Promise.all([
    storage.memory(query),
    storage.observations({ ...query, superseded: true }),
    storage.summaries(query),
    storage.turns(query),
  ]);
  const found: Pinned[] = [
    ...items.map((record) => ({ kind: "memory" as const, record })),
    ...observations.map((record) => ({ kind: "observation" as const, record })),
    ...summaries.map((record) => ({ kind: "summary" as const, record })),
    ...turns.map((record) => ({ kind: "turn" as const, record })),
  ];
  return found.filter(({ record }) => record.pinned).slice(0, pinnedLooked);
}

/** The newest session whole: where it went on in another folder, its end stands there. */
async function withElsewhere(
  storage: StorageClient,
  turns: Turn[],
  since: number,
): Promise<Turn[]> {
  const newest = turns[0]?.session;
  if (newest === undefined) return turns;
  const whole = await storage.turns({ session: newest, limit: ownLooked });
  const known = new Set(turns.map(({ id }) => id));
  return [...whole.filter(({ id, time }) => !known.has(id) && time > since), ...turns];
}

/** Sources after which the client still has the whole conversation. */
function holdsItsPast(source: string): boolean {
  return source === "resume" || source === "fork";
}

/** When the session last did something, epoch ms; 0 when memoir does not know it. */
async function lastActive(storage: StorageClient, session: string): Promise<number> {
  const [stored] = await storage.get({ ids: [session] });
  return stored?.kind === "session" ? stored.record.lastActiveAt : 0;
}
