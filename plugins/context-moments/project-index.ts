// The indexes of the projects at work, read from storage in the background: a hook asks what is there and waits for nothing.
import { setTimeout as sleep } from "node:timers/promises";
import type { MemoryItem, StorageClient, Turn } from "../../src/sdk/index.ts";
import { baseName, dropOldest, oneLine } from "../../src/text/index.ts";
import { type FailureIndex, followFailures } from "./failures.ts";
import { followMissing, type MissingIndex } from "./missing.ts";

/** What is known of one project. */
interface ProjectIndex {
  failures: FailureIndex;
  missing: MissingIndex;
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
    const missing = followMissing();
    const followed = followFiles();
    const add = (turn: Turn) => {
      following.add(turn);
      missing.add(turn);
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
    indexes.set(project, { failures, missing: missing.index(), files, readAt });
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

// What the agent would not see by itself about a file: what a person decided about it, and what is changed with it nearly always. Pure.

/** One thing to know about a file. */
export interface FileNote {
  kind: "decision" | "companion";
  /** Of the record that says it. */
  id: string;
  session: string;
  from?: Turn["from"];
  /** Epoch ms. */
  time: number;
  text: string;
  /** The file that comes with it. */
  file?: string;
}

/** By path, relative to the project: decisions first, of one kind the newest. */
export type FileIndex = ReadonlyMap<string, readonly FileNote[]>;

/** A session that changed more files says little about which belong together. */
const mostFiles = 25;
/** Changed together in so many sessions, which are so many of all that changed the file. */
const together = { sessions: 10, share: 0.9 };
/** A file that so many of the sessions change comes with everything. */
const everywhere = 0.4;
const notesKept = 2;

/** Where a path was changed. */
interface Changes {
  sessions: Set<string>;
  last: Turn;
}

/** Takes turns one by one, oldest first, so that others can work in between. */
export function followFiles(): {
  add(turn: Turn): void;
  index(decisions: readonly MemoryItem[]): FileIndex;
} {
  const changes = new Map<string, Changes>();
  const bySession = new Map<string, Set<string>>();
  const known = new Set<string>();

  function companionsOf(path: string, { sessions, last }: Changes): FileNote[] {
    const small = [...sessions].filter((id) => (bySession.get(id)?.size ?? 0) <= mostFiles);
    if (small.length < together.sessions) return [];
    const counts = new Map<string, number>();
    for (const id of small)
      for (const other of bySession.get(id) ?? []) counts.set(other, (counts.get(other) ?? 0) + 1);
    return [...counts].flatMap(([file, count]): FileNote[] => {
      const isAnywhere = (changes.get(file)?.sessions.size ?? 0) > everywhere * bySession.size;
      if (file === path || isAnywhere || stemOf(file) === stemOf(path)) return [];
      if (count < together.sessions || count < together.share * small.length) return [];
      const text = `${file}, in ${count} of ${small.length} sessions`;
      const { id, session, time } = last;
      return [{ kind: "companion", id, session, time, text, file }];
    });
  }

  return {
    add(turn) {
      for (const { path, changed } of turn.files) {
        known.add(path);
        if (!changed) continue;
        const one = changes.get(path) ?? { sessions: new Set(), last: turn };
        one.sessions.add(turn.session);
        one.last = turn;
        changes.set(path, one);
        const own = bySession.get(turn.session) ?? new Set();
        bySession.set(turn.session, own.add(path));
      }
    },
    index(decisions) {
      const notes = new Map<string, FileNote[]>();
      const note = (path: string, one: FileNote) => {
        const list = notes.get(path) ?? [];
        notes.set(path, [...list, one].slice(-notesKept));
      };
      for (const [path, one] of changes)
        for (const companion of companionsOf(path, one)) note(path, companion);
      const byName = Map.groupBy(known, baseName);
      for (const { id, session, date, content, state, from } of decisions)
        if (state === "standing")
          for (const path of namedIn(content, byName))
            note(path, {
              ...{ kind: "decision", id, session, time: Date.parse(date) || 0 },
              ...(from && { from }),
              text: line(content, 160),
            });
      for (const list of notes.values())
        list.sort((one, other) => rank[one.kind] - rank[other.kind] || other.time - one.time);
      return notes;
    },
  };
}

const rank = { decision: 0, companion: 1 };

/** `setup` of `src/setup.go` and of `src/setup_test.go`: a file's test comes with it without saying. */
function stemOf(path: string): string {
  return (baseName(path).split(".")[0] ?? "").replace(/[_-]?(?:test|spec)s?$/i, "").toLowerCase();
}

/** Paths that a text names: whole, or by a name that only one file has. */
function namedIn(text: string, byName: ReadonlyMap<string, readonly string[]>): string[] {
  const words = new Set(text.split(/[\s"'`“”()[\]<>,;:]+/).map((word) => word.replace(/\.$/, "")));
  return [...words].flatMap((word) => {
    if (!word.includes(".")) return [];
    const paths = byName.get(baseName(word)) ?? [];
    if (!word.includes("/")) return paths.length === 1 ? paths : [];
    return paths.filter((path) => path === word || path.endsWith(`/${word}`));
  });
}

function line(text: string, most: number): string {
  const one = oneLine(text);
  return one.length <= most ? one : `${one.slice(0, most - 1).trimEnd()}…`;
}
