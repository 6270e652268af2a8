// A memory as a set of changes: any order, any repetition of the same changes makes the same memory. What a storage with a change log gives and takes.
import * as v from "valibot";

/** Who made it. `own`, of a record: the same person as here, on another machine. */
export const AuthorSchema = v.object({
  person: v.optional(v.string()),
  machine: v.optional(v.string()),
  own: v.optional(v.literal(true)),
});
/** Who made it; see `AuthorSchema`. */
export type Author = v.InferOutput<typeof AuthorSchema>;

/**
 * One change. A record's change says the whole record as it was before any edit, without what is this machine's alone (local ids,
 * folder, transcript); of two the later by `time`, `replica` and `number` holds. A person's says one thing about a record:
 * `correction` `{set}` or `{undo: true}`, `pin` and `hide` `{on}`, `merge` `{into}`, `forget` `{until}`, `project` `{id, into | name}`.
 */
export const ChangeSchema = v.object({
  /** The memory that made it, and which of its changes it is, from 1. */
  replica: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/)),
  number: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  /** A hybrid logical clock's time: text that sorts. `changeTime` reads it. */
  time: v.pipe(v.string(), v.regex(/^[0-9a-z]{12}(?:-[0-9a-f]{1,16})?$/)),
  /** The first six say what a record is; the others are a person's. */
  kind: v.picklist([
    "turn",
    "prompt",
    "observation",
    "summary",
    "session",
    "memory",
    "correction",
    "pin",
    "hide",
    "merge",
    "forget",
    "project",
  ]),
  /** The record's identity, the same in every memory: 32 hexadecimal digits. Nothing of what it says can be read from it. */
  record: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/)),
  /** `Project.id` of the record: a remote, or a folder; of a forget its hash. Empty where it is about none, or that is not known. */
  project: v.string(),
  body: v.record(v.string(), v.unknown()),
  by: v.optional(AuthorSchema),
});
/** One change; see `ChangeSchema`. */
export type Change = v.InferOutput<typeof ChangeSchema>;

/** The highest number known of each replica, all before it included. */
export type Position = Record<string, number>;

/** What `storage.changes` is asked. */
export interface ChangesQuery {
  /** Only what comes behind it. Default: everything. */
  after?: Position;
  /** Only changes of this replica; `own` for those that this memory made. */
  replica?: string;
  /** Only changes of these projects, by `Project.id` or the id that one was captured under; all but those of `except`. */
  projects?: string[];
  except?: string[];
  /** With `projects`: of these projects what was forgotten, too. */
  forgotten?: string[];
  /** The newest first, whatever `after` says of their order: for a memory that begins. */
  newest?: boolean;
  /** Records as people see them, and what was forgotten: of a record `body` is `{record, merged}`, the record as `storage.get` gives it and the identity of the one it was merged into. */
  shown?: boolean;
  /** Epoch ms: of records, and of what was forgotten, only what is not older. */
  since?: number;
  /** Default 500. */
  limit?: number;
}

/** Some changes, by replica and number. Numbers that are missing between them say nothing any more: a later change took their place. */
export interface ChangesPage {
  /** This memory's own replica. */
  replica: string;
  /** Of all that this memory knows. */
  position: Position;
  changes: Change[];
  /** Where whoever was at `after` is once the changes are applied. Equal to `position` for whoever knows all. */
  upTo: Position;
}

/** What somebody said and does not share any more; `projects` by the ids they were captured under, all where absent. */
export interface TakenBack {
  replica: string;
  upTo: number;
  projects?: string[] | undefined;
}

/** What `storage.apply` is asked. Every part may be left out, and everything may be asked twice. */
export interface ApplyRequest {
  changes?: readonly Change[];
  /** Changes of a file, with what is this machine's: what is news of them becomes this memory's own, as of its time. */
  unnumbered?: ReadonlyArray<Omit<Change, "replica" | "number">>;
  /** Says what would come of it, and changes nothing. */
  dryRun?: boolean;
  /** The replicas' numbers from which on, and up to which, `changes` is all that there is; without it no position moves. */
  from?: Position;
  upTo?: Position;
  /** Who makes the changes of this memory from now on. */
  author?: Author;
  /** Take a new identity (`renewAs`: this one), for another memory has the old: what was made after this number is given out again under it. */
  renewAfter?: number;
  renewAs?: string;
  /** Of what is stored already, only records of these replicas or projects may change, and no project's parts. Absent: all may. */
  about?: { replicas: readonly string[]; projects: readonly string[] };
  /** Records whose author took them back: what these replicas changed up to a number, of these projects or at all. Nothing is said of it. */
  takenBack?: ReadonlyArray<TakenBack>;
  /** Give the changes of these projects new numbers: they are shared from now on. */
  again?: string[];
}

/** What `storage.apply` answers. */
export interface ApplyResult {
  replica: string;
  position: Position;
  applied: number;
  repeated: number;
  /** A person's, about records that are not there yet: they hold once those come. */
  waiting: number;
  /** Left out, and why: of a kind or form that this memoir does not know. */
  refused: Array<{ replica: string; number: number; why: string }>;
  /** What came of each that was `unnumbered`; any other word says why it was left out. */
  came?: Array<"new" | "known" | "forgotten" | (string & {})>;
  /** Changes under this memory's own replica that it never made: it was copied, or went back to a backup. `renewAfter` ends that. */
  copied: boolean;
  /** Local ids of records that are new or say something else, and of those that are gone. */
  changed: string[];
  gone: string[];
}
