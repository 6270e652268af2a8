// `memoir serve`: the server in the foreground, until a signal or `memoir server stop` ends it.
import process from "node:process";
import { projectsFolder } from "../../clients/claude-code/folders.ts";
import { bringClients, transcriptForms } from "../../clients/index.ts";
import { createLog, type LogFile } from "../../home/log.ts";
import type { Paths } from "../../home/paths.ts";
import { version } from "../../home/version.ts";
import { loadHost } from "../../host/index.ts";
import { redactDeep } from "../../privacy/redact.ts";
import { readConfig } from "../../runtime/config/config.ts";
import type { Config } from "../../runtime/config/schema.ts";
import { catchStrayErrors } from "../../runtime/isolation/oversight.ts";
import { createRuntime } from "../../runtime/runtime.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { standIn } from "../../server/gateway/open-sessions.ts";
import { type RunningServer, type RunOptions, runServer } from "../../server/life/run-server.ts";
import { engineVariable } from "../../server/life/start-server.ts";
import { currentPaths } from "./client.ts";

/** Between two looks at transcripts of sessions whose hooks did not fire. */
const watchEveryMs = 5 * 60_000;
/** How long the process may take to end by itself once the server has stopped. */
const lingerMs = 1_000;

/** Serves until stopped; gives exit code 0. Throws MemoirError `server_running` when this home has a server. */
export async function serve(options: { json?: boolean } = {}): Promise<number> {
  delete process.env[engineVariable];
  const paths = currentPaths();
  const { config, log } = await openLog(paths);
  catchStrayErrors(log);
  const server = await startLogged(optionsOf(paths, config, log), log);
  const stop = () => void server.stop();
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  const { pid, port, socket } = server.info;
  const where = [socket, `http://127.0.0.1:${port}`].filter((address) => address !== null);
  console.log(
    options.json
      ? JSON.stringify({ ...server.info, home: paths.home })
      : `memoir ${version} serves ${paths.home} on ${where.join(" and ")} (pid ${pid}); Ctrl-C stops it.`,
  );
  await server.stopped;
  // Under Deno a listener left behind would keep the process alive.
  process.off("SIGTERM", stop);
  process.off("SIGINT", stop);
  log.info("server stopped");
  await log.flush();
  // A plugin's worker that no engine can end must not keep a stopped server alive.
  setTimeout(() => process.exit(0), lingerMs).unref();
  return 0;
}

/**
 * `memoir serve --stand-in`: passes requests of open sessions on to their model until a server takes over, or nobody is left;
 * gives exit code 0.
 */
export async function serveStandIn(): Promise<number> {
  const paths = currentPaths();
  const { log } = await openLog(paths);
  process.on("SIGTERM", () => process.exit(0));
  const host = await loadHost();
  await standIn({ home: paths.home, host, log: log.child("gateway"), now: Date.now });
  await log.flush();
  return 0;
}

async function openLog({ home, log: path }: Paths): Promise<{ config: Config; log: LogFile }> {
  const { config } = await readConfig(home);
  const redact = <Value>(record: Value) => redactDeep(record).value as Value;
  return { config, log: createLog({ path, level: config.log.level, redact }) };
}

/** How a home is served, by its config: what was read at the start, and what is read again whenever it counts. */
export function optionsOf(paths: Paths, config: Config, log: LogFile): RunOptions {
  return {
    paths,
    version,
    log,
    port: config.server.port,
    gateway: async () => {
      const file = await readConfig(paths.home);
      // Defaults would shut the gateway in the middle of somebody's session.
      if (file.broken) throw new MemoirError("config_unreadable", `${file.path} is not valid JSON`);
      return file.config.endless.gateway;
    },
    wantsDailyBackup: async () => (await readConfig(paths.home)).config.backup.daily,
    checksDaily: true,
    wantsReleases: async () => (await readConfig(paths.home)).config.upgrade.daily,
    retention: async () => (await readConfig(paths.home)).config.retention,
    watchEveryMs: config.watch.enabled ? watchEveryMs : 0,
    createRuntime: (changed) =>
      createRuntime({
        home: paths.home,
        log,
        changed,
        configured: (read) => log.setLevel(read.log.level),
        broughtClients: bringClients,
        transcriptFolders: [projectsFolder(process.env)],
        transcriptForm: transcriptForms(process.env),
      }),
  };
}

/** A server that a hook started has no terminal: why it did not come up must be in the log. */
async function startLogged(options: RunOptions, log: LogFile): Promise<RunningServer> {
  try {
    return await runServer(options);
  } catch (error) {
    if (!(error instanceof MemoirError && error.code === "server_running")) {
      log.error("the server did not start", { error });
    }
    await log.flush();
    throw error;
  }
}
