// What gives back what Endless Mode took out: `memoir recall` a text, `memoir endless restore` the bytes of transcripts.
import { stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { endless } from "../../features/endless.ts";
import { errorMessage } from "../../home/describe-error.ts";
import { isThere } from "../../home/read-file.ts";
import { openDatabase } from "../../host/sqlite.ts";
import { unbookSession } from "../../runtime/endless/books.ts";
import { forgetStrategy } from "../../runtime/endless/kept-rows.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { withMore } from "../../server/memory/recall-page.ts";
import { plural } from "../../text/text.ts";
import { sessionUse } from "../../transcript/in-use.ts";
import { recoverReplacement } from "../../transcript/replace-file.ts";
import { type Restored, restoreFile } from "../../transcript/rewrite-file.ts";
import { undoFolder, undoPlaces, undoSessions } from "../../transcript/undo-log.ts";
import type { OptionsOf } from "../commands/declared.ts";
import { server } from "../server/client.ts";
import { setupOf } from "../setup/setup.ts";
import { printable } from "../terminal/layout.ts";
import type { Terminal } from "../terminal/terminal.ts";

// `memoir recall`: gives back, exactly, what Endless Mode left out of a conversation.

type RecallOptions = OptionsOf<(typeof endless)["operations"]["recall"]>;

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

interface RestoreCommandOptions {
  dryRun?: boolean;
  json?: boolean;
}

// `memoir endless restore`

/** Where a client does not tell which sessions it has open, a file that rests so long counts as closed. */
const restMs = 60_000;

/**
 * Takes back every rewrite of a session's transcript and of its subagents'; gives 0, or 1 when a file was left as it
 * is. Throws `restore_nothing`, `restore_open` and `session_ambiguous`.
 */
export async function restoreSession(
  named: string,
  { dryRun = false, json }: RestoreCommandOptions,
  terminal: Terminal,
): Promise<number> {
  const { paths } = setupOf(terminal);
  const folder = undoFolder(paths.home);
  const session = await sessionNamed(folder, named);
  const files: Restored[] = [];
  for (const place of await undoPlaces(folder, session)) {
    if (!dryRun) await recoverReplacement(place);
    const planned = await restoreFile(place, { dryRun: true, mayReplace: async () => false });
    const { path, state } = planned;
    if (state === "nothing") continue;
    if (dryRun || state === "refused" || path === undefined) {
      files.push(planned);
      continue;
    }
    const isFree = () => isClosed(path, session, terminal.now());
    if (!(await isFree())) throw openError(session);
    files.push(await restoreFile(place, { mayReplace: isFree }));
  }
  if (files.length === 0)
    throw new MemoirError("restore_nothing", `Session ${session} is as its client wrote it.`);
  const refused = files.some(({ state }) => state === "refused");
  if (!dryRun && !refused)
    await forgetRewrites(paths.endless, session, "transcript").catch((error: unknown) =>
      terminal.warn(`The figures still count what was given back: ${errorMessage(error)}.`),
    );
  if (json) terminal.print(JSON.stringify({ session, dryRun, files }));
  else for (const file of files) terminal.print(line(file, dryRun));
  if (!json && !refused && !dryRun)
    terminal.print(
      "While the strategy transcript is on there, it is rewritten when the session ends next; `memoir endless off transcript` switches it off.",
    );
  return refused ? 1 : 0;
}

async function sessionNamed(folder: string, named: string): Promise<string> {
  const sessions = await undoSessions(folder);
  const found = sessions.filter((session) => session === named);
  const [one, other] = found.length > 0 ? found : sessions.filter((id) => id.startsWith(named));
  if (one === undefined || named === "")
    throw new MemoirError("restore_nothing", `memoir rewrote no session ${printable(named)}.`);
  if (other !== undefined)
    throw new MemoirError("session_ambiguous", `Several sessions begin with ${printable(named)}.`);
  return one;
}

function openError(session: string): MemoirError {
  return new MemoirError(
    "restore_open",
    `A client has session ${session} open; what it writes now could be lost.`,
  );
}

async function isClosed(path: string, session: string, now: number): Promise<boolean> {
  const use = await sessionUse(sessionFileOf(path, session), session);
  if (use !== "unknown") return use === "closed";
  return now - (await stat(path)).mtimeMs > restMs;
}

/** A subagent's file lies in `<session>/subagents` beside the session's own. */
function sessionFileOf(path: string, session: string): string {
  if (basename(path) === `${session}.jsonl`) return path;
  return join(dirname(dirname(dirname(path))), `${session}.jsonl`);
}

function line({ path = "", state, reason, rewrites, bytes }: Restored, dryRun: boolean): string {
  const file = printable(path);
  if (state === "refused") return `${file}: left as it is, ${reason ?? "for no known reason"}.`;
  const what = `${plural(rewrites, "rewrite")}, ${plural(bytes, "byte")}`;
  return dryRun ? `${file}: would be given back (${what}).` : `${file}: given back (${what}).`;
}

// What the books say of a session whose transcripts were given back: nothing was left out of them, and nothing put in.

/** Another program may have it locked for so long. */
const patienceMs = 2_000;

/**
 * Takes out of the database what the strategy kept and booked of the session. A rewrite to come is booked anew. Nothing to
 * do where there is no database. Rejects where it cannot be written.
 */
async function forgetRewrites(path: string, session: string, strategy: string): Promise<void> {
  if (!(await isThere(path))) return;
  const db = await openDatabase(path, { busyTimeoutMs: patienceMs, create: false });
  try {
    db.transaction(() => {
      forgetStrategy(db, session, strategy);
      unbookSession(db, session, strategy);
    });
  } finally {
    db.close();
  }
}
