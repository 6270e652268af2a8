// Whether a text that was made of a session's turns says what only turns said that are forgotten.
import type { Turn } from "../../sdk/turn.ts";
import { onlyIn, textOf } from "../../text/words-of.ts";
import { askStorage } from "../hooks/ask-storage.ts";
import type { Hooks } from "../ports.ts";

const most = 10_000;

/** Tells of a text whether it has a word of `going` that no other turn of the session has. */
export async function wordsLeftTo(
  hooks: Pick<Hooks, "first">,
  session: string,
  going: readonly Turn[],
): Promise<(text: string) => boolean> {
  const ids = new Set(going.map(({ id }) => id));
  const all = await askStorage(hooks, "storage.turns", { session, limit: most });
  return onlyIn(textOf(going), textOf(all.filter(({ id }) => !ids.has(id))));
}
