// `forget`: takes records, sessions, or what fits a project, file or time, out of memory, once the user confirmed it.
import * as v from "valibot";
import { wrapContext } from "../../privacy/marker.ts";
import { head } from "../../text/text.ts";
import { forget, whatGoes } from "../memory/forget.ts";
import { given, ids, narrow } from "./fields.ts";
import { defineTool, mostCharacters } from "./tool.ts";

/** Lines of a list that an agent shows its user. */
const shown = 100;

export const forgetTool = defineTool({
  name: "forget",
  description:
    "Delete what fits all given, for good. Without `confirm` it shows what would go: ask the user, then confirm.",
  input: v.strictObject({
    ids: v.optional(ids),
    session: narrow,
    project: narrow,
    file: narrow,
    since: narrow,
    until: narrow,
    derived: v.optional(v.boolean(), false),
    confirm: v.optional(v.boolean(), false),
  }),
  changes: "deletes",
  async run({ derived, confirm, ...input }, { runtime, now }) {
    const going = await whatGoes(runtime, given(input, now()));
    if (!confirm) {
      const rest =
        going.derived.length > 0
          ? ` Derived from it, and kept without derived: true: ${going.derived.join(", ")}.`
          : "";
      return wrapContext(
        head(
          [
            "Nothing was deleted. This would go for good:",
            ...going.lines.slice(0, shown),
            ...(going.lines.length > shown ? [`and ${going.lines.length - shown} more`] : []),
            `Ask the user; if they agree, call again with confirm: true.${rest}`,
          ].join("\n"),
          mostCharacters,
        ),
      );
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
