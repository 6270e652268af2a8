// Records against what the user had forgotten: what each is known again by, what is left without those, and words that go with turns.

import {
  type AnyRecord,
  identityOf,
  identityOfParts,
  itemsIdentity,
  originalOf,
} from "../../sdk/identity.ts";
import type { NewMemoryItem, NewObservation, NewSummary, Records } from "../../sdk/model.ts";
import { onlyIn, textOf } from "../../sdk/record-texts.ts";
import type { StoredRecord } from "../../sdk/storage.ts";
import type { Marks, Turn } from "../../sdk/turn.ts";
import { askStorage } from "../hooks/ask-storage.ts";
import type { Journal } from "../journal/journal.ts";
import type { Forgotten } from "../journal/seen-before.ts";
import type { Hooks } from "../ports.ts";

type Content =
  | { kind: "observation"; record: NewObservation }
  | { kind: "summary"; record: NewSummary }
  | { kind: "memory"; record: NewMemoryItem }
  | {
      kind: "turn" | "prompt";
      record: { client: string; session: string; project: string; promptNumber: number } & Marks;
    };

/** Its hash's words; none for a session, which goes by its time. A memory item is never found again, anything else of up to `now` is not. */
export function recordTombstone(stored: StoredRecord, now: number): Forgotten[] {
  if (stored.kind === "session") return [];
  // As it was before the user edited it, it would be made again.
  const before = { ...stored, record: originalOf(stored.record) } as Content;
  return stored.record.edited
    ? [tombstone(stored, now), tombstone(before, now)]
    : [tombstone(stored, now)];
}

function tombstone(stored: Content, until: number): Forgotten {
  const { kind: of, record } = stored;
  const about = { kind: "record" as const, of, project: record.project, text: contentOf(stored) };
  return of === "memory" ? about : { ...about, until };
}

function contentOf(stored: Content): string {
  switch (stored.kind) {
    case "observation":
      return [stored.record.title, ...stored.record.facts].join("\n");
    case "summary": {
      const { session, scope, promptNumber, request, completed, learned } = stored.record;
      return [session, scope, promptNumber, request, completed, learned].join("\n");
    }
    case "memory":
      return `${stored.record.kind}\n${stored.record.content}`;
    case "turn":
    case "prompt": {
      const { client, session, promptNumber } = stored.record;
      return [client, session, promptNumber, timeOf(stored.record)].join("\n");
    }
  }
}

/** Of a prompt its own, of a turn its prompt's. */
function timeOf(record: object): number {
  return Number("startedAt" in record ? record.startedAt : Reflect.get(record, "time"));
}

/**
 * What of the records the user did not have forgotten: for whatever writes records that were not made just now out of the journal,
 * an import for instance. What a person stores by their own word is not asked.
 */
export function withoutForgotten(records: Records, journal: Pick<Journal, "isBuried">): Records {
  const isOfGone = (client: string, session: string, until: number) =>
    journal.isBuried({ kind: "session", client, session, until }) ||
    isHeard(identityOfParts("session", [client, session]), until, journal);
  const isGone = (stored: Exclude<Content, { kind: "memory" }>, time: number) =>
    isBuried(stored, time, journal) || isOfGone(stored.record.client, stored.record.session, time);
  const left = { ...records };
  left.sessions &&= left.sessions.filter(
    ({ id, client, lastActiveAt }) => !isOfGone(client, id, lastActiveAt),
  );
  left.observations &&= left.observations.filter(
    (record) => !isGone({ kind: "observation", record }, record.time),
  );
  left.summaries &&= left.summaries.filter(
    (record) => !isGone({ kind: "summary", record }, record.time),
  );
  // A prompt goes with its turn, too.
  left.prompts &&= left.prompts.filter(
    (record) =>
      !isGone({ kind: "prompt", record }, record.time) &&
      !journal.isBuried({ ...record, kind: "prompt" }),
  );
  left.turns &&= left.turns.filter((record) => !isGone({ kind: "turn", record }, record.startedAt));
  left.memory &&= itemsLeft(left.memory, journal).filter(({ session, date }) => {
    const day = Date.parse(date) || 0;
    return (
      !journal.isBuried(itemsOf(session, day)) && !isHeard(itemsIdentity(session), day, journal)
    );
  });
  return left;
}

/** The memory items of a session that was forgotten as a whole, of a day up to then; they name no client. */
export function itemsOf(session: string, until: number): Forgotten {
  return { kind: "record", of: "memory of", project: "", text: session, until };
}

/** The same of memory items alone: one that the user had forgotten is not found again. */
export function itemsLeft(
  items: readonly NewMemoryItem[],
  journal: Pick<Journal, "isBuried">,
): NewMemoryItem[] {
  return items.filter((record) => !isBuried({ kind: "memory", record }, 0, journal));
}

/** As it is, or as it was before it was edited. */
function isBuried(stored: Content, time: number, journal: Pick<Journal, "isBuried">): boolean {
  const before = { ...stored, record: originalOf(stored.record) } as Content;
  return (
    [stored, before].some((one) => journal.isBuried(tombstone(one, time))) ||
    isHeard(identityOf(stored as AnyRecord), time, journal)
  );
}

/** Whether another memory forgot it. */
function isHeard(record: string, until: number, journal: Pick<Journal, "isBuried">): boolean {
  return journal.isBuried({ kind: "identity", record, until });
}

const most = 10_000;

/** Gives what says whether a text, made of a session's turns, has a word of the turns that go which no other turn has. */
export async function hasWordsOnlyOf(
  hooks: Pick<Hooks, "first">,
  session: string,
  going: readonly Turn[],
): Promise<(text: string) => boolean> {
  const ids = new Set(going.map(({ id }) => id));
  const all = await askStorage(hooks, "storage.turns", { session, limit: most });
  return onlyIn(textOf(going), textOf(all.filter(({ id }) => !ids.has(id))));
}
