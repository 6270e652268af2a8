// `memoir context`: the context that the next session would be given.

import { resolve } from "node:path";
import type { OptionsOf } from "../commands/declared.ts";
import type { lookCommands } from "../commands/memory.ts";
import { server } from "../server/client.ts";
import { answer } from "../terminal/agree.ts";
import { printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";

type ContextOptions = OptionsOf<(typeof lookCommands)["context"]>;

/** Prints the context, or says that there is none. */
export async function context(options: ContextOptions, terminal: Terminal): Promise<number> {
  const cwd = resolve(terminal.cwd, options.cwd ?? ".");
  const { source, prompt } = options;
  const { context: text } = await server.get("/api/context", {
    query: { cwd, source, prompt },
  });
  const report = { cwd, context: text, characters: text.length };
  return answer(terminal, options, report, () => {
    if (text !== "") return [printable(text)];
    const what = prompt === undefined ? `A session in ${cwd}` : "This prompt";
    return [
      `${what} would be given nothing: nothing is remembered that belongs there.`,
      terminal.colors.dim("`memoir sessions` lists what there is."),
    ];
  });
}
