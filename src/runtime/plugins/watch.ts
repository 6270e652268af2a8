// Sees that a plugin's files changed: the system's notice where there is one, a look now and then where there is none.

import { type FSWatcher, watch } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Log } from "../../home/log.ts";
import { createAllowance } from "../isolation/allowance.ts";
import type { Generations } from "./generations.ts";

/** When it looks. */
export interface WatchTimes {
  /** Ms for which nothing may change before it counts. */
  quietMs?: number;
  /** Ms between two looks where the system notices changes. */
  lookMs?: number;
}

export interface WatchOptions extends WatchTimes {
  /** Files and folders whose change counts; asked again after each change. Need not exist. */
  roots(): Promise<readonly string[]>;
  /** Called once files differ from before and have stood still for a moment; calls never overlap. */
  changed(): Promise<void>;
  failed(error: unknown): void;
  /** Called once for a file that changes so often that further changes have to wait. */
  restless?(path: string): void;
  /** So many changes at once; after that one every `restMs`. */
  atOnce?: number;
  restMs?: number;
  /** Ms between two looks where it does not. */
  pollMs?: number;
  /** Default: the system's. Throws where it cannot watch. */
  notice?(folder: string, heard: () => void): Pick<FSWatcher, "close">;
}

export interface PluginWatch {
  /** After something else put plugins in force: there may be others to watch now. */
  refresh(): Promise<void>;
  /** Stops; nothing is called afterwards. Waits for a change that is being put in force. */
  stop(): Promise<void>;
}

/** So many looks in a row at files that are just being written, and they are put in force as they are. */
const mostUnsettled = 40;

/** More than plugins have; a folder with more is looked at in part. */
const maxEntries = 2_000;
const maxFolders = 200;

/**
 * Watches from now on: what is there at the call is what later states are compared with.
 * Long because its short steps share what was seen last and the timers that wait.
 */
export async function watchPlugins(options: WatchOptions): Promise<PluginWatch> {
  const { roots, changed, failed, quietMs = 120, lookMs = 5_000, pollMs = 1_000 } = options;
  const { atOnce = 30, restMs = 10_000 } = options;
  // A plugin that writes into its own folder would else be loaded anew with every event.
  const mayChange = createAllowance(atOnce, 1_000 / restMs);
  const restless = new Set<string>();
  let unsettled = 0;
  const notice = options.notice ?? noticeBySystem;
  const watched = new Map<string, Pick<FSWatcher, "close">>();
  let isNoticed = true;
  let isStopped = false;
  /** A change was noticed since the last look began. */
  let noticed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** When the next look is due, on the clock of `performance.now`. */
  let due = Number.POSITIVE_INFINITY;
  let looking: Promise<void> = Promise.resolve();
  let inForce = await survey();

  async function survey(): Promise<string> {
    const { text, folders } = await stateOf(await roots());
    if (!isStopped) follow(folders);
    return text;
  }

  function follow(folders: readonly string[]): void {
    for (const [folder, watcher] of watched)
      if (!folders.includes(folder)) {
        watcher.close();
        watched.delete(folder);
      }
    isNoticed = true;
    for (const folder of folders)
      if (!watched.has(folder))
        try {
          watched.set(
            folder,
            notice(folder, () => {
              noticed = true;
              plan(quietMs);
            }),
          );
        } catch {
          // Too many watches, or a file system that tells nothing.
          isNoticed = false;
        }
  }

  function plan(ms: number): void {
    const at = performance.now() + ms;
    // A folder in which something is written all the time must not put the look off for ever.
    if (isStopped || at >= due) return;
    due = at;
    clearTimeout(timer);
    timer = setTimeout(() => {
      due = Number.POSITIVE_INFINITY;
      looking = looking.then(look).catch(failed);
    }, ms);
    timer.unref?.();
  }

  async function look(): Promise<void> {
    if (isStopped) return;
    let next = isNoticed ? lookMs : pollMs;
    noticed = false;
    try {
      const before = await survey();
      if (before === inForce) return;
      await pause(quietMs);
      const state = await survey();
      // Still being written; but what is written all the time must not keep other changes waiting for ever.
      if (state !== before && ++unsettled < mostUnsettled) {
        next = quietMs;
        return;
      }
      if (!mayChange.take()) {
        const path = differing(inForce, state);
        if (!restless.has(path)) options.restless?.(path);
        restless.add(path);
        next = Math.min(lookMs, restMs);
        return;
      }
      unsettled = 0;
      inForce = state;
      if (!isStopped) await changed();
      // What was written while it was loaded is the next change.
      if ((await survey()) !== inForce) next = quietMs;
    } finally {
      plan(noticed ? quietMs : next);
    }
  }

  plan(isNoticed ? lookMs : pollMs);
  return {
    async refresh() {
      await survey().catch(failed);
      plan(quietMs);
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      for (const watcher of watched.values()) watcher.close();
      watched.clear();
      await looking;
    },
  };
}

function noticeBySystem(folder: string, heard: () => void): Pick<FSWatcher, "close"> {
  const watcher = watch(folder, { persistent: false }, heard);
  // A folder that goes away ends its watch; the next look says so.
  watcher.on("error", () => watcher.close());
  return watcher;
}

/** Everything that tells one state from another, and the folders in which something may change. */
async function stateOf(
  roots: readonly string[],
): Promise<{ text: string; folders: readonly string[] }> {
  const lines: string[] = [];
  const folders = new Set<string>();

  async function visit(path: string, depth: number): Promise<void> {
    if (lines.length >= maxEntries) return;
    const found = await stat(path).catch(() => undefined);
    if (!found) return void lines.push(`${path} gone`);
    if (!found.isDirectory()) {
      lines.push(`${path} ${found.size} ${found.mtimeMs} ${found.ctimeMs} ${found.ino}`);
      return;
    }
    lines.push(`${path}/`);
    if (folders.size < maxFolders) folders.add(path);
    if (depth > 8) return;
    for (const name of (await readdir(path).catch(() => [])).sort())
      if (name !== "node_modules" && !name.startsWith("."))
        await visit(join(path, name), depth + 1);
  }

  for (const root of [...new Set(roots)].sort()) {
    await visit(root, 0);
    // A file is replaced in its folder, and what is not there yet comes into its.
    if (!folders.has(root) && folders.size < maxFolders) folders.add(await nearestFolder(root));
  }
  return { text: lines.join("\n"), folders: [...folders] };
}

/** A path whose line is another in the second state. */
function differing(before: string, after: string): string {
  const known = new Set(before.split("\n"));
  const line = after.split("\n").find((one) => !known.has(one)) ?? "";
  return line.replace(/( gone| [\d.]+ [\d.]+ [\d.]+ \d+)$/, "");
}

/** The nearest folder above that is there. */
async function nearestFolder(path: string): Promise<string> {
  let folder = dirname(path);
  while (folder !== dirname(folder) && !(await stat(folder).catch(() => undefined)))
    folder = dirname(folder);
  return folder;
}

// Puts plugin files that appear, change or go in force by itself, and says so.

/** Watches what plugins in force are made of; `heard` is called after each change is in force. */
export function watchInForce(
  plugins: Generations,
  heard: () => Promise<void>,
  { log, ...times }: { log: Log } & WatchTimes,
): Promise<PluginWatch> {
  return watchPlugins({
    ...times,
    roots: plugins.roots,
    async changed() {
      log.info("plugin files changed");
      await plugins.reloadFiles();
      await heard();
    },
    failed: (error) => log.error("plugin files were not looked at", { error }),
    restless: (path) =>
      log.warn(
        "plugin files change all the time: changes wait. A plugin keeps its own files elsewhere, below `ctx.home`",
        { path },
      ),
  });
}
