// Moves a file into its place, also where Windows refuses that for a moment.
import { rename } from "node:fs/promises";
import process from "node:process";

/** What Windows answers as long as a virus scanner, an indexer or a reader has the file open. */
const held: ReadonlySet<unknown> = new Set(["EPERM", "EACCES", "EBUSY"]);
const firstMs = 10;
/** With all before it 1.3 seconds: a scanner has let go by then, and nobody waits for longer. */
const lastMs = 640;

/** The system it is for, and stand-ins for tests. */
interface MoveOptions {
  platform?: string;
  move?(from: string, to: string): Promise<void>;
  wait?(ms: number): Promise<void>;
}

/** As `rename` of `node:fs/promises`, tried again on Windows while somebody holds one of the two open. Rejects with the last error. */
export async function moveFile(from: string, to: string, options: MoveOptions = {}): Promise<void> {
  const { platform = process.platform, move = rename, wait = pause } = options;
  for (let ms = firstMs; ; ms *= 2) {
    try {
      return await move(from, to);
    } catch (error) {
      const isHeld = platform === "win32" && held.has((error as { code?: unknown }).code);
      if (!isHeld || ms > lastMs) throw error;
      await wait(ms);
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
