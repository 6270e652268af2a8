// Declares the commands around recorded sessions: backfill, transcript, stats.
import type { Command } from "commander";
import { count } from "../terminal/option-values.ts";
import type { Run } from "../terminal/run.ts";
import type { BackfillOptions } from "./backfill.ts";
import type { StatsOptions } from "./stats.ts";
import type { ContextOptions } from "./transcript/context.ts";
import type { DumpOptions } from "./transcript/dump.ts";
import type { ExamplesOptions } from "./transcript/examples.ts";
import type { ListOptions } from "./transcript/list.ts";
import type { MarkdownOptions } from "./transcript/markdown.ts";
import type { StatsOptions as TranscriptStatsOptions } from "./transcript/stats.ts";

const when = "2h, 3d, yesterday, last week, 2026-11-21 or an ISO time";

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
  declareTranscript(program, run);
}

function declareTranscript(program: Command, run: Run): void {
  const transcript = program
    .command("transcript")
    .description("read clients' recorded sessions: dump, check, count");
  transcript.addHelpText("after", "\nExample:\n  $ memoir transcript dump --last");
  const verb = (name: string, description: string, example: string) =>
    transcript
      .command(name)
      .description(description)
      .argument("[which]", "a `.jsonl` file, or a session's id or the beginning of it")
      .option("--last", "the session that changed last")
      .addHelpText("after", `\nExample:\n  $ memoir transcript ${example}`);
  const load = {
    dump: () => import("./transcript/dump.ts"),
    markdown: () => import("./transcript/markdown.ts"),
    context: () => import("./transcript/context.ts"),
    examples: () => import("./transcript/examples.ts"),
    stats: () => import("./transcript/stats.ts"),
    list: () => import("./transcript/list.ts"),
  };
  verb("dump", "print a session to be read: what was asked, said and done", "dump --last | less")
    .option("--thinking", "also what the model thought")
    .option("--json", "print JSON, an object a line")
    .action((which: string | undefined, options: DumpOptions) =>
      run(async (terminal) => (await load.dump()).dumpTranscript(which, options, terminal)),
    );
  verb("markdown", "print every line and field of a transcript as Markdown", "markdown 3f2a > s.md")
    .option("--json", "print JSON, an object a line")
    .action((which: string | undefined, options: MarkdownOptions) =>
      run(async (terminal) => (await load.markdown()).transcriptMarkdown(which, options, terminal)),
    );
  verb("context", "print what an observation is given around a tool use", "context --last --json")
    .option("--tool <id>", "the tool use; default: the last one")
    .option("--json", "print JSON")
    .action((which: string | undefined, options: ContextOptions) =>
      run(async (terminal) => (await load.context()).transcriptContext(which, options, terminal)),
    );
  verb("examples", "print requests with the reasoning that followed them", "examples --last -n 3")
    .option("-n, --limit <count>", "how many at most (1 to 1000)", count(1_000), 5)
    .option("--json", "print JSON")
    .action((which: string | undefined, options: ExamplesOptions) =>
      run(async (terminal) => (await load.examples()).transcriptExamples(which, options, terminal)),
    );
  verb(
    "stats",
    "count entries, tools, tokens and cost; a folder is added up",
    "stats ~/.claude/projects",
  )
    .option("--json", "print JSON")
    .action((which: string | undefined, options: TranscriptStatsOptions) =>
      run(async (terminal) => (await load.stats()).transcriptStats(which, options, terminal)),
    );
  verb(
    "validate",
    "name the lines that cannot be read; exits with 1 when there are any",
    "validate --last",
  )
    .option("--json", "print JSON")
    .action((which: string | undefined, options: TranscriptStatsOptions) =>
      run(async (terminal) => (await load.stats()).validateTranscripts(which, options, terminal)),
    );
  transcript
    .command("list")
    .description("list recorded sessions, newest first")
    .argument("[folder]", "a folder of a client's sessions; default: every client's")
    .option("-n, --limit <count>", "how many at most (1 to 10000)", count(10_000), 20)
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ memoir transcript list -n 50")
    .action((folder: string | undefined, options: ListOptions) =>
      run(async (terminal) => (await load.list()).listTranscripts(folder, options, terminal)),
    );
}
