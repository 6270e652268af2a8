// What happened in a turn, one thing after the other, whoever told it: the form in which events and transcript lines meet.

/** A tool use with what is known of it. */
export interface UsedTool {
  id: string;
  name: string;
  input: unknown;
  /** The tool's structured result; absent when it failed. */
  response?: unknown;
  /** The failure's own text; present exactly when it failed. */
  error?: string;
  /** What a change touched, once its response was read for it. */
  symbols?: readonly string[];
  /** Characters of output or error that were left out already. */
  omitted?: number;
}

interface MomentBase {
  /** Epoch ms. */
  time: number;
  /** Of the transcript's line. */
  uuid?: string;
  requestId?: string;
  /** The subagent's id. */
  agent?: string;
}

/**
 * Words. `prompt`: what the turn begins with; `typed`: what the user typed later in it; `said`: the main agent's; `refused`:
 * the reason of a refusal; `interrupted`: the user stopped the agent; `compaction`: the client's summary; `report`: what a
 * subagent said last.
 */
export interface SpokenMoment extends MomentBase {
  what: "prompt" | "typed" | "said" | "refused" | "interrupted" | "compaction" | "report";
  /** Empty for an interruption, and for a refusal without a reason. */
  text: string;
  /** The tool use that was refused or stopped; the task that is reported on. */
  about?: string;
  toolUseId?: string;
  /** Characters of `text` that were left out already. */
  omitted?: number;
  /** Lines of one message bear the same. */
  messageId?: string;
  /** The client told it as the end of the answer. */
  last?: boolean;
}

/** A tool was used. */
export interface ToolMoment extends MomentBase {
  what: "tool";
  tool: UsedTool;
}

/** Where a tool use stands among what was said; what came of it is told by its event. */
export interface UseMoment extends MomentBase {
  what: "use";
  toolUseId: string;
}

/** One thing that happened. */
export type Moment = SpokenMoment | ToolMoment | UseMoment;

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
