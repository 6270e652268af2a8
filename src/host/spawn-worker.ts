// Starts a thread of this program; Bun, Deno and the compiled binary name its entry differently.

import { isInBinary } from "./engine.ts";

/** A thread, with the few ends that its owner needs. */
export interface Thread {
  post(message: unknown): void;
  /** Ends it at once, also out of an endless loop. */
  terminate(): void;
  onMessage: (data: unknown) => void;
  /** Something went wrong that the thread's own code did not catch: its entry is missing, say. */
  onError: (message: string) => void;
  /** It is over. Deno never tells. */
  onClose: (code: number) => void;
}

/** Modules that run in a thread, below src; each is an own entry point when the binary is built. */
type Entry = "runtime/isolation/worker-entry" | "records/bulk-entry";

/** Starts a thread, of a plugin by default. It does not keep the process alive. `permissions` are Deno's, which alone can hold a thread to them. */
export function spawnWorker(
  permissions?: object,
  entry: Entry = "runtime/isolation/worker-entry",
): Thread {
  // `ref` is Bun's: without it a command that is done would wait for the thread.
  const options = { type: "module", ref: false, ...(permissions && { deno: { permissions } }) };
  const worker = new Worker(entryUrl(entry), options as WorkerOptions);
  const thread: Thread = {
    post: (message) => worker.postMessage(message),
    terminate() {
      worker.onmessage = null;
      worker.terminate();
    },
    onMessage: () => {},
    onError: () => {},
    onClose: () => {},
  };
  worker.onmessage = ({ data }) => thread.onMessage(data);
  worker.onmessageerror = () => thread.onError("a message could not be read");
  worker.onerror = (event) => {
    // Else Deno ends the whole process.
    event.preventDefault();
    thread.onError(event.message);
  };
  worker.addEventListener("close", (event) =>
    thread.onClose((event as unknown as { code?: number }).code ?? 0),
  );
  return thread;
}

function entryUrl(entry: Entry): string {
  const here = import.meta.url;
  // In a binary every chunk lies at the root of Bun's virtual folder, and entry points below it keep their folders.
  if (!isInBinary(here)) return new URL(`../${entry}.ts`, here).href;
  const root = here.slice(0, here.lastIndexOf("/"));
  return `${root}/${entry}.js`;
}
