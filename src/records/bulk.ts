// What came in bulk is read and written into the index by a thread beside the server, over a connection of its own: hooks and searches go on.
import { spawnWorker } from "../host/spawn-worker.ts";

/** What the thread is told; `anew`: the index was begun anew, so that what was read is of the one before. */
export type ToBulk = { type: "open"; path: string } | { type: "more" | "write" | "anew" | "close" };
/** What it says: `full` asks to write, and how often it heard `anew` until then; `empty`: nothing is due; `done`: nor did for a while. */
export type FromBulk =
  | { type: "full"; anew: number }
  | { type: "written" | "empty" | "done" | "failed" | "closed" };

/** What its owner hears of it. */
interface Owner {
  /** It wants to write; `write` lets it. */
  full(write: () => void): void;
  written(): void;
  /** Nothing is due. Tells whether more does by now. */
  empty(): boolean;
  /** It is over; failed, others go on. */
  over(isFailed: boolean): void;
}

export type Bulk = ReturnType<typeof startBulk>;

/** Starts the thread on the database at `path`. It ends by itself once nothing is due. */
export function startBulk(path: string, owner: Owner) {
  const thread = spawnWorker(undefined, "records/bulk-entry");
  const tell = (message: ToBulk) => thread.post(message);
  let anew = 0;
  let isOver = false;

  function end(isFailed: boolean): void {
    if (isOver) return;
    isOver = true;
    owner.over(isFailed);
  }

  thread.onMessage = (data) => {
    const said = data as FromBulk;
    if (said.type === "closed") thread.terminate();
    if (isOver) return;
    if (said.type === "full" && said.anew === anew) owner.full(() => tell({ type: "write" }));
    else if (said.type === "written") owner.written();
    else if (said.type === "empty" || said.type === "done") {
      if (owner.empty()) tell({ type: "more" });
      else if (said.type === "done") close();
    } else if (said.type === "failed" || said.type === "closed") end(true);
  };
  thread.onError = () => end(true);
  thread.onClose = () => end(true);
  tell({ type: "open", path });

  /** It lets go of the file first: an end in the midst of a write would leave that locked. */
  function close(): void {
    tell({ type: "close" });
    end(false);
  }

  return {
    more: () => tell({ type: "more" }),
    /** What it has read is of an index that is no more. */
    anew(): void {
      anew++;
      tell({ type: "anew" });
    },
    close,
  };
}
