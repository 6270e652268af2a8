// Waits: for work no longer than so long, and for a file until whoever holds it lets go.
import { rename } from "node:fs/promises";
import process from "node:process";

/**
 * What `work` comes to, or after `ms` what `late` says: an Error is thrown, anything else is the answer. What comes later
 * goes unheard, a failure too.
 * @example
 * const size = await within(25, fileSize(path), undefined);
 */
export async function within<Value, Late>(
  ms: number,
  work: Promise<Value>,
  late: Late,
): Promise<Value | Exclude<Late, Error>> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<Exclude<Late, Error>>((resolve, reject) => {
    timer = setTimeout(() => {
      if (late instanceof Error) reject(late);
      else resolve(late as Exclude<Late, Error>);
    }, ms);
  });
  try {
    // `race` listens to the loser as well.
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}

// Moves a file into its place, also where Windows refuses that for a moment.

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
