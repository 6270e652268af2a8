// Search and context over 100,000 observations: in the process that holds them, and as the server answers them.
import { mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { silentLog } from "../../src/home/log.ts";
import { createRuntime, type Runtime } from "../../src/runtime/runtime.ts";
import type { SessionStartEvent } from "../../src/sdk/events.ts";
import type { Project } from "../../src/sdk/model.ts";
import type { SearchQuery } from "../../src/sdk/storage.ts";
import { syntheticSessions } from "../support/synthetic-observations.ts";
import { type Figure, median, quantile } from "./figures.ts";
import { type ServedHome, withHome } from "./served-home.ts";

const part = "search";
const observations = 100_000;
const rounds = 20;

/** Rare and frequent words, one and several, misspelt, and none; with and without a project. */
const questions = [
  "invoice",
  "the session token",
  "fix broken cache",
  "refreshed tokens expire",
  "add stale webhook signature validate",
  "authetication",
  "splitCartDiscount",
  "src/billing/coupon",
  "why does the queue lock time out when two workers retry",
  "zebra",
  "",
];

/** Fills the home's storage through its hooks; gives the busiest project and the time it took in ms. */
async function fill(runtime: Runtime): Promise<{ project: Project; ms: number }> {
  const sessions = new Map<string, { project: Project; count: number }>();
  const begin = performance.now();
  let number = 0;
  for (const records of syntheticSessions({ observations })) {
    await runtime.hooks.first("storage.put", { key: `bench-${number++}`, records });
    const project = records.sessions?.[0]?.project;
    if (project) {
      const count = (sessions.get(project.id)?.count ?? 0) + 1;
      sessions.set(project.id, { project, count });
    }
    if (number % 1_000 === 0) process.stderr.write(`  ${number * 25} observations stored\n`);
  }
  const [busiest] = [...sessions.values()].sort((a, b) => b.count - a.count);
  if (!busiest) throw new Error("no sessions were made");
  return { project: busiest.project, ms: performance.now() - begin };
}

/** A checkout whose git remote gives the project its id. */
async function checkout(home: string, { id, name }: Project): Promise<string> {
  const folder = join(home, "code", name);
  await mkdir(join(folder, ".git"), { recursive: true });
  await writeFile(join(folder, ".git", "HEAD"), "ref: refs/heads/main\n");
  await writeFile(join(folder, ".git", "config"), `[remote "origin"]\n\turl = https://${id}.git\n`);
  return folder;
}

async function timed(times: number[], work: () => Promise<unknown>): Promise<void> {
  const begin = performance.now();
  await work();
  times.push(performance.now() - begin);
}

function spread(name: string, times: readonly number[]): Figure[] {
  const target = { limit: 20, better: "lower" } as const;
  return [
    { part, name: `${name}: p50`, value: median(times), unit: "ms" },
    { part, name: `${name}: p95`, value: quantile(times, 0.95), unit: "ms", target },
  ];
}

/** Every question `rounds` times, then as many contexts; the first round warms up and does not count. */
async function ask(
  where: string,
  search: (query: SearchQuery) => Promise<unknown>,
  context: () => Promise<string>,
  project: Project,
): Promise<Figure[]> {
  const everywhere: number[] = [];
  const within: number[] = [];
  const contexts: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    if (round === 1) for (const times of [everywhere, within, contexts]) times.length = 0;
    for (const text of questions) {
      await timed(everywhere, () => search({ text }));
      await timed(within, () => search({ text, project: project.id }));
    }
    await timed(contexts, context);
  }
  if ((await context()).length === 0) throw new Error("the context was empty");
  return [
    ...spread(`search, all projects, ${where}`, everywhere),
    ...spread(`search, one project, ${where}`, within),
    ...spread(`context of a new session, ${where}`, contexts),
  ];
}

function sessionStart(cwd: string): SessionStartEvent {
  const id = crypto.randomUUID();
  const time = Date.now();
  return {
    name: "SessionStart",
    id,
    key: id,
    client: "claude-code",
    session: id,
    time,
    cwd,
    source: "startup",
  };
}

async function askServer(home: ServedHome, project: Project, cwd: string): Promise<Figure[]> {
  const search = ({ text, project: only }: SearchQuery) => {
    const query = new URLSearchParams(only === undefined ? { text } : { text, project: only });
    return home.ask(`/api/search?${query}`);
  };
  const context = async () => {
    const answer = await home.ask(`/api/context?${new URLSearchParams({ cwd })}`);
    const { context: text }: { context: string } = JSON.parse(answer);
    return text;
  };
  return ask("through the server", search, context, project);
}

/** All figures of search and context. */
export async function benchSearch(): Promise<Figure[]> {
  return withHome(async (home) => {
    const runtime = await createRuntime({ home: home.home, log: silentLog, env: home.env });
    const { project, ms } = await fill(runtime);
    const cwd = await checkout(home.home, project);
    const search = (query: SearchQuery) => runtime.hooks.first("storage.search", query);
    const context = async () => (await runtime.reply(sessionStart(cwd))).context ?? "";
    const inProcess = await ask("in process", search, context, project);
    await runtime.stop();
    const { size } = await stat(join(home.home, "memory.db"));
    await home.start();
    return [
      { part, name: "storing, observations", value: (observations / ms) * 1_000, unit: "/s" },
      { part, name: "database of 100,000 observations", value: size / 1e6, unit: "MB" },
      ...inProcess,
      ...(await askServer(home, project, cwd)),
    ];
  });
}
