// Remembers where directories belong; looks at two files' times before it believes itself again.
import { stat } from "node:fs/promises";
import type { Project } from "../../src/sdk/index.ts";
import { type Located, locate, projectOf } from "./locate.ts";

interface Entry extends Located {
  /** Times of the watched files when they were read. */
  stamp: string;
  checkedAt: number;
}

/** Identities by working directory. */
export interface ProjectCache {
  /** The project of a directory. A directory that is gone keeps what was last known of it, else its path. */
  find(cwd: string): Promise<Project>;
}

/** Believed without a look for so long (ms). */
const trusted = 1_000;
/** Outside a repository, looked at again after so long (ms): one may be made. */
const trustedOutside = 15_000;
const maxEntries = 500;

/** An empty cache; `now` in epoch ms. */
export function createProjectCache(now: () => number): ProjectCache {
  const entries = new Map<string, Entry>();

  async function find(cwd: string): Promise<Project> {
    const known = entries.get(cwd);
    const age = known ? now() - known.checkedAt : Number.POSITIVE_INFINITY;
    if (known && age >= 0) {
      if (age < (known.watched.length > 0 ? trusted : trustedOutside)) return known.project;
      if (known.watched.length > 0 && (await stampOf(known.watched)) === known.stamp) {
        known.checkedAt = now();
        return known.project;
      }
    }
    const located = await locate(cwd);
    if (!located) return known?.project ?? projectOf(cwd, cwd);
    entries.delete(cwd);
    entries.set(cwd, {
      ...located,
      stamp: await stampOf(located.watched),
      checkedAt: now(),
    });
    const oldest = entries.size > maxEntries ? entries.keys().next().value : undefined;
    if (oldest !== undefined) entries.delete(oldest);
    return located.project;
  }

  return { find };
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
