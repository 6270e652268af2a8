// A throw-away home with the compiled server running in it.
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";

/** The compiled binary under measurement. */
export const binary = resolve(import.meta.dirname, "../../dist/memoir");

export interface ServedHome {
  home: string;
  env: Record<string, string>;
  /** Starts the server and waits until it answers. */
  start(): Promise<number>;
  /** Kills the server the hard way. */
  kill(): Promise<void>;
  /** Asks the server over its socket; rejects on an error status. */
  ask(path: string, body?: string): Promise<string>;
}

interface ServerInfo {
  pid: number;
}

async function info(home: string): Promise<ServerInfo | undefined> {
  const path = join(home, "server.json");
  return existsSync(path) ? JSON.parse(await readFile(path, "utf8")) : undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Makes a home, hands it to `use`, and leaves nothing behind; one that is `kept` stays with what was done in it. */
export async function withHome<Value>(
  use: (home: ServedHome) => Promise<Value>,
  kept?: string,
): Promise<Value> {
  const home = kept ?? (await mkdtemp(join(tmpdir(), "memoir-bench-")));
  const env = { PATH: process.env.PATH ?? "", HOME: home, MEMOIR_HOME: home };
  const socket = join(home, "memoir.sock");

  async function kill(): Promise<void> {
    const found = await info(home);
    if (!found || !isAlive(found.pid)) return;
    process.kill(found.pid, "SIGKILL");
    while (isAlive(found.pid)) await Bun.sleep(5);
  }

  async function start(): Promise<number> {
    const child = Bun.spawn([binary, "start", "--json"], { env, stdout: "pipe", stderr: "pipe" });
    const errors = await new Response(child.stderr).text();
    if ((await child.exited) !== 0) throw new Error(`memoir server start: ${errors}`);
    const found = await info(home);
    if (!found) throw new Error("memoir server start left no server.json");
    return found.pid;
  }

  async function ask(path: string, body?: string): Promise<string> {
    const sent = body === undefined ? {} : { method: "POST", body };
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`http://localhost${path}`, { ...sent, headers, unix: socket });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`);
    return text;
  }

  try {
    return await use({ home, env, start, kill, ask });
  } finally {
    await kill();
    if (kept === undefined) await rm(home, { recursive: true, force: true });
  }
}
