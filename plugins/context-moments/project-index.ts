// The indexes of the projects at work, read from storage in the background: a hook asks what is there and waits for nothing.
import { setTimeout as sleep } from "node:timers/promises";
import type { MemoryItem, StorageClient, Turn } from "../../src/sdk/index.ts";
import { dropOldest } from "../../src/text/index.ts";
import { type FailureIndex, followFailures } from "./failures.ts";
import { type FileIndex, followFiles } from "./files.ts";

/** What is known of one project. */
interface ProjectIndex {
  failures: FailureIndex;
  files: FileIndex;
}

/** Which session asks, and whether it is just beginning. */
interface Wisher {
  session: string;
  begins: boolean;
}

/** By `Project.id`. */
export interface ProjectIndexes {
  /** What is known now. */
  known: ReadonlyMap<string, ProjectIndex>;
  /** The failures of all projects, read along with one of them. */
  everywhere(): FailureIndex | undefined;
  /**
   * Reads a project soon, after whoever calls was answered, unless what is known is young; errors leave what was known. For a
   * session that `begins` it is not young as soon as another session has stored anything, for others a minute later.
   */
  wish(project: string, by?: Wisher): void;
  /** A session stored something there: what is known is not all any more. */
  outgrow(project: string, session: string): void;
  /** Something was forgotten: nothing is known until it was read anew. */
  clear(): void;
  /** Resolves when nothing is being read. */
  settled(): Promise<void>;
  /** Begins no more, and resolves when what is being read has come to its next pause. */
  stop(): Promise<void>;
}

/** What reading takes. */
interface IndexSources {
  storage: StorageClient;
  /** Epoch ms. */
  now(): number;
  failed(error: unknown): void;
  /** Whether failures of other projects are wanted. */
  elsewhere: boolean;
}

/** Records that are read, and turns that are followed, before others may work: some milliseconds. */
const page = 50;
const atOnce = 10;
/** Of a project, and of all together, the newest turns; of a project items and observations. */
const mostTurns = 2_000;
const mostOthers = 600;
const projectsKept = 8;
const mostOutgrown = 100;
const youngMs = 10 * 60_000;
const outgrownMs = 60_000;
/** So that an answer is out before anything is read. */
const soonMs = 20;

/** Nothing is known at first. Long because its calls share what is known, being read and outgrown. */
export function createIndexes({ storage, now, failed, elsewhere }: IndexSources): ProjectIndexes {
  const indexes = new Map<string, ProjectIndex & { readAt: number }>();
  const underWay = new Map<string, Promise<void>>();
  /** Sessions that stored something since the project was read. */
  const outgrown = new Map<string, Set<string>>();
  const stopping = new AbortController();
  const { signal } = stopping;
  let epoch = 0;
  let everywhere: { failures: FailureIndex; readAt: number } | undefined;

  async function readEverywhere(): Promise<void> {
    const begun = epoch;
    const readAt = now();
    if (!elsewhere || (everywhere && readAt - everywhere.readAt < youngMs)) return;
    const following = followFailures();
    await followTurns(storage, {}, following.add, signal);
    const failures = following.index();
    if (begun === epoch) everywhere = { failures, readAt };
  }

  async function read(project: string): Promise<void> {
    const begun = epoch;
    const readAt = now();
    outgrown.delete(project);
    const following = followFailures();
    const followed = followFiles();
    const add = (turn: Turn) => {
      following.add(turn);
      followed.add(turn);
    };
    await followTurns(storage, { project }, add, signal);
    const failures = following.index();
    await breath(signal);
    const decisions = await all<MemoryItem>(
      (at) => storage.memory({ project, kinds: ["decisions", "preferences"], ...at }),
      mostOthers,
      signal,
    );
    const files = followed.index(decisions.toReversed());
    if (begun !== epoch) return;
    indexes.delete(project);
    indexes.set(project, { failures, files, readAt });
    dropOldest(indexes, projectsKept);
  }

  async function later(project: string): Promise<void> {
    try {
      await sleep(soonMs, undefined, { signal });
      await read(project);
      await readEverywhere();
    } catch (error) {
      if (!signal.aborted) failed(error);
    } finally {
      underWay.delete(project);
    }
  }

  return {
    known: indexes,
    everywhere: () => everywhere?.failures,
    wish(project, by) {
      const known = indexes.get(project);
      const young = youngFor(by, outgrown.get(project));
      if (signal.aborted || underWay.has(project) || (known && now() - known.readAt < young))
        return;
      underWay.set(project, later(project));
    },
    outgrow(project, session) {
      outgrown.set(project, (outgrown.get(project) ?? new Set()).add(session));
      dropOldest(outgrown, mostOutgrown);
    },
    clear() {
      epoch++;
      indexes.clear();
      everywhere = undefined;
    },
    async settled() {
      await Promise.all(underWay.values());
    },
    async stop() {
      stopping.abort();
      await Promise.all(underWay.values());
    },
  };
}

/** Hands over the newest turns, oldest first, a page in memory at a time; others work in between. */
async function followTurns(
  storage: StorageClient,
  of: { project?: string },
  take: (turn: Turn) => void,
  signal: AbortSignal,
): Promise<void> {
  const newest = await storage.turns({ ...of, limit: page, offset: 0 });
  if (newest.length < page) {
    newest.sort((one, other) => one.startedAt - other.startedAt);
    return await slowly(newest, take, signal);
  }
  await breath(signal);
  const [first] = await storage.turns({ ...of, limit: 1, offset: mostTurns - 1 });
  const since = first && { since: first.startedAt };
  for (let offset = 0; ; offset += page) {
    const query = { ...of, ...since, order: "oldest" as const, limit: page, offset };
    const turns = await storage.turns(query);
    await slowly(turns, take, signal);
    if (turns.length < page) return;
  }
}

/** How long what was read is good enough, by the sessions that stored something since. */
function youngFor(by: Wisher | undefined, stored: ReadonlySet<string> = new Set()): number {
  const isOutgrown = [...stored].some((session) => session !== by?.session);
  if (!isOutgrown) return youngMs;
  return by?.begins ? 0 : outgrownMs;
}

/** Lets others work. Rejects once nothing is wanted any more. */
async function breath(signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 0));
  signal.throwIfAborted();
}

/** Some at a time. */
async function slowly<Item>(
  items: readonly Item[],
  take: (item: Item) => void,
  signal: AbortSignal,
): Promise<void> {
  for (const [at, item] of items.entries()) {
    if (at % atOnce === 0) await breath(signal);
    take(item);
  }
  await breath(signal);
}

async function all<Item>(
  ask: (at: { limit: number; offset: number }) => Promise<Item[]>,
  most: number,
  signal: AbortSignal,
): Promise<Item[]> {
  const found: Item[] = [];
  for (let offset = 0; offset < most; offset += page) {
    const items = await ask({ limit: page, offset });
    found.push(...items);
    await breath(signal);
    if (items.length < page) break;
  }
  return found;
}
