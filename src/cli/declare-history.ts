// Declares the commands around recorded sessions: backfill, transcript, stats.
import type { Command } from "commander";
import type { BackfillOptions } from "./backfill.ts";
import type { Run } from "./program.ts";
import type { StatsOptions } from "./stats.ts";

const when = "2h, 3d, yesterday, 2026-11-21 or an ISO time";

/** Adds the commands to `program`. */
export function declareHistoryCommands(program: Command, run: Run): void {
  program
    .command("backfill")
    .description(
      "read recorded sessions into memory, newest first; safe to repeat and to interrupt",
    )
    .argument(
      "[path...]",
      "folders laid out like Claude Code's `projects`, or `.jsonl` files; default: Claude Code's own",
    )
    .option(
      "-p, --project <folder>",
      "only sessions in this folder (its name or path; `.` is this one)",
    )
    .option("--since <when>", `only sessions that went on after ${when}`)
    .option("--provider <name>", "`none` asks no model; a provider's name allows the one in force")
    .option("--dry-run", "show what would be read, read nothing into memory")
    .option("-y, --yes", "do not ask; with a provider in force, only together with --provider")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Ctrl-C stops it; the same command goes on from there. Exits with 1 when something was not read.

Examples:
  $ memoir backfill --dry-run
  $ memoir backfill --provider none --yes
  $ memoir backfill --project shop --since 1w`,
    )
    .action((paths: string[], options: BackfillOptions) =>
      run(async (terminal) => (await import("./backfill.ts")).backfill(paths, options, terminal)),
    );
  program
    .command("stats")
    .description("what memory cost and what it gave back, by day and project")
    .option("-p, --project <project>", "only this project (name or id; `.` is this folder's)")
    .option("--since <when>", `not older than ${when}`, "30d")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nExamples:\n  $ memoir stats\n  $ memoir stats --project . --since 1w --json",
    )
    .action((options: StatsOptions) =>
      run(async (terminal) => (await import("./stats.ts")).stats(options, terminal)),
    );
}
