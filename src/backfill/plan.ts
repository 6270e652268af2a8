// What a backfill would do, before it does anything: sessions, prompts, tool uses, and what a model would cost. Reads files only.
import { dirname, sep } from "node:path";
import { adapterNamed, allAdapters, clientOf } from "../clients/index.ts";
import type { Environment } from "../home/paths.ts";
import type { HeardSession, TranscriptMark } from "../runtime/journal/sessions.ts";
import type { ClientEvent } from "../sdk/events.ts";
import { pathBelow } from "../text/paths.ts";
import { type Discovery, discoverTranscripts, type SessionFiles } from "../transcript/discover.ts";
import { filesOf, isRead, recordedSession } from "./feed-session.ts";

/** One session that would be read. */
export interface PlannedSession {
  session: string;
  files: SessionFiles;
  /** The first working directory; undefined where no line names one. */
  cwd?: string;
  /** Epoch ms of its first and last entry. */
  startedAt: number;
  lastAt: number;
  bytes: number;
  prompts: number;
  toolUses: number;
  /** Prompts and tool uses that would bring nothing: memory has them from a hook or a copy, or capture leaves them out. */
  known: number;
  /** Characters of tool inputs and results as a model would be shown them, cut to what it would be shown at most. */
  characters: number;
}

/** What is there to do. */
export interface BackfillPlan {
  /** Newest first. */
  sessions: PlannedSession[];
  /** Sessions that were read before and did not change since, or that would bring nothing new. */
  alreadyRead: number;
  /** Sessions without a prompt or a tool use. */
  empty: number;
}

/** Which sessions are wanted. */
interface PlanFilter {
  /** Part of the working directory: a folder, or the name of one. */
  project?: string;
  /** Only sessions that went on after this, epoch ms. */
  since?: number;
}

/** A tool's text is not shown to a model beyond so many characters. */
const shownCharacters = 4_000;

/** Looks at every session that was not read before: `look` says what is new in it. */
export async function planBackfill(
  found: readonly SessionFiles[],
  marks: ReadonlyMap<string, TranscriptMark>,
  filter: PlanFilter,
  look: (files: SessionFiles) => Promise<PlannedSession | undefined> = (files) =>
    lookInto(files, marks),
): Promise<BackfillPlan> {
  const plan: BackfillPlan = { sessions: [], alreadyRead: 0, empty: 0 };
  for (const files of found) {
    if (isRead(files, marks)) {
      plan.alreadyRead++;
      continue;
    }
    const session = await look(files);
    const isEmpty = !session || session.prompts + session.toolUses === 0;
    const isKnown = (session?.known ?? 0) > 0 || filesOf(files).some(({ path }) => marks.has(path));
    if (isEmpty && isKnown) plan.alreadyRead++;
    else if (isEmpty) plan.empty++;
    else if (isWanted(session, filter)) plan.sessions.push(session);
  }
  plan.sessions.sort((one, other) => other.lastAt - one.lastAt);
  return plan;
}

function isWanted({ cwd, lastAt }: PlannedSession, { project, since }: PlanFilter): boolean {
  if (since !== undefined && lastAt < since) return false;
  if (project === undefined) return true;
  if (cwd === undefined) return false;
  const parts = cwd.split(/[\\/]/);
  return pathBelow(project, cwd) !== undefined || parts.includes(project);
}

/**
 * What is in a session that was not read before. A file that was read, and then went on or was rewritten by Endless Mode,
 * has other bytes now: what happened before it was read is known all the same. `isNew` knows what hooks brought.
 */
export async function lookInto(
  files: SessionFiles,
  marks: ReadonlyMap<string, TranscriptMark>,
  isNew: (event: ClientEvent) => Promise<boolean> = async () => true,
): Promise<PlannedSession | undefined> {
  if (filesOf(files).length === 0) return undefined;
  const planned: PlannedSession = {
    session: files.session,
    files,
    startedAt: Number.POSITIVE_INFINITY,
    lastAt: 0,
    bytes: files.bytes,
    prompts: 0,
    toolUses: 0,
    known: 0,
    characters: 0,
  };
  const recorded = await recordedSession(files);
  for (const file of filesOf(files)) {
    const events = recorded.begin(file);
    const readAt = marks.get(file.path)?.changedAt ?? Number.NEGATIVE_INFINITY;
    for await (const entry of recorded.entries(file))
      for (const { event } of events.add(entry)) {
        if (event.time <= readAt) continue;
        const isToolUse = event.name === "PostToolUse" || event.name === "PostToolUseFailure";
        const counts = isToolUse || event.name === "UserPromptSubmit";
        // A large result is not what it is known by.
        const asked = event.name === "PostToolUse" ? { ...event, toolResponse: "" } : event;
        if (counts && !(await isNew(asked))) {
          planned.known++;
          continue;
        }
        planned.lastAt = Math.max(planned.lastAt, event.time);
        if (!counts) continue;
        planned.startedAt = Math.min(planned.startedAt, event.time);
        if (event.name === "UserPromptSubmit") planned.prompts++;
        if (!isToolUse) continue;
        planned.toolUses++;
        const result = event.name === "PostToolUse" ? event.toolResponse : event.error;
        planned.characters += shown(event.toolInput) + shown(result);
      }
    const cwd = events.cwd();
    if (cwd !== undefined) planned.cwd ??= cwd;
  }
  return planned;
}

function shown(value: unknown): number {
  return Math.min(shownCharacters, JSON.stringify(value ?? "").length);
}

// What a model would be asked about planned sessions: an estimate, with its formula in one place.

/** Estimated tokens. */
export interface TokenEstimate {
  input: number;
  output: number;
}

const charactersPerToken = 4;
/** Of each prompt: what stays the same in every request, and what is asked of the summary. */
const perPrompt = { input: 2_500, output: 500 };
/** Of each tool use: the observation it may lead to. */
const outputPerToolUse = 60;

/**
 * Input: four characters a token of what a model would be shown of each tool use, and 2,500 for each prompt. Output: 60
 * for each tool use and 500 for each prompt. An estimate; strategies that batch more need less.
 */
export function estimateModelTokens(sessions: readonly PlannedSession[]): TokenEstimate {
  const sum = { input: 0, output: 0 };
  for (const { prompts, toolUses, characters } of sessions) {
    sum.input += Math.ceil(characters / charactersPerToken) + prompts * perPrompt.input;
    sum.output += toolUses * outputPerToolUse + prompts * perPrompt.output;
  }
  return sum;
}

// Sessions on the disk, each with the client whose it is.

const first = "claude-code";

/** What lies at or below a path, of one client. Nothing for a client that memoir does not know, or whose transcripts it does not read. */
export async function sessionsIn(path: string, client: string): Promise<SessionFiles[]> {
  return (await discoverOf(path, client)).sessions;
}

/** A session's files; only one that bears its id: what a client named may be anything. */
export async function sessionNamed({
  session,
  client,
  transcriptPath,
}: {
  session: string;
  client: string;
  transcriptPath?: string | undefined;
}): Promise<SessionFiles | undefined> {
  if (transcriptPath === undefined) return undefined;
  return (await sessionsIn(transcriptPath, client)).find((files) => files.session === session);
}

/** The same, with what could not be read. */
export async function discoverOf(path: string, client: string): Promise<Discovery> {
  if (client === first) return discoverTranscripts(path);
  if (!clientOf(client)) return { sessions: [], unreadable: [] };
  const { transcripts } = await adapterNamed(client);
  if (!transcripts) return { sessions: [], unreadable: [] };
  const { sessionOf, about, store } = transcripts;
  if (store) return store.discover(path);
  return discoverTranscripts(path, { client, sessionOf, about });
}

/** Where each client keeps its sessions. */
export async function sessionFolders(
  env: Environment,
): Promise<Array<{ client: string; folder: string }>> {
  return (await allAdapters()).flatMap(({ name, transcripts }) =>
    transcripts ? [{ client: name, folder: transcripts.folder(env) }] : [],
  );
}

/** Whose sessions lie at a path: of the client in whose folder it is; else Claude Code's. */
export async function clientAt(path: string, env: Environment): Promise<string> {
  const folders = await sessionFolders(env);
  const own = folders.find(({ folder }) => path === folder || path.startsWith(folder + sep));
  return own?.client ?? first;
}

/** A folder of one client's transcripts, and when a hook first fired in it, epoch ms. */
interface HeardFolder {
  folder: string;
  client: string;
  since: number;
}

/** The folders in which hooks fired. */
export function foldersOf(heard: readonly HeardSession[]): HeardFolder[] {
  const folders = new Map<string, HeardFolder>();
  for (const { client, transcriptPath, firstHeardAt } of heard) {
    const folder = dirname(transcriptPath);
    const key = `${client}\n${folder}`;
    const since = Math.min(folders.get(key)?.since ?? firstHeardAt, firstHeardAt);
    folders.set(key, { folder, client, since });
  }
  return [...folders.values()];
}
