// Data, a schedule, a step in ranking and an export in one: what sessions were shown often comes first in search, and what nobody was
// shown for long sinks again.
import { definePlugin } from "memoir/sdk";
import * as v from "valibot";

interface Row {
  record: string;
  times: number;
}

export default definePlugin({
  name: "often-shown",
  description: "Puts what sessions were shown often first in search.",
  sdk: 1,
  config: v.strictObject({
    /** So much does each time count, beside the result's own score. */
    weight: v.optional(v.pipe(v.number(), v.minValue(0)), 0.1),
  }),
  data: {
    migrations: ["CREATE TABLE shown (record TEXT PRIMARY KEY, times REAL NOT NULL)"],
    // What the user forgets goes here too, also while this plugin is off.
    forget: { shown: "record" },
  },
  hooks: {
    shown({ ids }, ctx) {
      const count = "INSERT INTO shown VALUES (?, 1) ON CONFLICT DO UPDATE SET times = times + 1";
      ctx.data.transaction(() => {
        for (const id of ids) ctx.data.run(count, [id]);
      });
    },
    rank({ query, results }, ctx) {
      const rows = ctx.data.all<Row>("SELECT record, times FROM shown");
      const times = new Map(rows.map((row) => [row.record, row.times]));
      const worth = ({ id, score }: { id: string; score: number }) =>
        score * (1 + ctx.config.weight * (times.get(id) ?? 0));
      return { query, results: results.toSorted((a, b) => worth(b) - worth(a)) };
    },
    // `memoir memory export --to often-shown`
    export({ isLast }, ctx) {
      if (!isLast) return { text: "" };
      const rows = ctx.data.all<Row>("SELECT record, times FROM shown ORDER BY times DESC");
      return { text: rows.map(({ record, times }) => `${record},${times}\n`).join("") };
    },
  },
  schedules: {
    // Once a week, however long the machine slept.
    sink: {
      at: "sun 04:00",
      run(_due, ctx) {
        ctx.data.run("UPDATE shown SET times = times / 2");
        const { changes } = ctx.data.run("DELETE FROM shown WHERE times < 0.1");
        ctx.log.info("what was not shown lately sinks", { forgotten: changes });
      },
    },
  },
});
