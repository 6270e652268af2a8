// What `memoir install` offers: to read the sessions that Claude Code wrote down before.
import { projectsFolder } from "../../clients/claude-code/folders.ts";
import { plural } from "../../text/text.ts";
import { discoverTranscripts } from "../../transcript/discover.ts";
import { backfill } from "../history/backfill.ts";
import { reportError } from "../terminal/report-error.ts";
import type { Terminal } from "../terminal/terminal.ts";

/**
 * Asks a person whether to read recorded sessions now, without any model. True when recorded sessions are left that
 * were not read; what goes wrong is shown and does not undo the install.
 */
export async function offerHistory(terminal: Terminal, asks: boolean): Promise<boolean> {
  try {
    const { sessions } = await discoverTranscripts(projectsFolder(terminal.env));
    if (sessions.length === 0) return false;
    if (!asks) return true;
    terminal.print(
      `\nClaude Code has ${plural(sessions.length, "recorded session")} on this disk.`,
    );
    if (!(await terminal.confirm("Read them into memory now? Nothing leaves this machine.")))
      return true;
    return (await backfill([], { provider: "none", yes: true }, terminal)) !== 0;
  } catch (error) {
    reportError(error, terminal, false);
    return true;
  }
}
