// Replaces a small file so that a crash leaves either the old or the new one, never half of it.
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import process from "node:process";

/** Writes `text` beside `path`, flushes it to disk and renames it into place. `mode` defaults to 0600. */
export async function atomicWrite(path: string, text: string, mode = 0o600): Promise<void> {
  const draft = `${path}.${crypto.randomUUID()}.tmp`;
  try {
    const file = await open(draft, "wx", mode);
    try {
      // The mask of the process may have taken bits away.
      await file.chmod(mode);
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  // Some systems cannot open a folder.
  await flushFolder(dirname(path)).catch(() => undefined);
}

/** A rename is durable once its folder is flushed. Windows refuses to open folders, and loses nothing but that. */
export async function flushFolder(folder: string): Promise<void> {
  if (process.platform !== "win32") await flush(folder, "r");
}

/** What was written to a file reaches the disk. */
export async function flushFile(path: string): Promise<void> {
  await flush(path, "r+");
}

async function flush(path: string, flag: string): Promise<void> {
  const file = await open(path, flag);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
