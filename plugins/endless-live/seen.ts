// Remembers what one agent of one session has in its context of files. Bounded; lost on restart without harm.
import { dropOldest } from "../../src/text/index.ts";

/** A stretch of a file as it came into the context. Lines count from 1. */
interface SeenView {
  /** Of the first and the last line that the tool gave. */
  startLine: number;
  endLine: number;
  /** A hash of each line from `startLine` on; NaN where the line was left out and so is not in the context. */
  hashes: Float64Array;
  /** True for what the agent wrote itself; where that stands in the file is not known. */
  own: boolean;
  /** Place in the order of everything this agent saw. */
  order: number;
}

/** What is known of one file. */
export interface SeenFile {
  /** Oldest first. */
  views: SeenView[];
  /** Place in the order of the last edit of it that failed; 0 for none. */
  lastFailure: number;
}

/** A view to be remembered. `shown`: the stretches of file lines that stand verbatim in the context; default all. */
interface View {
  path: string;
  startLine: number;
  lines: readonly string[];
  shown?: readonly (readonly [from: number, to: number])[];
  /** The agent wrote these lines itself. */
  own?: boolean;
}

/** Beyond these the longest unused goes first: agents and sessions, files, views of a file, hashed lines of an agent, words of a session. */
const [mostAgents, mostFiles, mostViews, mostLines, mostWords] = [100, 1_000, 12, 200_000, 5_000];

/** Prompts of which all words are known, and characters of each. */
const [mostPrompts, longestPrompt] = [2, 4_000];

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

/** An empty memory. */
export function createSeen() {
  const sessions = new Map<string, Map<string, Seen>>();
  const prompts = new Map<string, Set<string>>();
  /** The newest prompts of each session, newest first. */
  const newest = new Map<string, string[]>();
  return {
    /** `agent` is the subagent's id; none for the session's own agent. */
    of(session: string, agent = ""): Seen {
      const agents = sessions.get(session) ?? new Map<string, Seen>();
      const isMentioned = (word: string) => prompts.get(session)?.has(word) ?? false;
      const lastPrompts = () => newest.get(session) ?? [];
      const record = agents.get(agent) ?? createRecord(agent !== "", { isMentioned, lastPrompts });
      agents.delete(agent);
      agents.set(agent, record);
      sessions.delete(session);
      sessions.set(session, agents);
      dropOldest(sessions, mostAgents);
      return record;
    },
    /** What a person, or an agent that sends another, asked for. */
    addPrompt(session: string, text: string): void {
      const last = [text.slice(0, longestPrompt), ...(newest.get(session) ?? [])];
      newest.delete(session);
      newest.set(session, last.slice(0, mostPrompts));
      dropOldest(newest, mostAgents);
      const words = prompts.get(session) ?? new Set();
      for (const [word] of text.matchAll(
        /[A-Za-z_$][\w$]{7,}|[A-Za-z_$][\w$]*(?:\d|[a-z][A-Z]|_)[\w$]*|[\w-]+\.[a-z]{1,5}\b/g,
      )) {
        words.delete(word);
        words.add(word);
      }
      dropOldest(words, mostWords);
      prompts.delete(session);
      prompts.set(session, words);
      dropOldest(prompts, mostAgents);
    },
    /** The context was emptied: of one agent, or (without `agent`) of the session and all its subagents. */
    forget(session: string, agent?: string): void {
      if (agent === undefined) sessions.delete(session);
      else sessions.get(session)?.delete(agent);
    },
  };
}

/** What one agent has in its context. Reducers only read it; the plugin adds what came to pass. */
export type Seen = ReturnType<typeof createRecord>;

function createRecord(
  isSubagent: boolean,
  {
    isMentioned,
    lastPrompts,
  }: { isMentioned(word: string): boolean; lastPrompts(): readonly string[] },
) {
  const files = new Map<string, SeenFile>();
  /** What commands were about whose output was made smaller, with the last of these commands. */
  const cut = new Map<string, string>();
  let order = 0;
  let hashed = 0;
  let changed = false;

  function touch(path: string): SeenFile {
    const file = files.get(path) ?? { views: [], lastFailure: 0 };
    files.delete(path);
    files.set(path, file);
    return file;
  }

  function forgetOldest(): void {
    for (const [path, file] of files) {
      if (files.size <= mostFiles && hashed <= mostLines) return;
      hashed -= countLines(file.views);
      files.delete(path);
    }
  }

  return {
    file: (path: string): SeenFile | undefined => files.get(path),
    /** Whether a prompt of the session has this word. */
    isMentioned,
    /** What was asked for last, newest first. */
    lastPrompts,
    /** Whether another command about one of these came back smaller. */
    wasCut: (things: readonly string[], command: string): boolean =>
      things.some((thing) => (cut.get(thing) ?? command) !== command),
    addCut(things: readonly string[], command: string): void {
      for (const thing of things) {
        cut.delete(thing);
        cut.set(thing, command);
      }
      dropOldest(cut, mostFiles);
    },
    /** True for a subagent that changed no file so far. */
    onlyReads: (): boolean => isSubagent && !changed,
    addView({ path, startLine, lines, shown, own = false }: View): void {
      const hashes = Float64Array.from(lines, hashLine);
      if (shown) leaveOut(hashes, startLine, shown);
      const file = touch(path);
      const endLine = startLine + lines.length - 1;
      file.views.push({ startLine, endLine, hashes, own, order: ++order });
      hashed += hashes.length;
      hashed -= countLines(file.views.splice(0, file.views.length - mostViews));
      forgetOldest();
    },
    /** The agent edited or wrote a file. */
    addChange(): void {
      changed = true;
    },
    /** An edit of it failed. */
    addFailure(path: string): void {
      touch(path).lastFailure = ++order;
      forgetOldest();
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
