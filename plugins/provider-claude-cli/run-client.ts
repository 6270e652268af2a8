// Runs the client once: text in on stdin, text out, killed when the call is given up.
import { spawn } from "node:child_process";
import { MemoirError } from "../../src/sdk/index.ts";

export interface ClientRun {
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd: string;
  input: string;
  signal: AbortSignal;
}

/** More than any answer; what goes on beyond it is no answer. */
const outputLimit = 16 * 1024 * 1024;

/** Resolves when the process has ended, however it ended. Rejects with `provider_missing`, or with the signal's reason once it was killed. */
export function runClient(options: RunOptions): Promise<ClientRun> {
  const { command, args, env, cwd, input, signal } = options;
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ["pipe", "pipe", "pipe"] });
    const kill = () => child.kill("SIGKILL");
    signal.addEventListener("abort", kill, { once: true });
    const stdout = collect(child.stdout, kill);
    const stderr = collect(child.stderr, kill);
    child.once("error", () => {
      signal.removeEventListener("abort", kill);
      reject(
        new MemoirError("provider_missing", `Claude Code cannot be started as \`${command}\`.`),
      );
    });
    child.once("close", () => {
      signal.removeEventListener("abort", kill);
      if (signal.aborted) reject(signal.reason);
      else resolve({ stdout: stdout(), stderr: stderr() });
    });
    // A client that ends before it has read everything says why on stdout.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}

function collect(stream: NodeJS.ReadableStream, tooMuch: () => void): () => string {
  const chunks: string[] = [];
  let length = 0;
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => {
    length += chunk.length;
    if (length > outputLimit) tooMuch();
    else chunks.push(chunk);
  });
  return () => chunks.join("");
}
