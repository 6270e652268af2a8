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
