// `memoir session stats` and `validate`: what stands in transcripts, and which lines of them are broken.
import { filesOf } from "../../../backfill/feed-session.ts";
import { stripContext } from "../../../privacy/marker.ts";
import { estimateCost } from "../../../runtime/budget/prices.ts";
import { plural } from "../../../text/text.ts";
import type { BrokenLine, EntryUsage } from "../../../transcript/entry.ts";
import { personText } from "../../../transcript/parse-entry.ts";
import { readEntries } from "../../../transcript/read.ts";
import { createToolUseMatcher } from "../../../transcript/tool-uses.ts";
import { addUsage, createUsageCounter, noUsage } from "../../../transcript/usage.ts";
import { columns, dateTime, grouped, size } from "../../terminal/layout.ts";
import { answer } from "../../terminal/output.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import {
  findTranscripts,
  type Lines,
  linesOf,
  type TranscriptOptions,
  type Which,
} from "./find.ts";

const shownTools = 20;
const shownBroken = 50;

/** Entries by type, tools, tokens, cache hits, cost, broken lines. Gives exit code 0. */
export async function transcriptStats(
  which: string | undefined,
  options: TranscriptOptions<"stats">,
  terminal: Terminal,
): Promise<number> {
  const files = await countAll(which, options, terminal);
  const usage = files.map((file) => file.usage).reduce(addUsage, noUsage);
  const models = Map.groupBy(
    files.flatMap(({ usageByModel }) => Object.entries(usageByModel)),
    ([model]) => model,
  );
  const byModel = [...models].map(([model, usages]) => {
    const sum = usages.map(([, one]) => one).reduce(addUsage, noUsage);
    const costs = files.flatMap(({ costByModel }) => costByModel[model] ?? []);
    return { model, usage: sum, cost: costs.length === 0 ? null : added(costs) };
  });
  // Part of the tokens sent that the cache answered for.
  const cacheHits = usage.cacheRead / Math.max(1, usage.input + usage.cacheRead + usage.cacheWrite);
  const { bold, dim } = terminal.colors;
  return answer(terminal, options, { files, usage, cacheHits, byModel }, () => {
    const sum = (key: "bytes" | "lines" | "prompts" | "messages") =>
      added(files.map((file) => file[key]));
    const times = files.flatMap(({ from, to }) => [from ?? [], to ?? []].flat());
    const entries = addedByName(files.map((file) => file.entries));
    const rows = byModel.map(({ model, usage: one, cost }) => [
      `  ${model || "(unknown model)"}`,
      `${grouped(one.input)} input`,
      `${grouped(one.output)} output`,
      `${grouped(one.cacheRead)} from cache`,
      `${grouped(one.cacheWrite)} to cache`,
      cost === null ? "price not known" : `about $${cost.toFixed(2)}`,
    ]);
    return [
      `${bold(plural(files.length, "file"))}, ${size(sum("bytes"))}, ${plural(sum("lines"), "line")}, ${plural(sum("prompts"), "prompt")}, ${plural(sum("messages"), "message")} of the model`,
      ...(times.length > 0
        ? [dim(`${dateTime(Math.min(...times))} to ${dateTime(Math.max(...times))}`)]
        : []),
      `\n${bold("Entries")}`,
      ...columns(entries.map(([name, count]) => [`  ${name}`, String(count)])),
      ...toolLines(files, terminal),
      ...(rows.length > 0 ? [`\n${bold("Tokens")}`, ...columns(rows)] : []),
      `  ${(cacheHits * 100).toFixed(1)} % of what was sent came from the cache ${dim("(list prices; estimates)")}`,
      ...brokenLines(files, terminal),
    ];
  });
}

/** Gives exit code 1 when a line is broken, else 0. A last line without its end counts only when it is not valid JSON. */
export async function validateTranscripts(
  which: string | undefined,
  options: TranscriptOptions<"stats">,
  terminal: Terminal,
): Promise<number> {
  const files = await countAll(which, options, terminal);
  const sum = (of: (file: FileCount) => number) => added(files.map(of));
  const broken = sum((file) => file.broken.length);
  const report = {
    valid: broken === 0,
    files: files.map(({ path, lines, toolUses, broken }) => ({ path, lines, toolUses, broken })),
  };
  const lines = () => {
    const { green, red } = terminal.colors;
    const verdict = broken === 0 ? green("valid") : red("broken");
    const open = sum(({ toolUses }) => toolUses.uses - toolUses.matched);
    return [
      `${verdict}: ${plural(files.length, "file")}, ${plural(
        sum((file) => file.lines),
        "line",
      )}, ${plural(broken, "broken line")}, ${plural(open, "tool use")} without a result`,
      ...brokenLines(files, terminal),
    ];
  };
  return answer(terminal, options, report, lines, broken === 0 ? 0 : 1);
}

async function countAll(
  which: string | undefined,
  options: Which,
  terminal: Terminal,
): Promise<FileCount[]> {
  const counts: FileCount[] = [];
  for (const session of await findTranscripts(which, options, terminal)) {
    const lines = await linesOf(session);
    for (const { path, bytes } of filesOf(session))
      counts.push(await countFile(path, bytes, lines));
  }
  return counts;
}

function toolLines(files: readonly FileCount[], { colors }: Terminal): string[] {
  const counted = (what: "uses" | "failed") =>
    addedByName(
      files.map(({ tools }) =>
        Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, tool[what]])),
      ),
    );
  const failures = new Map(counted("failed"));
  const rows = counted("uses").map(([name, count]) => {
    const failed = failures.get(name) ?? 0;
    return [`  ${name}`, String(count), failed > 0 ? `${failed} failed` : ""];
  });
  if (rows.length === 0) return [];
  return [`\n${colors.bold("Tools")}`, ...columns(rows.slice(0, shownTools))];
}

function brokenLines(files: readonly FileCount[], { colors }: Terminal): string[] {
  const broken = files.flatMap(({ path, broken: places }) =>
    places.map(({ line, reason }) => `  ${path}:${line}  ${reason}`),
  );
  if (broken.length === 0) return [];
  const left = broken.length - shownBroken;
  return [
    `\n${colors.bold(plural(broken.length, "broken line"))}`,
    ...broken.slice(0, shownBroken),
    ...(left > 0 ? [`  and ${left} more`] : []),
  ];
}

function added(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}

function addedByName(counts: ReadonlyArray<Record<string, number>>): Array<[string, number]> {
  const sums = new Map<string, number>();
  for (const count of counts)
    for (const [name, n] of Object.entries(count)) sums.set(name, (sums.get(name) ?? 0) + n);
  return [...sums].sort((one, other) => other[1] - one[1]);
}

// Counts what stands in transcripts: entries, tools, results, tokens, broken lines.

/** A line that is no entry. */
interface BrokenPlace {
  line: number;
  reason: BrokenLine["reason"];
}

/** Of one file. */
interface FileCount {
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
  /** US dollars, estimated message by message; without models whose price is not known. */
  costByModel: Record<string, number>;
  messages: number;
  /** Epoch ms; absent in a file without times. */
  from?: number;
  to?: number;
  broken: BrokenPlace[];
}

/** Reads the whole file, in bounded memory. Rejects when it cannot be read. */
async function countFile(
  path: string,
  bytes: number,
  { parse, chunks }: Lines,
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
    costByModel: {},
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
  for (const { model, usage } of counter.calls()) {
    const cost = estimateCost(model, usage);
    if (cost !== null) count.costByModel[model] = (count.costByModel[model] ?? 0) + cost;
  }
  count.messages = counter.messages();
  return count;
}
