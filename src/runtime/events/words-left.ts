// Whether a text that was made of a session's turns says what only turns said that are forgotten.
import type { Turn } from "../../sdk/turn.ts";
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
  const left = wordsOf(textOf(all.filter(({ id }) => !ids.has(id))));
  const gone = wordsOf(textOf(going));
  return (text) => [...wordsOf(text)].some((word) => gone.has(word) && !left.has(word));
}

/** What turns say, whatever it is. */
export function textOf(turns: readonly Turn[]): string {
  return turns
    .flatMap(({ pieces, files }) => [
      ...pieces.flatMap(({ text, about = "" }) => [text, about]),
      ...files.map(({ path }) => path),
    ])
    .join("\n");
}

/** Of three characters and more, in lower case. */
export function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu));
}
