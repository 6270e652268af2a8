// memoir as a scenario meets it: installed into the world's home, asked over its command line and socket, hurt by signals.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { copyFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import type { Observation, Prompt, Session, Summary } from "../../src/sdk/model.ts";
import type { Turn } from "../../src/sdk/turn.ts";
import { until } from "./until.ts";

export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** `GET /api/sessions/:id`. */
export interface SessionRecords {
  session: Session;
  prompts: Prompt[];
  summaries: Summary[];
  observations: Observation[];
  turns: Turn[];
}

export type Signal = "SIGKILL" | "SIGSTOP" | "SIGCONT";

export interface Memoir {
  /** `~/.memoir` of the world. */
  home: string;
  run(...args: string[]): Promise<CommandResult>;
  /** Runs a command with `--json` and parses its answer; fails on any exit code but 0. */
  json<Answer>(...args: string[]): Promise<Answer>;
  /** Asks the server over its socket; a body makes it a POST. */
  ask<Answer>(path: string, body?: unknown): Promise<Answer>;
  /** Sends the running server a signal; after SIGKILL waits until it is gone. */
  signal(name: Signal): Promise<void>;
  /** Waits until everything captured so far is settled and stored; starts the server when it is away. */
  settle(): Promise<void>;
  /** Everything stored of one client session. */
  records(session: string): Promise<SessionRecords>;
  /** Every file below the home but the program's own, byte for byte as latin1 text; for looking for what must not be there. */
  files(): Promise<Map<string, string>>;
  /** Names of the events that wait in the spool. */
  spooled(): Promise<string[]>;
  /** Ends the server, also a stopped one. */
  end(): Promise<void>;
}

/** Below the home: the binary, and the SDK that plugins import. */
const programFolders = ["bin", "node_modules"];

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // Nobody reaps an orphan in a container without an init, which is what the run's own namespace is like.
  const stat = `/proc/${pid}/stat`;
  return !(existsSync(stat) && readFileSync(stat, "utf8").includes(") Z "));
}

function absent(error: unknown): undefined {
  if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  return undefined;
}

async function run(
  command: string[],
  cwd: string,
  env: Record<string, string>,
): Promise<CommandResult> {
  const child = Bun.spawn(command, { cwd, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code: await child.exited, stdout, stderr };
}

function succeeded(what: string, result: CommandResult): string {
  assert.equal(result.code, 0, `${what}: ${result.stderr}${result.stdout}`);
  return result.stdout;
}

async function serverPid(home: string): Promise<number | undefined> {
  const file = join(home, "server.json");
  if (!existsSync(file)) return undefined;
  const { pid }: { pid: number } = JSON.parse(await readFile(file, "utf8"));
  return isAlive(pid) ? pid : undefined;
}

export interface InstallOptions {
  /** Becomes the config file first. */
  config?: object;
  /** Only puts the binary in its place, as somebody does who adds the repository as a plugin of the client. */
  binaryOnly?: boolean;
}

/** Runs `memoir install` in a user's home and gives the handle on what was installed. */
export async function installMemoir(
  binary: string,
  userHome: string,
  env: Record<string, string>,
  { config, binaryOnly }: InstallOptions = {},
): Promise<Memoir> {
  const home = join(userHome, ".memoir");
  const installed = join(home, "bin", "memoir");
  assert.ok(existsSync(binary), `${binary} is missing: \`bun run build\` makes it`);
  await mkdir(home, { recursive: true, mode: 0o700 });
  if (config) await writeFile(join(home, "config.json"), JSON.stringify(config));
  if (binaryOnly) {
    await mkdir(join(home, "bin"));
    await copyFile(binary, installed);
  } else succeeded("memoir install", await run([binary, "install"], userHome, env));

  const command = (...args: string[]) => run([installed, ...args], userHome, env);

  async function ask<Answer>(path: string, body?: unknown): Promise<Answer> {
    const response = await fetch(`http://localhost${path}`, {
      unix: join(home, "memoir.sock"),
      headers: { "content-type": "application/json" },
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    });
    const text = await response.text();
    assert.ok(response.ok, `${path} answered ${response.status}: ${text}`);
    return JSON.parse(text);
  }

  return {
    home,
    run: command,
    ask,
    async json(...args) {
      return JSON.parse(succeeded(`memoir ${args.join(" ")}`, await command(...args, "--json")));
    },
    async signal(name) {
      // A server answers a moment before it registers itself.
      await until("a server is registered", async () => (await serverPid(home)) !== undefined);
      const pid = await serverPid(home);
      assert.ok(pid, `no server to send ${name} to`);
      process.kill(pid, name);
      if (name === "SIGKILL") await until("the server is gone", () => !isAlive(pid));
    },
    async settle() {
      succeeded("memoir server start", await command("start"));
      const scope = { timeoutMs: 20_000 };
      const { drained } = await ask<{ drained: boolean }>("/api/drain", scope);
      assert.ok(drained, "the server did not get done with what was captured");
    },
    records: (session) => ask(`/api/sessions/${session}`),
    async files() {
      const found = new Map<string, string>();
      for (const entry of await readdir(home, { recursive: true, withFileTypes: true })) {
        const path = join(entry.parentPath, entry.name);
        const own = programFolders.some((folder) => path.startsWith(join(home, folder)));
        if (!entry.isFile() || own) continue;
        // A draft may have taken its file's place meanwhile.
        const text = await readFile(path, "latin1").catch(absent);
        if (text !== undefined) found.set(path, text);
      }
      return found;
    },
    async spooled() {
      const folder = join(home, "spool");
      if (!existsSync(folder)) return [];
      return (await readdir(folder)).filter((name) => name.endsWith(".json"));
    },
    async end() {
      const pid = await serverPid(home);
      if (pid) process.kill(pid, "SIGKILL");
    },
  };
}
