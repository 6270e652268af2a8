// Token usage of a transcript: the client repeats a message's usage on each of its entries, so it is counted once per message.
import { stat } from "node:fs/promises";
import type { AssistantEntry, EntryUsage, TranscriptEntry } from "./entry.ts";
import { fileChunksBackwards, readEntriesBackwards } from "./read.ts";

/** Sums usage; hand it every entry in order. */
interface UsageCounter {
  add(entry: TranscriptEntry): void;
  /** Of all messages so far. */
  total(): EntryUsage;
  /** Messages that carried usage. */
  messages(): number;
  /** By model id. */
  byModel(): ReadonlyMap<string, EntryUsage>;
  /** Each message's: a price may depend on how long one is. */
  calls(): Iterable<{ model: string; usage: EntryUsage }>;
}

/** Makes a counter. Of a message's entries the one with the most output tokens counts: earlier ones are partial. */
export function createUsageCounter(): UsageCounter {
  const byMessage = new Map<string, { usage: EntryUsage; model: string }>();
  let anonymous = 0;
  const models = () => {
    const sums = new Map<string, EntryUsage>();
    for (const { usage, model } of byMessage.values()) {
      sums.set(model, addUsage(sums.get(model) ?? noUsage, usage));
    }
    return sums;
  };
  return {
    add(entry) {
      if (entry.kind !== "assistant" || !entry.usage) return;
      const key = messageKey(entry) ?? `line ${++anonymous}`;
      const known = byMessage.get(key);
      if (known && known.usage.output >= entry.usage.output) return;
      byMessage.set(key, { usage: entry.usage, model: entry.model ?? "" });
    },
    total: () => [...models().values()].reduce(addUsage, noUsage),
    messages: () => byMessage.size,
    byModel: models,
    calls: () => byMessage.values(),
  };
}

/** No tokens at all. */
export const noUsage: EntryUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/** The sum of two usages. */
export function addUsage(a: EntryUsage, b: EntryUsage): EntryUsage {
  const cacheWriteLong = (a.cacheWriteLong ?? 0) + (b.cacheWriteLong ?? 0);
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    ...(cacheWriteLong > 0 && { cacheWriteLong }),
  };
}

function messageKey(entry: AssistantEntry): string | undefined {
  return entry.messageId ?? entry.requestId;
}

// How full a context is, by what its last request took.

/** Tokens at which a client compacts by itself, by its model's window. */
export const contextLimits: readonly number[] = [160_000, 800_000];

/** Tokens of the context that a request carried. */
export function contextOf({ input, cacheRead, cacheWrite }: EntryUsage): number {
  return input + cacheRead + cacheWrite;
}

/** Tokens at which a context of this size is compacted. */
export function limitOf(context: number): number {
  return contextLimits.find((most) => context < most) ?? context;
}

/** A context's last request stands no further from the end of its transcript than so many lines. */
const mostLines = 300;

/**
 * Tokens that the last request of a transcript's own agent carried, 0 after a compaction that no request followed yet;
 * undefined where the file does not say. `isAgent`: it is a subagent's own file. Never rejects.
 */
export async function lastContext(path: string, isAgent = false): Promise<number | undefined> {
  try {
    // Whatever else a name leads to may never end.
    if (!(await stat(path)).isFile()) return undefined;
    let lines = 0;
    for await (const entry of readEntriesBackwards(fileChunksBackwards(path))) {
      if (++lines > mostLines) return undefined;
      if (entry.kind === "broken" || (entry.isSidechain && !isAgent)) continue;
      if (entry.kind === "system" && entry.subtype === "compact_boundary") return 0;
      const tokens = entry.kind === "assistant" && entry.usage ? contextOf(entry.usage) : 0;
      if (tokens > 0) return tokens;
    }
  } catch {
    // It is not there, or not to be read.
  }
  return undefined;
}

// What an agent said before it used a tool.

/** Bytes at a transcript's end in which a tool use is looked for that has just ended. */
const lastBytes = 64 * 1024;

/**
 * What an agent said in the message in which it used a tool, looked for at the end of its transcript; undefined where it
 * said nothing, or the use is not written yet. Never rejects.
 */
export async function saidBefore(path: string, toolUseId: string): Promise<string | undefined> {
  const said: string[] = [];
  try {
    if (!(await stat(path)).isFile()) return undefined;
    let message: string | undefined;
    for await (const entry of readEntriesBackwards(endOf(path))) {
      if (entry.kind !== "assistant") continue;
      const isUse = entry.blocks.some(
        (block) => block.type === "tool_use" && block.id === toolUseId,
      );
      if (isUse) message = messageKey(entry);
      if (message === undefined) continue;
      if (messageKey(entry) !== message) break;
      for (const block of entry.blocks.toReversed())
        if (block.type === "text") said.push(block.text);
    }
  } catch {
    // It is not there, or not to be read.
  }
  return said.length === 0 ? undefined : said.toReversed().join("\n");
}

/** The last chunk alone: its first line may be a part of one. */
async function* endOf(path: string): ReturnType<typeof fileChunksBackwards> {
  for await (const chunk of fileChunksBackwards(path, undefined, lastBytes)) {
    yield chunk;
    return;
  }
}
