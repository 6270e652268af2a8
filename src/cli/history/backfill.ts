// `memoir backfill`: the client's history on disk becomes memory: a plan first, then work with progress, resumable at any point.

import { resolve } from "node:path";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import type { BackfillProgress } from "../../backfill/job.ts";
import {
  type BackfillPlan,
  clientAt,
  discoverOf,
  type PlannedSession,
  planBackfill,
  sessionFolders,
} from "../../backfill/plan.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { SessionFiles } from "../../transcript/discover.ts";
import type { OptionsOf } from "../commands/declared.ts";
import type { historyCommands } from "../commands/history.ts";
import { parseWhen } from "../memory/filter.ts";
import { server } from "../server/client.ts";
import type { Terminal } from "../terminal/terminal.ts";
import {
  type ModelUse,
  modelUse,
  planLines,
  planReport,
  progressLine,
  resultLine,
} from "./backfill-lines.ts";

type BackfillOptions = OptionsOf<(typeof historyCommands)["backfill"]>;

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
      since: parseWhen(options.since, terminal.now(), "--since"),
    }),
  };
  const plan = await planBackfill(found, marks, filter, whatIsNew);
  const model = await modelUse(options.provider, plan);
  if (!options.json) terminal.print(planLines(plan, model, terminal).join("\n"));

  const nothing = plan.sessions.length === 0;
  if (options.dryRun || nothing) {
    if (options.json)
      terminal.print(JSON.stringify({ plan: planReport(plan, model), result: null }));
    else if (!nothing) terminal.print("Nothing was read into memory.");
    else if (options.project !== undefined)
      terminal.print(
        `Only folders named ${options.project} were asked for; \`memoir session list\` shows which there are.`,
      );
    return 0;
  }
  if (!(await mayBegin(model, options, terminal))) {
    terminal.print("Nothing was read into memory.");
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
    throw new MemoirError("usage", "Nobody is there to be asked.", {
      fix:
        model.provider === null
          ? "Add --yes to begin without a question."
          : `Add --provider none --yes, or --provider ${model.provider} --yes to spend tokens on it.`,
    });
  }
  const question =
    model.provider === null
      ? "Go on?"
      : `Go on, and let ${model.provider} read these sessions? (--provider none does it without)`;
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
