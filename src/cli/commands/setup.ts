// The commands that set memoir up: clients, checks, config, providers.
import { clients } from "../../clients/index.ts";
import { scopes } from "../../install/settings-file.ts";
import { shells } from "../setup/completions.ts";
import type { Declared } from "./declared.ts";

const names = [...clients.keys()].join(", ");
const change = {
  "--dry-run": "show what would change, change nothing",
  "-y, --yes": "do not ask",
} as const;
const path = ["<path>", "keys joined by dots"] as const;

/** What comes first. */
export const setupCommands = {
  install: {
    does: "put the binary in memoir's home and register it with Claude Code; safe to repeat",
    args: [["[clients...]", `for these instead: ${names}`]],
    options: {
      "--all": "for every client that is on this machine",
      "--scope <scope>": {
        says: "whose settings: yours, the project's, or yours for this project",
        choices: scopes,
        default: "user",
      },
      ...change,
      "--binary <path>": "install this binary instead of the running one",
      "--no-allow-tools": "let the client ask before the agent looks something up in memory",
    },
    examples: [
      "memoir install --dry-run",
      "memoir install --scope project",
      "memoir install claude-code qwen",
    ],
  },
  uninstall: {
    does: "give clients' settings back and remove the binary; the memory stays",
    args: [["[clients...]", `only give back the settings of these: ${names}`]],
    options: { ...change, "--delete-memory": "also delete everything memoir remembers" },
    examples: ["memoir uninstall --dry-run"],
  },
  doctor: {
    does: "check everything, and say how to put right what is wrong",
    options: {
      "--seen": "what was found out about memoir's files is seen: tell it no more",
      "--bundle [file]":
        "print what a bug report needs, without texts and secrets; with a file, write it there too",
      "--daily": { says: "what the server runs once a day", hidden: true },
    },
    more: "Exits with 1 when something is wrong.",
    examples: ["memoir doctor"],
  },
  redact: {
    does: "show what would be taken out of a text before it is kept, and by which rule",
    args: [["[file]", "a file of text; `-` is what is piped in", { default: "-" }]],
    options: {
      "--text": "print what is left of the text instead",
      "--stored": "check everything memoir stores, and remove what today's rules find",
      "--dry-run": "with --stored: only show what would be removed",
      "-y, --yes": "with --stored: remove without asking",
      "--backups": "with --stored: also remove backups that hold it",
    },
    more: "Without --stored it asks no server and keeps nothing. The secrets themselves are never printed.",
    examples: [
      "memoir memory redact .env",
      "git diff | memoir memory redact --text",
      "memoir memory redact --stored --dry-run",
    ],
  },
  completions: {
    does: "print the script by which your shell completes memoir's commands",
    args: [["<shell>", "which shell", { choices: shells }]],
    examples: [
      "memoir completions bash >> ~/.bash_completion",
      "memoir completions fish > ~/.config/fish/completions/memoir.fish",
    ],
  },
  upgrade: {
    does: "fetch a newer memoir from where releases lie, check it and put it in place",
    options: {
      "--from <address>": "the folder of the release; remembered as `upgrade.from` in config",
      "--check": "only say whether there is another version",
      "--back": {
        says: "put the version of before the last upgrade in place again",
        conflicts: ["check", "from"],
      },
    },
    examples: ["memoir upgrade --from https://example.org/memoir", "memoir upgrade --check"],
  },
  demo: {
    does: "watch the main job on a recorded session, in a throw-away home",
    options: { "--keep": "leave the throw-away home in place and say where it is" },
    examples: ["memoir demo"],
  },
  version: { does: "print the version", examples: ["memoir version --json"] },
} as const satisfies Declared;

/** What chooses models and settings. */
export const configCommands = {
  provider: {
    does: "which model may be asked: list, try, and give the key",
    usually: "list",
    examples: [
      "memoir provider key anthropic",
      "memoir config set slots.provider anthropic",
      "memoir provider test",
    ],
    commands: {
      list: {
        does: "every provider, and which are asked in which order",
        examples: ["memoir provider list"],
      },
      test: {
        does: "make a tiny call, and say in words what is wrong if it fails",
        args: [["[name]", "a provider; default: those that config names"]],
        more: "Exits with 1 when a provider failed.",
        examples: ["memoir provider test anthropic"],
      },
      key: {
        does: "store a provider's key, typed unseen or from stdin, in a file only you can read",
        args: [["<name>", "a provider"]],
        options: { "--remove": "take the key out again" },
        examples: ["memoir provider key anthropic", "memoir provider key anthropic < key.txt"],
      },
    },
  },
  config: {
    does: "show and change the configuration",
    usually: "show",
    examples: ["memoir config set log.level debug"],
    commands: {
      show: {
        does: "what you set, and with --all what is in force",
        options: { "--all": "with every default" },
        examples: ["memoir config show --all"],
      },
      get: {
        does: "print a value that is in force",
        args: [path],
        examples: ["memoir config get worker.concurrency"],
      },
      set: {
        does: "set a value, after checking it",
        args: [path, ["<value>", "JSON, or plain text"]],
        examples: [
          "memoir config set log.level debug",
          "memoir config set listeners '[\"~/my-plugin.ts\"]'",
        ],
      },
      unset: {
        does: "go back to a value's default",
        args: [path],
        examples: ["memoir config unset log.level"],
      },
      path: { does: "print the path of the config file", examples: ["memoir config path"] },
      schema: {
        does: "print the JSON schema that editors use",
        options: { "--json": "it is JSON either way" },
        examples: ["memoir config schema > memoir.schema.json"],
      },
    },
  },
} as const satisfies Declared;
