// Other programs, as each system starts, names and ends them; one run to its end; and how this one gives way.
import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { getPriority, setPriority } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { split } from "shlex";

type Variables = Readonly<Record<string, string | undefined>>;
type Command = [program: string, args: string[]];

/** As `spawn`, without a shell of the user's; on Windows a name also means what npm puts into the PATH, which is a `.cmd` file. */
export const startProgram = start as typeof spawn;

function start(program: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const { platform, env } = process;
  const found = platform === "win32" ? findProgram(program, options.env ?? env, platform) : program;
  const asText = found !== undefined && /\.(?:cmd|bat)$/i.test(found);
  if (!asText) return spawn(found ?? program, args, options);
  return spawn(...cmdCommand(found, args), { ...options, windowsVerbatimArguments: true });
}

/** What a name in the PATH stands for, or a path itself; undefined where there is no such program. */
export function findProgram(
  program: string,
  env: Variables,
  platform: string,
  isProgram: (path: string) => boolean = canRun,
): string | undefined {
  // A name of nothing would be each folder itself.
  if (program === "") return undefined;
  const isWindows = platform === "win32";
  const endings =
    isWindows && !/\.(?:exe|cmd|bat)$/i.test(program) ? [".exe", ".cmd", ".bat"] : [""];
  const path = Object.entries(env).find(([name]) => (isWindows ? /^path$/i : /^PATH$/).test(name));
  const folders = (path?.[1] ?? "").split(isWindows ? ";" : ":").filter(Boolean);
  const places = /[\\/]/.test(program) ? [program] : folders.map((folder) => join(folder, program));
  return places.flatMap((place) => endings.map((ending) => place + ending)).find(isProgram);
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** What runs a `.cmd` file: each word quoted for the program behind it, and what means something to cmd with a caret. */
export function cmdCommand(file: string, args: readonly string[]): Command {
  const meaning = /[()\][%!^"`<>&|;, *?]/g;
  const quoted = args.map((word) => {
    const inside = word.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, "$1$1");
    return `"${inside}"`.replace(meaning, "^$&");
  });
  const line = [file.replace(meaning, "^$&"), ...quoted].join(" ");
  return [process.env.COMSPEC ?? "cmd.exe", ["/d", "/s", "/c", `"${line}"`]];
}

/** Ends a program that was started, at once. Never throws. */
export function endProgram(child: ChildProcess, platform: string = process.platform): void {
  const command = endCommand(platform, child.pid);
  if (command === undefined) child.kill("SIGKILL");
  else spawn(command[0], command[1], { stdio: "ignore", windowsHide: true }).on("error", () => {});
}

/** What ends a program; undefined where a signal does. What a `.cmd` file started would live on without it on Windows. */
export function endCommand(platform: string, pid: number | undefined): Command | undefined {
  if (platform !== "win32" || pid === undefined) return undefined;
  return ["taskkill", ["/pid", String(pid), "/t", "/f"]];
}

/** What opens an address in the browser. */
export function browserCommand(platform: string, address: string): Command {
  if (platform === "darwin") return ["open", [address]];
  if (platform === "win32") return ["rundll32", ["url.dll,FileProtocolHandler", address]];
  return ["xdg-open", [address]];
}

/** The user's editor with its options, as they name it. */
export function editorOf(platform: string, { VISUAL, EDITOR }: Variables): string {
  return VISUAL || EDITOR || (platform === "win32" ? "notepad" : "vi");
}

/** The words of a command, quoted as the system's shells quote: on Windows a backslash is a separator. Throws where a quote does not end. */
export function commandOf(platform: string, line: string): Command {
  const [program = "", ...args] =
    platform === "win32"
      ? [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "")
      : split(line);
  return [program, args];
}

// Runs another program to its end and takes what it says.

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

const lowPriority = 15;

/** Lowers a process's priority, never raises it, for work that nobody waits for: whoever waits for an answer goes first. */
export function lowerPriority(pid: number): void {
  try {
    if (getPriority(pid) < lowPriority) setPriority(pid, lowPriority);
  } catch {
    // Where that is not allowed, or it has ended, nothing is lost.
  }
}
