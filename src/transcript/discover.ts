// Where a client's transcripts are and in which form, and what is found there: sessions, the files of their subagents, sizes, times.
import { lstat, readdir, readFile, realpath, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type LineParser, parseObject } from "./parse-entry.ts";
import type { ByteRange } from "./read.ts";
import { firstLine } from "./read.ts";

/** One transcript file. */
export interface TranscriptFile {
  /** Absolute. */
  path: string;
  bytes: number;
  /** Epoch ms of the last change. */
  changedAt: number;
}

/** A subagent's own file. Older clients have none and write its lines into the session's file. */
export interface AgentFile extends TranscriptFile {
  /** As in the lines' `agentId` and the hooks' `agent_id`. */
  agentId: string;
  /** From the `.meta.json` beside it, where there is one. */
  meta?: AgentMeta;
}

/** Everything on disk about one session. */
export interface SessionFiles {
  /** The client's session id: the name of its file, or part of it. */
  session: string;
  /** Whose it is; absent: Claude Code's. */
  client?: string;
  /** Where it worked, of a client whose lines do not say it. */
  cwd?: string;
  /** Name of the folder it lies in: the project's path with every `/` and `.` as `-`. Not reversible; lines carry the true `cwd`. */
  folder: string;
  /** Absent when only files of its subagents are left. */
  main?: TranscriptFile;
  /** By path. */
  agents: AgentFile[];
  /** Of all its files. */
  bytes: number;
  /** The newest change of any of them, epoch ms. */
  changedAt: number;
}

/** What a look at the disk found. */
export interface Discovery {
  /** Most recently changed first. */
  sessions: SessionFiles[];
  /** Folders and files that could not be read. Links inside the folder are not followed and not named. */
  unreadable: string[];
}

/** What a file says of its session, where its name and its lines do not. */
export interface AboutFile {
  /** The session's id. */
  session?: string;
  /** The folder it worked in. */
  cwd?: string;
}

/** Whose files lie there; absent: Claude Code's. */
interface DiscoveredClient {
  client?: string;
  /** The session's id in the name of its file or in its path, where it is not the whole name. */
  sessionOf?: ((file: string, path: string) => string | undefined) | undefined;
  /** What a file says of itself; one that is no session of its own is left out. */
  about?: ((path: string) => Promise<AboutFile | undefined>) | undefined;
}

/** Deeper folders are not looked at; the client's own layout ends at the sixth. */
const maxDepth = 12;
const ending = ".jsonl";
const agentName = /^agent-(.+)\.jsonl$/;

/**
 * All sessions at or below `path`: the client's `projects` folder, one project's folder, any folder laid out like
 * them, or one transcript file (then with its subagents). Reads no transcript, except the first line of a subagent's
 * file that lies in no session's folder. A missing path gives nothing; it never rejects.
 */
export async function discoverTranscripts(
  path: string,
  of: DiscoveredClient = {},
): Promise<Discovery> {
  const unreadable: string[] = [];
  const files = new Map<string, TranscriptFile>();
  try {
    const start = await realpath(path);
    if (start.endsWith(ending)) {
      await look(start, files, unreadable);
      await walk(start.slice(0, -ending.length), 1, files, unreadable);
    } else await walk(start, 0, files, unreadable);
  } catch (error) {
    if (!isMissing(error)) unreadable.push(path);
  }
  return { sessions: await gather([...files.values()], of), unreadable };
}

async function walk(
  folder: string,
  depth: number,
  files: Map<string, TranscriptFile>,
  unreadable: string[],
): Promise<void> {
  let entries: Awaited<ReturnType<typeof namesIn>>;
  try {
    entries = await namesIn(folder);
  } catch (error) {
    if (!isMissing(error)) unreadable.push(folder);
    return;
  }
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (depth < maxDepth) await walk(path, depth + 1, files, unreadable);
    } else if (entry.isFile() && entry.name.endsWith(ending)) await look(path, files, unreadable);
  }
}

function namesIn(folder: string) {
  return readdir(folder, { withFileTypes: true });
}

async function look(
  path: string,
  files: Map<string, TranscriptFile>,
  unreadable: string[],
): Promise<void> {
  try {
    const { size, mtimeMs } = await lstat(path);
    files.set(path, { path, bytes: size, changedAt: Math.round(mtimeMs) });
  } catch (error) {
    if (!isMissing(error)) unreadable.push(path);
  }
}

async function gather(
  files: readonly TranscriptFile[],
  { client, sessionOf, about }: DiscoveredClient,
): Promise<SessionFiles[]> {
  const sessions = new Map<string, SessionFiles>();
  const sessionAt = (path: string): SessionFiles => {
    const known = sessions.get(path);
    if (known) return known;
    const made: SessionFiles = {
      session: sessionOf?.(basename(path), path) ?? basename(path, ending),
      ...(client !== undefined && { client }),
      folder: basename(dirname(path)),
      agents: [],
      bytes: 0,
      changedAt: 0,
    };
    sessions.set(path, made);
    return made;
  };
  for (const file of files) {
    const agentId = agentName.exec(basename(file.path))?.[1];
    let session: SessionFiles;
    if (agentId === undefined) {
      const own = about ? await about(file.path) : {};
      if (!own) continue;
      session = Object.assign(sessionAt(file.path), own);
      session.main = file;
    } else {
      const owner = await ownerOf(file.path);
      if (owner === undefined) continue;
      session = sessionAt(owner);
      const meta = await readAgentMeta(file.path);
      session.agents.push({ ...file, agentId, ...(meta && { meta }) });
    }
    session.bytes += file.bytes;
    session.changedAt = Math.max(session.changedAt, file.changedAt);
  }
  for (const { agents } of sessions.values())
    agents.sort((one, other) => (one.path < other.path ? -1 : 1));
  return [...sessions.values()].sort((one, other) => other.changedAt - one.changedAt);
}

/** The path that the session's own file has or would have: `<session>/subagents/…` lies beside `<session>.jsonl`. */
async function ownerOf(path: string): Promise<string | undefined> {
  const within = path.split(/[/\\]subagents[/\\]/);
  if (within.length > 1) return `${within[0]}${ending}`;
  const session = await sessionIdIn(path);
  return session === undefined ? undefined : join(dirname(path), `${session}${ending}`);
}

/** Nothing is there. */
export function isMissing(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    (error.code === "ENOENT" || error.code === "ENOTDIR")
  );
}

// A subagent's transcript file: what is said of it beside it, whose it is, and where it lies for an agent's id.

/** What the client notes of a subagent in `.meta.json`. */
interface AgentMeta {
  /** `Explore`, `general-purpose`, … */
  agentType?: string;
  description?: string;
  /** Of the tool use that began it. */
  toolUseId?: string;
}

const metaBytes = 64 * 1024;
const firstLineBytes = 256 * 1024;

/** Reads the `.meta.json` beside an agent's file; undefined where there is none that can be read. */
async function readAgentMeta(path: string): Promise<AgentMeta | undefined> {
  const metaPath = path.replace(/\.jsonl$/, ".meta.json");
  try {
    if ((await stat(metaPath)).size > metaBytes) return undefined;
    const read = parseObject(await readFile(metaPath, "utf8"));
    if (!read) return undefined;
    const meta: AgentMeta = {};
    for (const key of ["agentType", "description", "toolUseId"] as const) {
      const value = read[key];
      if (typeof value === "string") meta[key] = value;
    }
    return meta;
  } catch {
    return undefined;
  }
}

/** The session id that a file's first line names; undefined when it names none or cannot be read. */
async function sessionIdIn(path: string): Promise<string | undefined> {
  try {
    const session = parseObject(await firstLine(path, firstLineBytes))?.sessionId;
    return typeof session === "string" && isFileName(session) ? session : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Where a session's subagent keeps its transcript: `<session>/subagents/agent-<id>.jsonl`, or folders deeper.
 * Undefined where it has no file: then its lines stand in the session's own.
 */
export async function findAgentFile(
  sessionPath: string,
  agentId: string,
): Promise<string | undefined> {
  if (!isFileName(agentId)) return undefined;
  const folder = join(dirname(sessionPath), basename(sessionPath, ".jsonl"), "subagents");
  const name = `agent-${agentId}.jsonl`;
  try {
    const usual = join(folder, name);
    if ((await stat(usual).catch(() => undefined))?.isFile()) return usual;
    const names = await readdir(folder, { recursive: true });
    const found = names.find((path) => basename(path) === name);
    return found === undefined ? undefined : join(folder, found);
  } catch {
    return undefined;
  }
}

/** Nothing that could lead to another folder. */
function isFileName(text: string): boolean {
  return /^[\w-][\w.-]{0,200}$/.test(text);
}

// Where and in which form a client keeps its transcripts.

/** What a reader has to know of one client's transcripts. */
interface TranscriptForm {
  /** Files elsewhere must bear their session's id. */
  folder: string;
  /** Absent: Claude Code's lines. */
  parse?: LineParser | undefined;
  /** Of a client that keeps them in a database: what lies at a session's path in it. Absent: they are files. */
  chunks?: Chunks | undefined;
  /** It writes its lines, and the file itself, a while after it runs its hooks. */
  isLate?: boolean;
}

/** By a client's name; undefined for Claude Code, and for one whose transcripts are not read. */
export type TranscriptFormOf = (client: string) => Promise<TranscriptForm | undefined>;

// Where a client's transcripts lie that are no files: in a database, read as if each session were one.

/** Gives part of what lies at a path; rejects when it cannot be read. */
export type Chunks = (path: string, range?: ByteRange) => AsyncIterable<Uint8Array>;

/** Sessions with paths like files below the database's own: `<database>/<session>.jsonl`. */
export interface TranscriptStore {
  /** All sessions at the database's path, or the one at its own. A missing path gives nothing; it never rejects. */
  discover(path: string): Promise<Discovery>;
  /** A session's lines. What was written before does not change where nobody rewrites history. */
  chunks: Chunks;
}

/** All that lies at a path, for who reads from its end. */
export async function* wholeBackwards(
  chunks: Chunks,
  path: string,
): AsyncGenerator<{ chunk: Uint8Array; offset: number }> {
  const parts: Uint8Array[] = [];
  for await (const part of chunks(path)) parts.push(part);
  yield { chunk: Buffer.concat(parts), offset: 0 };
}
