// Runs the installed binary: what it starts is then what hooks start, whoever called install.
import { spawn } from "node:child_process";
import { keepOwnStreams } from "../../host/windows-streams.ts";
import { MemoirError } from "../../sdk/errors.ts";

/** A server that has to finish its work first may take a while to hand over. */
const defaultTimeoutMs = 60_000;

/** Runs `binary` with `args`; gives its stdout. Rejects with its own last words when it fails, or when its time is up. */
export function runInstalled(
  binary: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  timeoutMs: number = defaultTimeoutMs,
): Promise<string> {
  // What it starts would hold the pipe that `install` is read through.
  keepOwnStreams();
  return new Promise((resolve, reject) => {
    const child = spawn(binary, args, {
      env,
      timeout: timeoutMs,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let [out, err] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      out += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      err += text;
    });
    child.on("error", (cause) =>
      reject(
        new MemoirError("binary_missing", `${binary} cannot be run: ${cause.message}.`, { cause }),
      ),
    );
    child.on("close", (code) => {
      if (code === 0) return resolve(out);
      const said = (err || out).trim().split("\n").slice(0, 2).join(" ");
      reject(
        new MemoirError("server_unreachable", `${binary} ${args.join(" ")} failed: ${said}`, {
          fix: "Run that command to see more.",
        }),
      );
    });
  });
}
