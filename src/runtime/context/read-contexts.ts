// Gives a batch's tool uses the conversation around them: which files, how far, cleaned before anyone sees it. It never rejects.

import { realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, sep } from "node:path";
import type { Log } from "../../home/log.ts";
import { stripContext } from "../../privacy/marker.ts";
import type { ClientEvent } from "../../sdk/events.ts";
import { within } from "../../sdk/within.ts";
import type {
  ContextTurn,
  ObservationBatch,
  TokenUsage,
  ToolUse,
  ToolUseContext,
  WorkSession,
} from "../../sdk/work.ts";
import { weighTokens } from "../../text/text.ts";
import {
  type ContextLimits,
  defaultContextLimits,
  type FoundContext,
  readToolContexts,
} from "../../transcript/context.ts";
import { findAgentFile, type TranscriptFormOf, wholeBackwards } from "../../transcript/discover.ts";
import { fileChunksBackwards, offsetAfter } from "../../transcript/read.ts";
import type { Captured } from "../ports.ts";

/** What the transcript tells about a batch. */
export interface BatchContexts {
  /** By tool-use id. */
  contexts: ReadonlyMap<string, ToolUseContext>;
  /** The agent's own tokens behind a tool use, by its id; without those that are not known. */
  tokens: ReadonlyMap<string, number>;
}

/** `end`: where in the transcript the batch ends, in bytes, as far as its newest event tells. */
export type ReadContexts = (batch: ObservationBatch, end?: number) => Promise<BatchContexts>;

interface ContextDeps {
  /** Where clients keep transcripts; files elsewhere must bear the session's id. */
  folders: readonly string[];
  /** How a client writes them, and where; absent: all write as Claude Code does. */
  form?: TranscriptFormOf;
  /** Absent: the usual ones. */
  limits?: ContextLimits;
  scrub: ScrubTexts;
  log: Log;
  /** A file system that hangs costs the batch its contexts after this. Default 20 s. */
  waitMs?: number;
}

const nothing: BatchContexts = { contexts: new Map(), tokens: new Map() };
const lateMs = 60_000;
/** A longer file is not read from its end when it is known where the batch lies. */
const shortFile = 4 * 1024 * 1024;

/** Makes the reader that the worker asks before a batch is observed. */
export function createContextReader({ waitMs = 20_000, ...deps }: ContextDeps): ReadContexts {
  return async (batch, end) => {
    const { id, transcriptPath } = batch.session;
    if (transcriptPath === undefined || batch.toolUses.length === 0) return nothing;
    try {
      const read = await within(waitMs, readBatch(deps, batch, transcriptPath, end), undefined);
      if (read) return read;
      deps.log.warn("A transcript took too long to read; observing without it.", { session: id });
    } catch (error) {
      deps.log.warn("A transcript could not be read; observing without it.", {
        session: id,
        error,
      });
    }
    return nothing;
  };
}

async function readBatch(
  { folders, form, limits = defaultContextLimits, scrub }: ContextDeps,
  batch: ObservationBatch,
  named: string,
  end: number | undefined,
): Promise<BatchContexts> {
  const written = await form?.(batch.session.client);
  const places = written ? [...folders, written.folder] : folders;
  const stored = written?.chunks;
  const main = stored
    ? await trustedStored(named, batch.session.id)
    : await trustedTranscript(named, batch.session.id, places);
  if (!main) return nothing;
  const found = new Map<string, FoundContext>();
  for (const [agentId, toolUses] of byAgent(batch.toolUses)) {
    const own = agentId === undefined || stored ? undefined : await agentFile(main.path, agentId);
    const file = own ?? main;
    const backwards = stored
      ? // A subagent is a session of its own there.
        wholeBackwards(stored, join(dirname(main.path), `${agentId ?? batch.session.id}.jsonl`))
      : fileChunksBackwards(file.path, await endOf(file, toolUses, own ? undefined : end));
    const wanted = toolUses.map(({ id, time, durationMs }) => ({
      id,
      time,
      ...(durationMs !== undefined && { durationMs }),
      ...(agentId !== undefined && { agentId }),
    }));
    const contexts = await readToolContexts(backwards, wanted, {
      limits: rawLimits(limits),
      clean: stripContext,
      parse: written?.parse,
    });
    for (const [id, context] of contexts) found.set(id, context);
  }
  return {
    contexts: await cleanContexts(found, batch, limits, scrub),
    tokens: toolUseTokens(found),
  };
}

function byAgent(toolUses: readonly ToolUse[]): Map<string | undefined, ToolUse[]> {
  const groups = new Map<string | undefined, ToolUse[]>();
  for (const use of toolUses) {
    if (use.withheld) continue;
    const group = groups.get(use.agent?.id);
    if (group) group.push(use);
    else groups.set(use.agent?.id, [use]);
  }
  return groups;
}

async function agentFile(main: string, agentId: string): Promise<TrustedTranscript | undefined> {
  const named = await findAgentFile(main, agentId);
  return named === undefined ? undefined : trustedAgentFile(named, main);
}

/** Where to begin reading backwards. */
async function endOf(
  { path, bytes }: TrustedTranscript,
  toolUses: readonly ToolUse[],
  recorded: number | undefined,
): Promise<number> {
  if (recorded !== undefined) return Math.min(bytes, recorded);
  if (bytes <= shortFile) return bytes;
  const last = Math.max(...toolUses.map(({ time }) => time));
  return offsetAfter(path, last + lateMs, bytes);
}

// What the agent spent on its tool uses, and so on what was learned from them: the one place where that is worked out.

/** A tool use's message: its usage, and all tool uses it made, in order. */
export interface MessageOfToolUse {
  usage?: TokenUsage;
  messageToolUses: readonly string[];
}

/**
 * Tokens of each tool use: its message's `weighTokens` (input, output and cache writes in full, cache reads at a
 * tenth, rounded), shared out evenly over all tool uses of that message; what does not divide goes to the first ones,
 * one token each. The shares of a message sum up to it exactly. Tool uses without known usage are left out.
 */
export function toolUseTokens(found: ReadonlyMap<string, MessageOfToolUse>): Map<string, number> {
  const tokens = new Map<string, number>();
  for (const [id, { usage, messageToolUses }] of found) {
    const at = messageToolUses.indexOf(id);
    if (usage && at >= 0) tokens.set(id, share(weighTokens(usage), messageToolUses.length, at));
  }
  return tokens;
}

/**
 * The same observations with `discoveryTokens`: each tool use's tokens are shared out evenly over the observations that
 * name it, so that their sum is exactly that of the tool uses named. Of an observation some of whose tool uses are
 * not known, the known ones count (a lower bound); null when none is. What a strategy filled in itself stays.
 */
export function withDiscoveryTokens<
  Observed extends { toolUseIds: readonly string[]; discoveryTokens: number | null },
>(observations: readonly Observed[], tokens: ReadonlyMap<string, number>): Observed[] {
  const namedBy = new Map<string, number[]>();
  for (const [index, { toolUseIds }] of observations.entries())
    for (const id of new Set(toolUseIds)) namedBy.set(id, [...(namedBy.get(id) ?? []), index]);
  return observations.map((observation, index) => {
    if (observation.discoveryTokens !== null) return observation;
    let sum: number | null = null;
    for (const id of new Set(observation.toolUseIds)) {
      const spent = tokens.get(id);
      const names = namedBy.get(id) ?? [];
      if (spent !== undefined) sum = (sum ?? 0) + share(spent, names.length, names.indexOf(index));
    }
    return { ...observation, discoveryTokens: sum };
  });
}

/** The part of `whole` that falls to number `at` of `parts`. */
function share(whole: number, parts: number, at: number): number {
  return Math.floor(whole / parts) + (at < whole % parts ? 1 : 0);
}

// Which files are read as transcripts: a payload names a path, and a path can name anything.

/** A transcript that may be read. */
interface TrustedTranscript {
  /** Without links. */
  path: string;
  bytes: number;
}

/**
 * The file behind the path that a client named for a session: a regular `.jsonl` file that, links resolved, lies
 * below one of `folders` (where clients keep transcripts) or bears the session's id as its name. Else undefined.
 */
export async function trustedTranscript(
  named: string,
  session: string,
  folders: readonly string[],
): Promise<TrustedTranscript | undefined> {
  if (!isAbsolute(named) || !named.endsWith(".jsonl")) return undefined;
  try {
    const path = await realpath(named);
    if (!path.endsWith(".jsonl")) return undefined;
    if (basename(path) !== `${session}.jsonl` && !(await liesBelow(path, folders)))
      return undefined;
    return await regularFile(path);
  } catch {
    return undefined;
  }
}

/**
 * What a client that keeps its sessions in a database named for one: `<database>/<session>.jsonl`, the database a regular
 * file. Undefined for any other path. How long it is, only reading tells.
 */
export async function trustedStored(
  named: string,
  session: string,
): Promise<TrustedTranscript | undefined> {
  if (!isAbsolute(named) || basename(named) !== `${session}.jsonl`) return undefined;
  try {
    const database = await regularFile(await realpath(dirname(named)));
    return (
      database && { path: join(database.path, basename(named)), bytes: Number.MAX_SAFE_INTEGER }
    );
  } catch {
    return undefined;
  }
}

/** A subagent's file of a trusted session file; links out of the session's folder are not followed. */
export async function trustedAgentFile(
  named: string,
  sessionPath: string,
): Promise<TrustedTranscript | undefined> {
  try {
    const path = await realpath(named);
    const own = join(dirname(sessionPath), basename(sessionPath, ".jsonl"));
    return path.startsWith(own + sep) ? await regularFile(path) : undefined;
  } catch {
    return undefined;
  }
}

async function liesBelow(path: string, folders: readonly string[]): Promise<boolean> {
  for (const folder of folders) {
    const real = await realpath(folder).catch(() => undefined);
    if (real !== undefined && path.startsWith(real.endsWith(sep) ? real : real + sep)) return true;
  }
  return false;
}

/** A pipe or a device would never end. */
async function regularFile(path: string): Promise<TrustedTranscript | undefined> {
  const found = await stat(path);
  return found.isFile() ? { path, bytes: found.size } : undefined;
}

// Texts out of a transcript were never captured: they go through the capture plugins before anything else sees them.

/**
 * Takes what must not be kept out of texts, in order; undefined when that failed, and nothing may be used.
 * A text of which nothing is left is the empty string.
 */
export type ScrubTexts = (
  texts: readonly string[],
  about: ScrubbedFor,
) => Promise<readonly string[] | undefined>;

/** Whose texts they are. */
interface ScrubbedFor {
  /** Of the piece of work that wants them. */
  key: string;
  session: WorkSession;
  cwd: string;
  /** Epoch ms. */
  time: number;
}

/** Turns are few and shared by a batch's tool uses: they are cleaned nearly whole, then their ends are kept. */
const longestTurn = 16_000;

/** A secret or a tag that the limit would cut in two must be seen whole. */
const margin = 1_000;

/** The limits under which texts are read, before they are cleaned. */
export function rawLimits(limits: ContextLimits): ContextLimits {
  const { intent, reasoning, assistantText, result, turn } = limits;
  return {
    ...limits,
    intent: intent + margin,
    reasoning: reasoning + margin,
    assistantText: assistantText + margin,
    result: result + margin,
    turn: Math.max(longestTurn, turn + margin),
  };
}

const fields = [
  ["userIntent", "intent"],
  ["reasoning", "reasoning"],
  ["assistantText", "assistantText"],
  ["result", "result"],
] as const;

/** What strategies are given; without any text when cleaning failed. Equal texts are cleaned once. */
export async function cleanContexts(
  found: ReadonlyMap<string, FoundContext>,
  batch: ObservationBatch,
  limits: ContextLimits,
  scrub: ScrubTexts,
): Promise<Map<string, ToolUseContext>> {
  const texts = [...new Set([...found.values()].flatMap(textsOf))];
  const last = batch.toolUses.at(-1);
  const { key, session } = batch;
  const about = { key, session, cwd: last?.cwd ?? session.project.root, time: last?.time ?? 0 };
  const scrubbed = texts.length === 0 ? [] : await scrub(texts, about);
  const clean = new Map(texts.map((text, at) => [text, scrubbed?.[at] ?? ""]));
  const shown = (text: string, most: number) => cut(clean.get(text) ?? "", most);
  return new Map(
    [...found].map(([id, raw]) => {
      const context = frameOf(raw);
      for (const [field, limit] of fields) {
        const text = shown(raw[field] ?? "", limits[limit]);
        if (text !== "") context[field] = text;
      }
      context.turns = raw.turns.flatMap(({ role, text }): ContextTurn[] => {
        const said = ends(clean.get(text) ?? "", limits.turn);
        return said === "" ? [] : [{ role, text: said }];
      });
      return [id, context];
    }),
  );
}

function textsOf(context: FoundContext): string[] {
  const own = fields.flatMap(([field]) => context[field] ?? []);
  return [...own, ...context.turns.map(({ text }) => text)];
}

/** Everything that is no text. */
function frameOf({ model, usage, cwd, branch, version, time, partial }: FoundContext) {
  const context: ToolUseContext = {
    turns: [],
    ...(model !== undefined && { model }),
    ...(usage && { usage }),
    ...(cwd !== undefined && { cwd }),
    ...(branch !== undefined && { branch }),
    ...(version !== undefined && { version }),
    ...(time !== undefined && { time }),
    ...(partial && { partial }),
  };
  return context;
}

/** Beginning and end: an answer's last sentence is often the question that the next prompt answers. */
function ends(text: string, most: number): string {
  const whole = text.trim().toWellFormed();
  if (whole.length <= most) return whole;
  const half = Math.floor((most - 3) / 2);
  if (half < 1) return "";
  return `${whole.slice(0, half)} … ${whole.slice(-half)}`.toWellFormed();
}

function cut(text: string, most: number): string {
  const whole = text.trim().toWellFormed();
  if (whole.length <= most) return whole;
  const code = whole.charCodeAt(most - 2);
  return `${whole.slice(0, code >= 0xd800 && code <= 0xdbff ? most - 2 : most - 1)}…`;
}

// Sends a transcript's texts through the capture plugins, as an event that is never kept.

/** `clientEvent` of the `Other` event that carries the texts, in `extra.texts`: text by number. */
const transcriptTexts = "TranscriptTexts";

/** One event carries about so many characters: capture plugins have a deadline. */
const eventChars = 128 * 1024;

/** Fails closed: a plugin that fails, drops the event or changes its form costs all texts. */
export function scrubThrough(capture: (event: ClientEvent) => Promise<Captured>): ScrubTexts {
  return async (texts, { key, session, time, cwd }) => {
    const scrubbed: string[] = [];
    for (const part of parts(texts)) {
      const id = `${key}:${scrubbed.length}`;
      const event: ClientEvent = {
        name: "Other",
        clientEvent: transcriptTexts,
        id,
        key: id,
        client: session.client,
        session: session.id,
        time,
        cwd,
        project: session.project,
        extra: { texts: Object.fromEntries(part.entries()) },
      };
      const captured = await capture(event);
      if ("drop" in captured || captured.event.withheld) return undefined;
      const answer = captured.event.extra?.texts;
      if (typeof answer !== "object" || answer === null) return undefined;
      const values = Object.values(answer);
      if (values.length !== part.length) return undefined;
      // Integer keys keep their order.
      for (const value of values) scrubbed.push(typeof value === "string" ? value : "");
    }
    return scrubbed;
  };
}

function* parts(texts: readonly string[]): Generator<string[]> {
  let part: string[] = [];
  let chars = 0;
  for (const text of texts) {
    part.push(text);
    chars += text.length;
    if (chars < eventChars) continue;
    yield part;
    part = [];
    chars = 0;
  }
  if (part.length > 0) yield part;
}
