// What stands in a transcript or request for a tool's input that was taken out.
import { estimateTokens } from "../text/tokens.ts";

/** An input that was cleared; `message` says so to the model, and how it gets the input back. */
export type ClearedInput = {
  _cleared: true;
  message: string;
};

/** Whether an input was cleared before, by whichever strategy. */
export function isClearedInput(input: Readonly<Record<string, unknown>>): boolean {
  return input._cleared === true;
}

/**
 * The object that stands for an input whose JSON was `before`. It says in one line how an agent with a shell gets the
 * whole back; `command` is what `memoirCommand` gave.
 */
export function clearedInput(toolUseId: string, before: string, command: string): ClearedInput {
  const tokens = estimateTokens(before);
  const message = `[Input removed to save ~${tokens} tokens; ${command} recall ${toolUseId}]`;
  return { _cleared: true, message };
}
