// Asks the storage in force; what storages of an earlier memoir do not know is empty there.
import { MemoirError } from "../../sdk/errors.ts";
import type { HookInput, HookName, HookOutput } from "../../sdk/hooks.ts";
import type { Hooks } from "../ports.ts";

/** A hook that a storage answers. */
export type StorageHook = Extract<HookName, `storage.${string}`>;

/** Hooks that came later than others: a storage without them keeps nothing of the kind. */
const without: { readonly [Name in StorageHook]?: HookOutput<Name> } = { "storage.turns": [] };

/** Rejects with `storage_unanswered` when no storage answers, and with the storage's own error. */
export async function askStorage<Name extends StorageHook>(
  hooks: Pick<Hooks, "first">,
  name: Name,
  input: HookInput<Name>,
): Promise<HookOutput<Name>> {
  const answer = await hooks.first(name, input);
  if (answer) return answer.result;
  const empty: HookOutput<Name> | undefined = without[name];
  if (empty !== undefined) return empty;
  throw new MemoirError("storage_unanswered", `No storage plugin answers \`${name}\`.`);
}
