// `correct`: edits, pins, hides and merges records, once the user confirmed it; what is hidden is named by its id alone.
import * as v from "valibot";
import { wrapContext } from "../../privacy/marker.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { firstWords } from "../../sdk/first-words.ts";
import type { StoredRecord } from "../../sdk/storage.ts";
import { asDataDeep, cut, oneLine } from "../../text/text.ts";
import { type Amend, amend, amendable } from "../memory/amend.ts";
import { derivedFrom } from "../memory/derived.ts";
import { ids } from "./fields.ts";
import { defineTool } from "./tool.ts";

/** What each verb does. */
const verbs = {
  edit: {},
  undo: { undo: true },
  pin: { pinned: true },
  unpin: { pinned: false },
  hide: { hidden: true },
  unhide: { hidden: false },
  merge: {},
} as const;
const names = Object.keys(verbs) as Array<keyof typeof verbs>;
/** What is said of each. */
const said: Readonly<Record<keyof typeof verbs, string>> = {
  edit: "get these words, as the user's own",
  undo: "get back the words from before they were edited",
  pin: "be pinned to the top of every context",
  unpin: "be unpinned",
  hide: "be hidden from agents",
  unhide: "be shown to agents again",
  merge: "be merged into the first of them",
};

export const correctTool = defineTool({
  name: "correct",
  description:
    "Edit (`set`: field to text), pin (on top), hide (from agents), merge (into first) as the user asks. Shows first, as `forget`.",
  input: v.strictObject({
    ids,
    verb: v.picklist(names),
    set: v.optional(v.record(v.string(), v.string())),
    confirm: v.optional(v.boolean()),
  }),
  changes: "adds",
  async run({ ids, verb, set, confirm }, { whole }) {
    if ((verb === "edit") !== (set !== undefined))
      throw new MemoirError("usage", "`set` goes with `edit`, and `edit` needs it.", {
        fix: 'Write for example {"verb": "edit", "ids": ["m4"], "set": {"content": "…"}}.',
      });
    if (verb === "merge" && ids.length < 2)
      throw new MemoirError("usage", "`merge` needs several `ids`, first the one that stays.");
    if (!confirm) {
      const records = await amendable(whole, ids);
      const words = Object.entries(set ?? {}).map(([name, text]) => `${name}: ${text}`);
      const made = verb === "hide" ? await derivedFrom(whole, records) : [];
      const along = made.length > 0 ? [`So would what was made from it: ${made.join(", ")}.`] : [];
      const lines = [`These would ${said[verb]}:`, ...records.map(line), ...words, ...along];
      return { ask: lines.join("\n") };
    }
    const [into = "", ...others] = ids;
    const what = verb === "merge" ? { ids: others, merged: into } : { ids, ...verbs[verb] };
    const amended = await amend(whole, { ...what, ...texts(set) });
    const rest = [
      [amended.along, "Also what was made from it", "."],
      [amended.derived, "May repeat it and is not hidden", "; ask whether to hide it."],
      [amended.withheld, "Still hidden, because its session or what it was made from is", "."],
    ] as const;
    const also = rest.flatMap(([ids, words, end]) =>
      ids.length > 0 ? `${words}: ${ids.join(", ")}${end}` : [],
    );
    return wrapContext([`Done (${verb}):`, ...amended.records.map(line), ...also].join("\n"));
  },
});

/** Facts are a list, one a line. */
function texts(set: Record<string, string> | undefined): Pick<Amend, "set"> {
  if (!set) return {};
  const { facts, ...rest } = set;
  return { set: { ...rest, ...(facts === undefined ? {} : { facts: facts.split("\n") }) } };
}

function line(stored: StoredRecord): string {
  const { id, hidden } = stored.record;
  return hidden ? `${id} (hidden)` : `${id} ${cut(oneLine(firstWords(asDataDeep(stored))), 120)}`;
}
