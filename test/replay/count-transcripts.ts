// Counts what transcripts hold twice: through the library, and independently with JSON.parse on every line.
import { readFile } from "node:fs/promises";
import type { TokenUsage } from "../../src/sdk/work.ts";
import { weighTokens } from "../../src/text/text.ts";
import { fileChunks, readEntries } from "../../src/transcript/read.ts";
import { createToolUseMatcher } from "../../src/transcript/tool-uses.ts";
import { addUsage, createUsageCounter, noUsage } from "../../src/transcript/usage.ts";

/** What a file or a folder of files holds. */
export interface TranscriptCounts {
  files: number;
  bytes: number;
  /** Entries by type. */
  types: Map<string, number>;
  toolUses: number;
  results: number;
  matched: number;
  broken: number;
  /** Messages that carried usage, each counted once. */
  messages: number;
  tokens: TokenUsage;
}

/** Nothing yet. */
export function noCounts(): TranscriptCounts {
  return {
    files: 0,
    bytes: 0,
    types: new Map(),
    toolUses: 0,
    results: 0,
    matched: 0,
    broken: 0,
    messages: 0,
    tokens: noUsage,
  };
}

/** Adds one file's counts to a folder's. */
export function addCounts(sum: TranscriptCounts, one: TranscriptCounts): void {
  for (const key of [
    "files",
    "bytes",
    "toolUses",
    "results",
    "matched",
    "broken",
    "messages",
  ] as const)
    sum[key] += one[key];
  for (const [type, count] of one.types) sum.types.set(type, (sum.types.get(type) ?? 0) + count);
  sum.tokens = addUsage(sum.tokens, one.tokens);
}

/** Through the library. */
export async function countWithLibrary(path: string): Promise<TranscriptCounts> {
  const counts = { ...noCounts(), files: 1 };
  const matcher = createToolUseMatcher();
  const usage = createUsageCounter();
  for await (const entry of readEntries(fileChunks(path))) {
    counts.bytes = Math.max(counts.bytes, entry.offset + entry.bytes);
    if (entry.kind === "broken") {
      counts.broken++;
      continue;
    }
    counts.types.set(entry.type, (counts.types.get(entry.type) ?? 0) + 1);
    matcher.add(entry);
    usage.add(entry);
  }
  const { uses, results, matched } = matcher.counts();
  return {
    ...counts,
    toolUses: uses,
    results,
    matched,
    messages: usage.messages(),
    tokens: usage.total(),
  };
}

type Json = Record<string, unknown>;
const object = (value: unknown): Json =>
  typeof value === "object" && value !== null ? (value as Json) : {};
const number = (value: unknown): number => (typeof value === "number" && value > 0 ? value : 0);

/** The same figures from whole lines, sharing no code with the library. */
export async function countWithJsonParse(path: string): Promise<TranscriptCounts> {
  const text = await readFile(path, "utf8");
  const counts = { ...noCounts(), files: 1 };
  const uses = new Set<string>();
  const results = new Set<string>();
  const usages = new Map<string, Json>();
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    let entry: unknown;
    try {
      entry = JSON.parse(line);
    } catch {
      entry = undefined;
    }
    if (typeof entry !== "object" || entry === null || Array.isArray(entry)) {
      counts.broken++;
      continue;
    }
    const { type, message, requestId } = entry as Json;
    const name = typeof type === "string" ? type : "";
    counts.types.set(name, (counts.types.get(name) ?? 0) + 1);
    const { id, content, usage } = object(message);
    if (name === "assistant" && typeof usage === "object" && usage !== null) {
      const key = String(id ?? requestId ?? `line ${index}`);
      const known = usages.get(key);
      const more = number(object(usage).output_tokens) > number(known?.output_tokens);
      if (!known || more) usages.set(key, object(usage));
    }
    for (const block of Array.isArray(content) ? content.map(object) : []) {
      if (name === "assistant" && block.type === "tool_use") uses.add(String(block.id));
      if (name === "user" && block.type === "tool_result") results.add(String(block.tool_use_id));
    }
  }
  counts.toolUses = uses.size;
  counts.results = results.size;
  counts.matched = [...uses].filter((id) => results.has(id)).length;
  counts.messages = usages.size;
  const sum = (key: string) =>
    [...usages.values()].reduce((total, usage) => total + number(usage[key]), 0);
  const cacheWriteLong = [...usages.values()].reduce(
    (total, usage) => total + number(object(usage.cache_creation).ephemeral_1h_input_tokens),
    0,
  );
  counts.tokens = {
    ...(cacheWriteLong > 0 && { cacheWriteLong }),
    input: sum("input_tokens"),
    output: sum("output_tokens"),
    cacheRead: sum("cache_read_input_tokens"),
    cacheWrite: sum("cache_creation_input_tokens"),
  };
  return counts;
}

/** What both ways of counting must agree on. */
export function agreedFigures(counts: TranscriptCounts): Record<string, unknown> {
  const { bytes: _, types, ...figures } = counts;
  return {
    ...figures,
    types: Object.fromEntries([...types].sort()),
    weighed: weighTokens(counts.tokens),
  };
}
