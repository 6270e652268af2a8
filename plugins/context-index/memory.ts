// What the index is made from, and how it is asked of storage.
import type {
  MemoryItem,
  Observation,
  Prompt,
  StorageClient,
  Summary,
} from "../../src/sdk/index.ts";

/** What is known when a session starts. All lists are newest first. */
export interface Memory {
  /** Name and id of the project, for the reader. */
  project: { id: string; name: string };
  /** Observations of other sessions. */
  observations: Observation[];
  /** Summaries of other sessions, of prompts and of sessions. */
  summaries: Summary[];
  /** Standing decisions and preferences of the project, from other sessions. */
  standing: MemoryItem[];
  /** This session's own, from before a compaction; empty otherwise. */
  own: { observations: Observation[]; summaries: Summary[]; prompts: Prompt[] };
  /** Session titles by the client's session id. */
  titles: ReadonlyMap<string, string>;
}

/** Which session asks, and how it came to start. */
export interface Occasion {
  session: string;
  /** `startup`, `clear`, `resume`, `compact`, or whatever the client says. */
  source: string;
  project: { id: string; name: string };
}

const sessionsLooked = 30;
const summariesLooked = 30;
const standingLooked = 20;

/**
 * Asks storage for what this start needs. A compacted session lost its own memory and gets it back first. A resumed
 * one still holds everything, so it gets only what other sessions did since it was last active.
 */
export async function gatherMemory(
  storage: StorageClient,
  occasion: Occasion,
  limit: number,
): Promise<Memory> {
  const { session, source, project } = occasion;
  const inProject = { project: project.id };
  const [observations, summaries, sessions, items] = await Promise.all([
    storage.observations({ ...inProject, limit }),
    storage.summaries({ ...inProject, limit: summariesLooked }),
    storage.sessions({ ...inProject, limit: sessionsLooked }),
    storage.memory({ ...inProject, kinds: ["decisions", "preferences"], limit: standingLooked }),
  ]);
  const titles = new Map(sessions.map(({ id, title }) => [id, title]));
  const standing = items.filter((item) => item.session !== session);
  const others = <Item extends { session: string; time: number }>(items: Item[], since: number) =>
    items.filter((item) => item.session !== session && item.time > since);

  if (source === "compact") {
    const [ownObservations, ownSummaries, ownPrompts] = await Promise.all([
      storage.observations({ session, limit }),
      storage.summaries({ session, scope: "prompt", limit: summariesLooked }),
      storage.prompts({ session, limit: summariesLooked }),
    ]);
    return {
      project,
      titles,
      standing,
      observations: others(observations, 0).slice(0, 10),
      summaries: others(summaries, 0),
      own: { observations: ownObservations, summaries: ownSummaries, prompts: ownPrompts },
    };
  }
  const since = holdsItsPast(source) ? await lastActive(storage, session) : 0;
  return {
    project,
    titles,
    // A session that holds its past was told them when it began.
    standing: since > 0 ? [] : standing,
    observations: others(observations, since),
    summaries: others(summaries, since),
    own: { observations: [], summaries: [], prompts: [] },
  };
}

/** Sources after which the client still has the whole conversation. */
function holdsItsPast(source: string): boolean {
  return source === "resume" || source === "fork";
}

/** When the session last did something, epoch ms; 0 when memoir does not know it. */
async function lastActive(storage: StorageClient, session: string): Promise<number> {
  const [stored] = await storage.get({ ids: [session] });
  return stored?.kind === "session" ? stored.record.lastActiveAt : 0;
}
