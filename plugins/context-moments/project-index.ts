// The indexes of the projects at work, read from storage in the background: a hook asks what is there and waits for nothing.
import { setTimeout as sleep } from "node:timers/promises";
import type { MemoryItem, Observation, StorageClient, Turn } from "../../src/sdk/index.ts";
import { baseName, commandKey, dropOldest, oneLine } from "../../src/text/index.ts";
import { type FailureIndex, followFailures, repairedFiles } from "./failures.ts";
import { tellingLines } from "./likeness.ts";

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
    const parts: Turn[] = [];
    const add = (turn: Turn) => {
      following.add(turn);
      parts.push(partForFiles(turn));
    };
    await followTurns(storage, { project }, add, signal);
    const failures = following.index();
    await breath(signal);
    const decisions = await all<MemoryItem>(
      (at) => storage.memory({ project, kinds: ["decisions"], ...at }),
      mostOthers,
      signal,
    );
    const observations = await all<Observation>(
      (at) => storage.observations({ project, type: "decision", ...at }),
      mostOthers,
      signal,
    );
    const followed = followFiles(failures.usual);
    await slowly(parts, followed.add, signal);
    const files = followed.index({
      decisions: decisions.toReversed(),
      observations: observations.toReversed(),
    });
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

// What stands about a file: refusals and decisions that name it, what was repaired by changing it, what was left open. Pure.

/** One thing to know about a file. */
export interface FileNote {
  kind: "decision" | "gotcha" | "open";
  /** Of the record that says it. */
  id: string;
  session: string;
  /** Epoch ms. */
  time: number;
  text: string;
  /** Whose words it is in: the user's, the agent's, or what a tool ran and printed. */
  by: "user" | "agent" | "tool";
  /** The command whose passing settles it. */
  command?: string;
}

/** By path, relative to the project: what sessions left, most pressing first. */
export type FileIndex = ReadonlyMap<string, readonly FileNote[]>;

/** What the index is made from beside turns: all of one project. */
interface FileSources {
  /** Standing ones. */
  decisions: readonly MemoryItem[];
  /** Of type `decision`, those that hold. */
  observations: readonly Observation[];
  /** How many kinds of failures have a line. */
  usual(line: string): number;
}

/** A change of more files says little about each of them. */
const mostFiles = 6;
const notesKept = 4;
const rank = { open: 0, decision: 1, gotcha: 2 };

/** Takes turns one by one, oldest first, so that others can work in between. Later work on a file settles what was open about it. */
export function followFiles(usual: FileSources["usual"]): {
  add(turn: Turn): void;
  index(others: Pick<FileSources, "decisions" | "observations">): FileIndex;
} {
  const notes = new Map<string, FileNote[]>();
  const open = new Map<string, FileNote>();
  const known = new Set<string>();

  function note(path: string, one: FileNote): void {
    const list = notes.get(path) ?? [];
    // The same failure of the same command: its newest repair counts.
    const others = list.filter(({ kind, text }) => kind !== one.kind || text !== one.text);
    notes.set(path, [...others, one].slice(-notesKept));
  }

  function add(turn: Turn): void {
    const changed = turn.files.filter((file) => file.changed).map(({ path }) => path);
    for (const { path } of turn.files) known.add(path);
    for (const [path, left] of open)
      if (isSettled(left, turn) || (changed.includes(path) && turn.end === "closed"))
        open.delete(path);
    const place = { session: turn.session, id: turn.id };
    for (const { kind, text, about = "", time = turn.time } of turn.pieces) {
      const files = kind === "repair" ? repairedFiles(text) : [];
      if (files.length > 0 && files.length <= mostFiles)
        for (const path of files)
          note(path, {
            ...place,
            kind: "gotcha",
            time,
            text: repairNote(about, text, usual),
            by: "tool",
            command: commandKey(about),
          });
      if (kind === "refusal" && text.trim() !== "")
        for (const { path } of turn.files)
          if (about.includes(path))
            note(path, { ...place, kind: "decision", time, text: line(text, 160), by: "user" });
    }
    const left = leftOpen(turn);
    if (left && changed.length <= mostFiles)
      for (const path of changed)
        open.set(path, { ...place, kind: "open", time: turn.time, ...left });
  }

  return {
    add,
    index(others) {
      for (const [path, one] of decided(others, known)) note(path, one);
      for (const [path, left] of open) note(path, left);
      for (const list of notes.values())
        list.sort((one, other) => rank[one.kind] - rank[other.kind] || other.time - one.time);
      return notes;
    },
  };
}

/** What `followFiles` looks at in a turn: of most pieces not what was said or printed, which is most of it. */
function partForFiles(turn: Turn): Turn {
  const isRead = turn.end === "interrupted" ? readOfInterrupted : readOfTurn;
  return {
    ...turn,
    pieces: turn.pieces.map((piece) => (isRead.has(piece.kind) ? piece : { ...piece, text: "" })),
  };
}

const readOfTurn: ReadonlySet<string> = new Set(["repair", "refusal"]);
const readOfInterrupted: ReadonlySet<string> = new Set([...readOfTurn, "prompt"]);

/** Decisions by the files that they name or changed. */
function* decided(
  { decisions, observations }: Pick<FileSources, "decisions" | "observations">,
  known: ReadonlySet<string>,
): Generator<[path: string, note: FileNote]> {
  const kind = "decision";
  const byName = Map.groupBy(known, baseName);
  for (const { id, session, date, content, context, state } of decisions) {
    const by = state === undefined ? "agent" : "user";
    const time = Date.parse(date) || 0;
    for (const path of namedIn(`${content} ${context}`, byName))
      yield [path, { kind, id, session, time, text: line(content, 160), by }];
  }
  for (const { id, session, time, title, subtitle, filesModified, edited } of observations) {
    if (filesModified.length > mostFiles) continue;
    const by = edited === undefined ? "agent" : "user";
    for (const path of filesModified)
      yield [path, { kind, id, session, time, text: line(subtitle || title, 160), by }];
  }
}

/** The command that failed, and the line that fewest other failures have; of several the one that says most. */
function repairNote(about: string, text: string, usual: FileSources["usual"]): string {
  const lines = tellingLines(text.slice(0, text.lastIndexOf("\n\n→ ")));
  const [said] = lines.toSorted((a, b) => usual(a) - usual(b) || b.length - a.length);
  return `\`${line(about, 60)}\`${said === undefined ? "" : ` (“${line(said, 90)}”)`}`;
}

/** What the end of a turn leaves to do: it was stopped, or what ran last failed. */
function leftOpen({ end, pieces }: Turn): Pick<FileNote, "text" | "by" | "command"> | undefined {
  const ran = pieces.findLast(
    ({ kind }) => kind === "failure" || kind === "passed" || kind === "ran",
  );
  if (ran?.kind === "failure" && ran.described !== undefined && ran.about !== undefined)
    return { text: `\`${line(ran.about, 100)}\``, by: "tool", command: commandKey(ran.about) };
  if (end !== "interrupted") return undefined;
  const prompt = pieces.find(({ kind }) => kind === "prompt")?.text ?? "";
  return prompt.trim() === "" ? undefined : { text: `“${line(prompt, 120)}”`, by: "user" };
}

function isSettled({ command }: FileNote, { pieces }: Turn): boolean {
  return pieces.some(
    ({ kind, about }) =>
      kind === "commit" ||
      (command !== undefined &&
        (kind === "passed" || kind === "repair") &&
        about !== undefined &&
        commandKey(about) === command),
  );
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
