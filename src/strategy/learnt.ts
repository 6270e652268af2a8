// What the books have taught a strategy of Endless Mode: kinds whose reduction does not pay. Read rarely, since it changes slowly.
import type { ToolFigures } from "../sdk/endless.ts";

/** Milliseconds after which the figures are asked for again. */
const fresh = 60_000;

/** Tells what does not profit. */
export interface Learnt {
  /** Why reducing this kind of a tool's does not pay; undefined while it does, or while nothing is known. Never rejects. */
  loss(tool: string, kind: string): Promise<string | undefined>;
}

/** `figures` (`EndlessClient.figures`) is asked at most once a minute, and never while it is being asked. */
export function createLearnt(figures: () => Promise<ToolFigures[]>, now: () => number): Learnt {
  let losses: Promise<ReadonlyMap<string, string>> | undefined;
  let askedAt = 0;
  const key = (tool: string, kind: string) => JSON.stringify([tool, kind]);

  async function ask(): Promise<ReadonlyMap<string, string>> {
    try {
      const losing = (await figures()).filter(({ profits }) => !profits);
      return new Map(losing.map(({ tool, kind, why }) => [key(tool, kind), why]));
    } catch {
      return new Map();
    }
  }

  return {
    async loss(tool, kind) {
      if (!losses || now() - askedAt >= fresh) {
        askedAt = now();
        losses = ask();
      }
      return (await losses).get(key(tool, kind));
    },
  };
}
