// The binary as it is shipped, compiled once for all test files of a run, and a home that it works in.

import { rmSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { type Outcome, outcomeOf } from "./outcome-of.ts";

const script = resolve(import.meta.dir, "../../src/release/build.ts");
let building: Promise<string> | undefined;

/** Path of the binary; the first call takes some seconds. */
export function compiledBinary(): Promise<string> {
  building ??= build();
  return building;
}

async function build(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "memoir-compiled-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const child = Bun.spawn([process.execPath, script, "--outdir", folder], {
    stdout: "pipe",
    stderr: "pipe",
  });
  const { code, err } = await outcomeOf(child);
  const [file] = await readdir(folder);
  if (code !== 0 || file === undefined) throw new Error(`The binary was not built: ${err}`);
  return join(folder, file);
}

export interface RunOptions {
  stdin?: string;
  env?: Record<string, string>;
  cwd?: string;
}

export interface CompiledHome {
  home: string;
  /** Runs `memoir <args>` of the binary; nothing but `PATH`, the home and `env` is in its environment. */
  run(args: readonly string[], options?: RunOptions): Promise<Outcome>;
  /** Hands one payload to `memoir hook claude-code`. */
  hook(payload: object, options?: RunOptions): Promise<Outcome>;
  /** Has hooks wait for the running server on any machine; a server that starts writes their deadlines anew. */
  patience(): Promise<void>;
  /** The running server's process. */
  pid(): Promise<number>;
  /** Asks the server over its socket. */
  ask<Answer>(path: string): Promise<Answer>;
  /** Ends the server, a stopped one too, and with it the home. */
  end(): Promise<void>;
}

/** What makes modes count for root as well; empty where this user is not root, undefined where that cannot be. */
export function underModes(): string[] | undefined {
  if (process.getuid?.() !== 0) return [];
  const found = Bun.which("setpriv");
  return found ? [found, "--bounding-set=-dac_override,-dac_read_search"] : undefined;
}

/** A home, at `folder` or a new one, without a server. `before` stands before each command. */
export async function compiledHome(
  folder?: string,
  before: readonly string[] = [],
): Promise<CompiledHome> {
  const binary = await compiledBinary();
  const home = folder ?? (await mkdtemp(join(tmpdir(), "memoir-home-")));
  const base = { PATH: process.env.PATH ?? "", TZ: "UTC", HOME: home, MEMOIR_HOME: home };

  async function run(
    args: readonly string[],
    { stdin, env, cwd = home }: RunOptions = {},
  ): Promise<Outcome> {
    const child = Bun.spawn([...before, binary, ...args], {
      env: { ...base, ...env },
      cwd,
      stdin: stdin === undefined ? "ignore" : new Blob([stdin]),
      stdout: "pipe",
      stderr: "pipe",
    });
    return outcomeOf(child);
  }

  async function pid(): Promise<number> {
    const info = JSON.parse(await readFile(join(home, "server.json"), "utf8")) as { pid: number };
    return info.pid;
  }

  return {
    home,
    run,
    hook: (payload, options) =>
      run(["hook", "claude-code"], { ...options, stdin: JSON.stringify(payload) }),
    async patience() {
      const deadlines = { UserPromptSubmit: 20_000, PostToolUse: 20_000 };
      await writeFile(join(home, "hook.json"), JSON.stringify(deadlines));
    },
    pid,
    async ask(path) {
      const answer = await fetch(`http://localhost${path}`, { unix: join(home, "memoir.sock") });
      return (await answer.json()) as never;
    },
    async end() {
      const running = await pid().catch(() => undefined);
      if (running !== undefined)
        try {
          process.kill(running, "SIGKILL");
        } catch {
          // It ended by itself.
        }
      if (folder === undefined) await rm(home, { recursive: true, force: true });
    },
  };
}
