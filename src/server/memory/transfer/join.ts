// Two versions of one record as one: whichever came first, and however often, the same comes of them. Pure.

import { type AnyRecord, isBareSession, originalOf } from "../../../sdk/identity.ts";
import type { NewObservation, SessionUpdate } from "../../../sdk/model.ts";
import type { Marks } from "../../../sdk/turn.ts";

type Fields = Record<string, unknown>;
type Edit = { time: number; texts: Fields };

/** What is to be there of a record, and what of it is new. */
interface Joined {
  one: AnyRecord;
  /** What came says more, or later, than what is there. */
  isNewer: boolean;
  /** Something differs from what is there. */
  isChanged: boolean;
}

/** The later of two counts; of a session it also tells the first beginning, of an observation both name what they touched, and marks add up. */
export function joined(here: AnyRecord, came: AnyRecord): Joined {
  const isNewer = isLater(came, here);
  const [later, earlier] = isNewer ? [came, here] : [here, came];
  const content = contentOf(earlier, later);
  const record = { ...content, ...marksOf(later, earlier, content) };
  const one = { kind: here.kind, record } as unknown as AnyRecord;
  return { one, isNewer, isChanged: isNewer || textOf(one, true) !== textOf(here, true) };
}

function isLater(one: AnyRecord, other: AnyRecord): boolean {
  const [left, right] = [rankOf(one), rankOf(other)];
  // Of one time the texts decide: any way that is always the same.
  return left === right ? textOf(one, false) > textOf(other, false) : left > right;
}

/** Epoch ms; a session that nothing is known of has none. */
function rankOf(one: AnyRecord): number {
  switch (one.kind) {
    case "session":
      return isBareSession(originalOf(one.record)) ? -1 : one.record.lastActiveAt;
    case "memory":
      return Date.parse(one.record.date);
    default:
      return one.record.time;
  }
}

/** Names that storage gives, or that are compared on their own. */
const apart = new Set(["id", "observations", "supersededBy", "merged"]);
/** What grows by itself does not make a session another. */
const growing = new Set(["startedAt", "lastActiveAt", "prompts"]);

/** Its fields in one order; an absent field, an empty one and a false one say the same. */
function textOf({ kind, record }: AnyRecord, isWhole: boolean): string {
  const fields = isWhole ? record : originalOf<Marks>(record);
  const marks = isWhole ? [] : ["pinned", "hidden", "edited"];
  const compared = Object.entries(fields).filter(
    ([name]) =>
      !(
        apart.has(name) ||
        marks.includes(name) ||
        (!isWhole && kind === "session" && growing.has(name))
      ),
  );
  return JSON.stringify(ordered(Object.fromEntries(compared)));
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== "object" || value === null) return value;
  const isSaid = (part: unknown) =>
    part !== undefined &&
    part !== null &&
    part !== false &&
    part !== "" &&
    !(Array.isArray(part) && part.length === 0);
  return Object.entries(value)
    .filter(([, part]) => isSaid(part))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, part]) => [name, ordered(part)]);
}

/** Without marks, as it was before any edit. */
function contentOf(earlier: AnyRecord, later: AnyRecord): Fields {
  const [before, after] = [earlier, later].map(
    ({ record }) => originalOf(record) as unknown as Fields,
  );
  const filled = { ...before, ...said(after ?? {}) };
  switch (later.kind) {
    case "session": {
      const [one, other] = [before, after] as unknown as [SessionUpdate, SessionUpdate];
      if (isBareSession(one) && !isBareSession(other)) return { ...after };
      const isSameEnd = (one.endedAt ?? null) === (other.endedAt ?? null);
      return {
        ...filled,
        endReason: other.endReason ?? (isSameEnd ? one.endReason : undefined),
        startedAt: Math.min(one.startedAt, other.startedAt),
        lastActiveAt: Math.max(one.lastActiveAt, other.lastActiveAt),
        prompts: Math.max(one.prompts ?? 0, other.prompts ?? 0),
        project: { ...one.project, ...said(other.project) },
      };
    }
    case "observation": {
      const [one, other] = [before, after] as unknown as [NewObservation, NewObservation];
      const both = (name: "concepts" | "filesRead" | "filesModified" | "toolUseIds") => [
        ...one[name],
        ...other[name].filter((each) => !one[name].includes(each)),
      ];
      return {
        ...filled,
        concepts: both("concepts"),
        filesRead: both("filesRead"),
        filesModified: both("filesModified"),
        toolUseIds: both("toolUseIds"),
      };
    }
    case "memory":
      return filled;
    default:
      return { ...after };
  }
}

function said(fields: object): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** The marks of both; of two edits the later one with its texts. */
function marksOf(
  { record: one }: AnyRecord,
  { record: other }: AnyRecord,
  content: Fields,
): Fields {
  const edits = [editOf(one), editOf(other)];
  const [edit] = edits
    .filter((found) => found !== undefined)
    .sort((left, right) => right.time - left.time || (textsOf(left) < textsOf(right) ? 1 : -1));
  return {
    ...((one.pinned || other.pinned) && { pinned: true }),
    ...((one.hidden || other.hidden) && { hidden: true }),
    ...(edit
      ? { ...edit.texts, edited: { time: edit.time, was: picked(content, edit.texts) } }
      : { edited: undefined }),
  };
}

/** What is not there is null: JSON knows no undefined. */
function picked(fields: Fields, names: object): Fields {
  return Object.fromEntries(Object.keys(names).map((name) => [name, fields[name] ?? null]));
}

function editOf(record: AnyRecord["record"]): Edit | undefined {
  if (!record.edited) return undefined;
  const { time, was } = record.edited;
  return { time, texts: picked(record as unknown as Fields, was) };
}

function textsOf({ texts }: Edit): string {
  return JSON.stringify(texts, Object.keys(texts).sort());
}
