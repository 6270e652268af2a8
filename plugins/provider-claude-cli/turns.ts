// At most so many at a time; the others wait for their turn.

export interface Turns {
  /** Runs `work` when a place is free. Rejects with the signal's reason when it is aborted before. */
  take<Value>(signal: AbortSignal, work: () => Promise<Value>): Promise<Value>;
}

/** `places` is at least 1. */
export function createTurns(places: number): Turns {
  const waiting: Array<() => void> = [];
  let free = places;

  function turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (free > 0) {
      free--;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const go = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        waiting.splice(waiting.indexOf(go), 1);
        reject(signal.reason);
      };
      signal.addEventListener("abort", leave, { once: true });
      waiting.push(go);
    });
  }

  return {
    async take(signal, work) {
      await turn(signal);
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else free++;
      }
    },
  };
}
