// `memoir plugin …`: looking at plugins, turning them on and off, and writing one's own.
import { slotNames } from "../../sdk/plugin.ts";
import type { Declared, Loading } from "./declared.ts";

/** What `memoir plugin new` can begin with. */
const kinds: readonly string[] = [
  ...[...slotNames, "strategy", "extractor", "listener", "client"],
  ...["schedule", "data", "redaction", "exporter", "rank", "operation", "routes", "panel"],
];

const named = [["<plugin>", "As `memoir plugin list` shows it"]] as const;
const own = [["[plugin]", "Its name or path; by default your only one"]] as const;
const ask = { "-y, --yes": "Don't ask" } as const;
const switched = async (on: boolean): Loading =>
  (await import("../plugins/change.ts")).switchPlugin.bind(undefined, on);

export const pluginCommands = {
  plugin: {
    does: "Manage plugins and write your own",
    usually: "list",
    examples: ["memoir plugin list"],
    commands: {
      list: {
        does: "List plugins with their slots, hooks and cost",
        load: async (): Loading => (await import("../plugins/list.ts")).listPlugins,
        options: { "--all": "Also list built-in plugins that are off" },
        examples: ["memoir plugin list"],
      },
      info: {
        does: "Show everything about one plugin",
        load: async (): Loading => (await import("../plugins/list.ts")).showPlugin,
        args: named,
        examples: ["memoir plugin info context-handover"],
      },
      enable: {
        does: "Enable a plugin and register the events it needs",
        load: () => switched(true),
        args: named,
        examples: ["memoir plugin enable context-relevant"],
      },
      disable: {
        does: "Disable a plugin and unregister the events it needed",
        load: () => switched(false),
        args: named,
        examples: ["memoir plugin disable context-relevant"],
      },
      new: {
        does: "Create a working plugin with a test",
        load: async (): Loading => (await import("../plugins/new.ts")).newPlugin,
        args: [
          ["<kind>", kinds.join(", ")],
          ["<name>", "Lower-case words joined by dashes"],
        ],
        examples: ["memoir plugin new observation infra"],
      },
      check: {
        does: "Check a plugin's types, contract, hooks and load time",
        load: async (): Loading => (await import("../plugins/check.ts")).checkOne,
        args: own,
        examples: ["memoir plugin check infra"],
      },
      test: {
        does: "Test a plugin against its slot's promises and its tests",
        load: async (): Loading => (await import("../plugins/check.ts")).testPlugin,
        args: own,
        examples: ["memoir plugin test infra"],
      },
      dev: {
        does: "Watch a plugin and replay events through it on save",
        load: async (): Loading => (await import("../plugins/dev.ts")).devPlugin,
        args: own,
        options: {
          "--transcript <file>": "Replay this transcript of Claude Code or the plugin's client",
          "--payloads <file>": "Show what these recorded payloads of the plugin's client become",
          "--recorded": "Replay the journal's last session (memoir's own sample by default)",
          "--provider": "Also ask your configured model provider, at its price",
          "--once": "Run once, without watching",
        },
        examples: ["memoir plugin dev infra --recorded"],
      },
      docs: {
        does: "Print the author's guide, the reference and examples",
        load: async (): Loading => (await import("../plugins/docs.ts")).printDocs,
        args: [["[topic]", "A section, hook, export or example; the guide by default"]],
        options: {
          "--list": "List the topics",
          "--write <folder>": "Write all of it, with the type declarations, to a folder",
        },
        examples: ["memoir plugin docs endless-mode"],
      },
      add: {
        does: "Install a plugin from npm, a path or a tarball",
        load: async (): Loading => (await import("../plugins/change.ts")).addPlugin,
        args: [["<what>", "An npm package, or the path of a file, folder or .tgz"]],
        options: ask,
        examples: ["memoir plugin add memoir-plugin-shout"],
      },
      remove: {
        does: "Remove an added plugin (your own files stay)",
        load: async (): Loading => (await import("../plugins/change.ts")).removePlugin,
        args: named,
        examples: ["memoir plugin remove memoir-plugin-shout"],
      },
      trust: {
        does: "Trust a project's plugins as their files are now",
        load: async (): Loading => (await import("../plugins/trust.ts")).trustProject,
        args: [["[path]", "A folder of the project; this one by default"]],
        options: { ...ask, "--revoke": "Stop trusting it" },
        examples: ["memoir plugin trust ~/code/shop"],
      },
    },
  },
} as const satisfies Declared;
