// `forget`: takes records, sessions, or what fits a project, file or time, out of memory, once the user confirmed it.
import * as v from "valibot";
import { forget, whatGoes } from "../memory/forget.ts";
import { given, ids, narrow } from "./fields.ts";
import { defineTool } from "./tool.ts";

/** Lines of a list that an agent shows its user. */
const shown = 100;

export const forgetTool = defineTool({
  name: "forget",
  description:
    "Delete what fits all given, for good. Without `confirm` it shows what would go: ask the user.",
  input: v.strictObject({
    ids: v.optional(ids),
    session: narrow,
    project: narrow,
    file: narrow,
    since: narrow,
    until: narrow,
    derived: v.optional(v.boolean()),
    confirm: v.optional(v.boolean()),
  }),
  changes: "deletes",
  async run({ derived = false, confirm, ...input }, { runtime, now }) {
    const going = await whatGoes(runtime, given(input, now()));
    if (!confirm) {
      const { lines, derived: made } = going;
      const rest = lines.length > shown ? [`and ${lines.length - shown} more`] : [];
      const kept =
        made.length > 0 && !derived
          ? [`Derived from it, and kept without derived: true: ${made.join(", ")}.`]
          : [];
      return {
        ask: ["This would go for good:", ...lines.slice(0, shown), ...rest, ...kept].join("\n"),
      };
    }
    const went = await forget(runtime, going, { derived });
    const lines = [`Forgotten: ${went.deleted.join(", ")}.`];
    if (went.derived.length > 0)
      lines.push(
        `Derived from it and kept: ${went.derived.join(", ")}; forget them too if need be.`,
      );
    if (went.copies.length > 0)
      lines.push(`Still in copies of the home: ${went.copies.join(", ")}; tell the user.`);
    return lines.join(" ");
  },
});
