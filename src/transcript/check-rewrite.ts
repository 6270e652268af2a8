// Holds a rewritten transcript against the one it was made from: only what was planned may differ.
import type { RewritePlan } from "./plan-rewrite.ts";
import type { IndexedEntry, RewriteIndex } from "./rewrite-index.ts";

/**
 * The first thing that is wrong with the rewritten file, in words; undefined when nothing is. Both files were read on
 * their own; that unchanged bytes are the same is checked with the undo log.
 */
export function checkRewrite(
  before: RewriteIndex,
  after: RewriteIndex,
  { pairs, cleared }: Pick<RewritePlan, "pairs" | "cleared">,
): string | undefined {
  if (after.broken !== before.broken) return "a line is no valid JSON any more";
  const inserted = new Map(
    [...pairs.values()].flatMap(({ uuids }) => uuids.map((uuid) => [uuid, 1])),
  );
  const rest: IndexedEntry[] = [];
  const seen = new Set<string>();
  for (const entry of after.entries) {
    if (entry.uuid !== undefined && inserted.has(entry.uuid)) {
      if (seen.has(entry.uuid)) return "an inserted entry stands there twice";
      seen.add(entry.uuid);
    } else rest.push(entry);
  }
  if (seen.size !== inserted.size) return "an inserted entry is missing";
  if (rest.length !== before.entries.length) return "the number of entries changed";
  for (const [at, entry] of before.entries.entries()) {
    const now = rest[at];
    const wrong = now ? difference(entry, now, pairs, cleared) : "an entry is missing";
    if (wrong !== undefined) return wrong;
  }
  for (const [follower, pair] of pairs) {
    const wrong = checkPair(before.byUuid.get(follower), after, pair);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function difference(
  before: IndexedEntry,
  after: IndexedEntry,
  pairs: RewritePlan["pairs"],
  cleared: ReadonlySet<string>,
): string | undefined {
  if (before.uuid !== after.uuid || before.type !== after.type) return "an entry is not the same";
  const pair = before.uuid === undefined ? undefined : pairs.get(before.uuid);
  if (after.parent !== (pair ? pair.uuids[1] : before.parent)) return "an entry lost its parent";
  if (after.message !== before.message || after.sidechain !== before.sidechain)
    return "an entry changed its message";
  if (after.results.join() !== before.results.join()) return "a tool result changed its tool use";
  if (after.uses.length !== before.uses.length) return "a tool use is missing";
  for (const [at, use] of before.uses.entries()) {
    const now = after.uses[at];
    if (now?.id !== use.id || now.name !== use.name) return "a tool use changed";
    if (now.cleared !== (use.cleared || cleared.has(use.id))) return "an input was not cleared";
    if (!cleared.has(use.id) && now.characters !== use.characters) return "an input changed";
  }
  return undefined;
}

/** From the entry that follows, over result and use, to what was its parent before. */
function checkPair(
  follower: IndexedEntry | undefined,
  after: RewriteIndex,
  { uuids: [use, result], toolUseId }: { uuids: readonly [string, string]; toolUseId: string },
): string | undefined {
  const [used, answered] = [after.byUuid.get(use), after.byUuid.get(result)];
  const parent = follower?.parent;
  const linked =
    answered?.parent === use &&
    used?.parent === parent &&
    parent !== undefined &&
    after.byUuid.has(parent);
  if (!linked || !used) return "the chain is broken at an inserted pair";
  const matched = used.uses[0]?.id === toolUseId && answered.results[0] === toolUseId;
  return matched ? undefined : "an inserted tool use has no result";
}
