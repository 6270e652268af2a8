// The binary as it is shipped, compiled once for all test files, and a home that it works in.

import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { type Outcome, outcomeOf, withoutWaiting } from "./outcome-of.ts";

const root = resolve(import.meta.dir, "../..");
const prefix = "memoir-compiled-";
const keptMs = 12 * 60 * 60_000;
let building: Promise<string> | undefined;
let hashing: Promise<string> | undefined;

/**
 * How tests run memoir as a process of its own: by the binary where one of these sources is there, as in a run of the whole
 * suite, which builds it first; else from source, which starts slower and needs no build after each change.
 */
export async function memoirCommand(): Promise<readonly string[]> {
  const { file } = await placeOfBinary();
  return (await exists(file)) ? [file] : [process.execPath, join(root, "src/cli/main.ts")];
}

/** Path of the binary; the first call of all processes takes some seconds. */
export function compiledBinary(): Promise<string> {
  building ??= built();
  return building;
}

/** Each test file runs in a context of its own, so the binary is shared by a folder named after what it is made of. */
async function placeOfBinary(): Promise<{ folder: string; file: string }> {
  hashing ??= sourcesHash();
  const folder = join(tmpdir(), `${prefix}${await hashing}`);
  return { folder, file: join(folder, process.platform === "win32" ? "memoir.exe" : "memoir") };
}

async function built(): Promise<string> {
  const { folder, file } = await placeOfBinary();
  const claim = `${folder}.building`;
  for (;;) {
    if (await exists(file)) {
      await utimes(folder, new Date(), new Date());
      return file;
    }
    const mine = await mkdir(claim).then(
      () => true,
      () => false,
    );
    if (mine) break;
    // Whoever builds takes less than half a minute; one that was killed leaves its claim.
    const { mtimeMs } = await stat(claim).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > 120_000) await rm(claim, { recursive: true, force: true });
    await Bun.sleep(50);
  }
  try {
    await removeOld();
    const script = join(root, "src/release/build.ts");
    const child = Bun.spawn([process.execPath, script, "--outdir", claim], {
      stdout: "pipe",
      stderr: "pipe",
    });
    const { code, err } = await outcomeOf(child);
    if (code !== 0) throw new Error(`The binary was not built: ${err}`);
    await rename(claim, folder);
  } finally {
    await rm(claim, { recursive: true, force: true });
  }
  return file;
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Of everything that the build reads, and of what it says of itself. */
async function sourcesHash(): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256").update(Bun.version);
  hash.update(Bun.spawnSync(["git", "rev-parse", "HEAD"], { cwd: root }).stdout);
  // A brace with a slash in it matches nothing.
  const files = ["src", "plugins", "docs", "test/examples"]
    .flatMap((folder) => [...new Bun.Glob(`${folder}/**/*`).scanSync(root)])
    .sort();
  if (files.length === 0) throw new Error("There are no sources to name the binary after.");
  for (const file of [...files, "package.json", "bun.lock", "README.md", "CHANGELOG.md"])
    hash.update(file).update(await readFile(join(root, file)));
  return hash.digest("hex").slice(0, 16);
}

async function removeOld(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const path = join(tmpdir(), name);
    if (!name.startsWith(prefix) || name.endsWith(".building")) continue;
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > keptMs) await rm(path, { recursive: true, force: true });
  }
}

export interface RunOptions {
  stdin?: string;
  env?: Record<string, string>;
  cwd?: string;
  /** Also what is said while a server is slow to start. */
  hearsWaiting?: boolean;
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
    { stdin, env, cwd = home, hearsWaiting = false }: RunOptions = {},
  ): Promise<Outcome> {
    const child = Bun.spawn([...before, binary, ...args], {
      env: { ...base, ...env },
      cwd,
      stdin: stdin === undefined ? "ignore" : new Blob([stdin]),
      stdout: "pipe",
      stderr: "pipe",
    });
    const outcome = await outcomeOf(child);
    return hearsWaiting ? outcome : withoutWaiting(outcome);
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

if (import.meta.main) console.log(await compiledBinary());
