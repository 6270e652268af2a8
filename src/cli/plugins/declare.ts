// Declares `memoir plugin …`: looking at plugins, switching them, and writing one's own.
import type { Command } from "commander";
import { slotNames } from "../../sdk/plugin.ts";
import type { Run } from "../terminal/run.ts";
import type { AddOptions } from "./add.ts";
import type { DevOptions } from "./dev.ts";
import type { DocsOptions } from "./docs.ts";

interface JsonOption {
  json?: boolean;
}

/** What `memoir plugin new` can begin with. */
const kinds: readonly string[] = [...slotNames, "strategy", "extractor", "listener"];

/** Adds the commands to `program`. Long because it is the list of the commands with their options. */
export function declarePluginCommands(program: Command, run: Run): void {
  const plugin = program
    .command("plugin")
    .description("look at plugins, switch them, write and try your own");
  plugin.addHelpText("after", "\nExample:\n  $ memoir plugin list");
  const add = (
    usage: string,
    description: string,
    example: string,
    args: ReadonlyArray<[name: string, description: string]> = [],
  ) => {
    const command = plugin.command(usage).description(description);
    for (const [name, about] of args) command.argument(name, about);
    return command
      .option("--json", "print JSON")
      .addHelpText("after", `\nExample:\n  $ memoir plugin ${example}`);
  };
  const named: [string, string] = ["<name>", "as `memoir plugin list` shows it"];
  const maybe: [string, string] = ["[name]", "its name or path; default: the only one of yours"];

  add("list", "who fills which slot, who listens to what, and what it costs", "list")
    .option("--all", "the built-in ones that are off as well")
    .action((options: JsonOption & { all?: boolean }) =>
      run(async (terminal) => (await import("./list.ts")).listPlugins(options, terminal)),
    );
  add("info", "everything about one plugin", "info context-handover", [named]).action(
    (name: string, options: JsonOption) =>
      run(async (terminal) => (await import("./info.ts")).showPlugin(name, options, terminal)),
  );
  for (const [verb, enabled] of [
    ["enable", true],
    ["disable", false],
  ] as const)
    add(
      verb,
      `${verb} a plugin, and register exactly the events that are needed then`,
      `${verb} context-relevant`,
      [named],
    ).action((name: string, options: JsonOption) =>
      run(async (terminal) =>
        (await import("./switch.ts")).switchPlugin(name, enabled, options, terminal),
      ),
    );
  add(
    "new",
    "write a working plugin with a test into memoir's plugins folder",
    "new observation infra",
    [
      ["<kind>", kinds.join(", ")],
      ["<name>", "lower-case words joined by dashes"],
    ],
  ).action((kind: string, name: string, options: JsonOption) =>
    run(async (terminal) => (await import("./new.ts")).newPlugin(kind, name, options, terminal)),
  );
  add("check", "types, contract, hooks, and how long it takes to load", "check infra", [
    maybe,
  ]).action((name: string | undefined, options: JsonOption) =>
    run(async (terminal) => (await import("./check.ts")).checkOne(name, options, terminal)),
  );
  add("test", "the promises of its slot, then its own tests", "test infra", [maybe]).action(
    (name: string | undefined, options: JsonOption) =>
      run(async (terminal) => (await import("./test.ts")).testPlugin(name, options, terminal)),
  );
  add(
    "dev",
    "watch a plugin, and see what it makes of recorded events at each save",
    "dev infra --recorded",
    [maybe],
  )
    .option("--transcript <file>", "replay this transcript of Claude Code")
    .option("--recorded", "replay the last session of the journal (default: memoir's own sample)")
    .option("--provider", "ask the model provider of your config as well, at its price")
    .option("--once", "once, without watching")
    .action((name: string | undefined, options: DevOptions) =>
      run(async (terminal) => (await import("./dev.ts")).devPlugin(name, options, terminal)),
    );
  add("docs", "the author's guide, the reference and examples", "docs endless-mode", [
    ["[topic]", "a section, a hook, an export or an example; default: the guide"],
  ])
    .option("--list", "the topics")
    .option("--write <folder>", "write all of it, and the declarations, into a folder")
    .action((topic: string | undefined, options: DocsOptions) =>
      run(async (terminal) => (await import("./docs.ts")).printDocs(topic, options, terminal)),
    );
  add("add", "install a package from npm, or take in a file or folder", "add memoir-plugin-shout", [
    ["<what>", "a package of npm, or the path of a file or folder"],
  ])
    .option("-y, --yes", "do not ask")
    .action((what: string, options: AddOptions) =>
      run(async (terminal) => (await import("./add.ts")).addPlugin(what, options, terminal)),
    );
  add("remove", "take out what `add` made; files of your own stay", "remove memoir-plugin-shout", [
    named,
  ]).action((name: string, options: JsonOption) =>
    run(async (terminal) => (await import("./remove.ts")).removePlugin(name, options, terminal)),
  );
  add("trust", "let a project's own plugins run, as their files are now", "trust ~/code/shop", [
    ["[path]", "a folder of the project; default: this one"],
  ])
    .option("-y, --yes", "do not ask")
    .option("--revoke", "no longer")
    .action((path: string | undefined, options: AddOptions & { revoke?: boolean }) =>
      run(async (terminal) => (await import("./trust.ts")).trustProject(path, options, terminal)),
    );
}
