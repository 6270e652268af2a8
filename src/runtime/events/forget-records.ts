// Forgets records by the user's word: the journal first, so that nothing is made of them meanwhile, then storage, then listeners.
import type { DeleteResult } from "../../sdk/storage.ts";
import type { Endless } from "../endless/endless.ts";
import { askStorage } from "../hooks/ask-storage.ts";
import type { Journal } from "../journal/journal-types.ts";
import type { Hooks } from "../ports.ts";

/** Who keeps something of what happened. */
interface Forgetful {
  hooks: Hooks;
  journal: Pick<Journal, "rows" | "state" | "forget">;
  endless: Pick<Endless, "forget">;
}

/** Of a turn and of a session nothing is made again; the client's own transcript stays as it is. Rejects when storage failed. */
export async function forgetRecords(
  ids: readonly string[],
  { hooks, journal, endless }: Forgetful,
): Promise<DeleteResult> {
  const records = await askStorage(hooks, "storage.get", { ids: [...ids] });
  for (const { kind, record } of records) {
    if (kind !== "session" && kind !== "turn") continue;
    const id = kind === "session" ? record.id : record.session;
    for (const row of journal.rows(id))
      if (journal.state(row)?.client === record.client)
        await endless.forget(
          id,
          journal.forget(row, kind === "turn" ? [record.promptNumber] : undefined),
        );
  }
  const result = await askStorage(hooks, "storage.delete", { ids: [...ids] });
  if (result.deleted.length > 0) await hooks.parallel("forgotten", { ids: result.deleted });
  return result;
}
