// `get`: whole records by their ids.
import * as v from "valibot";
import { wrapContext } from "../../privacy/marker.ts";
import { askStorage } from "../../runtime/hooks/ask-storage.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { head } from "../../text/text.ts";
import { ids } from "./fields.ts";
import { recordText } from "./record-text.ts";
import { defineTool, mostCharacters } from "./tool.ts";

export const getTool = defineTool({
  name: "get",
  description: "Whole records by id (t12 a turn word for word, o3, s5, m4), several at once.",
  input: v.strictObject({ ids }),
  async run({ ids }, { runtime }) {
    const records = await askStorage(runtime.hooks, "storage.get", { ids });
    if (records.length === 0)
      throw new MemoirError("record_not_found", `There is no record ${ids.join(", ")}.`);
    const known = new Set(records.map(({ record }) => record.id));
    const unknown = ids.filter((id) => !known.has(id));
    const missing = unknown.length > 0 ? [`There is no record ${unknown.join(", ")}.`] : [];
    // What is missing stands first: the rest may be cut.
    return wrapContext(head([...missing, ...records.map(recordText)].join("\n\n"), mostCharacters));
  },
});
