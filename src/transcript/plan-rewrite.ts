// From what shall be cleared and fetched to splices of the file, with a note of every change for the check that follows.
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { decodeLine, type Json } from "./parse-entry.ts";
import type { ReadPiece } from "./read.ts";
import type { Touchable } from "./rewrite-index.ts";
import { fetchTool, type IndexedEntry, type RewriteIndex } from "./rewrite-index.ts";
import {
  differenceAt,
  editLine,
  exactObject,
  type LineEdit,
  plainUse,
  type Scrub,
  type Splice,
} from "./splice.ts";

// The pair of lines that fetches observations in a conversation's own form: the use of memoir's tool, and its result.

/** What a pair tells. */
interface FetchedRecords {
  /** Ids of the records, in the order of the text. */
  ids: readonly string[];
  /** The result that the model reads. */
  text: string;
}

/** Both lines as they are written, without line feeds. */
interface FetchPair {
  lines: [string, string];
  /** Uuids of the two entries. */
  uuids: [string, string];
  toolUseId: string;
}

/** What both lines take over from the one that follows them. */
const envelope = [
  "isSidechain",
  "agentId",
  "timestamp",
  "userType",
  "entrypoint",
  "cwd",
  "sessionId",
  "version",
  "gitBranch",
] as const;

/**
 * Makes the pair that stands between an entry and the assistant's message after it. The same pair is made from the
 * same place and ids. `following` is that message's first entry; undefined when it is not formed like one.
 */
export function fetchPair(
  following: Readonly<Record<string, unknown>>,
  records: FetchedRecords,
): FetchPair | undefined {
  const { parentUuid, uuid, sessionId } = following;
  if (typeof parentUuid !== "string" || typeof uuid !== "string") return undefined;
  const message = (following.message ?? {}) as Record<string, unknown>;
  const seed = JSON.stringify([sessionId, uuid, records.ids]);
  const [use, result] = [uuidOf(`${seed} use`), uuidOf(`${seed} result`)];
  const blocks = fetchBlocks(`${seed} id`, fetchTool, records);
  const shared = Object.fromEntries(
    envelope.filter((key) => key in following).map((key) => [key, following[key]]),
  );
  const lines: FetchPair["lines"] = [
    JSON.stringify({
      parentUuid,
      ...shared,
      type: "assistant",
      message: {
        id: `msg_memoir_${blocks.word}`,
        type: "message",
        role: "assistant",
        model: message.model,
        content: [blocks.use],
        stop_reason: "tool_use",
        stop_sequence: null,
        usage: { input_tokens: 0, output_tokens: 0 },
      },
      uuid: use,
    }),
    JSON.stringify({
      parentUuid: use,
      ...shared,
      type: "user",
      message: {
        role: "user",
        content: [blocks.result],
      },
      uuid: result,
    }),
  ];
  return { lines, uuids: [use, result], toolUseId: blocks.use.id };
}

/**
 * The two content blocks of a fetch, by the tool of that name. The same seed gives the same id; `word` is what makes it
 * its own.
 */
export function fetchBlocks(seed: string, tool: string, { ids, text }: FetchedRecords) {
  const word = digest(seed).slice(0, 22);
  const id = `toolu_memoir_${word}`;
  return {
    word,
    use: { type: "tool_use", id, name: tool, input: { ids } },
    result: { tool_use_id: id, type: "tool_result", content: text },
  };
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** A name-based uuid (version 8). */
function uuidOf(text: string): string {
  const hex = digest(text);
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** A fetch of records that is to follow the results of some tool uses; where none of them was cleared it is left out. */
export interface WantedFetch extends FetchedRecords {
  /** The tool uses that the records are about. */
  toolUseIds: readonly string[];
}

/** What a rewrite is to change. */
export interface WantedChanges {
  /** New inputs by tool-use id. */
  inputs: ReadonlyMap<string, Json>;
  fetches: readonly WantedFetch[];
  /** Also what the client keeps beside, which no model reads. */
  copies: boolean;
}

/** A rewrite, ready to be made. */
export interface RewritePlan {
  /** In order, apart from each other. */
  splices: Splice[];
  /** Tool uses that lose their input. */
  cleared: Set<string>;
  /** Pairs that are put in, by the uuid of the entry that will follow them. */
  pairs: Map<string, FetchPair>;
  /** Ids of the records that they tell. */
  records: string[];
}

/** Lines that hold copies of what was sent to the model. */
const copyTypes = new Set([
  "api-request",
  "api-request-shape",
  "api-request-blob",
  "queue-operation",
  "last-prompt",
]);
/** Shorter texts could stand anywhere by chance. */
const leastScrub = 200;

/** The tool use's input as it stands in the file; undefined where it cannot be taken out without a doubt. */
export async function inputOf(
  read: ReadPiece,
  { entry, id }: { entry: IndexedEntry; id: string },
): Promise<Json | undefined> {
  const line = exactObject(await textOf(read, entry));
  return line && plainUse(line, id)?.input;
}

/** Plans the changes. What cannot be done exactly is left out of the plan, and of its `cleared` and `pairs`. */
export async function planRewrite(
  read: ReadPiece,
  index: RewriteIndex,
  { chain, next, cleared }: Touchable,
  wanted: WantedChanges,
): Promise<RewritePlan> {
  const plan: RewritePlan = { splices: [], cleared: new Set(), pairs: new Map(), records: [] };
  const edits = new Map<IndexedEntry, LineEdit>();
  const scrub: Scrub[] = [];

  for (const { entry } of chain) {
    const ids = entry.uses.map(({ id }) => id).filter((id) => wanted.inputs.has(id));
    if (ids.length === 0) continue;
    const line = exactObject(await textOf(read, entry));
    const inputs = new Map<string, Json>();
    for (const id of ids) {
      const found = line && plainUse(line, id);
      const input = wanted.inputs.get(id);
      if (!found || !input) continue;
      inputs.set(id, input);
      plan.cleared.add(id);
      if (wanted.copies) scrub.push(...scrubsOf(found.input, input));
    }
    if (inputs.size > 0) edits.set(entry, { inputs });
  }
  const gone = new Set([...plan.cleared, ...cleared.map(({ id }) => id)]);
  const places = next ? [...chain, next] : chain;
  for (const [following, fetch] of byPlace(places, gone, wanted.fetches)) {
    if (following.uuid === undefined || index.doubled.has(following.uuid)) continue;
    if (following.parent === undefined || !index.byUuid.has(following.parent)) continue;
    const line = exactObject(await textOf(read, following));
    const pair = line && fetchPair(line, fetch);
    // Made from the same place and ids, it may be there already, off the conversation.
    if (!pair || pair.uuids.some((uuid) => index.byUuid.has(uuid))) continue;
    edits.set(following, { ...edits.get(following), parent: pair.uuids[1] });
    plan.pairs.set(following.uuid, pair);
    plan.records.push(...fetch.ids);
  }
  if (wanted.copies && plan.cleared.size > 0) addCopies(index, plan.cleared, scrub, edits);
  plan.splices = await splicesOf(read, index, edits, plan);
  return plan;
}

async function splicesOf(
  read: ReadPiece,
  index: RewriteIndex,
  edits: ReadonlyMap<IndexedEntry, LineEdit>,
  { pairs }: RewritePlan,
): Promise<Splice[]> {
  const splices: Splice[] = [];
  for (const entry of index.entries) {
    const edit = edits.get(entry);
    if (!edit) continue;
    const pair = entry.uuid === undefined ? undefined : pairs.get(entry.uuid);
    if (pair) {
      const insert = Buffer.from(pair.lines.map((line) => `${line}\n`).join(""));
      splices.push({ at: entry.offset, remove: 0, insert });
    }
    const old = await read(entry.offset, entry.bytes);
    const made = editLine(decodeLine(old), edit);
    const splice =
      made === undefined ? undefined : differenceAt(entry.offset, old, Buffer.from(made));
    if (splice) splices.push(splice);
  }
  return splices;
}

/** The fetches by the entry that follows them; those of one place become one. */
function byPlace(
  chain: Touchable["chain"],
  gone: ReadonlySet<string>,
  fetches: readonly WantedFetch[],
): Map<IndexedEntry, FetchedRecords> {
  const places = new Map<IndexedEntry, FetchedRecords>();
  for (const { ids, text, toolUseIds } of fetches) {
    const about = toolUseIds.filter((id) => gone.has(id));
    const following = about.length > 0 ? followingOf(chain, about) : undefined;
    if (!following) continue;
    const other = places.get(following);
    places.set(following, {
      ids: [...(other?.ids ?? []), ...ids],
      text: other ? `${other.text}\n\n${text}` : text,
    });
  }
  return places;
}

/** The first entry of the assistant's message that comes after the results of these tool uses, in the same turn. */
function followingOf(
  chain: Touchable["chain"],
  toolUseIds: readonly string[],
): IndexedEntry | undefined {
  const about = new Set(toolUseIds);
  const last = chain.findLastIndex(({ entry }) => entry.uses.some(({ id }) => about.has(id)));
  const use = chain[last];
  if (!use) return undefined;
  const rest = chain.slice(last + 1);
  const next = rest.find(
    ({ entry }) => entry.type === "assistant" && entry.message !== use.entry.message,
  );
  // A message without id would be taken for part of its neighbour.
  return next && next.turn === use.turn && next.entry.message !== undefined
    ? next.entry
    : undefined;
}

function addCopies(
  index: RewriteIndex,
  cleared: ReadonlySet<string>,
  scrub: readonly Scrub[],
  edits: Map<IndexedEntry, LineEdit>,
): void {
  for (const entry of index.entries) {
    if (copyTypes.has(entry.type)) edits.set(entry, { scrub });
    // With several results on one line it is not certain whose the structured one is.
    else if (entry.results.length === 1 && entry.results.every((id) => cleared.has(id)))
      edits.set(entry, { ...edits.get(entry), dropResult: true });
  }
}

/** The long texts of an input that is taken out. */
function scrubsOf(input: unknown, instead: Json): Scrub[] {
  const message = typeof instead.message === "string" ? instead.message : "";
  const found: Scrub[] = [];
  const visit = (value: unknown, depth: number) => {
    if (typeof value === "string" && value.length >= leastScrub)
      found.push({ text: value, instead: message });
    else if (typeof value === "object" && value !== null && depth < 20)
      for (const item of Object.values(value)) visit(item, depth + 1);
  };
  visit(input, 0);
  return found;
}

async function textOf(read: ReadPiece, { offset, bytes }: IndexedEntry): Promise<string> {
  return decodeLine(await read(offset, bytes));
}
