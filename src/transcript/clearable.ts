// Which tool uses of a transcript may lose their input: finished ones in the conversation as it stands, before its last turns.
import { type IndexedEntry, type IndexedUse, isFetch, type RewriteIndex } from "./rewrite-index.ts";

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
