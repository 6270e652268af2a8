// Runs another program to its end and takes what it says.
import { endProgram, startProgram } from "../host/programs.ts";

/** What a program said and how it ended. */
export interface ProgramRun {
  /** 1 where a signal ended it. */
  code: number;
  out: string;
  err: string;
  /** Its time was up, and it was killed. */
  isLate: boolean;
}

interface RunOptions {
  env: Readonly<Record<string, string | undefined>>;
  cwd?: string;
  /** What it reads; default nothing. */
  input?: string;
  timeoutMs?: number;
}

/** More than this of either stream nobody reads. */
const maxOutput = 4_000_000;

/** Rejects where it cannot be started. */
export function runProgram(
  [program = "", ...args]: readonly string[],
  { env, cwd, input, timeoutMs }: RunOptions,
): Promise<ProgramRun> {
  return new Promise((resolve, reject) => {
    const child = startProgram(program, args, {
      cwd,
      env,
      stdio: ["pipe", "pipe", "pipe"],
      windowsHide: true,
    });
    const run: ProgramRun = { code: 0, out: "", err: "", isLate: false };
    const late = () => {
      run.isLate = true;
      endProgram(child);
    };
    const timer = timeoutMs === undefined ? undefined : setTimeout(late, timeoutMs);
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      if (run.out.length < maxOutput) run.out += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      if (run.err.length < maxOutput) run.err += text;
    });
    child.on("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve({ ...run, code: code ?? 1 });
    });
    // What needs no input may close it first.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}
