// Who takes records now, and whether a failed put leaves it open where they are.
import { type ErrorCode, MemoirError } from "../../sdk/errors.ts";
import type { LeasedWork } from "../journal/journal-types.ts";
import type { Hooks } from "../ports.ts";

/** Everybody who listens to `storage.put`, in order: with a plugin around it, a changed storage is still another word. Empty: nobody. */
export function storageInForce(hooks: Pick<Hooks, "subscriptions">): string {
  return hooks
    .subscriptions("storage.put")
    .map(({ plugin }) => plugin)
    .join(", ");
}

/** The storage was broken off, or did not say in time how it went: everything may be written, or nothing. */
const unclear: ReadonlySet<ErrorCode> = new Set([
  "plugin_deadline",
  "plugin_ended",
  "plugin_memory",
]);

/** True when the records of an attempt that failed like this may be stored all the same. */
export function mayBeStored(error: unknown): boolean {
  return error instanceof MemoirError && error.hook === "storage.put" && unclear.has(error.code);
}

/**
 * An attempt that ended with an error stored nothing (a put is atomic), so the next may go anywhere; one that was broken
 * off, by a crash or in its put, may have stored all of it, and storing it again somewhere else is the user's decision.
 */
export function refuseOtherStorage(
  { interruptedIn }: Pick<LeasedWork, "interruptedIn">,
  current: string,
): void {
  if (interruptedIn !== null && interruptedIn !== current)
    throw new StorageChanged(interruptedIn, current);
}

/** Parks at once: no later attempt would end otherwise. */
export class StorageChanged extends Error {
  constructor(before: string, current: string) {
    super(
      `A broken-off attempt may have stored this in ${before}, and ${current || "no storage"} is in force now. Retry it once \`slots.storage\` names the one that shall have it.`,
    );
  }
}
