// Declares the commands that keep memory safe: backup, restore.
import { type Command, Option } from "commander";
import type { Run } from "../terminal/run.ts";
import type { BackupOptions } from "./backup.ts";
import type { RestoreOptions } from "./restore.ts";

/** Adds the commands to `program`. */
export function declareBackupCommands(program: Command, run: Run): void {
  program
    .command("backup")
    .description("copy memoir's databases, config and memory files while everything goes on")
    .option("--list", "show which backups there are")
    .option("--verify", "read every byte of every backup, and say whether it is whole")
    .option("--to <folder>", "make it in this folder; the rule of what is kept does not look there")
    .addOption(new Option("--daily", "what the server runs once a day").hideHelp())
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
The server makes one every day while nothing goes on (\`backup.daily\`), and before
a database's form changes. Backups made by hand stay until you remove them.

Examples:
  $ memoir backup
  $ memoir backup --list
  $ memoir backup --to /media/stick/memoir`,
    )
    .action((options: BackupOptions) =>
      run(async (terminal) => (await import("./backup.ts")).backup(options, terminal)),
    );
  program
    .command("restore")
    .description("go back to a backup; what is there now becomes a backup first")
    .argument("[backup]", "its name or the beginning of it, or its folder; without it, the newest")
    .option(
      "--all",
      "put the journal, what Endless Mode keeps and the counts of model calls back too",
    )
    .option("--config", "put config.json back as well")
    .option("--dry-run", "only show what would change")
    .option("-y, --yes", "do not ask")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Memory and memory files go back; the journal and other databases only where they
cannot be read, or with --all. The server is stopped for it; events that come in
meanwhile wait in the spool. A backup that is damaged, or that a newer memoir made,
is refused.

Examples:
  $ memoir restore
  $ memoir restore 20261121 --dry-run`,
    )
    .action((which: string | undefined, options: RestoreOptions) =>
      run(async (terminal) => (await import("./restore.ts")).restore(which, options, terminal)),
    );
}
