// `memoir completions <shell>`: prints the script by which a shell completes memoir's commands.
import type { Declared } from "../../commands/declared.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { completionScript, placesOf, type Shell } from "./scripts.ts";

/** Prints the script, or with `json` the words it is made of; gives 0. */
export async function printCompletions(
  shell: Shell,
  commands: Declared,
  options: { json?: boolean },
  terminal: Terminal,
): Promise<number> {
  const places = placesOf(commands);
  terminal.print(
    options.json ? JSON.stringify({ shell, places }) : completionScript(shell, places),
  );
  return 0;
}
