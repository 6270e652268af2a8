// Workers that nobody waits for are spawned one after the other, so that many plugins do not slow down a start.

let last: Promise<unknown> = Promise.resolve();

/** Does the work after all that was given before. What it rejects with is for whoever asks it again. */
export function warm(work: () => Promise<unknown>): void {
  last = last.then(work).catch(() => undefined);
}
