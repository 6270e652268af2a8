// The one way in which commands say what came of them: JSON for a program, lines for a person.
import { MemoirError } from "../../sdk/errors.ts";
import type { Terminal } from "./terminal.ts";

/** Prints `value` as JSON with `--json`, else the lines, which are made only then. Gives the exit code. */
export async function answer(
  terminal: Terminal,
  { json = false }: { json?: boolean | undefined },
  value: unknown,
  lines: () => readonly string[] | Promise<readonly string[]>,
  exit = 0,
): Promise<number> {
  if (json) terminal.print(JSON.stringify(value));
  else for (const line of await lines()) terminal.print(line);
  return exit;
}

/** Whether a person agrees to go on; `--yes` agrees. Throws `usage` where nobody can be asked. */
export async function mayGoOn(
  terminal: Terminal,
  { yes = false, json = false }: { yes?: boolean; json?: boolean },
  question: string,
  unasked: { message: string; fix: string },
): Promise<boolean> {
  if (yes) return true;
  if (!terminal.interactive || json)
    throw new MemoirError("usage", unasked.message, { fix: unasked.fix });
  if (await terminal.confirm(question, false)) return true;
  terminal.print("Nothing was changed.");
  return false;
}
