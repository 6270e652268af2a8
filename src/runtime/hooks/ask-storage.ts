// Asks the storage in force; what storages of an earlier memoir do not know is empty there, and what the user hid is kept from agents.
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
  if (name === "storage.amend")
    throw new MemoirError("storage_unanswered", "The storage in use cannot edit, pin or hide.", {
      fix: "Its author can add `storage.amend`; the built-in `sqlite` has it. Nothing was changed.",
    });
  throw new MemoirError("storage_unanswered", `No storage plugin answers \`${name}\`.`);
}

/** Questions that answer records. */
const answersRecords: ReadonlySet<string> = new Set([
  "storage.get",
  "storage.search",
  "storage.observations",
  "storage.summaries",
  "storage.prompts",
  "storage.sessions",
  "storage.memory",
  "storage.turns",
] satisfies StorageHook[]);

/**
 * The one place that keeps from agents what the user hid: whoever shows them something asks through this, plugins as well as
 * tools. Only who says `hidden: true`, to know what it must not show, gets it.
 */
export function withoutHidden(hooks: Pick<Hooks, "first">): Pick<Hooks, "first"> {
  return {
    async first(name, input, options) {
      if (!answersRecords.has(name) || ("hidden" in input && input.hidden === true))
        return await hooks.first(name, input, options);
      const answer = await hooks.first(name, { ...input, hidden: false }, options);
      // A storage of somebody else's may not know the question, and mark them all the same.
      return Array.isArray(answer?.result)
        ? { ...answer, result: (answer.result as Marked[]).filter(isShown) as typeof answer.result }
        : answer;
    },
  };
}

/** A record, one with its kind, or a result of a search. */
interface Marked {
  hidden?: boolean;
  record?: { hidden?: boolean };
  marks?: string[];
}

function isShown({ hidden, record, marks = [] }: Marked): boolean {
  return !(hidden || record?.hidden || marks.includes("hidden"));
}
