// What a user makes of records: edits in their own words, pins, hides; for one or for many, and taken back the same way.
import { scrubDeep } from "../../privacy/redact.ts";
import { askStorage } from "../../runtime/hooks/ask-storage.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { AmendRequest, ListQuery, StoredRecord } from "../../sdk/storage.ts";
import type { Marks } from "../../sdk/turn.ts";
import { derivedFrom, named } from "./forget.ts";
import { all, partKinds, stored, versionOf, type WithHooks } from "./records.ts";

/** What is to be done with records, by their ids or the beginning of a session's. */
export interface Amend extends Omit<AmendRequest, "id"> {
  ids: string[];
  /** By id, as it was read. */
  versions?: Record<string, string>;
}

let last: Promise<unknown> = Promise.resolve();

/**
 * One after another, so that nobody's change is written over by somebody who has not seen it. Throws `usage`, `record_not_found` and
 * `record_changed` before anything is changed, and what the storage says of each record.
 */
export function amend(runtime: WithHooks, asked: Amend) {
  const done = last.then(() => amendNext(runtime, asked));
  last = done.catch(() => undefined);
  return done;
}

async function amendNext(runtime: WithHooks, { ids, versions = {}, ...what }: Amend) {
  const found = await amendable(runtime, ids);
  for (const one of found) {
    const { id } = one.record;
    if (versions[id] !== undefined && versions[id] !== versionOf(one))
      throw new MemoirError("record_changed", `${id} was changed since it was read.`);
  }
  if (Object.keys(what).length === 0)
    throw new MemoirError("usage", "Nothing says what to do with it.", {
      fix: "Edit, pin, hide or merge it.",
    });
  const said = Object.keys(what.set ?? {});
  if (found.length > 1 && said.some((name) => name !== "state"))
    throw new MemoirError("usage", "Several records cannot be given the same words.");
  const request = what.set ? { ...what, set: scrubbed(what.set) } : what;
  const isMark = what.hidden !== undefined || what.merged !== undefined;
  const about = isMark ? await derivedFrom(runtime, found) : { made: [], repeats: [] };
  const made = [...about.made, ...about.repeats];
  const before = await shownToAgents(runtime, made);
  const records: StoredRecord[] = [];
  for (const { record } of found) {
    const amended = await askStorage(runtime.hooks, "storage.amend", { id: record.id, ...request });
    records.push(amended);
    await runtime.hooks.parallel("amended", amended);
  }
  const after = await shownToAgents(runtime, made);
  const along = made.filter((id) => before.has(id) !== after.has(id));
  for (const one of await askStorage(runtime.hooks, "storage.get", { ids: along }))
    await runtime.hooks.parallel("amended", one);
  const isShown = what.hidden === false && what.merged === undefined;
  return {
    records,
    /** What was so before. */
    unchanged: found.filter((one) => isSo(one, what)).map(({ record }) => record.id),
    /** Hidden with them, or shown again with them: what they hold, was made of them or quotes them. */
    along,
    /** May repeat what was hidden, and is still shown. */
    derived: isShown ? [] : made.filter((id) => after.has(id)),
    /** Hidden no longer by themselves, but still with what they are of or were made of. */
    withheld: isShown ? await withheldFromAgents(runtime, records) : [],
  };
}

/** Whether a record has the mark, or the state, that it is to get. */
function isSo({ record }: StoredRecord, { pinned, hidden, set }: Omit<Amend, "ids">): boolean {
  if (pinned !== undefined) return pinned === (record.pinned === true);
  if (hidden !== undefined) return hidden === (record.hidden === true);
  return set?.state !== undefined && "state" in record && set.state === record.state;
}

/** All of them, or `record_not_found`, which names those that nothing has. */
export async function amendable(
  runtime: WithHooks,
  ids: readonly string[],
): Promise<StoredRecord[]> {
  const found = await named(runtime, ids);
  const unknown = ids.filter(
    (id) =>
      !found.some(
        ({ kind, record }) => record.id === id || (kind === "session" && record.id.startsWith(id)),
      ),
  );
  if (unknown.length > 0)
    throw new MemoirError("record_not_found", `There is no record ${unknown.join(", ")}.`);
  return found;
}

/** What the user pinned, hid or edited, kind by kind, newest first. */
export async function marked(
  runtime: WithHooks,
  mark: keyof Marks,
  query: Pick<ListQuery, "project">,
): Promise<StoredRecord[]> {
  const lists = await Promise.all(
    ([...partKinds, "session"] as const).map(async (kind) =>
      stored(kind, await all(runtime, kind, { ...query, marked: mark })),
    ),
  );
  return lists.flat().filter(({ record }) => record[mark] !== undefined);
}

/** Redacted as everything that is kept. */
function scrubbed(set: NonNullable<AmendRequest["set"]>): NonNullable<AmendRequest["set"]> {
  return Object.fromEntries(
    Object.entries(set).map(([name, text]) => {
      // Text by text: a name such as `notes` says nothing of what stands in it.
      const clean = scrubDeep(text).value as string | string[];
      if (isEmpty(clean) && !isEmpty(text))
        throw new MemoirError(
          "usage",
          `Nothing is left of \`${name}\` without secrets and private text.`,
        );
      return [name, clean];
    }),
  );
}

function isEmpty(text: string | string[]): boolean {
  return [text].flat().some((one) => one.trim() === "");
}

/** Ids of those that agents do not see, by themselves or with what they are of or were made of. */
export async function withheldFromAgents(
  runtime: WithHooks,
  records: readonly StoredRecord[],
): Promise<string[]> {
  const ids = records.map(({ record }) => record.id);
  const shown = await shownToAgents(runtime, ids);
  return ids.filter((id) => !shown.has(id));
}

/** Those that agents see. */
async function shownToAgents(runtime: WithHooks, ids: string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const found = await askStorage(runtime.hooks, "storage.get", { ids, hidden: false });
  return new Set(found.map(({ record }) => record.id));
}
