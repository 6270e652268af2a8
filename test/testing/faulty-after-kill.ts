// A storage that answers before it writes: what it answered last is gone after a kill.
import { join } from "node:path";
import { openRecords, recordHooks } from "../../src/records/record-store.ts";
import { definePlugin } from "../../src/sdk/plugin.ts";

export default definePlugin({
  name: "hasty",
  description: "Writes every tenth put.",
  sdk: 1,
  slot: "storage",
  async start(ctx) {
    const shown = await openRecords(":memory:", ctx.now);
    const kept = await openRecords(join(ctx.home, "hasty.db"), ctx.now);
    let puts = 0;
    const put: typeof kept.put = (request) => {
      if (puts++ % 10 === 9) void kept.put(request);
      return shown.put(request);
    };
    return { records: { ...kept, put } };
  },
  hooks: recordHooks,
});
