// Declares the commands that keep memory safe and carry it elsewhere: backup.
import { type Command, Option } from "commander";
import type { Run } from "../terminal/run.ts";
import type { BackupOptions } from "./backup.ts";

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
}
