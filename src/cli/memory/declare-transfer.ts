// Declares the commands that carry memory elsewhere: export, import.
import { type Command, Option } from "commander";
import type { Run } from "../terminal/run.ts";
import type { ExportOptions } from "./export.ts";
import type { ImportOptions } from "./import-report.ts";

/** Adds the commands to `program`. */
export function declareTransferCommands(program: Command, run: Run): void {
  program
    .command("export")
    .description("write everything that is remembered as JSON lines")
    .argument("[file]", "where to; `-`, or nothing, is stdout")
    .option("-p, --project <project>", "only this project (name or id; `.` is this folder's)")
    .option(
      "--since <when>",
      "not older than 2h, 3d, yesterday, last week, 2026-11-21 or an ISO time",
    )
    .option("--json", "print what was written as JSON")
    .addHelpText(
      "after",
      `
One record a line, all of its fields, redacted as it is stored. \`memoir import\` takes
it in elsewhere.

Examples:
  $ memoir export memory.jsonl
  $ memoir export --project shop | gzip > shop.jsonl.gz`,
    )
    .action((file: string | undefined, options: ExportOptions) =>
      run(async (terminal) => (await import("./export.ts")).exportMemory(file, options, terminal)),
    );
  program
    .command("import")
    .description("take an export, or another program's memory, in; the same again stores nothing")
    .argument("[file]", "what `memoir export` wrote; `-` is stdin; with --from, its database")
    .addOption(new Option("--from <program>", "another program's memory").choices(["claude-mem"]))
    .option(
      "--map <name=folder>",
      "with --from: the folder of a project that it knows by name only; may be repeated",
      (pair: string, before: string[] = []) => [...before, pair],
    )
    .option("--dry-run", "only say what would be stored")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
What is there already stays, unless what comes is newer. Secrets are taken out once
more. What you had forgotten stays forgotten. A bad line is named and left out.

Examples:
  $ memoir import memory.jsonl
  $ memoir import --from claude-mem --map shop=/home/me/shop
  $ zcat shop.jsonl.gz | memoir import -`,
    )
    .action((file: string | undefined, options: ImportOptions) =>
      run(async (terminal) => (await import("./import.ts")).importMemory(file, options, terminal)),
    );
}
