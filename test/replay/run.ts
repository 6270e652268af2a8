// `bun run replay`: replays all recorded sessions and prints figures; `--show N [--seed S] [--type T]` prints observations and summaries to read, `--context` what the conversation around tool uses changes, `--strategy hybrid,…` what a prompt strategy takes, `--endless` what Endless Mode keeps out.
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { isDeepStrictEqual } from "node:util";
import { observe } from "../../plugins/observation-heuristic/index.ts";
import { summarize } from "../../plugins/summarization-heuristic/index.ts";
import { plural } from "../../src/text/text.ts";
import { readSessions } from "../support/transcript-events.ts";
import { captured } from "./capture.ts";
import { withContexts } from "./contexts.ts";
import { type ReplayedPrompt, type ReplayedSession, replaySession } from "./replay.ts";

const root = join(import.meta.dirname, "../../../shared/data/transcripts");
if (!existsSync(root)) {
  console.log(
    "Skipped: no recorded transcripts beside the repository (../shared/data/transcripts).",
  );
  process.exit(0);
}

const option = (name: string): string | undefined => {
  const at = process.argv.indexOf(`--${name}`);
  return at === -1 ? undefined : process.argv[at + 1];
};
if (process.argv.includes("--endless")) {
  const { replayEndless } = await import("./endless.ts");
  await replayEndless(root, process.argv);
  process.exit();
}
const strategy = option("strategy");
if (strategy !== undefined) {
  const { replayStrategies } = await import("./strategies.ts");
  await replayStrategies(root, strategy.split(","));
  process.exit();
}
const replayed: Array<{ folder: string; toolUses: number; session: ReplayedSession }> = [];
const drops = new Map<string, number>();
const withContext = process.argv.includes("--context");
const bare: ReplayedPrompt[] = [];
for (const { folder, path, session } of await readSessions(root)) {
  const { session: plain, dropped, toolUses } = await captured(session);
  const kept = withContext ? await withContexts(plain, path, root) : plain;
  if (withContext) bare.push(...replaySession(folder, plain, { observe, summarize }).prompts);
  for (const [reason, count] of Object.entries(dropped))
    drops.set(reason, (drops.get(reason) ?? 0) + count);
  replayed.push({ folder, toolUses, session: replaySession(folder, kept, { observe, summarize }) });
}
const prompts = replayed.flatMap(({ session }) => session.prompts);

printTable();
const breaks = [
  ...prompts.flatMap((prompt) => prompt.breaks),
  ...replayed.flatMap(({ session }) => session.breaks),
];
console.log(`\nRule breaks: ${breaks.length}`);
for (const broken of breaks.slice(0, 20))
  console.log(`  ${broken.rule}: ${broken.text.slice(0, 160)}`);
const show = Number(option("show") ?? 0);
if (show > 0) printSamples(show, Number(option("seed") ?? 1));
if (withContext) printChanges();
process.exitCode = breaks.length === 0 ? 0 : 1;

function printTable(): void {
  const folders = [...new Set(prompts.map((prompt) => prompt.folder))];
  console.log(
    "folder                            prompts  tool uses  observations  per prompt  skipped  summaries  ms/event",
  );
  for (const folder of [...folders, "all"]) {
    const mine = folder === "all" ? prompts : prompts.filter((prompt) => prompt.folder === folder);
    const uses = sum(
      replayed.filter((one) => folder === "all" || one.folder === folder),
      (one) => one.toolUses,
    );
    const observations = sum(mine, (prompt) => prompt.observations.length);
    const skipped = uses === 0 ? 0 : 1 - sum(mine, (prompt) => prompt.used) / uses;
    const time = sum(mine, (prompt) => prompt.milliseconds) / Math.max(1, uses);
    const cells = [
      mine.length,
      uses,
      observations,
      (observations / Math.max(1, mine.length)).toFixed(2),
      `${Math.round(skipped * 100)} %`,
      mine.filter((prompt) => prompt.summary.summary !== undefined).length,
      time.toFixed(3),
    ];
    console.log(
      folder.padEnd(33) +
        [8, 11, 14, 12, 9, 11, 10].map((width, at) => String(cells[at]).padStart(width)).join(""),
    );
  }
  console.log(
    `\nDropped by capture: ${[...drops].map(([reason, count]) => `${reason} ${count}`).join(", ")}`,
  );
  const types = new Map<string, number>();
  for (const prompt of prompts)
    for (const one of prompt.observations) types.set(one.type, (types.get(one.type) ?? 0) + 1);
  console.log(
    `Types: ${[...types].map(([type, count]) => `${type} ${count}`).join(", ")}; facts per observation ${(
      sum(prompts, (prompt) => sum(prompt.observations, (one) => one.facts.length)) /
        Math.max(
          1,
          sum(prompts, (prompt) => prompt.observations.length),
        )
    ).toFixed(
      1,
    )}; slowest batch ${Math.max(0, ...prompts.map((prompt) => prompt.milliseconds)).toFixed(1)} ms`,
  );
}

/** Observations that read differently with the conversation around their tool uses, before and after. */
function printChanges(): void {
  let changed = 0;
  let titles = 0;
  let types = 0;
  for (const [at, prompt] of prompts.entries()) {
    const before = bare[at]?.observations ?? [];
    for (const [index, after] of prompt.observations.entries()) {
      const was = before[index];
      if (was && isDeepStrictEqual(was, after)) continue;
      changed++;
      if (was?.title !== after.title) titles++;
      if (was?.type !== after.type) types++;
      printContext(prompt);
      console.log(`  before: [${was?.type ?? "-"}] ${was?.title ?? "-"}`);
      console.log(`  after:  [${after.type}] ${after.title}`);
      for (const fact of was?.facts ?? [])
        if (!after.facts.includes(fact)) console.log(`    - ${fact}`);
      for (const fact of after.facts) if (!was?.facts.includes(fact)) console.log(`    + ${fact}`);
      if (was && was.subtitle !== after.subtitle)
        console.log(`    subtitle: ${was.subtitle} => ${after.subtitle}`);
    }
    for (const gone of before.slice(prompt.observations.length))
      console.log(`  gone: [${gone.type}] ${gone.title}`);
  }
  console.log(
    `\nWith context: ${plural(changed, "observation")} changed, ${plural(titles, "title")}, ${plural(types, "type")}.`,
  );
}

function printSamples(count: number, seed: number): void {
  const random = generator(seed);
  const type = option("type");
  const all = prompts
    .flatMap((prompt) => prompt.observations.map((observation) => ({ prompt, observation })))
    .filter(({ observation }) => type === undefined || observation.type === type);
  console.log(`\n===== ${plural(count, "observation")} =====`);
  for (const { prompt, observation } of pick(all, count, random)) {
    printContext(prompt);
    console.log(`  [${observation.type}] ${observation.title}\n  ${observation.subtitle}`);
    for (const fact of observation.facts) console.log(`    - ${fact}`);
    console.log(
      `  concepts: ${observation.concepts.join(", ")} | modified: ${observation.filesModified.join(", ")} | uses ${observation.toolUseIds.length}/${prompt.toolUses}${observation.agent ? ` | agent ${observation.agent.id}` : ""}`,
    );
    if (process.argv.includes("--narrative")) console.log(`  ${observation.narrative}`);
  }
  console.log(`\n===== ${plural(count, "summary", "summaries")} =====`);
  for (const prompt of pick(
    prompts.filter((one) => one.summary.summary !== undefined),
    count,
    random,
  )) {
    printContext(prompt);
    printSummary(prompt.summary.summary);
  }
  console.log("\n===== sessions =====");
  for (const { session } of pick(
    replayed.filter(({ session }) => session.prompts.length > 0),
    Math.ceil(count / 2),
    random,
  )) {
    console.log(
      `\n- opening: ${session.opening.title ?? "-"} | ${session.opening.subtitle ?? "-"}\n  ending:  ${session.ending.title ?? "-"} | ${session.ending.subtitle ?? "-"}`,
    );
    printSummary(session.ending.summary);
  }
}

function printContext(prompt: ReplayedPrompt): void {
  console.log(`\n# ${prompt.folder}: ${prompt.prompt.replace(/\s+/g, " ").slice(0, 140)}`);
  if (process.argv.includes("--closing"))
    console.log(`  > ${prompt.closing.replace(/\s+/g, " ").slice(0, 500)}`);
}

function printSummary(summary: object | undefined): void {
  for (const [field, value] of Object.entries(summary ?? {}))
    if (value.length > 0) console.log(`  ${field}: ${value}`);
}

function pick<Item>(items: Item[], count: number, random: () => number): Item[] {
  const rest = [...items];
  const chosen: Item[] = [];
  while (chosen.length < count && rest.length > 0)
    chosen.push(...rest.splice(Math.floor(random() * rest.length), 1));
  return chosen;
}

function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function sum<Item>(items: readonly Item[], value: (item: Item) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}
