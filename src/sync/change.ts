// The change log of a memory, and what one memory gives another. The data's way:
//
//   put, amend, forget, import ─┐                          ┌─ tables, index, marks (o123: this home's numbers)
//                               ├─► one change per record ─┤
//   a hub's changes ── apply ───┘    in the transaction    └─ `changes`: replica, number, time, kind, record, row | body
//
// The state of a record is a function of the set of its changes, so that any order and any repetition makes the same memory:
// - Its content is the whole record of its latest change, by (time, replica, number): a put reads what is there and says all of it anew,
//   so nothing has to be merged, and no history is kept. A change that is not the latest says nothing; its number stays empty.
// - A person's words, pins, hides and merges lie over it, one by one in their own order, whatever is derived meanwhile.
// - A forget takes out what was changed up to its time, or is of before it, and stays for ever: a later put of the same moment of a
//   session is not brought back by another home's transcript. Retention takes rows out here, and says nothing of it.
// - What follows from all records is worked out again, never shipped: which observation a newer one supersedes (the next newer one of
//   the same title), sessions that are known by their records alone, the index.
//
// A record's change has no body of its own: the row is the body, as it was before any edit. So the log costs about 90 bytes a record.
// A person's changes are whole in the log. Times are a hybrid logical clock without memory: now, or just above what is known of the
// same record where that is ahead. A clock a year ahead is followed for the records that it touched, and for nothing else; whoever has
// seen its change can write over it.
//
// Positions are version vectors. `changes` pages are pushed by replica and number; a number that is missing says nothing any more, so
// `upTo` goes with each page. Applying is idempotent: what comes before its turn (newest first) is applied at once, and again in order.
//
// Alternatives: an operation log with whole bodies, folded in order (twice the bytes on the disk, and every late change replays its
// record); registers by field (a stamp for each of 60 columns, for concurrent puts of one session that only a copied transcript makes).
// Not shipped: root, transcript, local ids, index, journal, keys, retention. Observations and summaries without a model are shipped
// although they could be derived again: two homes of one release derived 163 and 164 from one transcript, and releases differ more.
//
// A copied home: a change under our own replica that we never made (`copied`). The log then takes a new identity (`renew`), and gives
// what was made after the last common number out again under it.
import type {
  ApplyRequest,
  ApplyResult,
  Author,
  Change,
  ChangesPage,
  ChangesQuery,
  Position,
} from "../sdk/change.ts";

export { changeTime, msOf } from "../records/log.ts";
export { ChangeSchema, changeKinds } from "../sdk/change.ts";
export type { ApplyRequest, ApplyResult, Author, Change, ChangesPage, ChangesQuery, Position };

/** The change log of the storage in force. Each rejects with `storage_unanswered` where the storage keeps none: memory cannot be shared then. */
export interface ChangeLog {
  /** Changes behind a position, and where whoever applies them is then. */
  changes(query: ChangesQuery): Promise<ChangesPage>;
  /** Takes changes in, all or none; see `ApplyRequest` for what else can be asked. */
  apply(request: ApplyRequest): Promise<ApplyResult>;
}
