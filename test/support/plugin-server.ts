// A real server process, in a throw-away home with plugins of one's own in it.
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import type { RuntimeStatus } from "../../src/runtime/status.ts";
import { memoirCommand } from "./compiled.ts";

/** What a hook's request came to. */
export interface HookAnswer {
  status: number;
  text: string;
  ms: number;
}

export interface PluginServer {
  home: string;
  /** Starts it (again) and waits until it answers; gives its pid. */
  start(): Promise<number>;
  /** Resolves with the exit code once the process is over. */
  exited(): Promise<number | null>;
  stop(): Promise<void>;
  hook(payload: string): Promise<HookAnswer>;
  /** Asks a route; rejects on an error status. */
  ask<Answer>(path: string, body?: unknown): Promise<Answer>;
  status(): Promise<RuntimeStatus>;
  /** Runs a command of memoir's in this home. */
  command(...args: string[]): Promise<{ code: number; out: string; err: string }>;
  log(): Promise<string>;
}

/** Makes the home with `files` (paths below it) in it, hands it to `use`, and leaves nothing behind. */
export async function withPluginServer<Value>(
  files: Readonly<Record<string, string | object>>,
  use: (server: PluginServer) => Promise<Value>,
  command?: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<Value> {
  const home = await mkdtemp(join(tmpdir(), "memoir-plugins-"));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(home, name)), { recursive: true });
    const text = typeof content === "string" ? content : JSON.stringify(content);
    await writeFile(join(home, name), text);
  }
  const env = { PATH: process.env.PATH ?? "", TZ: "UTC", HOME: home, MEMOIR_HOME: home, ...more };
  const unix = join(home, "memoir.sock");
  const program = command ?? (await memoirCommand());
  let server: Bun.Subprocess<"ignore", "pipe", "pipe"> | undefined;
  let pid: number | undefined;

  async function request(path: string, body?: string): Promise<Response> {
    const sent = body === undefined ? {} : { method: "POST", body };
    const headers = { "content-type": "application/json" };
    return fetch(`http://localhost${path}`, { ...sent, headers, unix });
  }

  /** By the server's own pid: what was spawned may be a wrapper, which passes no signal on. */
  function end(signal: NodeJS.Signals): void {
    try {
      if (pid !== undefined) process.kill(pid, signal);
    } catch {
      // It is gone.
    }
  }

  const self: PluginServer = {
    home,
    async start() {
      server = Bun.spawn([...program, "serve", "--json"], {
        env,
        cwd: home,
        stdin: "ignore",
        stdout: "pipe",
        stderr: "pipe",
      });
      const line = await firstLine(server.stdout);
      if (line === undefined)
        throw new Error(`no server: ${await new Response(server.stderr).text()}`);
      pid = JSON.parse(line).pid as number;
      return pid;
    },
    async exited() {
      await server?.exited;
      return server?.exitCode ?? null;
    },
    async stop() {
      end("SIGTERM");
      await Promise.race([server?.exited, Bun.sleep(12_000)]);
      end("SIGKILL");
      server?.kill("SIGKILL");
      await server?.exited;
    },
    async hook(payload) {
      const begun = performance.now();
      const answer = await request("/hook/claude-code", payload);
      const text = await answer.text();
      return { status: answer.status, text, ms: performance.now() - begun };
    },
    async ask<Answer>(path: string, body?: unknown) {
      const answer = await request(path, body === undefined ? undefined : JSON.stringify(body));
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`);
      return JSON.parse(text) as Answer;
    },
    status: () => self.ask<RuntimeStatus>("/api/status"),
    async command(...args) {
      const child = Bun.spawn([...program, ...args], {
        env,
        cwd: home,
        stdout: "pipe",
        stderr: "pipe",
      });
      const [out, err] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
      ]);
      return { code: await child.exited, out, err };
    },
    log: () => readFile(join(home, "logs/memoir.log"), "utf8").catch(() => ""),
  };
  try {
    return await use(self);
  } finally {
    await self.stop();
    await rm(home, { recursive: true, force: true });
  }
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string | undefined> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return undefined;
    text += decoder.decode(value, { stream: true });
    const end = text.indexOf("\n");
    if (end < 0) continue;
    // What it prints later is read too, else its pipe fills up.
    void (async () => {
      while (!(await reader.read()).done);
    })();
    return text.slice(0, end);
  }
}
