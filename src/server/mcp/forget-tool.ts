// `forget`: takes records, or a whole session, out of memory, once the user confirmed it.
import * as v from "valibot";
import { wrapContext } from "../../privacy/marker.ts";
import { forget, whatGoes } from "../memory/forget.ts";
import { ids } from "./fields.ts";
import { defineTool } from "./tool.ts";

export const forgetTool = defineTool({
  name: "forget",
  description:
    "Delete records, or a session by its id, for good. Without `confirm` it shows what would go: ask the user, then confirm.",
  input: v.strictObject({ ids, confirm: v.optional(v.boolean(), false) }),
  changes: "deletes",
  async run({ ids, confirm }, { runtime }) {
    const going = await whatGoes(runtime, ids);
    const rest =
      going.derived.length > 0
        ? ` Derived from it and kept: ${going.derived.join(", ")}; forget them too if need be.`
        : "";
    if (confirm) return `Forgotten: ${(await forget(runtime, going)).join(", ")}.${rest}`;
    return wrapContext(
      [
        "Nothing was deleted. This would go for good:",
        ...going.lines,
        `Ask the user; if they agree, call again with confirm: true.${rest}`,
      ].join("\n"),
    );
  },
});
