// Remembers where directories belong; looks at two files' times before it believes itself again.
import { stat } from "node:fs/promises";
import { type Project, within } from "../../src/sdk/index.ts";
import { dropOldest } from "../../src/text/index.ts";
import { type Located, locate, projectOf } from "./locate.ts";

interface Entry extends Located {
  /** Times of the watched files when they were read. */
  stamp: string;
  checkedAt: number;
  /** Believed without a look for so long (ms). */
  trust: number;
}

/** Identities by working directory. */
export interface ProjectCache {
  /** The project of a directory. A directory that is gone keeps what was last known of it, else its path. */
  find(cwd: string): Promise<Project>;
}

/** A repository, or a directory that is gone, is believed for so long (ms). */
const trusted = 1_000;
/** Outside a repository, looked at again after so long (ms): one may be made. */
const trustedOutside = 15_000;
const maxEntries = 500;
/** A file system slower than this (ms) is not waited for: a late capture plugin would cost the event its text. */
const patience = 250;

/** An empty cache; `now` in epoch ms. `look` finds a directory's project, undefined when it is gone. */
export function createProjectCache(
  now: () => number,
  look: (cwd: string) => Promise<Located | undefined> = locate,
): ProjectCache {
  const entries = new Map<string, Entry>();

  async function refresh(cwd: string, known: Entry | undefined): Promise<Project> {
    if (known && known.watched.length > 0 && (await stampOf(known.watched)) === known.stamp) {
      known.checkedAt = now();
      return known.project;
    }
    const located = await look(cwd);
    const { project, watched } = located ?? {
      project: known?.project ?? projectOf(cwd, cwd),
      watched: known?.watched ?? [],
    };
    const stamp = located ? await stampOf(watched) : "gone";
    const trust = located && watched.length === 0 ? trustedOutside : trusted;
    entries.delete(cwd);
    entries.set(cwd, { project, watched, stamp, checkedAt: now(), trust });
    dropOldest(entries, maxEntries);
    return project;
  }

  return {
    async find(cwd) {
      const known = entries.get(cwd);
      const age = known ? now() - known.checkedAt : -1;
      if (known && age >= 0 && age < known.trust) return known.project;
      const fallback = known?.project ?? projectOf(cwd, cwd);
      return await within(patience, refresh(cwd, known), fallback);
    },
  };
}

async function stampOf(paths: readonly string[]): Promise<string> {
  const times = await Promise.all(
    paths.map(async (path) => {
      try {
        const { mtimeMs, size, ino } = await stat(path);
        return `${mtimeMs}:${size}:${ino}`;
      } catch {
        return "gone";
      }
    }),
  );
  return times.join(" ");
}
