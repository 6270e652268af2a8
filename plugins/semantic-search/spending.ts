// The tokens of a day: what embedding took, remembered across restarts.
import type { VectorStore } from "./store.ts";

/** What a day's budget allows. */
export interface Spending {
  add(tokens: number): void;
  /** Whether so many more may be taken today. */
  allows(tokens: number): boolean;
}

/** Days are UTC's. */
export function createSpending(
  store: Pick<VectorStore, "note" | "setNote">,
  tokensPerDay: number,
  now: () => number,
): Spending {
  const today = () => new Date(now()).toISOString().slice(0, 10);
  const spent = (): number => {
    const [day, tokens] = (store.note("spent") ?? "").split(" ");
    return day === today() ? Number(tokens) : 0;
  };
  return {
    add: (tokens) => store.setNote("spent", `${today()} ${spent() + tokens}`),
    allows: (tokens) => spent() + tokens <= tokensPerDay,
  };
}
