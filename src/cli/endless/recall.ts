// `memoir recall`: gives back, exactly, what Endless Mode left out of a conversation.

import { withMore } from "../../server/memory/recall-page.ts";
import type { OptionsOf } from "../commands/declared.ts";
import type { endlessCommands } from "../commands/endless.ts";
import { server } from "../server/client.ts";
import { printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";

type RecallOptions = OptionsOf<(typeof endlessCommands)["recall"]>;

/** Prints a page of it, or with `json` all of it; gives 0, and 1 where a search found nothing. */
export async function recall(
  id: string,
  options: RecallOptions,
  terminal: Terminal,
): Promise<number> {
  const { part, lines, grep, page, json } = options;
  const params = { id };
  if (json) {
    const { kept } = await server.get("/api/recall/:id/value", { params, query: { part } });
    terminal.print(JSON.stringify(kept));
    return 0;
  }
  const { recalled } = await server.get("/api/recall/:id", {
    params,
    query: { part, lines, grep, page },
  });
  const { text, more } = recalled;
  const found = grep === undefined || text !== "";
  if (!found) terminal.print(withMore("No line matches.", more));
  // A person's screen must not be driven by what a tool once printed; who pipes it wants it as it was.
  else terminal.print(withMore(terminal.width === undefined ? text : printable(text), more));
  return found ? 0 : 1;
}
