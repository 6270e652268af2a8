// Token usage of a transcript: the client repeats a message's usage on each of its entries, so it is counted once per message.
import type { AssistantEntry, EntryUsage, TranscriptEntry } from "./entry.ts";

/** Sums usage; hand it every entry in order. */
export interface UsageCounter {
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
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
  };
}

function messageKey(entry: AssistantEntry): string | undefined {
  return entry.messageId ?? entry.requestId;
}
