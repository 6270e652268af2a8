// Takes out what was forgotten after the home's files were last as they are: a backup that was gone back to may hold it again.
import type { Records } from "../../sdk/model.ts";
import { type Forgetful, forgetRecords } from "./forget-records.ts";
import { withoutForgotten } from "./record-tombstones.ts";

const page = 500;
const kinds = ["sessions", "turns", "prompts", "observations", "summaries", "memory"] as const;

/** Looks at every record, and forgets those that were forgotten. Never rejects; answers how many went. */
export async function sweepForgotten(
  deps: Forgetful & { journal: { isBuried: Parameters<typeof withoutForgotten>[1]["isBuried"] } },
): Promise<number> {
  try {
    const ids: string[] = [];
    for (const kind of kinds) ids.push(...(await buriedOf(kind, deps)));
    if (ids.length === 0) return 0;
    const { deleted } = await forgetRecords(ids, deps);
    deps.log.info("Records that were forgotten were there again, and were taken out.", {
      records: deleted.length,
    });
    return deleted.length;
  } catch (error) {
    deps.log.warn("Whether records are there again that were forgotten could not be seen.", {
      error,
    });
    return 0;
  }
}

async function buriedOf(
  kind: (typeof kinds)[number],
  { hooks, journal }: Parameters<typeof sweepForgotten>[0],
): Promise<string[]> {
  const ids: string[] = [];
  for (let offset = 0; ; offset += page) {
    const query = { limit: page, offset, order: "oldest" as const };
    const asked = kind === "observations" ? { ...query, superseded: true } : query;
    const found = ((await hooks.first(`storage.${kind}`, asked))?.result ?? []) as Array<{
      id: string;
    }>;
    const left = withoutForgotten({ [kind]: found } as Records, journal)[kind] as typeof found;
    const stays = new Set(left.map(({ id }) => id));
    ids.push(...found.flatMap(({ id }) => (stays.has(id) ? [] : [id])));
    if (found.length < page) return ids;
  }
}
