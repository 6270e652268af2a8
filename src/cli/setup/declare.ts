// Declares the commands that set memoir up: install, uninstall, doctor, config, demo, version.
import { Argument, type Command, Option } from "commander";
import { clients } from "../../clients/index.ts";
import { scopes } from "../../install/settings-file.ts";
import { declareProvider } from "../models/declare.ts";
import { declarePluginCommands } from "../plugins/declare.ts";
import type { Run } from "../terminal/run.ts";
import { type Shell, shells } from "./completions/scripts.ts";
import type { DemoOptions } from "./demo.ts";
import type { DoctorOptions } from "./doctor.ts";
import type { InstallOptions } from "./install-options.ts";
import type { RedactOptions } from "./redact.ts";
import type { UninstallOptions } from "./settings-back.ts";
import type { UpgradeOptions } from "./upgrade/upgrade.ts";

interface JsonOption {
  json?: boolean;
}

/** Adds the commands to `program`. Long because it is the list of the commands with their options. */
export function declareSetupCommands(program: Command, run: Run): void {
  const names = [...clients.keys()].join(", ");
  program
    .command("install")
    .description("put the binary in memoir's home and register it with Claude Code; safe to repeat")
    .argument("[clients...]", `for these instead: ${names}`)
    .option("--all", "for every client that is on this machine")
    .addOption(
      new Option(
        "--scope <scope>",
        "whose settings: yours, the project's, or yours for this project",
      )
        .choices(scopes)
        .default("user"),
    )
    .option("--dry-run", "show what would change, change nothing")
    .option("-y, --yes", "do not ask")
    .option("--binary <path>", "install this binary instead of the running one")
    .option("--no-allow-tools", "let the client ask before the agent looks something up in memory")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nExamples:\n  $ memoir install --dry-run\n  $ memoir install --scope project\n  $ memoir install claude-code qwen",
    )
    .action((clients: string[], options: InstallOptions) =>
      run(async (terminal) =>
        (await import("./install-named.ts")).installNamed(clients, options, terminal),
      ),
    );
  program
    .command("uninstall")
    .description("give clients' settings back and remove the binary; the memory stays")
    .argument("[clients...]", `only give back the settings of these: ${names}`)
    .option("--dry-run", "show what would change, change nothing")
    .option("-y, --yes", "do not ask")
    .option("--delete-memory", "also delete everything memoir remembers")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ memoir uninstall --dry-run")
    .action((clients: string[], options: UninstallOptions) =>
      run(async (terminal) =>
        (await import("./uninstall-named.ts")).uninstallNamed(clients, options, terminal),
      ),
    );
  program
    .command("doctor")
    .description("check everything, and say how to put right what is wrong")
    .option("--seen", "what was found out about memoir's files is seen: tell it no more")
    .option(
      "--bundle [file]",
      "print what a bug report needs, without texts and secrets; with a file, write it there too",
    )
    .addOption(new Option("--daily", "what the server runs once a day").hideHelp())
    .option("--json", "print JSON")
    .addHelpText("after", "\nExits with 1 when something is wrong.\n\nExample:\n  $ memoir doctor")
    .action((options: DoctorOptions) =>
      run(async (terminal) =>
        options.daily
          ? (await import("./doctor/daily-check.ts")).dailyCheck(terminal)
          : (await import("./doctor.ts")).doctor(options, terminal),
      ),
    );
  program
    .command("redact")
    .description("show what would be taken out of a text before it is kept, and by which rule")
    .argument("[file]", "a file of text; `-` is what is piped in", "-")
    .option("--text", "print what is left of the text instead")
    .option("--stored", "check everything memoir stores, and remove what today's rules find")
    .option("--dry-run", "with --stored: only show what would be removed")
    .option("-y, --yes", "with --stored: remove without asking")
    .option("--backups", "with --stored: also remove backups that hold it")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Without --stored it asks no server and keeps nothing. The secrets themselves are never printed.

Examples:
  $ memoir redact .env
  $ git diff | memoir redact --text
  $ memoir redact --stored --dry-run`,
    )
    .action((file: string, options: RedactOptions) =>
      run(async (terminal) => (await import("./redact.ts")).redact(file, options, terminal)),
    );
  program
    .command("completions")
    .description("print the script by which your shell completes memoir's commands")
    .addArgument(new Argument("<shell>", "which shell").choices(shells))
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Examples:
  $ memoir completions bash >> ~/.bash_completion
  $ memoir completions fish > ~/.config/fish/completions/memoir.fish`,
    )
    .action((shell: Shell, options: JsonOption) =>
      run(async (terminal) =>
        (await import("./completions/print.ts")).printCompletions(
          shell,
          program,
          options,
          terminal,
        ),
      ),
    );
  program
    .command("upgrade")
    .description("fetch a newer memoir from where releases lie, check it and put it in place")
    .option("--from <address>", "the folder of the release; remembered as `upgrade.from` in config")
    .option("--check", "only say whether there is another version")
    .addOption(
      new Option("--back", "put the version of before the last upgrade in place again").conflicts([
        "check",
        "from",
      ]),
    )
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Examples:
  $ memoir upgrade --from https://example.org/memoir
  $ memoir upgrade --check`,
    )
    .action((options: UpgradeOptions) =>
      run(async (terminal) => (await import("./upgrade/upgrade.ts")).upgrade(options, terminal)),
    );
  program
    .command("demo")
    .description("watch the main job on a recorded session, in a throw-away home")
    .option("--keep", "leave the throw-away home in place and say where it is")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ memoir demo")
    .action((options: DemoOptions) =>
      run(async (terminal) => (await import("./demo.ts")).demo(options, terminal)),
    );
  program
    .command("version")
    .description("print the version")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ memoir version --json")
    .action((options: JsonOption) =>
      run(async (terminal) => (await import("./version.ts")).printVersion(options, terminal)),
    );
  declarePluginCommands(program, run);
  declareProvider(program, run);
  declareConfig(program, run);
}

function declareConfig(program: Command, run: Run): void {
  const config = program.command("config").description("show and change the configuration");
  config.addHelpText("after", "\nExample:\n  $ memoir config set log.level debug");
  const load = () => import("./config.ts");
  config
    .command("show")
    .description("what you set, and with --all what is in force")
    .option("--all", "with every default")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ memoir config show --all")
    .action((options: JsonOption & { all?: boolean }) =>
      run(async (terminal) => (await load()).showConfig(options, terminal)),
    );
  config
    .command("get")
    .description("print a value that is in force")
    .argument("<path>", "keys joined by dots")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ memoir config get worker.concurrency")
    .action((path: string, options: JsonOption) =>
      run(async (terminal) => (await load()).getConfig(path, options, terminal)),
    );
  config
    .command("set")
    .description("set a value, after checking it")
    .argument("<path>", "keys joined by dots")
    .argument("<value>", "JSON, or plain text")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nExamples:\n  $ memoir config set log.level debug\n  $ memoir config set listeners '[\"~/my-plugin.ts\"]'",
    )
    .action((path: string, value: string, options: JsonOption) =>
      run(async (terminal) => (await load()).setConfig(path, value, options, terminal)),
    );
  config
    .command("unset")
    .description("go back to a value's default")
    .argument("<path>", "keys joined by dots")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ memoir config unset log.level")
    .action((path: string, options: JsonOption) =>
      run(async (terminal) => (await load()).unsetConfig(path, options, terminal)),
    );
  config
    .command("path")
    .description("print the path of the config file")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ memoir config path")
    .action((options: JsonOption) =>
      run(async (terminal) => (await load()).configPath(options, terminal)),
    );
  config
    .command("schema")
    .description("print the JSON schema that editors use")
    .option("--json", "it is JSON either way")
    .addHelpText("after", "\nExample:\n  $ memoir config schema > memoir.schema.json")
    .action(() => run(async (terminal) => (await load()).configSchema(terminal)));
}
