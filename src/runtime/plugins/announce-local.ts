// Announces to a session that starts, once, that its project brings plugins which do not run because nobody allowed them as they are.

import type { Log } from "../../home/log.ts";
import type { ClientEvent } from "../../sdk/events.ts";
import { within } from "../../sdk/within.ts";
import { findLocal } from "./local.ts";
import { noteAnnounced, readTrust, takeSnapshot } from "./trust.ts";

interface AnnounceLocalOptions {
  home: string;
  userHome: string;
  log: Log;
  /** Called when a folder in force is no longer what was allowed: resolves once it does not run. */
  changed(): Promise<void>;
}

/** A session's start waits no longer than this; the next one hears of it then. */
const patienceMs = 300;

/** What to say at this event, if anything. Never rejects. */
export function createAnnounceLocal(options: AnnounceLocalOptions) {
  return async (event: ClientEvent): Promise<string | undefined> => {
    if (event.name !== "SessionStart" || event.recovered) return undefined;
    return within(patienceMs, look(event.cwd, options), undefined);
  };
}

async function look(cwd: string, options: AnnounceLocalOptions): Promise<string | undefined> {
  const { home, userHome, log, changed } = options;
  try {
    const folder = await findLocal(cwd, home, userHome);
    if (folder === undefined) return undefined;
    // What cannot be looked at any more, is too large now for instance, is not what was allowed either.
    const { hash } = await takeSnapshot(folder).catch(() => ({ hash: "unreadable" }));
    const allowed = (await readTrust(home)).folders[folder];
    if (allowed?.hash === hash) return undefined;
    if (allowed) await changed();
    if (!(await noteAnnounced(home, folder, hash))) return undefined;
    return allowed
      ? "memoir: this project's plugins changed since you allowed them, so they do not run. Look at `.memoir/plugins`, then `memoir plugin trust`."
      : "memoir: this project brings plugins in `.memoir/plugins`; they do not run. Look at them, then `memoir plugin trust` if they shall.";
  } catch (error) {
    log.warn("a project's plugins were not looked at", { error });
    return undefined;
  }
}
