// `memoir serve`: the server in the foreground, until a signal or `memoir stop` ends it.
import process from "node:process";
import { createLog } from "../runtime/log.ts";
import { createRuntime } from "../runtime/runtime.ts";
import { version } from "../runtime/version.ts";
import { runServer } from "../server/run-server.ts";
import { currentPaths } from "./server-client.ts";

export interface ServeOptions {
  json?: boolean;
}

/** Serves until stopped; gives exit code 0. Throws MemoirError `server_running` when this home has a server. */
export async function serve(options: ServeOptions = {}): Promise<number> {
  const paths = currentPaths();
  const log = createLog({ path: paths.log });
  const server = await runServer({
    paths,
    version,
    log,
    createRuntime: () => createRuntime({ home: paths.home, log }),
  });
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
  log.info("server stopped");
  await log.flush();
  return 0;
}
