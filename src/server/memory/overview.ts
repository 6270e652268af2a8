// Everything of a time over all projects, in few words each: sessions with their observations, or counts by day where there are too many to draw.
import { askStorage } from "../../runtime/hooks/ask-storage.ts";
import type { Session } from "../../sdk/model.ts";
import { localClock } from "../../text/amounts.ts";
import type { Asked } from "./records.ts";

interface Place {
  /** `Project.id`. */
  project: string;
  projectName: string;
}

/** A session as a bar. */
interface OverviewSession extends Place {
  id: string;
  title: string;
  /** Epoch ms. */
  startedAt: number;
  lastActiveAt: number;
  isOpen: boolean;
  prompts: number;
  observations: number;
}

/** An observation as a dot. */
interface OverviewObservation {
  id: string;
  session: string;
  type: string;
  title: string;
  time: number;
}

/** What began on a day in a project. */
interface OverviewDay extends Place {
  /** `2026-11-21`, local time. */
  key: string;
  sessions: number;
  observations: number;
}

export interface Overview {
  /** Newest first. */
  sessions: OverviewSession[];
  /** Newest first. */
  observations: OverviewObservation[];
  days: OverviewDay[];
  /**
   * `observations`: there are too many of them, sessions say how many. `sessions`: only `days` are given. `oldest`: and the oldest
   * sessions are not counted.
   */
  leftOut: "nothing" | "observations" | "sessions" | "oldest";
}

/** More than these nobody tells apart. */
export const mostSessions = 500;
export const mostObservations = 2_000;
/** Beyond this many sessions the older ones are not counted. */
const mostCounted = 10_000;

/** `since` and `until` in epoch ms. */
export async function overview(
  { hooks }: Asked,
  asked: { since: number; until: number; project?: string },
): Promise<Overview> {
  const few = await askStorage(hooks, "storage.sessions", { ...asked, limit: mostSessions + 1 });
  if (few.length > mostSessions) {
    const all = await askStorage(hooks, "storage.sessions", { ...asked, limit: mostCounted });
    const leftOut = all.length >= mostCounted ? "oldest" : "sessions";
    return { sessions: [], observations: [], days: daysOf(all), leftOut };
  }
  const found = await askStorage(hooks, "storage.observations", {
    ...{ ...asked, superseded: true, limit: mostObservations + 1 },
  });
  const isTooMany = found.length > mostObservations;
  return {
    sessions: few.map(bar),
    observations: isTooMany
      ? []
      : found.map(({ id, session, type, title, time }) => ({ id, session, type, title, time })),
    days: [],
    leftOut: isTooMany ? "observations" : "nothing",
  };
}

function bar(session: Session): OverviewSession {
  const { id, title, startedAt, lastActiveAt, status, prompts, observations } = session;
  return {
    ...{ id, ...placeOf(session), title, startedAt, lastActiveAt, prompts, observations },
    isOpen: status === "active",
  };
}

const placeOf = ({ project }: Session) => ({ project: project.id, projectName: project.name });

function daysOf(sessions: readonly Session[]): OverviewDay[] {
  const days = new Map<string, OverviewDay>();
  for (const session of sessions) {
    const key = localClock.day(session.startedAt);
    const name = `${key} ${session.project.id}`;
    const sums = days.get(name) ?? { key, ...placeOf(session), sessions: 0, observations: 0 };
    sums.sessions++;
    sums.observations += session.observations;
    days.set(name, sums);
  }
  return [...days.values()];
}
