// Starts this home's server as a process of its own; many at once that want it start one. Its environment is an allow-list.
import { rm, stat, writeFile } from "node:fs/promises";
import process from "node:process";
import { prepareHome } from "../../home/make-home.ts";
import type { Environment, Paths } from "../../home/paths.ts";
import { readFileText } from "../../home/read-file.ts";
import { loadHost } from "../../host/index.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { isAbsolutePath } from "../../text/text.ts";
import { readServerInfo } from "./server-info.ts";

/** A start that a hook claimed longer ago than this did not work out; a server that cannot start is not tried at every event. */
const hookClaimMs = 10_000;

/** The file that says a server is being started; the server removes it once it listens. */
export function startMarker(paths: Paths): string {
  return `${paths.home}/server.starting`;
}

/** Says in that file what the server does that is coming up, for whoever waits. Never rejects. */
export async function noteStarting(paths: Paths, step: string): Promise<void> {
  const text = `${process.pid}\n${step}\n`;
  await writeFile(startMarker(paths), text, { mode: 0o600 }).catch(() => undefined);
}

/** What a server does that is coming up, `starting: opening …`, or `starting` where it does not say; undefined where none is. */
export async function startingStep(paths: Paths): Promise<string | undefined> {
  if ((await readServerInfo(paths.serverInfo)) || !(await isLocked(paths))) return undefined;
  const step = await notedStep(paths);
  return step ? `starting: ${step}` : "starting";
}

/** True where a server has a home's lock, whether it listens or not. */
async function isLocked(paths: Paths): Promise<boolean> {
  const { acquireLock } = await import("./lock.ts");
  const lock = await acquireLock(paths.serverLock, { create: false }).catch(() => null);
  lock?.release();
  return lock === undefined;
}

/** What `noteStarting` wrote; undefined where a start is only claimed. */
async function notedStep(paths: Paths): Promise<string | undefined> {
  const text = await readFileText(startMarker(paths)).catch(() => "");
  // A file that somebody else wrote, or half of one, must not reach a terminal as it is.
  return /^\d+\n([\p{L}\p{N}\p{P}\p{S} ]{1,200})\n/u.exec(text)?.[1];
}

/**
 * Starts `memoir serve` detached, unless someone did within the last `claimMs`. Gives the pid, or undefined when the
 * start is another's. Rejects with `binary_gone`, or when the home cannot be written.
 */
export async function startServer(
  paths: Paths,
  env: Environment,
  claimMs: number = hookClaimMs,
): Promise<number | undefined> {
  const host = await loadHost();
  const program = host.selfCommand();
  await assertThere(program[0]);
  await prepareHome(paths);
  // A server that noted what it does has the lock, however long ago that was: its start is nobody else's to claim.
  if ((await notedStep(paths)) && (await isLocked(paths))) return undefined;
  const marker = startMarker(paths);
  if (!(await claimStart(marker, Date.now(), claimMs))) return undefined;
  // Between our failed call and our claim the server may have come up and taken its marker away.
  if (await isServing(paths)) {
    await rm(marker, { force: true });
    return undefined;
  }
  const allowed = serverEnvironment(env, paths.home, await namedVariables(paths));
  return host.spawnDetached([...program, "serve"], {
    env: { ...allowed, [engineVariable]: String(await engineBytes(paths)) },
    cwd: paths.home,
  });
}

/** What the engine takes for the machine's memory; `serve` takes it out of its environment, which is not for its children. */
export const engineVariable = "BUN_JSC_forceRAMSize";
const engineLeast = 256 * 1024 * 1024;

/**
 * On a large machine the engine lets garbage grow under load: 30,000 events in a row took 297 MB. Where it believes in a small one it collects more
 * once the process has four fifths of that. A large memory has larger caches.
 */
async function engineBytes({ memory }: Paths): Promise<number> {
  const bytes = (await stat(memory).catch(() => undefined))?.size ?? 0;
  return engineLeast + Math.floor(bytes / 4);
}

/** Throws `binary_gone` where this program was removed while it ran: by an uninstall, under an open session. */
async function assertThere(program = ""): Promise<void> {
  if (!isAbsolutePath(program) || (await stat(program).catch(() => undefined))) return;
  throw new MemoirError("binary_gone", "memoir was uninstalled while this session was open.");
}

/** True when a server announced itself and still holds the lock: without the lock the file is left from a killed one. */
export async function isServing(paths: Paths): Promise<boolean> {
  if (!(await readServerInfo(paths.serverInfo))) return false;
  const { acquireLock } = await import("./lock.ts");
  const lock = await acquireLock(paths.serverLock);
  lock?.release();
  return lock === undefined;
}

/** True for exactly one of all who claim at the same time, until `claimMs` have passed. `now` is epoch ms. */
export async function claimStart(marker: string, now: number, claimMs: number): Promise<boolean> {
  if (await create(marker)) return true;
  const claimedAt = await modifiedAt(marker);
  if (claimedAt !== undefined && Math.abs(now - claimedAt) < claimMs) return false;
  return takeOver(marker, now, claimMs);
}

/** Of all who find the claim stale one gets it. Without the lock, a late one would take away the newer claim. */
async function takeOver(marker: string, now: number, claimMs: number): Promise<boolean> {
  const { acquireLock } = await import("./lock.ts");
  const lock = await acquireLock(`${marker}.lock`);
  if (!lock) return false;
  try {
    const claimedAt = await modifiedAt(marker);
    if (claimedAt !== undefined && Math.abs(now - claimedAt) < claimMs) return false;
    await rm(marker, { force: true });
    return await create(marker);
  } finally {
    lock.release();
  }
}

async function create(marker: string): Promise<boolean> {
  try {
    await writeFile(marker, `${process.pid}\n`, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === "EEXIST") return false;
    throw error;
  }
}

async function modifiedAt(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mtimeMs;
  } catch {
    return undefined;
  }
}

// Which environment variables config hands to the server beyond the usual ones: those that hold a provider's key.

/** As the SDK's `KeyEnvSchema`, without its imports: a hook that starts the server comes by here. */
const allowed = /^(?=.*(?:KEY|TOKEN|SECRET))[A-Za-z_]\w*$/i;

/** The values of `plugins.*.keyEnv`. Never rejects: a config that cannot be read names none. */
export async function namedVariables({ config }: Pick<Paths, "config">): Promise<string[]> {
  try {
    const text = (await readFileText(config)).replace(/^\ufeff/, "");
    const { plugins } = JSON.parse(text) as { plugins?: unknown };
    return Object.values(plugins ?? {}).flatMap((entry: unknown) => {
      const { keyEnv } = (entry ?? {}) as { keyEnv?: unknown };
      return typeof keyEnv === "string" && allowed.test(keyEnv) ? [keyEnv] : [];
    });
  } catch {
    return [];
  }
}

// The server's environment is an allow-list: it would otherwise inherit a hook's, with a gateway's address or a key in it.

const inherited: ReadonlySet<string> = new Set([
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "LANG",
  "TZ",
  "TMPDIR",
  "TEMP",
  "TMP",
  "SHELL",
  "CLAUDE_CONFIG_DIR",
  "SYSTEMROOT",
  // What Windows starts a `.cmd` file with.
  "WINDIR",
  "COMSPEC",
  "PATHEXT",
  "USERPROFILE",
  "APPDATA",
  "LOCALAPPDATA",
]);
const allowedPrefixes = ["LC_", "XDG_", "MEMOIR_"];

/**
 * The part of `env` that a server may see, with `MEMOIR_HOME` set to `home`. `named` are variables that config asks
 * for. Names are compared as Windows does.
 */
export function serverEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  home: string,
  named: readonly string[] = [],
): Record<string, string> {
  const kept: Record<string, string> = {};
  const asked = new Set(named.map((name) => name.toUpperCase()));
  for (const [name, value] of Object.entries(env)) {
    const upper = name.toUpperCase();
    if (value === undefined || upper === "MEMOIR_INTERNAL") continue;
    if (
      asked.has(upper) ||
      inherited.has(upper) ||
      allowedPrefixes.some((prefix) => upper.startsWith(prefix))
    ) {
      kept[name] = value;
    }
  }
  kept.MEMOIR_HOME = home;
  return kept;
}
