// What a button does: one thing at a time, and what went wrong with it.
import { useState } from "preact/hooks";

/** Work that somebody began here. */
interface Work {
  busy: boolean;
  /** What the last of it was refused with; undefined while it goes on, and where it went well. */
  error: unknown;
  /** Begins it, unless other work is under way. Never rejects. */
  run(work: () => Promise<void>): Promise<void>;
}

/** The work of one component. */
export function useWork(): Work {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  return {
    busy,
    error,
    async run(work) {
      if (busy) return;
      setBusy(true);
      setError(undefined);
      await work().catch(setError);
      setBusy(false);
    },
  };
}
