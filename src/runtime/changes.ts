// What is committed is said at once to whoever looks on: the journal's writes, storage's, and plugins that came into force.
import type { HookName } from "../sdk/hooks.ts";
import type { Records } from "../sdk/model.ts";
import type { Hooks } from "./ports.ts";

/**
 * What changed. `captured`: an event was taken or left out; `worked`: a piece of work was planned, ended or was put back; `records`:
 * something was stored, amended or forgotten; `plugins`: others are in force.
 */
export const changeKinds = ["captured", "worked", "records", "plugins"] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** Says that something changed, of a client's session where it is of one. Called in a hook's way: returns at once, and never throws. */
export type NoteChange = (what: ChangeKind, session?: string) => void;

/** Hooks that note when storage was changed. */
export function watchedHooks(hooks: Hooks, changed: NoteChange): Hooks {
  return {
    ...hooks,
    async first(name, input, options) {
      const answer = await hooks.first(name, input, options);
      if (answer && changing.has(name)) {
        const sessions = "records" in input ? sessionsOf(input.records) : [];
        if (sessions.length === 0) changed("records");
        for (const session of sessions) changed("records", session);
      }
      return answer;
    },
  };
}

const changing: ReadonlySet<HookName> = new Set([
  "storage.put",
  "storage.amend",
  "storage.delete",
] satisfies HookName[]);

/** Of a page of an import these may be many: then it is said of none. */
function sessionsOf({ sessions = [], ...records }: Records): string[] {
  const named = Object.values(records).flatMap((some = []) => some.map(({ session }) => session));
  const all = new Set([...named, ...sessions.map(({ id }) => id)]);
  return all.size > 8 ? [] : [...all];
}
