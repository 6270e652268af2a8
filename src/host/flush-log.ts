// Waits for the disk without holding up the process: flushes a database's write-ahead log on a thread of the system's.
import type { FileHandle } from "node:fs/promises";

interface LogFlush {
  /** Resolves once everything committed before the call is on disk; calls that wait share one flush. */
  flush(): Promise<void>;
  /** Lets go of the file, after a flush under way. */
  close(): void;
}

/** The log of the database at `path`. `foldIn` puts on disk what the log holds some other way, or throws. */
export function createLogFlush(path: string, foldIn: () => void): LogFlush {
  let file: Promise<FileHandle> | undefined;
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  async function openLog(): Promise<FileHandle> {
    const { open } = await import("node:fs/promises");
    try {
      return await open(`${path}-wal`, "r+");
    } catch (error) {
      file = undefined;
      throw error;
    }
  }

  async function run(): Promise<void> {
    try {
      // Opened only now: the first commit makes the log.
      file ??= openLog();
      await (await file).datasync();
    } catch {
      // The system may have dropped what it could not write there, and say so only once.
      foldIn();
    }
  }

  function start(): Promise<void> {
    running = run().finally(() => {
      running = undefined;
    });
    return running;
  }

  async function letGo(): Promise<void> {
    await running;
    await (await file)?.close();
  }

  return {
    flush() {
      if (!running) return start();
      // What is under way may have begun before the caller's commit.
      next ??= running
        .catch(() => undefined)
        .then(() => {
          next = undefined;
          return start();
        });
      return next;
    },
    close: () => void letGo().catch(() => undefined),
  };
}
