// Remembers what one agent of one session has in its context of files. Bounded; lost on restart without harm.
import { dropOldest } from "../../src/text/index.ts";

/** A stretch of a file as it came into the context. Lines count from 1. */
export interface SeenView {
  toolUseId: string;
  /** Of the first and the last line that the tool gave. */
  startLine: number;
  endLine: number;
  /** Lines of the whole file then. */
  totalLines: number;
  /** A hash of each line from `startLine` on; NaN where the line was left out and so is not in the context. */
  hashes: Float64Array;
  /** True when anything of it was left out. */
  reduced: boolean;
  /** True for what the agent wrote itself; where that stands in the file is not known. */
  own: boolean;
  /** Place in the order of everything this agent saw. */
  order: number;
}

/** What is known of one file. */
export interface SeenFile {
  path: string;
  /** Oldest first. */
  views: SeenView[];
  /** How often the agent itself edited or wrote it, and the place of the last time in the order; 0 for never. */
  changes: number;
  lastChange: number;
  /** Place of the last edit of it that failed; 0 for none. */
  lastFailure: number;
}

/** A view to be remembered. `shown`: the stretches of file lines that stand verbatim in the context; default all. */
interface View {
  path: string;
  toolUseId: string;
  startLine: number;
  lines: readonly string[];
  totalLines: number;
  shown?: readonly (readonly [from: number, to: number])[];
  /** The agent wrote these lines itself. */
  own?: boolean;
}

/** What one agent has in its context. Reducers only read it. */
export interface Seen {
  file(path: string): SeenFile | undefined;
  /** Whether the result of this tool use was reduced. */
  wasReduced(toolUseId: string): boolean;
  /** Whether a prompt of the session has this word. */
  isMentioned(this: void, word: string): boolean;
  /** True for a subagent that changed no file so far. */
  onlyReads(this: void): boolean;
}

/** The same, for the plugin, which tells it what came to pass. */
export interface SeenRecord extends Seen {
  addView(view: View): void;
  addChange(path: string): void;
  addFailure(path: string): void;
  addReduced(toolUseId: string): void;
}

/** Most agents, files an agent, views a file, hashed lines an agent, reduced ids an agent, and words a session. */
interface SeenLimits {
  agents: number;
  files: number;
  views: number;
  lines: number;
  reduced: number;
  words: number;
}

const defaults: SeenLimits = {
  agents: 100,
  files: 1_000,
  views: 12,
  lines: 200_000,
  reduced: 5_000,
  words: 5_000,
};

/** A 53-bit hash of a line: equal lines are equal, others practically never. */
export function hashLine(line: string): number {
  let a = 0xdeadbeef ^ line.length;
  let b = 0x41c6ce57 ^ line.length;
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return 4294967296 * (2097151 & b) + (a >>> 0);
}

/** All agents of all sessions. */
export type SeenByAgent = ReturnType<typeof createSeen>;

/** An empty memory; beyond the limits the longest unused goes first. */
export function createSeen(limits: Partial<SeenLimits> = {}) {
  const most = { ...defaults, ...limits };
  const sessions = new Map<string, Map<string, SeenRecord>>();
  const prompts = new Map<string, Set<string>>();
  return {
    /** `agent` is the subagent's id; none for the session's own agent. */
    of(session: string, agent = ""): SeenRecord {
      const agents = sessions.get(session) ?? new Map<string, SeenRecord>();
      const record =
        agents.get(agent) ??
        createRecord(most, agent !== "", (word) => prompts.get(session)?.has(word) ?? false);
      agents.delete(agent);
      agents.set(agent, record);
      sessions.delete(session);
      sessions.set(session, agents);
      dropOldest(sessions, most.agents);
      return record;
    },
    /** What a person, or an agent that sends another, asked for. */
    addPrompt(session: string, text: string): void {
      const words = prompts.get(session) ?? new Set();
      for (const [word] of text.matchAll(
        /[A-Za-z_$][\w$]{7,}|[A-Za-z_$][\w$]*(?:\d|[a-z][A-Z]|_)[\w$]*|[\w-]+\.[a-z]{1,5}\b/g,
      )) {
        words.delete(word);
        words.add(word);
      }
      dropOldest(words, most.words);
      prompts.delete(session);
      prompts.set(session, words);
      dropOldest(prompts, most.agents);
    },
    /** The context was emptied: of one agent, or (without `agent`) of the session and all its subagents. */
    forget(session: string, agent?: string): void {
      if (agent === undefined) sessions.delete(session);
      else sessions.get(session)?.delete(agent);
    },
  };
}

function createRecord(
  most: SeenLimits,
  isSubagent: boolean,
  isMentioned: (word: string) => boolean,
): SeenRecord {
  const files = new Map<string, SeenFile>();
  const reduced = new Set<string>();
  let order = 0;
  let hashed = 0;
  let changed = false;

  function touch(path: string): SeenFile {
    const file = files.get(path) ?? { path, views: [], changes: 0, lastChange: 0, lastFailure: 0 };
    files.delete(path);
    files.set(path, file);
    return file;
  }

  function forgetOldest(): void {
    for (const [path, file] of files) {
      if (files.size <= most.files && hashed <= most.lines) return;
      hashed -= countLines(file.views);
      files.delete(path);
    }
  }

  return {
    file: (path) => files.get(path),
    wasReduced: (toolUseId) => reduced.has(toolUseId),
    isMentioned,
    onlyReads: () => isSubagent && !changed,
    addView({ path, toolUseId, startLine, lines, totalLines, shown, own = false }) {
      const hashes = Float64Array.from(lines, hashLine);
      if (shown) leaveOut(hashes, startLine, shown);
      const file = touch(path);
      file.views.push({
        toolUseId,
        startLine,
        endLine: startLine + lines.length - 1,
        totalLines,
        hashes,
        reduced: shown !== undefined && hashes.some(Number.isNaN),
        own,
        order: ++order,
      });
      hashed += hashes.length;
      hashed -= countLines(file.views.splice(0, file.views.length - most.views));
      forgetOldest();
    },
    addChange(path) {
      changed = true;
      const file = touch(path);
      file.changes++;
      file.lastChange = ++order;
      forgetOldest();
    },
    addFailure(path) {
      touch(path).lastFailure = ++order;
      forgetOldest();
    },
    addReduced(toolUseId) {
      reduced.add(toolUseId);
      dropOldest(reduced, most.reduced);
    },
  };
}

const countLines = (views: readonly SeenView[]): number =>
  views.reduce((sum, { hashes }) => sum + hashes.length, 0);

function leaveOut(
  hashes: Float64Array,
  startLine: number,
  shown: NonNullable<View["shown"]>,
): void {
  const isShown = (line: number) => shown.some(([from, to]) => line >= from && line <= to);
  for (let at = 0; at < hashes.length; at++) if (!isShown(startLine + at)) hashes[at] = Number.NaN;
}
