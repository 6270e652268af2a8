// `forget`: takes records out of memory, once the user confirmed it.
import * as v from "valibot";
import { wrapContext } from "../../privacy/marker.ts";
import { askStorage } from "../../runtime/hooks/ask-storage.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { StoredRecord } from "../../sdk/storage.ts";
import { cut, oneLine } from "../../text/text.ts";
import { ids } from "./fields.ts";
import { recordText } from "./record-text.ts";
import { defineTool, type ToolDeps } from "./tool.ts";

export const forgetTool = defineTool({
  name: "forget",
  description:
    "Delete records for good. Without `confirm` it shows what would go: ask the user, then confirm.",
  input: v.strictObject({ ids, confirm: v.optional(v.boolean(), false) }),
  changes: "deletes",
  async run({ ids, confirm }, { runtime }) {
    const stored = await askStorage(runtime.hooks, "storage.get", { ids });
    const records = stored.filter(({ kind }) => kind !== "session");
    if (records.length === 0)
      throw new MemoirError("record_not_found", `There is no record ${ids.join(", ")} to forget.`, {
        fix: "Copy ids from `search`; whole sessions are not forgotten here.",
      });
    const derived = await derivedFrom(runtime, records);
    const rest =
      derived.length > 0
        ? ` Derived from it and kept: ${derived.join(", ")}; forget them too if need be.`
        : "";
    if (!confirm) {
      const lines = records.map((record) => cut(oneLine(recordText(record)), 200));
      return wrapContext(
        [
          "Nothing was deleted. This would go for good:",
          ...lines,
          `Ask the user; if they agree, call again with confirm: true.${rest}`,
        ].join("\n"),
      );
    }
    const { deleted } = await askStorage(runtime.hooks, "storage.delete", {
      ids: records.map(({ record }) => record.id),
    });
    return `Forgotten: ${deleted.join(", ")}.${rest}`;
  },
});

/** Observations of the same prompts as the turns that are to go. */
async function derivedFrom(
  runtime: ToolDeps["runtime"],
  records: readonly StoredRecord[],
): Promise<string[]> {
  const going = new Set(records.map(({ record }) => record.id));
  const found: string[] = [];
  for (const one of records) {
    if (one.kind !== "turn") continue;
    const { session, promptNumber } = one.record;
    const page = { session, limit: 500 };
    const observations = await askStorage(runtime.hooks, "storage.observations", page);
    found.push(...observations.filter((o) => o.promptNumber === promptNumber).map(({ id }) => id));
  }
  return found.filter((id) => !going.has(id));
}
