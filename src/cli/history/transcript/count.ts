// Counts what stands in transcripts: entries, tools, results, tokens, broken lines.
import { stripContext } from "../../../privacy/marker.ts";
import type { BrokenLine, EntryUsage } from "../../../transcript/entry.ts";
import { fileChunks } from "../../../transcript/file.ts";
import { personText } from "../../../transcript/person-text.ts";
import { readEntries } from "../../../transcript/read.ts";
import { createToolUseMatcher } from "../../../transcript/tool-uses.ts";
import { createUsageCounter } from "../../../transcript/usage.ts";
import type { Lines } from "./find.ts";

/** A line that is no entry. */
interface BrokenPlace {
  line: number;
  reason: BrokenLine["reason"];
}

/** Of one file. */
export interface FileCount {
  path: string;
  bytes: number;
  lines: number;
  /** By type. */
  entries: Record<string, number>;
  prompts: number;
  /** By name: uses, and those that failed. */
  tools: Record<string, { uses: number; failed: number }>;
  /** Tool uses, those with their result, lines that repeat one. */
  toolUses: { uses: number; matched: number; repeated: number };
  /** Each message once. */
  usage: EntryUsage;
  usageByModel: Record<string, EntryUsage>;
  messages: number;
  /** Epoch ms; absent in a file without times. */
  from?: number;
  to?: number;
  broken: BrokenPlace[];
}

/** Reads the whole file, in bounded memory. Rejects when it cannot be read. */
export async function countFile(
  path: string,
  bytes: number,
  { parse, chunks }: Lines = { chunks: fileChunks },
): Promise<FileCount> {
  const matcher = createToolUseMatcher();
  const counter = createUsageCounter();
  const count: FileCount = {
    path,
    bytes,
    lines: 0,
    entries: {},
    prompts: 0,
    tools: {},
    toolUses: { uses: 0, matched: 0, repeated: 0 },
    usage: counter.total(),
    usageByModel: {},
    messages: 0,
    broken: [],
  };
  const toolNamed = (name: string) => {
    count.tools[name] ??= { uses: 0, failed: 0 };
    return count.tools[name];
  };
  for await (const entry of readEntries(chunks(path), { parse })) {
    count.lines = entry.line;
    if (entry.kind === "broken") {
      count.broken.push({ line: entry.line, reason: entry.reason });
      continue;
    }
    const type = entry.type || "(none)";
    count.entries[type] = (count.entries[type] ?? 0) + 1;
    counter.add(entry);
    for (const { name, result } of matcher.add(entry)) {
      const tool = toolNamed(name);
      tool.uses++;
      if (result?.isError) tool.failed++;
    }
    if (
      !entry.isSidechain &&
      (personText(entry, stripContext)?.kind ?? "expansion") !== "expansion"
    )
      count.prompts++;
    if (entry.time === undefined) continue;
    count.from = Math.min(count.from ?? entry.time, entry.time);
    count.to = Math.max(count.to ?? entry.time, entry.time);
  }
  for (const { name } of matcher.open()) toolNamed(name).uses++;
  const { uses, matched, repeated } = matcher.counts();
  count.toolUses = { uses, matched, repeated };
  count.usage = counter.total();
  count.usageByModel = Object.fromEntries(counter.byModel());
  count.messages = counter.messages();
  return count;
}
