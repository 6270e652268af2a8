// What the user makes of records: edit, pin, hide, merge and undo, and what is marked so.
import * as v from "valibot";
import { get, post } from "../http/operation.ts";
import { asked } from "../inputs.ts";
import { amend, marked } from "../memory/amend.ts";
import { described, filled, marks, optional, queryOf, someIds } from "../schemas/parts.ts";
import { StoredRecordSchema } from "../schemas/records.ts";

const words = v.pipe(v.string(), v.maxLength(20_000, "has more than 20000 characters"));

/** All of them. */
export const amendOperations = [
  post("/api/amend", {
    summary: "Edit records in the user's words, pin or hide them, or undo it.",
    body: v.strictObject({
      ids: someIds,
      set: optional(
        v.record(v.string(), v.union([words, v.pipe(v.array(words), v.maxLength(50))])),
        "The user's own words, by field: title, subtitle, facts, narrative of an observation; content, context, state (`standing`) of a memory item; the texts of a summary; title, subtitle of a session.",
      ),
      undo: optional(v.boolean(), "Give back what was there before."),
      pinned: optional(v.boolean(), "Told first to every session."),
      hidden: optional(v.boolean(), "Kept, and told to no agent."),
      merged: optional(
        filled,
        "The record that says what these say, too: they are hidden and name it, until they are hidden no more.",
      ),
      versions: optional(
        v.record(v.string(), v.string()),
        "By id, the `version` that was read: what was changed since is refused.",
      ),
    }),
    answer: v.object({
      records: v.array(StoredRecordSchema),
      along: described(
        v.array(v.string()),
        "Made of them, or quoting them: hidden, or told again, with them.",
      ),
      derived: described(
        v.array(v.string()),
        "May say something of what was hidden, and is still told.",
      ),
      withheld: described(
        v.array(v.string()),
        "No longer hidden themselves, but what they were made of, or their session, is.",
      ),
    }),
    run: ({ body }, { runtime }) => amend(runtime, body),
  }),
  get("/api/marked", {
    summary: "What the user pinned, hid or edited.",
    query: v.strictObject({
      mark: v.picklist(marks),
      ...queryOf({ project: asked.search.takes.project }),
    }),
    answer: v.object({ records: v.array(StoredRecordSchema) }),
    run: async ({ query: { mark, ...query } }, { seen }) => ({
      records: await marked(seen, mark, query),
    }),
  }),
];
