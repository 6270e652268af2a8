// Everything storage knows of a finished session.
import type {
  Observation,
  Prompt,
  Session,
  StorageClient,
  Summary,
  Turn,
} from "../../src/sdk/index.ts";

export interface SessionMaterial {
  session: Session;
  /** Oldest first, as are the others. */
  prompts: Prompt[];
  observations: Observation[];
  summaries: Summary[];
  turns: Turn[];
}

const most = 300;

/** Undefined when there is no such session. */
export async function gatherSession(
  storage: StorageClient,
  id: string,
): Promise<SessionMaterial | undefined> {
  const [stored] = await storage.get({ ids: [id] });
  if (stored?.kind !== "session") return undefined;
  const newest = { session: id, limit: most };
  const [prompts, observations, summaries, turns] = await Promise.all([
    storage.prompts(newest),
    storage.observations(newest),
    storage.summaries(newest),
    storage.turns(newest),
  ]);
  return {
    session: stored.record,
    prompts: prompts.reverse(),
    observations: observations.reverse(),
    summaries: summaries.reverse(),
    turns: turns.filter((turn) => turn.session === id).reverse(),
  };
}
