// What the books have taught: tools whose reduction does not pay. Read rarely, since it changes slowly.
import type { ToolFigures } from "../../src/sdk/index.ts";

/** Milliseconds after which the figures are asked for again. */
const fresh = 60_000;

/** Tells which tools do not profit. */
export interface Learnt {
  /** Why reducing this tool does not pay; undefined while it does, or while nothing is known. Never rejects. */
  loss(tool: string): Promise<string | undefined>;
}

/** `figures` is asked at most once a minute, and never while it is being asked. */
export function createLearnt(figures: () => Promise<ToolFigures[]>, now: () => number): Learnt {
  let losses: Promise<ReadonlyMap<string, string>> | undefined;
  let askedAt = 0;

  async function ask(): Promise<ReadonlyMap<string, string>> {
    try {
      const all = await figures();
      return new Map(all.filter(({ profits }) => !profits).map(({ tool, why }) => [tool, why]));
    } catch {
      return new Map();
    }
  }

  return {
    async loss(tool) {
      if (!losses || now() - askedAt >= fresh) {
        askedAt = now();
        losses = ask();
      }
      return (await losses).get(tool);
    },
  };
}
