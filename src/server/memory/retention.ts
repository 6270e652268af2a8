// Memory by the user's rules of age and size: what would go, and letting it go a session at a time.
import { askStorage } from "../../runtime/hooks/ask-storage.ts";
import type { ServerRuntime } from "../life/server-runtime.ts";
import { type Asked, all, partKinds, stored } from "./records.ts";
import {
  isForEver,
  type KeptSession,
  type MemoryRules,
  type Outgoing,
  planRetention,
} from "./retention-plan.ts";

/** A session that goes, and what of it stays. */
export interface PlannedSession extends Outgoing {
  /** Records of it that are pinned, edited, or backed by a session that stays. */
  stays: number;
}

/** What would go now. */
interface RetentionPlan {
  /** False where memory is kept for ever. */
  isBound: boolean;
  /** The oldest first. */
  sessions: PlannedSession[];
  /** What memory takes, and about how much of it would go. */
  bytes: number;
  freed: number;
}

export interface Retention {
  plan(): Promise<RetentionPlan>;
  /** Lets one session go; answers how many records that were. */
  deleteSession(session: PlannedSession): Promise<number>;
  /** After the last one: removes the bytes that they left in the files. */
  purge(): Promise<void>;
}

export interface RetentionDeps {
  runtime: Pick<ServerRuntime, "hooks" | "forget" | "purge">;
  /** As config says now; undefined: nobody bounds memory. */
  rules(): Promise<MemoryRules | undefined>;
  now(): number;
}

/** Few at a time: it is looked while others ask. */
const atOnce = 500;

/** Over one runtime. */
export function createRetention({ runtime, rules, now }: RetentionDeps): Retention {
  /** Sessions that stayed by the last plan. */
  let left: ReadonlySet<string> = new Set();
  return {
    async plan() {
      const inForce = await rules();
      const { bytes } = await askStorage(runtime.hooks, "storage.stats", {});
      if (!inForce || isForEver(inForce)) return { isBound: false, sessions: [], bytes, freed: 0 };
      const kept = await keptSessions(runtime);
      const going = planRetention(kept, inForce, { now: now(), bytes });
      const goes = new Set(going.map(({ id }) => id));
      left = new Set(kept.flatMap(({ id }) => (goes.has(id) ? [] : [id])));
      const stays = await staying(runtime, goes, left);
      const sessions: PlannedSession[] = [];
      for (const session of going) {
        const own = stays.get(session.id)?.size ?? 0;
        // What stays of it is all that is left.
        if (own > 0 && (await partsToGo(runtime, session, stays.get(session.id))).length === 0)
          continue;
        sessions.push({ ...session, stays: own });
      }
      const weight = (of: readonly KeptSession[]) =>
        of.reduce((sum, { prompts }) => sum + prompts + 1, 0);
      const freed = Math.round((bytes * weight(sessions)) / (weight(kept) || 1));
      return { isBound: true, sessions, bytes, freed };
    },
    async deleteSession(session) {
      // Asked once more: somebody may have pinned something since.
      const stays = (await staying(runtime, new Set([session.id]), left)).get(session.id);
      const ids = stays?.size ? await partsToGo(runtime, session, stays) : [session.id];
      const { deleted } = await runtime.forget(ids, { gently: true });
      return deleted.length;
    },
    purge: () => runtime.purge(),
  };
}

async function keptSessions(runtime: Asked): Promise<KeptSession[]> {
  const sessions = await all(runtime, "session", {}, { atOnce });
  const prompts = Map.groupBy(
    await all(runtime, "prompt", {}, { atOnce }),
    ({ session }) => session,
  );
  return sessions.map(({ id, client, project, lastActiveAt }) => ({
    ...{ id, client, project, lastActiveAt },
    prompts: prompts.get(id)?.length ?? 0,
  }));
}

const marks = ["pinned", "edited"] as const;

/** Ids of what no rule takes, by its session: pinned, in the user's words, or an item that a session backs which stays. */
async function staying(
  runtime: Asked,
  goes: ReadonlySet<string>,
  left: ReadonlySet<string>,
): Promise<Map<string, Set<string>>> {
  const stays = new Map<string, Set<string>>();
  const add = ({ id, session }: { id: string; session: string }) => {
    if (goes.has(session)) stays.set(session, (stays.get(session) ?? new Set()).add(id));
  };
  // A storage that knows no marks answers with all it has.
  for (const kind of partKinds)
    for (const marked of marks)
      for (const record of await all(runtime, kind, { marked }))
        if (record.pinned || record.edited) add(record);
  for (const item of await all(runtime, "memory", {}, { atOnce }))
    if (item.evidence?.some(({ session = item.session }) => left.has(session))) add(item);
  return stays;
}

/** Ids of a session of which something stays. */
async function partsToGo(
  runtime: Asked,
  { id: session }: Pick<KeptSession, "id">,
  stays: ReadonlySet<string> = new Set(),
): Promise<string[]> {
  const own = await Promise.all(
    partKinds.map(async (kind) => stored(kind, await all(runtime, kind, { session }))),
  );
  const withTurn = new Set(
    own
      .flat()
      .flatMap(({ kind, record }) =>
        kind === "turn" && stays.has(record.id) ? [record.promptNumber] : [],
      ),
  );
  return own.flat().flatMap(({ kind, record }) => {
    // A turn takes its prompt with it.
    if (kind === "prompt" && withTurn.has(record.promptNumber)) return [];
    return stays.has(record.id) ? [] : [record.id];
  });
}
