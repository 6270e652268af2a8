// Errors as people and agents read them: what is wrong, what to do; never a stack.
import { errorMessage } from "../../home/describe-error.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { Terminal } from "./terminal.ts";

/** Prints an error (`{"error":{code,message,fix}}` on stdout with `json`, two lines on stderr else) and gives the exit code. */
export function reportError(error: unknown, terminal: Terminal, json: boolean): number {
  const known =
    error instanceof MemoirError
      ? error
      : new MemoirError("internal", errorMessage(error), { cause: error });
  const { code, message, fix } = known;
  const exit = code === "usage" ? 2 : 1;
  if (json) {
    terminal.print(JSON.stringify({ error: { code, message, fix } }));
    return exit;
  }
  const { red, cyan } = terminal.colors;
  terminal.warn(`${red("error:")} ${message}`);
  terminal.warn(`${cyan("fix:")} ${fix}`);
  return exit;
}
