// Replaces a small file so that a crash leaves either the old or the new one, never half of it.
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

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
  await syncFolder(dirname(path));
}

/** A rename is durable once its folder is flushed; some systems cannot open a folder, and lose nothing but that. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch {
    // Windows refuses to open folders.
  }
}
