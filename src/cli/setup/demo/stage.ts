// The demo's stage: a throw-away home and project, the real hook command, and a clean floor afterwards.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { type Environment, memoirPaths, type Paths } from "../../../home/paths.ts";
import { loadHost } from "../../../host/index.ts";
import { MemoirError } from "../../../sdk/errors.ts";
import { runProgram } from "../../run-program.ts";
import { stopServer } from "../../server/start-stop.ts";
import { type Payload, type Place, remote } from "./recording.ts";

interface HookRun {
  /** What it printed. */
  output: string;
  /** Wall time in ms, the start of the process included. */
  ms: number;
}

export interface Stage {
  folder: string;
  place: Place;
  paths: Paths;
  /** Runs `memoir hook claude-code` as the client would. */
  hook(payload: Payload): Promise<HookRun>;
  /** Runs any command of this same memoir in the throw-away home; gives its stdout. */
  memoir(args: readonly string[]): Promise<string>;
  /** Stops the server and removes everything; `keep` leaves the files. */
  clear(keep: boolean): Promise<void>;
}

/** Sets the stage below the system's folder for temporary files. */
export async function setStage(env: Environment): Promise<Stage> {
  const command = (await loadHost()).selfCommand();
  const folder = await mkdtemp(join(tmpdir(), "memoir-demo-"));
  const place = { project: join(folder, "shop"), client: join(folder, "client") };
  const paths = memoirPaths(join(folder, "home"));
  await mkdir(join(place.project, ".git"), { recursive: true });
  await writeFile(join(place.project, ".git/HEAD"), "ref: refs/heads/main\n");
  await writeFile(join(place.project, ".git/config"), `[remote "origin"]\n\turl = ${remote}\n`);
  const own = { ...env, MEMOIR_HOME: paths.home, MEMOIR_INTERNAL: undefined };
  const run = async (args: readonly string[], input: string): Promise<string> => {
    const { code, out, err } = await runProgram([...command, ...args], {
      input,
      env: own,
      cwd: place.project,
    });
    if (err !== "") process.stderr.write(err);
    if (code !== 0)
      throw new MemoirError("internal", `memoir ${args.join(" ")} ended with ${code}.`);
    return out;
  };

  let cleared: Promise<void> | undefined;
  const clear = (keep: boolean): Promise<void> => {
    cleared ??= (async () => {
      process.off("SIGINT", interrupted);
      process.off("SIGTERM", interrupted);
      await stopServer(paths).catch(() => false);
      if (!keep) await rm(folder, { recursive: true, force: true });
    })();
    return cleared;
  };
  const interrupted = () => void clear(false).then(() => process.exit(130));
  process.on("SIGINT", interrupted);
  process.on("SIGTERM", interrupted);

  return {
    folder,
    place,
    paths,
    async hook(payload) {
      const input = JSON.stringify(payload);
      const start = performance.now();
      const output = await run(["hook", "claude-code"], input);
      return { output: output.trim(), ms: performance.now() - start };
    },
    memoir: (args) => run(args, ""),
    clear,
  };
}
