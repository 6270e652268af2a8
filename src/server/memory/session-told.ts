// What a session was told, and what Endless Mode took out of it.
import type { KeptPart } from "../../runtime/endless/kept-rows.ts";
import { askStorage } from "../../runtime/hooks/ask-storage.ts";
import type { ToldText } from "../../runtime/journal/lately-rows.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { ServerRuntime } from "../life/server-runtime.ts";
import { type Source, sourcesOf } from "./would-be-told.ts";

/** Both the oldest first. */
export interface SessionTold {
  told: ToldText[];
  /** The records that were told of, as they are now; those that are gone are not among them. */
  records: Source[];
  takenOut: KeptPart[];
}

/** What is told or taken out of a session lies so near to it. */
const aroundMs = 24 * 60 * 60_000;

/** By the session's whole id. Throws `record_not_found`. */
export async function sessionTold(
  runtime: Pick<ServerRuntime, "hooks" | "toldTo" | "endless">,
  id: string,
): Promise<SessionTold> {
  const [stored] = await askStorage(runtime.hooks, "storage.get", { ids: [id] });
  if (stored?.kind !== "session")
    throw new MemoirError("record_not_found", "There is no such session.");
  const { startedAt, lastActiveAt } = stored.record;
  const of = { session: id, since: startedAt - aroundMs, until: lastActiveAt + aroundMs };
  const told = runtime.toldTo(of);
  const ids = [...new Set(told.flatMap(({ records }) => records))];
  const [records, takenOut] = await Promise.all([
    sourcesOf(runtime, ids),
    // A file that cannot be read costs this part alone; `doctor` says what is wrong with it.
    runtime.endless.takenOut(of).catch(() => []),
  ]);
  return { told, records, takenOut };
}
