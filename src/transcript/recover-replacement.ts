// After a death in the middle of a replacement: drafts go, and lines that a client wrote into the old file come over.
import { open, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { drainRest } from "./drain.ts";
import { takeLock } from "./file-lock.ts";
import { dropUndo, notePending, readPending, undoPlaces, undoSessions } from "./undo-log.ts";

/** What had to be put in order. */
interface RecoveredReplacement {
  path: string;
  /** True when the new file had taken its place already. */
  replaced: boolean;
  /** Bytes that had to be carried over. */
  drained: number;
}

/** Puts every replacement that was cut off in order. Leaves alone what another process is just doing. */
export async function recoverReplacements(folder: string): Promise<RecoveredReplacement[]> {
  const recovered: RecoveredReplacement[] = [];
  for (const session of await undoSessions(folder))
    for (const place of await undoPlaces(folder, session)) {
      const one = await recoverReplacement(place);
      if (one) recovered.push(one);
    }
  return recovered;
}

/** The same for one file, by the folder of its undo log. */
export async function recoverReplacement(place: string): Promise<RecoveredReplacement | undefined> {
  if (!(await readPending(place))) return undefined;
  const free = await takeLock(join(place, "lock"));
  if (!free) return undefined;
  try {
    return await settlePending(place);
  } finally {
    await free();
  }
}

/** The same by whoever has the lock. Rejects on errors of the disk; it is then still to be done. */
export async function settlePending(place: string): Promise<RecoveredReplacement | undefined> {
  const pending = await readPending(place);
  if (!pending) return undefined;
  const { path, draft, held, stretch, record } = pending;
  const [now, old] = await Promise.all([inode(path), inode(held)]);
  // The draft goes with its new name: while it stands there it has not taken the place.
  const replaced = (await inode(draft)) === undefined && stretch !== undefined && now !== old;
  let drained = 0;
  if (replaced && old !== undefined && now !== undefined) {
    const file = await open(held, "r");
    try {
      drained = await drainRest(file, stretch.from, path, stretch.to);
    } finally {
      await file.close();
    }
  }
  await rm(draft, { force: true });
  await rm(held, { force: true });
  if (!replaced && record !== undefined) await dropUndo(place, [record]);
  await notePending(place);
  return { path, replaced, drained };
}

async function inode(path: string): Promise<bigint | undefined> {
  try {
    return (await stat(path, { bigint: true })).ino;
  } catch {
    return undefined;
  }
}
