// Memory by the user's rules of age and size: what would go, and letting it go a session at a time.

import { isForEver } from "../../health/sizes.ts";
import type { Config } from "../../runtime/config/schema.ts";
import { askStorage } from "../../runtime/hooks/ask-storage.ts";
import type { ServerRuntime } from "../life/server-runtime.ts";
import { all, partKinds, stored, type WithHooks } from "./records.ts";

/** A session that goes, and what of it stays. */
export interface PlannedSession extends Outgoing {
  /** Records of it that are pinned, edited, or backed by a session that stays. */
  stays: number;
}

export interface Retention {
  /** What would go now, the oldest first. `isBound` is false where memory is kept forever; bytes that memory takes, and about how many of them would go. */
  plan(): Promise<{ isBound: boolean; sessions: PlannedSession[]; bytes: number; freed: number }>;
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

async function keptSessions(runtime: WithHooks): Promise<KeptSession[]> {
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
  runtime: WithHooks,
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
  runtime: WithHooks,
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

// Which sessions go by the user's rules of age and size, the oldest first. Pure.

/** `retention.memory` of the config; 0 is forever, or any size. In names of projects `*` stands for anything. */
export type MemoryRules = Config["retention"]["memory"];

/** What is known of a session that may go. */
interface KeptSession {
  id: string;
  client: string;
  project: { id: string; name: string };
  /** Epoch ms. */
  lastActiveAt: number;
  /** How many prompts are remembered of it. */
  prompts: number;
}

/** A session that goes, and by what. */
interface Outgoing extends KeptSession {
  /** The config's key. */
  rule: string;
}

const dayMs = 86_400_000;
/** No rule of size takes what went on so lately: somebody may be at it. */
const freshMs = dayMs;

/** What goes at this time; `bytes` is what all of it takes. */
export function planRetention(
  sessions: readonly KeptSession[],
  rules: MemoryRules,
  { now, bytes }: { now: number; bytes: number },
): Outgoing[] {
  const oldest = [...sessions].sort(
    (a, b) => a.lastActiveAt - b.lastActiveAt || (a.id < b.id ? -1 : 1),
  );
  const going = new Map<KeptSession, string>();
  const keyOf = projectKeys(rules.projects);
  for (const session of oldest) {
    const key = keyOf(session.project);
    const own = key === undefined ? undefined : rules.projects[key]?.days;
    const days = own ?? rules.days;
    if (days > 0 && session.lastActiveAt < now - days * dayMs)
      going.set(session, own === undefined ? "days" : `projects.${key}.days`);
  }
  const each = bytes / (oldest.reduce((sum, session) => sum + weightOf(session), 0) || 1);
  const shrink = (group: readonly KeptSession[], limit: number, rule: string) => {
    const left = group.filter((session) => !going.has(session));
    let size = left.reduce((sum, session) => sum + weightOf(session) * each, 0);
    for (const session of left) {
      if (size <= limit || session.lastActiveAt > now - freshMs) break;
      going.set(session, rule);
      size -= weightOf(session) * each;
    }
  };
  const byProject = Map.groupBy(oldest, ({ project }) => project.id);
  for (const group of byProject.values()) {
    const key = group[0] && keyOf(group[0].project);
    const limit = key === undefined ? 0 : (rules.projects[key]?.bytes ?? 0);
    if (limit > 0) shrink(group, limit, `projects.${key}.bytes`);
  }
  if (rules.bytes > 0) shrink(oldest, rules.bytes, "bytes");
  return oldest.flatMap((session) => {
    const rule = going.get(session);
    return rule === undefined ? [] : [{ ...session, rule: `retention.memory.${rule}` }];
  });
}

/** A session's share of the whole: storages do not say how large one is. */
function weightOf({ prompts }: KeptSession): number {
  return prompts + 1;
}

/** The rule that is meant for a project: its id, its name, else the longest pattern that fits. */
function projectKeys(
  projects: MemoryRules["projects"],
): (project: KeptSession["project"]) => string | undefined {
  const patterns = Object.keys(projects)
    .sort((a, b) => b.length - a.length)
    .map((key) => ({ key, pattern: key.includes("*") ? patternOf(key) : undefined }));
  return ({ id, name }) =>
    patterns.find(({ key }) => key === id)?.key ??
    patterns.find(({ key }) => key === name)?.key ??
    patterns.find(({ pattern }) => pattern?.test(id) || pattern?.test(name))?.key;
}

function patternOf(key: string): RegExp {
  const parts = key.split(/\*+/).map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`);
}
