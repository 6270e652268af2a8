// What running a piece of work needs and gives, whatever its kind.

import type { Log } from "../../home/log.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { StoredNotice } from "../../sdk/hooks.ts";
import type { NewObservation, NewSummary, Records } from "../../sdk/model.ts";
import type { ReadContexts } from "../context/read-contexts.ts";
import type { ReadTurn } from "../context/read-turn.ts";
import { withoutForgotten } from "../events/record-tombstones.ts";
import type {
  LeasedWork,
  SessionState,
  ToolOutcome,
  WorkLedger,
} from "../journal/journal-types.ts";
import type { Hooks } from "../ports.ts";
import { refuseOtherStorage, storageInForce } from "./storage-in-force.ts";

export interface RunContext {
  work: LeasedWork;
  session: SessionState;
  journal: WorkLedger;
  hooks: Hooks;
  log: Log;
  contexts?: ReadContexts;
  turns?: ReadTurn;
}

/** How the piece ended: its tool uses, by seq, and what was stored. */
export interface RunResult {
  outcomes: ReadonlyMap<number, ToolOutcome>;
  notice?: StoredNotice;
}

/**
 * Stores all of `records` under the piece's key; rejects with `storage_unanswered` when nobody took them. A repeat
 * after a crash writes nothing: the notice then has what was stored the first time, which a model may have worded
 * differently, and its listeners are notified again (at least once, not at most).
 */
export async function putRecords(
  { work, session, hooks, journal }: RunContext,
  project: string,
  made: Records,
): Promise<StoredNotice> {
  if (isForgotten(journal, work))
    return { session: session.session, project, observations: [], summaries: [] };
  // Config may have changed since the lease; a crash after the put must not leave the wrong storage noted.
  const storage = storageInForce(hooks);
  refuseOtherStorage(work, storage);
  if (storage !== work.storage && !journal.putsIn(work, storage))
    throw new MemoirError("internal", "The piece of work was taken over by somebody else.");
  // Work on what a transcript brought again may make what was forgotten by itself.
  const records = withoutForgotten(made, journal);
  const answer = await hooks.first("storage.put", { key: work.key, records });
  if (!answer) throw new MemoirError("storage_unanswered", "No storage plugin took the records.");
  const { written, observations, summaries } = answer.result;
  const stored =
    !written && (await hooks.first("storage.get", { ids: [...observations, ...summaries] }));
  if (stored)
    return {
      session: session.session,
      project,
      observations: stored.result.flatMap(({ kind, record }) =>
        kind === "observation" ? [record] : [],
      ),
      summaries: stored.result.flatMap(({ kind, record }) => (kind === "summary" ? [record] : [])),
    };
  return {
    session: session.session,
    project,
    observations: withIds<NewObservation>(records.observations, observations),
    summaries: withIds<NewSummary>(records.summaries, summaries),
  };
}

/** True for work on what the user had forgotten; a session's summary is, once all its prompts are. */
export function isForgotten(
  journal: Pick<WorkLedger, "isForgotten">,
  { kind, row, promptNumber }: LeasedWork,
): boolean {
  return journal.isForgotten(row, kind === "summarize-session" ? undefined : promptNumber);
}

function withIds<New>(
  records: readonly New[] | undefined,
  ids: readonly string[],
): Array<New & { id: string }> {
  return (records ?? []).flatMap((record, index) => {
    const id = ids[index];
    return id === undefined ? [] : [{ ...record, id }];
  });
}
