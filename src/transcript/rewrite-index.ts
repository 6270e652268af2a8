// What a rewrite knows of a transcript (who follows whom, where turns begin, which tool uses have their result), and what it may touch.

import { estimateTokens } from "../text/text.ts";
import type { TranscriptEntry } from "./entry.ts";
import { personText } from "./parse-entry.ts";
import { type ByteSource, readEntries } from "./read.ts";

/** A tool use that an entry holds. */
interface IndexedUse {
  id: string;
  name: string;
  /** Characters of its input as JSON. */
  characters: number;
  /** True when the input was cleared by an earlier rewrite. */
  cleared: boolean;
}

/** One line, with what a rewrite looks at. */
export interface IndexedEntry {
  offset: number;
  /** Without the line feed. */
  bytes: number;
  type: string;
  uuid: string | undefined;
  parent: string | undefined;
  sidechain: boolean;
  agent: string | undefined;
  /** Assistant's lines of one message have one id. */
  message: string | undefined;
  uses: readonly IndexedUse[];
  /** Ids of the tool uses whose results it holds. */
  results: readonly string[];
  /** A person's prompt: a turn begins. */
  prompt: boolean;
  /** Nothing before it reaches the model. */
  boundary: boolean;
}

/** A transcript as a rewrite sees it. Holds no contents. */
export interface RewriteIndex {
  entries: IndexedEntry[];
  byUuid: Map<string, IndexedEntry>;
  /** Uuids that stand on several lines. */
  doubled: Set<string>;
  /** Lines that are no entry. */
  broken: number;
  /** Ids of records that an injected fetch has in this file already. */
  fetched: Set<string>;
  /** Ids of tool uses whose records a hook has put before the model already. */
  injected: Set<string>;
}

/** The name of the tool whose uses are injected. */
export const fetchTool = "mcp__memoir__get";
/** Under this name too: transcripts that were rewritten before. */
const fetchTools: ReadonlySet<unknown> = new Set([fetchTool, "mcp__memoir__fetch_observations"]);

/** Whether a tool use of this name gave records back. */
function isFetch(name: unknown): boolean {
  return fetchTools.has(name);
}
/** The mark that a hook's context bears when it is about one tool use. */
const injectedMark = /tool-use=\\+"([\w-]{1,200})\\+"/g;
const none: readonly never[] = [];

/** Reads a whole transcript. Broken lines are counted and passed over. */
export async function indexTranscript(source: ByteSource): Promise<RewriteIndex> {
  const index: RewriteIndex = {
    entries: [],
    byUuid: new Map(),
    doubled: new Set(),
    broken: 0,
    fetched: new Set(),
    injected: new Set(),
  };
  for await (const entry of readEntries(source)) {
    if (entry.kind === "broken") index.broken++;
    else add(index, entry);
  }
  return index;
}

function add(index: RewriteIndex, entry: TranscriptEntry): void {
  const { uuid } = entry;
  const indexed: IndexedEntry = {
    offset: entry.offset,
    bytes: entry.bytes,
    type: entry.type,
    uuid,
    parent: entry.parentUuid,
    sidechain: entry.isSidechain,
    agent: entry.agentId,
    message: entry.kind === "assistant" ? entry.messageId : undefined,
    uses: entry.kind === "assistant" ? usesIn(index, entry) : none,
    results: entry.kind === "user" ? resultsIn(entry) : none,
    prompt: entry.kind === "user" && personText(entry) !== undefined,
    boundary: entry.kind === "system" && entry.subtype === "compact_boundary",
  };
  if (entry.kind === "other" && entry.type === "attachment") noteInjected(index, entry);
  index.entries.push(indexed);
  if (uuid === undefined) return;
  if (index.byUuid.has(uuid)) index.doubled.add(uuid);
  else index.byUuid.set(uuid, indexed);
}

function usesIn(
  index: RewriteIndex,
  { blocks }: Extract<TranscriptEntry, { kind: "assistant" }>,
): IndexedUse[] {
  const uses: IndexedUse[] = [];
  for (const block of blocks) {
    if (block.type !== "tool_use") continue;
    const input = (block.input ?? {}) as Record<string, unknown>;
    const cleared = isClearedInput(input);
    uses.push({
      id: block.id,
      name: block.name,
      characters: JSON.stringify(input).length,
      cleared,
    });
    if (!isFetch(block.name) || !Array.isArray(input.ids)) continue;
    for (const id of input.ids) if (typeof id === "string") index.fetched.add(id);
  }
  return uses;
}

function resultsIn({ blocks }: Extract<TranscriptEntry, { kind: "user" }>): string[] {
  return blocks.flatMap((block) => (block.type === "tool_result" ? [block.toolUseId] : []));
}

/** The client keeps what hooks said as attachments. */
function noteInjected(index: RewriteIndex, entry: TranscriptEntry): void {
  const text = new TextDecoder().decode(entry.content);
  if (!text.includes("memoir-context")) return;
  for (const [, id] of text.matchAll(injectedMark)) if (id) index.injected.add(id);
}

// What stands in a transcript or request for a tool's input that was taken out.

/** An input that was cleared; `message` says so to the model, and how it gets the input back. */
export type ClearedInput = {
  _cleared: true;
  message: string;
};

/** Whether an input was cleared before, by whichever strategy. */
export function isClearedInput(input: Readonly<Record<string, unknown>>): boolean {
  return input._cleared === true;
}

/**
 * The object that stands for an input whose JSON was `before`. It says in one line how an agent with a shell gets the
 * whole back; `command` is what `memoirCommand` gave.
 */
export function clearedInput(toolUseId: string, before: string, command: string): ClearedInput {
  const tokens = estimateTokens(before);
  const message = `[Input removed to save ~${tokens} tokens; ${command} recall ${toolUseId}]`;
  return { _cleared: true, message };
}

// Which tool uses may lose their input: finished ones in the conversation as it stands, before its last turns.

/** What may be cleared. */
export interface ClearPolicy {
  /** Smaller inputs stay. Characters of JSON. */
  leastCharacters: number;
  /** So many turns at the end stay whole; with 0 it is the last message and what follows it. */
  keepTurns: number;
  /** Whether the tool's inputs may be cleared. */
  wants(tool: string): boolean;
}

/** A tool use in a turn that may be touched. */
export interface TouchableUse extends IndexedUse {
  entry: IndexedEntry;
  /** Of the turn it stands in: 0 is the first after the last compaction. */
  turn: number;
}

/** What may be touched, in the conversation's order. */
export interface Touchable {
  /** Uses that may be cleared now. */
  clear: TouchableUse[];
  /** Uses that were cleared before. */
  cleared: TouchableUse[];
  /** The conversation, oldest first, up to where nothing may be touched any more; each with its turn. */
  chain: Array<{ entry: IndexedEntry; turn: number }>;
  /** The first entry after that, where it may get another parent: its content stays. */
  next?: { entry: IndexedEntry; turn: number };
}

/** Looks a transcript through. Whatever is not certain (an id that stands twice, a use without result) is left out. */
export function touchableIn(index: RewriteIndex, policy: ClearPolicy): Touchable {
  const chain = withTurns(conversationOf(index));
  const end = endOf(chain, policy.keepTurns);
  const open = chain.slice(0, end);
  const uses = count(index.entries.flatMap((entry) => entry.uses.map(({ id }) => id)));
  const results = count(index.entries.flatMap((entry) => entry.results));
  const next = policy.keepTurns === 0 ? chain[end] : undefined;
  const made: Touchable = { clear: [], cleared: [], chain: open, ...(next && { next }) };
  for (const { entry, turn } of open) {
    if (entry.uuid !== undefined && index.doubled.has(entry.uuid)) continue;
    for (const use of entry.uses) {
      if (uses.get(use.id) !== 1 || results.get(use.id) !== 1 || isFetch(use.name)) continue;
      if (use.cleared) made.cleared.push({ ...use, entry, turn });
      else if (use.characters >= policy.leastCharacters && policy.wants(use.name))
        made.clear.push({ ...use, entry, turn });
    }
  }
  return made;
}

/**
 * The conversation as it stands, oldest first: from the newest entry that nobody follows back to the last compaction
 * or the first entry. In a subagent's file every line is a sidechain; elsewhere sidechains are other conversations.
 */
export function conversationOf(index: RewriteIndex): IndexedEntry[] {
  const named = index.entries.filter(({ uuid }) => uuid !== undefined);
  const own = named.every(({ sidechain }) => sidechain)
    ? named.filter(({ agent }) => agent === named.at(-1)?.agent)
    : named.filter(({ sidechain }) => !sidechain);
  const followed = new Set(own.map(({ parent }) => parent));
  const leaf = own.findLast(({ uuid }) => !followed.has(uuid));
  const chain: IndexedEntry[] = [];
  const passed = new Set<IndexedEntry>();
  for (let at = leaf; at && !passed.has(at); ) {
    passed.add(at);
    chain.push(at);
    if (at.boundary || at.parent === undefined) break;
    at = index.byUuid.get(at.parent);
  }
  return chain.reverse();
}

function withTurns(chain: readonly IndexedEntry[]): Touchable["chain"] {
  let turn = 0;
  return chain.map((entry, at) => {
    if (entry.prompt && at > 0) turn++;
    return { entry, turn };
  });
}

/** Where the part begins that stays as it is. */
function endOf(chain: Touchable["chain"], keepTurns: number): number {
  if (keepTurns > 0) {
    const last = chain.at(-1)?.turn ?? 0;
    const end = chain.findIndex(({ turn }) => turn > last - keepTurns);
    return Math.max(0, end);
  }
  const message = chain.findLast(({ entry }) => entry.type === "assistant")?.entry.message;
  const end = chain.findIndex(
    ({ entry }) => entry.type === "assistant" && entry.message === message,
  );
  return Math.max(0, end);
}

function count(ids: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}
