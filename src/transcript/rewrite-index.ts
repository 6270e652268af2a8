// What a rewrite has to know of a transcript: who follows whom, where turns begin, which tool uses have their result.

import { estimateTokens } from "../text/text.ts";
import type { TranscriptEntry } from "./entry.ts";
import { personText } from "./parse-entry.ts";
import { type ByteSource, readEntries } from "./read.ts";

/** A tool use that an entry holds. */
export interface IndexedUse {
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
export function isFetch(name: unknown): boolean {
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
