// Asks a worker whether it still answers, and what it holds.

export interface Pings {
  /** Bytes of the worker's heap; undefined when it did not answer within `ms`. */
  ping(ms: number): Promise<number | undefined>;
  /** The worker answered. */
  pong(id: number, heapBytes: number): void;
}

/** `send` posts a ping with its number. */
export function createPings(send: (id: number) => void): Pings {
  const waiting = new Map<number, (heapBytes: number) => void>();
  let lastId = 0;
  return {
    ping(ms) {
      return new Promise((resolve) => {
        const id = ++lastId;
        const timer = setTimeout(() => {
          waiting.delete(id);
          resolve(undefined);
        }, ms);
        timer.unref?.();
        waiting.set(id, (heapBytes) => {
          clearTimeout(timer);
          resolve(heapBytes);
        });
        send(id);
      });
    },
    pong(id, heapBytes) {
      waiting.get(id)?.(heapBytes);
      waiting.delete(id);
    },
  };
}
