// memoir as a scenario meets it: installed into the world's home, asked over its command line, hurt by signals.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";

export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

export interface Memoir {
  /** `~/.memoir` of the world. */
  home: string;
  run(...args: string[]): Promise<CommandResult>;
  /** Runs a command with `--json` and parses its answer; fails on any exit code but 0. */
  json<Answer>(...args: string[]): Promise<Answer>;
  /** The server's process id, or undefined when none is registered. */
  pid(): Promise<number | undefined>;
  /** Sends the running server a signal; after SIGKILL waits until it is gone. */
  signal(name: "SIGKILL" | "SIGSTOP" | "SIGCONT" | "SIGTERM"): Promise<void>;
  /** Waits until everything captured so far is settled and stored; starts the server when it is away. */
  settle(): Promise<void>;
  /** Every file below the home, with its text; for looking for what must not be there. */
  files(): Promise<Map<string, string>>;
  /** Ends the server, also a stopped one. */
  end(): Promise<void>;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function until(what: string, holds: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!(await holds())) {
    assert.ok(Date.now() < deadline, `waited 20 s in vain until ${what}`);
    await Bun.sleep(20);
  }
}

/** Runs `memoir install` in a home and gives the handle on what was installed. */
export async function installMemoir(
  binary: string,
  userHome: string,
  env: Record<string, string>,
): Promise<Memoir> {
  const home = join(userHome, ".memoir");
  const installed = join(home, "bin", "memoir");

  async function spawn(path: string, args: string[]): Promise<CommandResult> {
    const child = Bun.spawn([path, ...args], {
      cwd: userHome,
      env,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const [stdout, stderr] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    return { code: await child.exited, stdout, stderr };
  }

  async function json<Answer>(...args: string[]): Promise<Answer> {
    const result = await spawn(installed, [...args, "--json"]);
    assert.equal(result.code, 0, `memoir ${args.join(" ")}: ${result.stderr}${result.stdout}`);
    return JSON.parse(result.stdout);
  }

  async function pid(): Promise<number | undefined> {
    const file = join(home, "server.json");
    if (!existsSync(file)) return undefined;
    const found: { pid: number } = JSON.parse(await readFile(file, "utf8"));
    return isAlive(found.pid) ? found.pid : undefined;
  }

  assert.ok(existsSync(binary), `${binary} is missing: \`bun run build\` makes it`);
  const result = await spawn(binary, ["install"]);
  assert.equal(result.code, 0, `memoir install: ${result.stderr}${result.stdout}`);

  return {
    home,
    run: (...args) => spawn(installed, args),
    json,
    pid,
    async signal(name) {
      const target = await pid();
      assert.ok(target, `no server to send ${name} to`);
      process.kill(target, name);
      if (name === "SIGKILL") await until("the server is gone", () => !isAlive(target));
    },
    async settle() {
      const started = await spawn(installed, ["start"]);
      assert.equal(started.code, 0, `memoir start: ${started.stderr}${started.stdout}`);
      await until("the spool is drained", async () => (await spooled(home)).length === 0);
      const response = await fetch("http://localhost/api/drain", {
        unix: join(home, "memoir.sock"),
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ timeoutMs: 20_000 }),
      });
      const answer = await response.text();
      assert.ok(response.ok, `POST /api/drain: ${response.status} ${answer}`);
      assert.match(answer, /true/, `not drained: ${answer}`);
    },
    async files() {
      const names = await readdir(home, { recursive: true, withFileTypes: true });
      const found = new Map<string, string>();
      for (const entry of names) {
        const path = join(entry.parentPath, entry.name);
        if (entry.isFile() && path !== installed) found.set(path, await readFile(path, "latin1"));
      }
      return found;
    },
    async end() {
      const target = await pid();
      if (target) process.kill(target, "SIGKILL");
    },
  };
}

/** Names of the events that wait in the spool. */
export async function spooled(home: string): Promise<string[]> {
  const folder = join(home, "spool");
  if (!existsSync(folder)) return [];
  return (await readdir(folder)).filter((name) => name.endsWith(".json"));
}
