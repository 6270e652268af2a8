// `memoir backfill`: the client's history on disk becomes memory: a plan first, then work with progress, resumable at any point.
import { resolve } from "node:path";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import * as v from "valibot";
import type { BackfillProgress } from "../../backfill/job.ts";
import {
  type BackfillPlan,
  clientAt,
  discoverOf,
  estimateModelTokens,
  type PlannedSession,
  planBackfill,
  sessionFolders,
  type TokenEstimate,
} from "../../backfill/plan.ts";
import type { backfill as backfillFeature } from "../../features/backfill.ts";
import { estimateCost } from "../../runtime/budget/prices.ts";
import { builtins } from "../../runtime/builtins.ts";
import { readConfig } from "../../runtime/config/config.ts";
import { optionsOf } from "../../runtime/plugins/check-plugin.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { plural } from "../../text/text.ts";
import { timeIn } from "../../text/time-of.ts";
import type { SessionFiles } from "../../transcript/discover.ts";
import type { OptionsOf } from "../commands/declared.ts";
import { currentPaths, server } from "../server/client.ts";
import { everyClient } from "../setup/clients.ts";
import { columns, dateTime, grouped, size } from "../terminal/layout.ts";
import type { Terminal } from "../terminal/terminal.ts";

type BackfillOptions = OptionsOf<(typeof backfillFeature)["operations"]["backfill"]>;

const pollMs = 250;
/** Between two lines where nobody watches a screen. */
const lineMs = 5_000;

/** Gives exit code 0, or 1 when something was not taken in, the person said no, or it was interrupted. */
export async function backfill(
  paths: readonly string[],
  options: BackfillOptions,
  terminal: Terminal,
): Promise<number> {
  const found = await findSessions(paths, terminal);
  const { files } = await server.get("/api/backfill/read");
  const marks = new Map(files.map((mark) => [mark.path, mark]));
  const filter = {
    ...(options.project !== undefined && { project: projectOf(options.project, terminal) }),
    ...(options.since !== undefined && {
      since: timeIn(options.since, terminal.now(), "--since"),
    }),
  };
  const plan = await planBackfill(found, marks, filter, whatIsNew);
  const model = await modelUse(options.provider, plan);
  if (!options.json) terminal.print(planLines(plan, model, terminal).join("\n"));

  const nothing = plan.sessions.length === 0;
  if (options.dryRun || nothing) {
    if (options.json)
      terminal.print(JSON.stringify({ plan: planReport(plan, model), result: null }));
    else if (!nothing) terminal.print("Nothing was imported.");
    else if (options.project !== undefined)
      terminal.print(
        `Only folders named ${options.project} were asked for; \`memoir session list\` shows which there are.`,
      );
    return 0;
  }
  if (!(await mayBegin(model, options, terminal))) {
    terminal.print("Nothing was imported.");
    return 1;
  }
  const result = await run(plan, model, options, terminal);
  if (options.json) terminal.print(JSON.stringify({ plan: planReport(plan, model), result }));
  else terminal.print(resultLine(result, terminal));
  return result.state === "done" && result.failures.length === 0 ? 0 : 1;
}

/** A long session takes a while. */
const lookMs = 10 * 60_000;

/** The server knows what its hooks brought. */
async function whatIsNew(files: SessionFiles): Promise<PlannedSession | undefined> {
  const about = { body: { session: files }, timeoutMs: lookMs };
  const { found } = await server.post("/api/backfill/look", about);
  return found ? { session: files.session, files, bytes: files.bytes, ...found } : undefined;
}

/** Every session below the paths, or in the clients' histories. Throws `usage` for a path that holds none. */
async function findSessions(paths: readonly string[], terminal: Terminal): Promise<SessionFiles[]> {
  await everyClient(terminal);
  const named = paths.map((path) => resolve(terminal.cwd, path));
  const places =
    named.length > 0
      ? await Promise.all(
          named.map(async (folder) => ({ folder, client: await clientAt(folder, terminal.env) })),
        )
      : await sessionFolders(terminal.env);
  const sessions = new Map<string, SessionFiles>();
  for (const { folder: place, client } of places) {
    const found = await discoverOf(place, client);
    for (const path of found.unreadable) terminal.warn(`not readable: ${path}`);
    if (found.sessions.length === 0 && paths.length > 0)
      throw new MemoirError("usage", `There is no transcript at ${place}.`, {
        fix: "Name a folder laid out like Claude Code's `projects`, one in which another client keeps its sessions, or one `.jsonl` file.",
      });
    for (const one of found.sessions)
      sessions.set(one.main?.path ?? `${one.folder}/${one.session}`, one);
  }
  return [...sessions.values()];
}

function projectOf(project: string, { cwd }: Terminal): string {
  return project === "." || project.startsWith("./") ? resolve(cwd, project) : project;
}

/** Nobody is asked where nothing can be lost or spent; a model is never used without a yes. */
async function mayBegin(
  model: ModelUse,
  { yes, provider }: BackfillOptions,
  terminal: Terminal,
): Promise<boolean> {
  if (yes && (model.provider === null || provider !== undefined)) return true;
  if (!terminal.interactive) {
    if (model.provider === null && yes) return true;
    throw new MemoirError("usage", "Can't ask for confirmation without a terminal.", {
      fix:
        model.provider === null
          ? "Pass --yes to confirm."
          : `Pass --provider none --yes, or --provider ${model.provider} --yes to spend tokens on it.`,
    });
  }
  const question =
    model.provider === null
      ? "Continue?"
      : `Continue, and let ${model.provider} read these sessions? (--provider none does it without)`;
  return terminal.confirm(question);
}

/** Begins, watches, and ends with the job. Ctrl-C leaves it where it is; so does the server's end, which is taken up again. */
async function run(
  plan: BackfillPlan,
  model: ModelUse,
  options: BackfillOptions,
  terminal: Terminal,
): Promise<BackfillProgress> {
  const begin = () =>
    server.post("/api/backfill", {
      body: {
        sessions: plan.sessions.map(({ files }) => files),
        modelFree: model.provider === null,
      },
    });
  let interrupted = false;
  const onSignal = () => {
    interrupted = true;
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  const show = createProgress(options, terminal);
  try {
    await begin();
    for (;;) {
      const { progress } = interrupted
        ? await server.post("/api/backfill/stop")
        : await server.get("/api/backfill");
      // A server that was started anew knows nothing of it: what was read stays read.
      if (progress === null) await begin();
      else {
        show(progress);
        if (progress.state !== "running") return progress;
      }
      await pause(pollMs);
    }
  } finally {
    show(null);
    process.off("SIGINT", onSignal);
    process.off("SIGTERM", onSignal);
  }
}

/** A bar that is drawn over itself on a screen, else a line now and then; null clears it. */
function createProgress({ json }: BackfillOptions, terminal: Terminal) {
  const { width } = terminal;
  let shownAt = terminal.now();
  let drawn = false;
  return (progress: BackfillProgress | null): void => {
    if (json) return;
    if (width !== undefined) {
      if (progress === null && !drawn) return;
      drawn = progress !== null;
      process.stdout.write(`\r\u001b[2K${progress ? progressLine(progress, terminal) : ""}`);
    } else if (progress && terminal.now() - shownAt >= lineMs) {
      shownAt = terminal.now();
      terminal.print(progressLine(progress, terminal));
    }
  };
}

// What `memoir backfill` says: the plan, the progress, the end.

const shownProjects = 12;

/** The plan as data. */
function planReport(plan: BackfillPlan, model: ModelUse) {
  return {
    ...sums(plan),
    alreadyRead: plan.alreadyRead,
    empty: plan.empty,
    model,
    sessions: plan.sessions.map(({ files: { main, agents }, ...session }) => ({
      ...session,
      path: main?.path ?? agents[0]?.path,
    })),
  };
}

/** The plan for people. */
function planLines(plan: BackfillPlan, model: ModelUse, terminal: Terminal): string[] {
  const { bold, dim } = terminal.colors;
  const passed = [
    plan.alreadyRead > 0 ? `${plan.alreadyRead} read before` : "",
    plan.empty > 0 ? `${plan.empty} empty` : "",
  ].filter((part) => part !== "");
  const rest = passed.length > 0 ? dim(` (${passed.join(", ")})`) : "";
  if (plan.sessions.length === 0) return [`No sessions to import${rest}.`];
  const { prompts, toolUses, bytes, from, to } = sums(plan);
  const rows = projects(plan).slice(0, shownProjects);
  const more = projects(plan).length - rows.length;
  return [
    `${bold(plural(plan.sessions.length, "session"))}, ${plural(prompts, "prompt")}, ${plural(toolUses, "tool use")}, ${size(bytes)}, from ${dateTime(from)} to ${dateTime(to)}${rest}`,
    ...columns(
      rows.map(([cwd, count]) => [
        `  ${cwd}`,
        plural(count.sessions, "session"),
        plural(count.prompts, "prompt"),
        plural(count.toolUses, "tool use"),
      ]),
      terminal.width,
    ),
    ...(more > 0 ? [dim(`  and ${plural(more, "more folder")}`)] : []),
    modelLine(model),
  ];
}

function modelLine({ provider, tokens, cost }: ModelUse): string {
  if (provider === null) return "No model is used: 0 tokens, $0; nothing leaves this machine.";
  const spent = `about ${grouped(tokens.input)} input and ${grouped(tokens.output)} output tokens`;
  const dollars = cost === null ? "at a price that is not known" : `about $${cost.toFixed(2)}`;
  return `${provider} would be used: ${spent}, ${dollars} (estimates).`;
}

/** One line: a bar, what is done of what, and how fast. */
function progressLine(progress: BackfillProgress, terminal: Terminal): string {
  const { sessions, bytes, startedAt, endedAt } = progress;
  const part = bytes.total > 0 ? Math.min(1, bytes.done / bytes.total) : 0;
  const seconds = Math.max(0.001, ((endedAt ?? terminal.now()) - startedAt) / 1_000);
  const room = 20;
  const full = Math.round(part * room);
  const bar = terminal.width === undefined ? "" : `${"█".repeat(full)}${"░".repeat(room - full)} `;
  return `${bar}${Math.floor(part * 100)} %  ${sessions.done} of ${plural(sessions.total, "session")}  ${size(bytes.done)}  ${(sessions.done / seconds).toFixed(1)} sessions/s`;
}

/** How it ended. */
function resultLine(progress: BackfillProgress, terminal: Terminal): string {
  const { sessions, events, startedAt, endedAt, state, failures, unsettled } = progress;
  const { green, yellow } = terminal.colors;
  const seconds = (((endedAt ?? terminal.now()) - startedAt) / 1_000).toFixed(1);
  const lines = [
    state === "done"
      ? `${green("✓")} ${plural(sessions.done, "session")} imported in ${seconds} s`
      : `${yellow("!")} ${state} after ${sessions.done} of ${plural(sessions.total, "session")}; run the same command to continue`,
    `  ${plural(events.committed, "new event")}, ${events.delivered} already known, ${events.recovered} from an earlier run, ${events.dropped} left out${events.dropped > 0 ? " (`memoir status` says why)" : ""}`,
  ];
  if (unsettled > 0)
    lines.push(`  ${plural(unsettled, "session")} not processed yet; see \`memoir status\``);
  for (const { session, reason } of failures) lines.push(`  not read: ${session}: ${reason}`);
  return lines.join("\n");
}

function sums(plan: BackfillPlan) {
  const { sessions } = plan;
  const sum = (key: "prompts" | "toolUses" | "bytes") =>
    sessions.reduce((total, session) => total + session[key], 0);
  return {
    prompts: sum("prompts"),
    toolUses: sum("toolUses"),
    bytes: sum("bytes"),
    from: Math.min(...sessions.map(({ startedAt }) => startedAt)),
    to: Math.max(...sessions.map(({ lastAt }) => lastAt)),
  };
}

function projects(plan: BackfillPlan) {
  const found = new Map<string, { sessions: number; prompts: number; toolUses: number }>();
  for (const { cwd = "(unknown)", prompts, toolUses } of plan.sessions) {
    const known = found.get(cwd) ?? { sessions: 0, prompts: 0, toolUses: 0 };
    known.sessions++;
    known.prompts += prompts;
    known.toolUses += toolUses;
    found.set(cwd, known);
  }
  return [...found].sort((one, other) => other[1].toolUses - one[1].toolUses);
}

// Whether a backfill would ask a model, which one, and about what that would take.

/** No provider: nothing leaves the machine and nothing is spent. */
interface ModelUse {
  provider: string | null;
  tokens: TokenEstimate;
  /** US dollars; null where the model's price is not known. */
  cost: number | null;
}

const free: ModelUse = { provider: null, tokens: { input: 0, output: 0 }, cost: 0 };

const ModelOption = v.object({ model: v.fallback(v.optional(v.string()), undefined) });

/** `wanted` is `none`, the provider in force, or undefined: the one in force, about which is asked. Throws `usage`. */
async function modelUse(wanted: string | undefined, plan: BackfillPlan): Promise<ModelUse> {
  if (wanted === "none") return free;
  const { subscriptions } = await server.get("/api/plugins");
  const inForce = subscriptions
    .filter(({ hook, plugin }) => hook === "complete" && plugin !== "none")
    .map(({ plugin }) => plugin);
  const provider = inForce[0];
  if (wanted !== undefined && !inForce.includes(wanted))
    throw new MemoirError("usage", `The provider ${wanted} is not in use.`, {
      fix:
        provider === undefined
          ? `Set it with \`memoir config set slots.provider ${wanted}\`, or use --provider none.`
          : `Use --provider ${provider} or --provider none.`,
    });
  if (provider === undefined) return free;
  const asked = wanted ?? provider;
  const { config } = await readConfig(currentPaths().home);
  const options = optionsOf(config.plugins[asked]);
  const schema = (await builtins[asked]?.())?.default.config;
  // A provider that is not built in has its default model where nothing here can read it.
  const parsed = schema && v.safeParse(schema, options);
  const { model } = v.parse(ModelOption, parsed?.success ? parsed.output : options);
  const tokens = estimateModelTokens(plan.sessions);
  const usage = { ...tokens, cacheRead: 0, cacheWrite: 0 };
  const calls = Math.max(1, sums(plan).prompts);
  const cost = model === undefined ? null : estimateCost(model, usage, config.budget.prices, calls);
  return { provider: asked, tokens, cost };
}
