// Whether a session has anything to keep: a few commands make no memory.
import { countWords } from "../../src/text/index.ts";

const quick =
  /^(?:\/\S+|y(?:es)?|no|ok(?:ay)?|go(?: on| ahead)?|continue|proceed|thanks?(?: you)?|(?:please )?(?:commit|push|run|rerun|test|build|deploy|lint|format|status|help|exit|quit|stop|undo|retry|try again)\b.{0,40})[.!]*$/i;
const quickWords = 5;

/** True for a prompt that only sets something going. */
export function isQuick(prompt: string): boolean {
  const text = prompt.trim();
  return quick.test(text) || countWords(text) <= quickWords;
}

/** Why the session is left out, or undefined when it is worth a look. */
export function leftOut(prompts: readonly string[], minPrompts: number): string | undefined {
  if (prompts.length < minPrompts) return `fewer than ${minPrompts} prompts`;
  return prompts.every(isQuick) ? "only quick commands" : undefined;
}

/** Enough was said for a model to find what a pattern does not. */
export function isSubstantive(prompts: readonly string[]): boolean {
  const told = prompts.filter((prompt) => !isQuick(prompt));
  return told.length >= 3 || told.join(" ").length >= 600;
}
