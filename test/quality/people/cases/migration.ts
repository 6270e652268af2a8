// A migration over three days and four sessions, with a change of mind in the middle.
import type { Person } from "../script.ts";

export const migration: Person = {
  name: "migration",
  cwd: "/home/ines/reports",
  sessions: [
    {
      start: "2026-03-02T09:00:00Z",
      steps: [
        { user: "We move from MySQL to DuckDB for the reports. Plan it and start." },
        {
          plans:
            "1. Export tables to Parquet\n2. Rewrite queries for DuckDB\n3. Switch over on Friday",
          accepted: true,
        },
        { writes: "tools/export.py", content: "def export(table): ...\n" },
        { runs: "python tools/export.py sales", prints: "sales.parquet 1.2 GB" },
        {
          says: "Step 1 is done for sales; customers and stock follow. Next: export customers and stock to Parquet.",
        },
      ],
    },
    {
      start: "2026-03-02T14:00:00Z",
      steps: [
        { user: "go on with the export" },
        { runs: "python tools/export.py customers", prints: "customers.parquet 90 MB" },
        {
          runs: "python tools/export.py stock",
          prints: "ArrowInvalid: negative decimal scale",
          fails: true,
        },
        {
          edits: "tools/export.py",
          from: "def export(table): ...",
          to: "def export(table, decimals='string'): ...",
        },
        { runs: "python tools/export.py stock", prints: "stock.parquet 300 MB" },
        {
          says: "All three tables are exported. Decimals of stock are exported as strings, as Arrow refuses a negative scale. Next: rewrite the queries for DuckDB.",
        },
      ],
    },
    {
      start: "2026-03-03T09:30:00Z",
      steps: [
        {
          user: "Change of mind: we can't run DuckDB on several machines. We take ClickHouse instead. Keep the Parquet files, load them there.",
        },
        { edits: "docs/plan.md", from: "DuckDB", to: "ClickHouse" },
        {
          runs: "clickhouse local -q 'select count() from file(sales.parquet)'",
          prints: "81230011",
        },
        {
          says: "The plan is changed to ClickHouse; the Parquet files are kept and load without change. 4 of 11 queries are rewritten in queries/. Next: the other seven.",
        },
      ],
    },
    {
      start: "2026-03-04T10:00:00Z",
      steps: [
        { user: "finish the queries please" },
        { edits: "queries/margin.sql", from: "strftime", to: "formatDateTime" },
        {
          runs: "make compare",
          prints: "10 of 11 reports equal; margin.sql differs by 0.3 %",
          fails: true,
        },
        {
          says: "All 11 queries are rewritten for ClickHouse. make compare: 10 reports are equal, margin.sql differs by 0.3 % because ClickHouse rounds half to even. The switch-over moves from Friday to Monday 9 March until that is settled.",
        },
      ],
    },
  ],
  notes: [
    {
      id: "target",
      note: "The target is ClickHouse, not DuckDB, as it must run on several machines.",
      ask: "which database do we move to",
      tokens: [["ClickHouse"]],
    },
    {
      id: "why",
      note: "DuckDB was dropped because it cannot run on several machines.",
      ask: "why not DuckDB",
      tokens: [["DuckDB"], ["several machines"]],
    },
    {
      id: "parquet",
      note: "Parquet files are kept.",
      ask: "are parquet files kept",
      tokens: [["Parquet"]],
    },
    {
      id: "decimals",
      note: "stock's decimals are exported as strings.",
      ask: "decimal scale stock export",
      tokens: [["strings", "decimals='string'"]],
      tell: false,
    },
    {
      id: "compare",
      note: "make compare checks; margin.sql differs by 0.3 %.",
      ask: "which report differs",
      tokens: [["margin.sql"]],
    },
    {
      id: "monday",
      note: "Switch-over on Monday 9 March.",
      ask: "when is the switch-over",
      tokens: [["Monday 9 March"]],
    },
  ],
  never: [
    {
      id: "duckdb-next",
      what: "Next: rewrite the queries for DuckDB.",
      tokens: [["rewrite the queries for DuckDB", "Rewrite queries for DuckDB"]],
      unless: ["ClickHouse"],
    },
    {
      id: "export-next",
      what: "Next: export customers and stock.",
      tokens: [["Next: export customers", "export customers and stock"]],
    },
    { id: "seven", what: "Seven queries are left.", tokens: [["the other seven"]] },
    { id: "friday", what: "Switch over on Friday.", tokens: [["Switch over on Friday"]] },
  ],
};
