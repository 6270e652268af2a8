// What a user may make of records, and what is answered.
import * as v from "valibot";
import { filter } from "./memory.ts";
import { filled, marks, someIds } from "./parts.ts";
import { StoredRecordSchema } from "./records.ts";

const words = v.pipe(v.string(), v.maxLength(20_000, "has more than 20000 characters"));

/** `POST /api/amend`: what to do with these records. */
export const AmendBody = v.strictObject({
  ids: someIds,
  set: v.exactOptional(
    v.pipe(
      v.record(v.string(), v.union([words, v.pipe(v.array(words), v.maxLength(50))])),
      v.description(
        "The user's own words, by field: title, subtitle, facts, narrative of an observation; content, context, state (`standing`) of a memory item; the texts of a summary; title, subtitle of a session.",
      ),
    ),
  ),
  undo: v.exactOptional(v.pipe(v.boolean(), v.description("Give back what was there before."))),
  pinned: v.exactOptional(v.pipe(v.boolean(), v.description("Told first to every session."))),
  hidden: v.exactOptional(v.pipe(v.boolean(), v.description("Kept, and told to no agent."))),
  merged: v.exactOptional(
    v.pipe(
      filled,
      v.description(
        "The record that says what these say, too: they are hidden and name it, until they are hidden no more.",
      ),
    ),
  ),
  versions: v.exactOptional(
    v.pipe(
      v.record(v.string(), v.string()),
      v.description("By id, the `version` that was read: what was changed since is refused."),
    ),
  ),
});
/** The records as they are then; what was hidden or is told again with them, what is told still, what is not told yet. */
export const AmendAnswer = v.object({
  records: v.array(StoredRecordSchema),
  along: v.pipe(
    v.array(v.string()),
    v.description("Made of them, or quoting them: hidden, or told again, with them."),
  ),
  derived: v.pipe(
    v.array(v.string()),
    v.description("May say something of what was hidden, and is still told."),
  ),
  withheld: v.pipe(
    v.array(v.string()),
    v.description("No longer hidden themselves, but what they were made of, or their session, is."),
  ),
});

/** `GET /api/marked`. */
export const MarkedParams = v.strictObject({
  mark: v.picklist(marks),
  project: v.exactOptional(filter.project),
});
/** What is marked so. */
export const MarkedAnswer = v.object({ records: v.array(StoredRecordSchema) });
