// Search through the server at 12,500, 100,000 and, with --million, 1,000,000 turns: just started, warm, and while somebody writes; context beside it; what a turn costs to index.
import { existsSync } from "node:fs";
import { copyFile, mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { madeProject } from "../support/synthetic-turns.ts";
import { type Figure, median, quantile } from "./figures.ts";
import { promptPayload, readPayload } from "./payloads.ts";
import { cpuMs, memoryMb } from "./process-cost.ts";
import { baseTurns, fillBase, indexBytes, indexMs, multiply } from "./search-home.ts";
import { type ServedHome, withHome } from "./served-home.ts";

/** What is measured, and where filled databases are kept for the next time. */
export interface SearchOptions {
  million: boolean;
  homes?: string | undefined;
}

const rounds = 10;
/** Servers that are started for what is cold. */
const starts = 3;
const writeEveryMs = 50;

/** Rare and frequent words, one and several, misspelt, and none; with and without a project. */
const questions = [
  "invoice",
  "the session token",
  "fix broken cache",
  "refreshed tokens expire",
  "add stale webhook signature validate",
  "authetication",
  "invoce",
  "splitCartDiscount",
  "src/billing/coupon",
  "why does the queue lock time out when two workers retry",
  "zebra",
  "",
];
const busiest = madeProject(0);
/** Of the warm ones. */
const searches = 2 * rounds * questions.length;

/** All figures of search. */
export async function benchSearch({ million, homes }: SearchOptions): Promise<Figure[]> {
  return withHome(async ({ home }) => {
    const folder = homes ?? home;
    const base = join(folder, "base.db");
    const figures: Figure[] = [];
    if (!existsSync(base)) figures.push(...(await costFigures(base)));
    for (const copies of million ? [1, 8, 80] : [1, 8])
      figures.push(...(await measure(folder, base, copies)));
    return figures;
  });
}

async function costFigures(base: string): Promise<Figure[]> {
  const part = "search: a turn with its prompt, summary and observations";
  const msPerTurn = await fillBase(base);
  return [
    { part, name: "CPU to store it", value: msPerTurn, unit: "ms" },
    { part, name: "CPU to index it anew", value: (await indexMs(base)) / baseTurns, unit: "ms" },
    { part, name: "its index", value: (await indexBytes(base)) / baseTurns / 1e3, unit: "KB" },
    { part, name: "all of it", value: (await stat(base)).size / baseTurns / 1e3, unit: "KB" },
  ];
}

async function measure(folder: string, base: string, copies: number): Promise<Figure[]> {
  const turns = copies * baseTurns;
  const place = join(folder, String(turns));
  const path = join(place, "memory.db");
  await mkdir(place, { recursive: true });
  if (!existsSync(path)) await (copies === 1 ? copyFile(base, path) : multiply(base, path, copies));
  const part = `search: ${turns.toLocaleString("en")} turns, through the server`;
  const limit = turns > 100_000 ? 30 : 15;
  return withHome(async (home) => {
    const cwd = await checkout(place);
    const unread = await cold(home, () => dropFromCache(path));
    const started = await cold(home, async () => {});
    const pid = await home.start();
    const contexts = await repeated(rounds, () => context(home, cwd));
    await ask(home, 1);
    const before = cpuMs(pid);
    const warm = await ask(home, rounds);
    const cpu = (cpuMs(pid) ?? Number.NaN) - (before ?? Number.NaN);
    const writing = await whileWriting(home);
    return [
      ...spread(part, "first time asked, file not in memory", unread),
      ...spread(part, "first time asked, file in the system's cache", started),
      ...spread(part, "warm, all projects", warm.everywhere, limit),
      ...spread(part, "warm, one project", warm.within, limit),
      { part, name: "warm, CPU of the server a search", value: cpu / searches, unit: "ms" },
      ...spread(part, "while a session writes", writing),
      ...spread(part, "context of a new session", contexts, 20),
      { part, name: "resident memory", value: memoryMb(pid, "VmRSS") ?? Number.NaN, unit: "MB" },
    ];
  }, place);
}

function spread(part: string, name: string, times: readonly number[], limit?: number): Figure[] {
  const target = limit === undefined ? {} : { target: { limit, better: "lower" as const } };
  return [
    { part, name: `${name}: p50`, value: median(times), unit: "ms" },
    { part, name: `${name}: p95`, value: quantile(times, 0.95), unit: "ms", ...target },
  ];
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

async function repeated(times: number, work: () => Promise<unknown>): Promise<number[]> {
  const found: number[] = [];
  for (let at = 0; at < times; at++) found.push(await timed(work));
  return found;
}

function search(home: ServedHome, text: string, project?: string): Promise<string> {
  const asked = new URLSearchParams(project === undefined ? { text } : { text, project });
  return home.ask(`/api/search?${asked}`);
}

/** Every question once, asked of servers that were just started. */
async function cold(home: ServedHome, prepare: () => Promise<void>): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < starts; at++) {
    await home.kill();
    await prepare();
    await home.start();
    for (const text of questions) times.push(await timed(() => search(home, text)));
  }
  return times;
}

/** Tells the system to forget a file's pages; where it cannot be told, the figures are those of a file in its cache. */
async function dropFromCache(path: string): Promise<void> {
  const command = ["dd", `if=${path}`, "iflag=nocache", "count=0", "status=none"];
  await Bun.spawn(command, { stdout: "ignore", stderr: "ignore" }).exited;
}

/** Every question so many times, over all projects and in one. */
async function ask(
  home: ServedHome,
  times: number,
): Promise<{ everywhere: number[]; within: number[] }> {
  const everywhere: number[] = [];
  const within: number[] = [];
  for (let round = 0; round < times; round++)
    for (const text of questions) {
      everywhere.push(await timed(() => search(home, text)));
      within.push(await timed(() => search(home, text, busiest.id)));
    }
  return { everywhere, within };
}

/** The same while a session works: a prompt or a tool use every 50 ms. What it wrote is found in the end. */
async function whileWriting(home: ServedHome): Promise<number[]> {
  let isOver = false;
  const word = "wombatsearching";
  const writer = (async () => {
    for (let serial = 0; !isOver; serial++) {
      const session = `writer-${Math.floor(serial / 50)}`;
      const body =
        serial % 10 === 0
          ? promptPayload(session, `Fix the ${word}`)
          : readPayload(session, serial);
      await home.ask("/hook/claude-code", body);
      await Bun.sleep(writeEveryMs);
    }
  })();
  const { everywhere } = await ask(home, rounds);
  isOver = true;
  await writer;
  await home.ask("/api/drain", JSON.stringify({ timeoutMs: 60_000 }));
  if (!(await search(home, word)).includes(word)) throw new Error("what was written is not found");
  return everywhere;
}

/** A checkout whose git remote gives the project its id. */
async function checkout(home: string): Promise<string> {
  const folder = join(home, "code", busiest.name);
  await mkdir(join(folder, ".git"), { recursive: true });
  await writeFile(join(folder, ".git", "HEAD"), "ref: refs/heads/main\n");
  const config = `[remote "origin"]\n\turl = https://${busiest.id}.git\n`;
  await writeFile(join(folder, ".git", "config"), config);
  return folder;
}

async function context(home: ServedHome, cwd: string): Promise<void> {
  const answer = await home.ask(`/api/context?${new URLSearchParams({ cwd })}`);
  const { context: text }: { context: string } = JSON.parse(answer);
  if (text.length === 0) throw new Error("the context was empty");
}
