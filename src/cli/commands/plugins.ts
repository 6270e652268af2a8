// `memoir plugin …`: looking at plugins, switching them, and writing one's own.
import { slotNames } from "../../sdk/plugin.ts";
import type { Declared } from "./declared.ts";

/** What `memoir plugin new` can begin with. */
const kinds: readonly string[] = [...slotNames, "strategy", "extractor", "listener"];

const named = [["<name>", "as `memoir plugin list` shows it"]] as const;
const own = [["[name]", "its name or path; default: the only one of yours"]] as const;
const ask = { "-y, --yes": "do not ask" } as const;

export const pluginCommands = {
  plugin: {
    does: "look at plugins, switch them, write and try your own",
    usually: "list",
    examples: ["memoir plugin list"],
    commands: {
      list: {
        does: "who fills which slot, who listens to what, and what it costs",
        options: { "--all": "the built-in ones that are off as well" },
        examples: ["memoir plugin list"],
      },
      info: {
        does: "everything about one plugin",
        args: named,
        examples: ["memoir plugin info context-handover"],
      },
      enable: {
        does: "enable a plugin, and register exactly the events that are needed then",
        args: named,
        examples: ["memoir plugin enable context-relevant"],
      },
      disable: {
        does: "disable a plugin, and register exactly the events that are needed then",
        args: named,
        examples: ["memoir plugin disable context-relevant"],
      },
      new: {
        does: "write a working plugin with a test into memoir's plugins folder",
        args: [
          ["<kind>", kinds.join(", ")],
          ["<name>", "lower-case words joined by dashes"],
        ],
        examples: ["memoir plugin new observation infra"],
      },
      check: {
        does: "types, contract, hooks, and how long it takes to load",
        args: own,
        examples: ["memoir plugin check infra"],
      },
      test: {
        does: "the promises of its slot, then its own tests",
        args: own,
        examples: ["memoir plugin test infra"],
      },
      dev: {
        does: "watch a plugin, and see what it makes of recorded events at each save",
        args: own,
        options: {
          "--transcript <file>": "replay this transcript of Claude Code",
          "--recorded": "replay the last session of the journal (default: memoir's own sample)",
          "--provider": "ask the model provider of your config as well, at its price",
          "--once": "once, without watching",
        },
        examples: ["memoir plugin dev infra --recorded"],
      },
      docs: {
        does: "the author's guide, the reference and examples",
        args: [["[topic]", "a section, a hook, an export or an example; default: the guide"]],
        options: {
          "--list": "the topics",
          "--write <folder>": "write all of it, and the declarations, into a folder",
        },
        examples: ["memoir plugin docs endless-mode"],
      },
      add: {
        does: "install a package from npm, or take in a file or folder",
        args: [["<what>", "a package of npm, or the path of a file or folder"]],
        options: ask,
        examples: ["memoir plugin add memoir-plugin-shout"],
      },
      remove: {
        does: "take out what `add` made; files of your own stay",
        args: named,
        examples: ["memoir plugin remove memoir-plugin-shout"],
      },
      trust: {
        does: "let a project's own plugins run, as their files are now",
        args: [["[path]", "a folder of the project; default: this one"]],
        options: { ...ask, "--revoke": "no longer" },
        examples: ["memoir plugin trust ~/code/shop"],
      },
    },
  },
} as const satisfies Declared;
