// What `memoir install` offers: to read the sessions that clients wrote down before.
import { discoverOf, sessionFolders } from "../../backfill/plan.ts";
import { clientNamed } from "../../clients/index.ts";
import { plural } from "../../text/text.ts";
import { backfill } from "../history/backfill.ts";
import { reportError } from "../terminal/report-error.ts";
import type { Terminal } from "../terminal/terminal.ts";

/**
 * Asks a person whether to read recorded sessions now, without any model. True when recorded sessions are left that
 * were not read; what goes wrong is shown and does not undo the install.
 */
export async function offerHistory(terminal: Terminal, asks: boolean): Promise<boolean> {
  try {
    const found = await Promise.all(
      (await sessionFolders(terminal.env)).map(async ({ folder, client }) => {
        const { length } = (await discoverOf(folder, client)).sessions;
        return { title: clientNamed(client).title, length };
      }),
    );
    const having = found.filter(({ length }) => length > 0);
    if (having.length === 0) return false;
    if (!asks) return true;
    terminal.print("");
    for (const { title, length } of having)
      terminal.print(`${title} has ${plural(length, "recorded session")} on this disk.`);
    if (!(await terminal.confirm("Read them into memory now? Nothing leaves this machine.")))
      return true;
    return (await backfill([], { provider: "none", yes: true }, terminal)) !== 0;
  } catch (error) {
    reportError(error, terminal, false);
    return true;
  }
}
