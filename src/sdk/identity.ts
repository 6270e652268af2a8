// What makes two records the same one wherever they are kept, and which changes say one. Apart from the contract: only memoir itself asks for it.
import { createHash } from "node:crypto";
import type { Author, Change } from "./change.ts";
import type {
  NewMemoryItem,
  NewObservation,
  NewPrompt,
  NewSummary,
  SessionUpdate,
} from "./model.ts";
import type { Marks, NewTurn } from "./turn.ts";

/** A record of any kind, with or without storage's own. */
export type AnyRecord =
  | { kind: "session"; record: SessionUpdate }
  | { kind: "prompt"; record: NewPrompt }
  | { kind: "turn"; record: NewTurn }
  | { kind: "observation"; record: NewObservation }
  | { kind: "summary"; record: NewSummary }
  | { kind: "memory"; record: NewMemoryItem };

/** A record as it was before the user edited it. */
export function originalOf<Value extends Marks>(record: Value): Value {
  return { ...record, ...record.edited?.was };
}

/** A hash, the same in every memory; nothing of what the record says can be read from it. */
export function identityOf(one: AnyRecord): string {
  return identityOfParts(one.kind, partsOf(one));
}

/** The same by what `identityOf` is made from: of an observation client, session and content hash, of an item project, kind and content. */
export function identityOfParts(kind: AnyRecord["kind"], parts: readonly unknown[]): string {
  return hash(JSON.stringify([kind, ...parts]));
}

/** The identity under which all memory items of a client's session are forgotten. */
export function itemsIdentity(session: string): string {
  return identityOfParts("memory", ["of", session]);
}

/** What a record is the only one of, before any edit. */
function partsOf(one: AnyRecord): unknown[] {
  switch (one.kind) {
    case "session":
      return [one.record.client, one.record.id];
    case "prompt":
    case "turn":
      return [one.record.client, one.record.session, one.record.promptNumber];
    case "summary": {
      const { client, session, scope, promptNumber } = one.record;
      return [client, session, scope, promptNumber];
    }
    case "observation":
      return [one.record.client, one.record.session, contentHash(originalOf(one.record))];
    case "memory": {
      const { project, kind, content } = originalOf(one.record);
      return [project, kind, content];
    }
  }
}

/** Same title and facts, whatever their case and spacing; without facts the story tells two observations apart. */
export function contentHash({
  title,
  facts,
  subtitle,
  narrative,
}: Pick<NewObservation, "title" | "facts" | "subtitle" | "narrative">): string {
  const text = [title, ...(facts.length > 0 ? facts : [subtitle, narrative])]
    .map((part) => part.toLowerCase().replace(/\s+/g, " ").trim())
    .join("\n");
  return hash(text);
}

/** True for a session of which only its other records tell: no line or update of its own was there yet. */
export function isBareSession({
  title = "",
  prompts = 0,
  project,
  status,
  transcriptPath,
}: SessionUpdate): boolean {
  const { root, branch } = project;
  const isNamed =
    title !== "" || root !== "" || branch !== undefined || transcriptPath !== undefined;
  return !isNamed && prompts === 0 && status === "active";
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

// A record with what a person made of it, as the changes that make it so.

/** A change that no memory numbered: of a file. */
export type UnnumberedChange = Omit<Change, "replica" | "number">;

/** What is known of a record beside what it says. */
interface About {
  /** Its identity, and the time of its change; without them what it says decides. */
  record?: string | undefined;
  time?: string | undefined;
  by?: Author | undefined;
  /** It was forgotten before, and made again by somebody who knew. */
  anew?: true | undefined;
  /** The identity of the record that it was merged into. */
  merged?: string | undefined;
}

type Body = Record<string, unknown>;

/** The change that says the record as it was before any edit, and those that say what a person made of it. */
export function changesOf(one: AnyRecord, about: About = {}): UnnumberedChange[] {
  const record = about.record ?? identityOf(one);
  const { project } = one.record;
  const of = { record, project: typeof project === "string" ? project : project.id };
  const body = bodyOf(one);
  if (one.kind === "memory") body.createdAt = versionOf(one);
  const { by, anew } = about;
  const time = about.time ?? timeOf(versionOf(one), body);
  return [
    { ...of, kind: one.kind, time, body: { ...body, ...(anew && { anew }) }, ...(by && { by }) },
    ...wordsOf(one, about.merged).map((word) => ({ ...of, ...word })),
  ];
}

/** A record as it was before any edit, without what is a storage's own. */
export function bodyOf({ kind, record }: AnyRecord): Body {
  const { pinned, hidden, merged, edited, from, supersededBy, observations, id, ...body } =
    originalOf(record) as AnyRecord["record"] & Body;
  // What was not there before an edit is kept as null: JSON knows no undefined.
  for (const name of Object.keys(edited?.was ?? {})) body[name] ??= undefined;
  return kind === "session" ? { ...body, id } : body;
}

/** What a person made of a record, once however often it is read from it. */
export function wordsOf(
  one: AnyRecord,
  merged?: string,
): Array<Pick<UnnumberedChange, "kind" | "time" | "body">> {
  const { pinned, hidden, edited } = one.record;
  const word = (kind: "pin" | "hide" | "merge" | "correction", body: Body, ms = momentOf(one)) => ({
    ...{ kind, time: timeOf(ms, body), body },
  });
  const set = Object.keys(edited?.was ?? {}).map((name) => [
    name,
    (one.record as Body)[name] ?? null,
  ]);
  const hiding = hidden ? word("hide", { on: true }) : undefined;
  return [
    pinned ? word("pin", { on: true }) : undefined,
    merged === undefined ? hiding : word("merge", { into: merged }),
    edited && word("correction", { undo: true, set: Object.fromEntries(set) }, edited.time),
  ].filter((found) => found !== undefined);
}

/** Epoch ms of what a record is of; a memory item's day. */
export function momentOf({ kind, record }: AnyRecord): number {
  if (kind === "session") return record.lastActiveAt;
  if (kind === "memory") return Date.parse(record.date) || 0;
  return kind === "turn" ? record.startedAt : record.time;
}

/** Epoch ms of the newest that a record knows: of two versions the later one holds. */
function versionOf(one: AnyRecord): number {
  return one.kind === "turn" ? one.record.time : momentOf(one);
}

/** Of one moment any order is right that is always the same: what is said decides. */
function timeOf(ms: number, body: Body): string {
  const text = JSON.stringify(
    Object.entries(body).sort(([one], [other]) => (one < other ? -1 : 1)),
  );
  return `${changeTime(ms)}-${createHash("sha256").update(text).digest("hex").slice(0, 16)}`;
}

// The time of a change: a hybrid logical clock's, as text that sorts.

/** Digits of a time: milliseconds, and how many changes came in one. */
const msDigits = 9;
const countDigits = 3;

/** The time of a change at `ms` (epoch), later than every one of `after`. */
export function changeTime(ms: number, after = ""): string {
  const text = (value: number, digits: number) => value.toString(36).padStart(digits, "0");
  const now = text(Math.max(0, Math.trunc(ms)), msDigits) + text(0, countDigits);
  const last = after.slice(0, msDigits + countDigits);
  if (now > last) return now;
  const count = Number.parseInt(last.slice(msDigits), 36) + 1;
  const isFull = count >= 36 ** countDigits;
  return text(msOf(last) + (isFull ? 1 : 0), msDigits) + text(isFull ? 0 : count, countDigits);
}

/** Epoch ms of a change's time. */
export function msOf(time: string): number {
  return Number.parseInt(time.slice(0, msDigits), 36);
}
