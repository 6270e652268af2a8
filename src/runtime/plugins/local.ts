// Plugins that a project brings in `.memoir/plugins`: where they are, whether the user allowed them, and what may run.
import { realpath, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { errorMessage } from "../../home/describe-error.ts";
import type { Log } from "../../home/log.ts";
import { memoirPaths } from "../../home/paths.ts";
import type { ClientEvent } from "../../sdk/events.ts";
import { within } from "../../sdk/within.ts";
import type { LocalState } from "../ports.ts";
import { type Dropped, discoverPlugins } from "./dropped-in.ts";
import {
  copyOf,
  noteAnnounced,
  readTrust,
  type Trusted,
  takeSnapshot,
  writeSnapshot,
} from "./trust.ts";

/** Deeper than any directory tree worth climbing. */
const maxClimb = 100;

/**
 * The nearest `.memoir/plugins` at or above `cwd` that holds plugins, by its project's real path; memoir's own homes are
 * none of a project's, and nothing above a repository's root is. Nothing is loaded.
 */
export async function findLocal(
  cwd: string,
  home: string,
  userHome: string,
): Promise<string | undefined> {
  const own = await real(memoirPaths(home).plugins);
  const person = userHome === "" ? undefined : await real(userHome);
  let folder = await real(cwd);
  for (let climbed = 0; climbed < maxClimb; climbed++) {
    // A link stays a link: whose plugins these are, the folder says that has it.
    const plugins = join(folder, ".memoir", "plugins");
    const isHome = folder === person || (await real(plugins)) === own;
    if (!isHome && (await discoverPlugins(plugins)).length > 0) return plugins;
    const parent = dirname(folder);
    if (parent === folder || (await isThere(join(folder, ".git")))) return undefined;
    folder = parent;
  }
  return undefined;
}

/** Every folder that was allowed, with what it is now, and the plugins of those that still are what they were. */
export async function readLocal(
  home: string,
): Promise<{ plugins: Array<Dropped & { projects: readonly string[] }>; states: LocalState[] }> {
  let folders: Array<[string, Trusted]>;
  try {
    folders = Object.entries((await readTrust(home)).folders);
  } catch (error) {
    const folder = memoirPaths(home).trust;
    const fix = "Move that file away, then run `memoir plugin trust` in each project again.";
    return {
      plugins: [],
      states: [{ folder, state: "unreadable", error: errorMessage(error), fix }],
    };
  }
  const looks = await Promise.all(folders.map((entry) => look(home, ...entry)));
  // The same content in two projects is one copy, which runs for both.
  const plugins = new Map<string, Dropped & { projects: readonly string[] }>();
  for (const one of looks.flatMap((seen) => seen.plugins)) {
    const projects = [...(plugins.get(one.path)?.projects ?? []), ...one.projects];
    plugins.set(one.path, { ...one, projects: [...new Set(projects)] });
  }
  return {
    plugins: [...plugins.values()],
    states: looks.map(({ state }) => state),
  };
}

async function look(
  home: string,
  folder: string,
  { hash, project }: Trusted,
): Promise<{ plugins: Array<Dropped & { projects: readonly string[] }>; state: LocalState }> {
  try {
    const now = await takeSnapshot(folder);
    if (now.hash !== hash)
      return {
        plugins: [],
        state: { folder, project, state: "changed", hash: now.hash, fix: again(folder) },
      };
    const copy = copyOf(home, hash);
    // The copy was made of what was allowed; whatever else is there now is not run.
    await writeSnapshot(now, copy);
    const plugins = (await discoverPlugins(copy)).map((one) => ({ ...one, projects: [project] }));
    return { plugins, state: { folder, project, state: "trusted", hash, fix: "" } };
  } catch (error) {
    const state = { folder, project, state: "unreadable" as const, fix: again(folder) };
    return { plugins: [], state: { ...state, error: errorMessage(error) } };
  }
}

/** The allowed folders, and the one that belongs to `cwd` if nobody decided about it yet. */
export async function localStates(home: string, cwd: string, userHome = ""): Promise<LocalState[]> {
  const { states } = await readLocal(home);
  const here = await findLocal(cwd, home, userHome);
  if (here === undefined || states.some(({ folder }) => folder === here)) return states;
  return [...states, await untrusted(here)];
}

/** What is said of a folder that nobody decided about. */
async function untrusted(folder: string): Promise<LocalState> {
  const now = await takeSnapshot(folder).catch(() => undefined);
  return { folder, state: "untrusted", ...(now && { hash: now.hash }), fix: again(folder) };
}

/** The folder of the project that brings the plugins in `folder`. */
export function ownerOf(folder: string): string {
  return dirname(dirname(folder));
}

function again(folder: string): string {
  return `Look at its files, then run \`memoir plugin trust\` in ${ownerOf(folder)}.`;
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function real(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path));
}

/** A session's start waits no longer than this; the next one hears of it then. */
const patienceMs = 300;

interface LocalNoticeOptions {
  home: string;
  userHome: string;
  log: Log;
  /** Called when a folder in force is no longer what was allowed: resolves once it does not run. */
  changed(): Promise<void>;
}

/** What to say, once, to a session that starts where its project brings plugins that nobody allowed as they are. Never rejects. */
export async function localNotice(
  event: ClientEvent,
  options: LocalNoticeOptions,
): Promise<string | undefined> {
  if (event.name !== "SessionStart" || event.recovered) return undefined;
  return within(patienceMs, noticeAt(event.cwd, options), undefined);
}

async function noticeAt(
  cwd: string,
  { home, userHome, log, changed }: LocalNoticeOptions,
): Promise<string | undefined> {
  try {
    const folder = await findLocal(cwd, home, userHome);
    if (folder === undefined) return undefined;
    // What cannot be looked at any more, is too large now for instance, is not what was allowed either.
    const { hash } = await takeSnapshot(folder).catch(() => ({ hash: "unreadable" }));
    const allowed = (await readTrust(home)).folders[folder];
    if (allowed?.hash === hash) return undefined;
    if (allowed) await changed();
    if (!(await noteAnnounced(home, folder, hash))) return undefined;
    return allowed
      ? "memoir: this project's plugins changed since you allowed them, so they do not run. Look at `.memoir/plugins`, then `memoir plugin trust`."
      : "memoir: this project brings plugins in `.memoir/plugins`; they do not run. Look at them, then `memoir plugin trust` if they shall.";
  } catch (error) {
    log.warn("a project's plugins were not looked at", { error });
    return undefined;
  }
}
