// Slot `storage`: keeps all records in one SQLite file and searches them with memoir's own word index.
import { isAbsolute, join, resolve } from "node:path";
import * as v from "valibot";
import { openRecords, type RecordStore, recordHooks } from "../../src/records/index.ts";
import { definePlugin } from "../../src/sdk/index.ts";

export default definePlugin({
  name: "sqlite",
  description: "Keeps memory in one SQLite file with full-text search; no other process.",
  sdk: 1,
  slot: "storage",
  config: v.strictObject({
    path: v.optional(
      v.pipe(
        v.string(),
        v.nonEmpty(),
        v.description(
          "The database file; absolute, or relative to memoir's home. `memory.db` there unless set.",
        ),
      ),
    ),
  }),
  async start(ctx): Promise<{ records: RecordStore }> {
    const name = ctx.config.path ?? "memory.db";
    const path = isAbsolute(name) ? resolve(name) : join(ctx.home, name);
    return { records: await openRecords(path, ctx.now, ctx.home) };
  },
  hooks: recordHooks,
  stop(state) {
    state?.records.close();
  },
});
