// At most one backfill at a time in a server.
import { MemoirError } from "../sdk/errors.ts";
import {
  type BackfillJob,
  type BackfillProgress,
  type BackfillRequest,
  type JobDeps,
  startBackfill,
} from "./job.ts";

export interface Backfills {
  /** Throws MemoirError `backfill_running` while another one runs. */
  start(request: BackfillRequest): BackfillProgress;
  /** Of the one that runs or ran last; undefined before the first. */
  progress(): BackfillProgress | undefined;
  /** Leaves off where it is; does nothing when none runs. */
  stop(): Promise<void>;
}

/** None runs before `start`. */
export function createBackfills(deps: JobDeps): Backfills {
  let job: BackfillJob | undefined;
  return {
    start(request) {
      if (job?.progress().state === "running")
        throw new MemoirError("backfill_running", "A backfill is under way in this home.");
      job = startBackfill(request, deps);
      return job.progress();
    },
    progress: () => job?.progress(),
    stop: async () => job?.stop(),
  };
}
