// A journal session as strategies see it, and as storage keeps it.
import type { Project, SessionUpdate } from "../../sdk/model.ts";
import type { WorkSession } from "../../sdk/work.ts";
import type { JournalEvent, JournalSession } from "../ports.ts";

/** The session with the checkout (root, branch) of the newest of `events` that lies in its project. */
export function workSession(
  session: JournalSession,
  events: readonly JournalEvent[] = [],
): WorkSession {
  const here = events.findLast(({ event }) => event.project?.id === session.project.id);
  const project: Project = here?.event.project ?? session.project;
  return {
    id: session.session,
    client: session.client,
    project,
    ...(session.transcriptPath !== undefined && { transcriptPath: session.transcriptPath }),
  };
}

/** What storage should know of the session; title and subtitle only where there are new ones. */
export function sessionUpdate(
  session: JournalSession,
  project: Project,
  titles: { title?: string | undefined; subtitle?: string | undefined } = {},
): SessionUpdate {
  return {
    id: session.session,
    client: session.client,
    project,
    ...(titles.title && { title: titles.title }),
    ...(titles.subtitle && { subtitle: titles.subtitle }),
    prompts: session.prompts,
    status: session.endedAt === null ? "active" : "ended",
    ...(session.transcriptPath !== undefined && { transcriptPath: session.transcriptPath }),
    startedAt: session.startedAt,
    lastActiveAt: session.lastEventAt,
    endedAt: session.endedAt,
  };
}
