// A prompt that is known, and how its line in the transcript is told from others, whatever capturing made of its text.

/** A prompt to be found again in the transcript. */
export interface PromptMark {
  number: number;
  /** As captured; empty for what came before any prompt. */
  text: string;
  /** Epoch ms. */
  time: number;
  promptId?: string;
}

/** How far a prompt's line and its hook, which runs first, are apart at most where their texts differ. */
const hookMs = 5_000;
/** The same where their texts are one: a prompt that was typed while the agent worked waits for its turn. */
const queuedMs = 60 * 60_000;

/** True when this is the prompt's line. */
export function isLineOf(
  mark: PromptMark,
  line: { text: string; time?: number | undefined; promptId: unknown },
): boolean {
  const { text, time, promptId } = line;
  if (typeof promptId === "string" && mark.promptId !== undefined)
    return promptId === mark.promptId;
  if (time === undefined) return isAlike(mark.text, text);
  const apart = Math.abs(time - mark.time);
  if (apart === 0) return true;
  if (apart > queuedMs) return false;
  return isAlike(mark.text, text) || (apart <= hookMs && sharesWords(mark.text, text));
}

/** Looked at of a text to tell whether it is another: a prompt may be of megabytes. */
const alikeChars = 400;

function isAlike(one: string, other: string): boolean {
  return wordsOf(one).join(" ") === wordsOf(other).join(" ");
}

/** Capturing took something out or put something in. */
function sharesWords(one: string, other: string): boolean {
  const [few, many] = [new Set(wordsOf(one)), new Set(wordsOf(other))].sort(
    (a, b) => a.size - b.size,
  );
  const shared = [...(few ?? [])].filter((word) => many?.has(word)).length;
  return shared * 2 >= (few?.size ?? 0);
}

function wordsOf(text: string): string[] {
  return text.trim().slice(0, alikeChars).split(/\s+/);
}
