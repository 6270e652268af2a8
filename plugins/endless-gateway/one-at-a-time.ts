// Lets work on one thing begin only when the work before on the same thing has ended.

/** Runs `work` after earlier work under the same key, however that ended. */
export type Turnstile = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/** Keys that nobody works on are forgotten. */
export function createTurnstile(): Turnstile {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const before = last.get(key) ?? Promise.resolve();
    const own = before.then(work, work);
    last.set(key, own);
    const leave = () => {
      if (last.get(key) === own) last.delete(key);
    };
    own.then(leave, leave);
    return own;
  };
}
