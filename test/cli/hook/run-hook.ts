// Runs `memoir hook` as its users do: a process of its own, a payload on stdin, a throw-away home.
import { mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoirCommand } from "../../support/compiled.ts";
import { entry } from "../../support/run-memoir.ts";

export interface HookRun {
  code: number;
  out: string;
  err: string;
}

export interface HookOptions {
  home: string;
  client?: string;
  args?: string[];
  /** Options of Bun's; then it runs from source. */
  runtime?: string[];
  env?: Record<string, string>;
  /** Where the hook runs; default here. */
  cwd?: string;
}

/** Runs the hook command with only the given environment. */
export async function runHook(
  input: string | Uint8Array | ReadableStream<Uint8Array>,
  {
    home,
    client = "claude-code",
    args = [],
    runtime = [],
    env = {},
    cwd = process.cwd(),
  }: HookOptions,
): Promise<HookRun> {
  const program =
    runtime.length > 0 ? [process.execPath, ...runtime, entry] : await memoirCommand();
  const hook = Bun.spawn([...program, "hook", client, ...args], {
    stdin: typeof input === "string" ? new TextEncoder().encode(input) : input,
    stdout: "pipe",
    stderr: "pipe",
    cwd,
    env: { PATH: process.env.PATH ?? "", HOME: "/nonexistent", MEMOIR_HOME: home, ...env },
  });
  const [code, out, err] = await Promise.all([
    hook.exited,
    new Response(hook.stdout).text(),
    new Response(hook.stderr).text(),
  ]);
  return { code, out, err };
}

/** A folder for one test's home. */
export function temporaryHome(): Promise<string> {
  return mkdtemp(join(tmpdir(), "memoir-"));
}

/** Makes hooks believe that somebody is starting the server, so that they start none. */
export function pretendStarting(home: string): Promise<void> {
  return writeFile(join(home, "server.starting"), "1");
}

/** The parsed spool files of a home, oldest first. */
export async function spooled(home: string): Promise<Array<Record<string, unknown>>> {
  const folder = join(home, "spool");
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => name.endsWith(".json")).sort();
  // A server may take one in between the look and the reading.
  const texts = await Promise.all(
    files.map((name) => readFile(join(folder, name), "utf8").catch(() => undefined)),
  );
  return texts.flatMap((text) => (text === undefined ? [] : [JSON.parse(text)]));
}

/** Reasons in the hook command's own log. */
export async function noted(home: string): Promise<string[]> {
  const text = await readFile(join(home, "logs/hook.log"), "utf8").catch(() => "");
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { reason: string }).reason);
}

/** A payload of Claude Code's form. */
export function payload(event: string, more: Record<string, unknown> = {}): string {
  return JSON.stringify({ session_id: "s-1", cwd: "/p", hook_event_name: event, ...more });
}

/** A finished tool use. */
export function toolUse(more: Record<string, unknown> = {}): string {
  return payload("PostToolUse", {
    tool_name: "Bash",
    tool_input: { command: "ls" },
    tool_use_id: "toolu_1",
    tool_response: { stdout: "a.ts" },
    ...more,
  });
}
