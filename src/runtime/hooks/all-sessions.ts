// Every session that storage has, and the journal that goes on counting where they left off.
import { isRebuildWanted } from "../../home/findings.ts";
import type { Session } from "../../sdk/model.ts";
import { within } from "../../sdk/within.ts";
import type { Journal } from "../journal/journal.ts";
import type { AdoptedSession } from "../journal/sessions.ts";
import type { Hooks } from "../ports.ts";
import { askStorage } from "./ask-storage.ts";

const page = 500;
/** A start, or an event that met a damaged journal, waits for storage at most so long. */
const patienceMs = 1_000;

/** The newest first. Rejects when storage failed. */
export async function allSessions(hooks: Pick<Hooks, "first">): Promise<Session[]> {
  const all: Session[] = [];
  for (let offset = 0; ; offset += page) {
    const query = { limit: page, offset, order: "newest" as const };
    const sessions = await askStorage(hooks, "storage.sessions", query);
    all.push(...sessions);
    if (sessions.length < page) return all;
  }
}

/** What the journal has to know of them. */
export function adoptedOf(sessions: readonly Session[]): AdoptedSession[] {
  return sessions.map(({ id: session, client, project, prompts, ...known }) => ({
    session,
    client,
    project,
    prompts,
    transcriptPath: known.transcriptPath,
    startedAt: known.startedAt,
    lastActiveAt: known.lastActiveAt,
  }));
}

/**
 * A journal that lost sessions, or was begun anew, counts their prompts from where storage has them: the next would take the
 * place of an earlier one. Never rejects; what storage cannot say now is said when what was lost is made again.
 */
export async function adoptSessions(
  home: string,
  hooks: Pick<Hooks, "first">,
  journal: Pick<Journal, "adopt" | "adoptFrom" | "knownSessions">,
): Promise<void> {
  const known = () =>
    within(patienceMs, allSessions(hooks).then(adoptedOf), []).catch((): AdoptedSession[] => []);
  journal.adoptFrom(known);
  if (isRebuildWanted(home) || journal.knownSessions().length === 0) journal.adopt(await known());
}
