// The commands that set memoir up: clients, checks, config, providers.

import { scopes } from "../../clients/claude-code/folders.ts";
import { clients } from "../../clients/index.ts";
import type { Declared, Loading } from "./declared.ts";

const names = [...clients.keys()].join(", ");
const change = {
  "--dry-run": "Show what would change, change nothing",
  "-y, --yes": "Don't ask",
} as const;
const path = ["<key>", "Keys joined by dots"] as const;
const config = () => import("../setup/config.ts");
const provider = () => import("../models/provider.ts");

/** What comes first. */
export const setupCommands = {
  install: {
    does: "Install memoir and connect your coding agents",
    load: async (): Loading => (await import("../setup/install.ts")).install,
    args: [["[clients...]", `Connect these instead of Claude Code: ${names}`]],
    options: {
      "--all": "Connect every client on this machine",
      "--scope <scope>": {
        says: "Whose settings: yours, the project's, or yours for this project",
        choices: scopes,
        default: "user",
      },
      ...change,
      "--binary <path>": "Install this binary instead of the running one",
      "--no-allow-tools": "Let the client ask before the agent looks something up in memory",
    },
    more: "Safe to repeat.",
    examples: [
      "memoir install --dry-run",
      "memoir install --scope project",
      "memoir install claude-code qwen",
    ],
  },
  uninstall: {
    does: "Disconnect memoir and remove it (keeps your memory)",
    load: async (): Loading => (await import("../setup/uninstall.ts")).uninstall,
    args: [["[clients...]", `Only restore the settings of these: ${names}`]],
    options: { ...change, "--delete-memory": "Also delete your memory" },
    examples: ["memoir uninstall --dry-run"],
  },
  doctor: {
    does: "Check the installation and suggest fixes",
    load: async (): Loading => (await import("../setup/doctor.ts")).doctor,
    options: {
      "--seen": "Mark the findings about memoir's files as seen",
      "--bundle [file]":
        "Print what a bug report needs, without texts and secrets; also write it to a file",
      "--daily": { says: "Run by the server once a day", hidden: true },
    },
    more: "Exits with 1 when something is wrong.",
    examples: ["memoir doctor"],
  },
  redact: {
    does: "Show what redaction would remove from a text",
    load: async (): Loading => (await import("../setup/redact.ts")).redact,
    args: [["[file]", "A text file; `-` reads stdin", { default: "-" }]],
    options: {
      "--text": "Print the redacted text instead",
      "--stored": "Check everything memoir stores, and remove what today's rules find",
      "--dry-run": "With --stored: only show what would be removed",
      "-y, --yes": "With --stored: remove without asking",
      "--backups": "With --stored: also remove backups that hold it",
    },
    more: "Names the rules that match, never the secrets. Without --stored it needs no server and\nstores nothing.",
    examples: [
      "memoir memory redact .env",
      "git diff | memoir memory redact --text",
      "memoir memory redact --stored --dry-run",
    ],
  },
  upgrade: {
    does: "Update memoir to the latest release",
    load: async (): Loading => (await import("../setup/upgrade.ts")).upgrade,
    args: [["[version]", "This version instead of the latest"]],
    options: {
      "--from <address>": "The folder of the release; saved as `upgrade.from` in config",
      "--check": "Only check whether there is a newer version",
      "--older": "Install the release even if it is older than what runs here",
      "--unsigned": "Install an unsigned release if no key is known",
      "--back": {
        says: "Go back to the version from before the last upgrade",
        conflicts: ["check", "from", "older", "unsigned"],
      },
      "--daily": { says: "Run by the server once a day", hidden: true },
    },
    more: "With --check, exits with 10 when there is a newer version.",
    examples: ["memoir upgrade --check", "memoir upgrade", "memoir upgrade --back"],
  },
  demo: {
    does: "Replay a sample session to see what memoir does",
    load: async (): Loading => (await import("../setup/demo.ts")).demo,
    options: { "--keep": "Keep the temporary home and say where it is" },
    examples: ["memoir demo"],
  },
  version: {
    does: "Print the version",
    load: async (): Loading => (await import("../setup/version.ts")).printVersion,
    options: { "--licenses": "Print the licenses of everything in the binary instead" },
    examples: ["memoir version --json", "memoir version --licenses"],
  },
} as const satisfies Declared;

/** What chooses models and settings. */
export const configCommands = {
  provider: {
    does: "List and test model providers, and store their keys",
    usually: "list",
    examples: [
      "memoir provider key anthropic",
      "memoir config set slots.provider anthropic",
      "memoir provider test",
    ],
    commands: {
      list: {
        does: "List providers and the order they are asked in",
        load: async (): Loading => (await provider()).listProviders,
        examples: ["memoir provider list"],
      },
      test: {
        does: "Make a tiny call and explain what failed",
        load: async (): Loading => (await provider()).testProviders,
        args: [["[provider]", "A provider; by default those in the config"]],
        more: "Exits with 1 when a provider failed.",
        examples: ["memoir provider test anthropic"],
      },
      key: {
        does: "Store a provider's key in a file only you can read",
        load: async (): Loading => (await import("../models/provider.ts")).providerKey,
        args: [["<provider>", "A provider"]],
        options: { "--remove": "Remove the key" },
        more: "Type it at the hidden prompt, or pipe it in.",
        examples: ["memoir provider key anthropic", "memoir provider key anthropic < key.txt"],
      },
    },
  },
  config: {
    does: "Show and change the configuration",
    usually: "show",
    examples: ["memoir config set log.level debug"],
    commands: {
      show: {
        does: "Show what you set",
        load: async (): Loading => (await config()).showConfig,
        options: { "--all": "Also show every default" },
        examples: ["memoir config show --all"],
      },
      get: {
        does: "Print the value in effect",
        load: async (): Loading => (await config()).getConfig,
        args: [path],
        examples: ["memoir config get worker.concurrency"],
      },
      set: {
        does: "Check and set a value",
        load: async (): Loading => (await config()).setConfig,
        args: [path, ["<value>", "JSON, or plain text"]],
        examples: [
          "memoir config set log.level debug",
          "memoir config set listeners '[\"~/my-plugin.ts\"]'",
        ],
      },
      unset: {
        does: "Reset a value to its default",
        load: async (): Loading => (await config()).unsetConfig,
        args: [path],
        examples: ["memoir config unset log.level"],
      },
      path: {
        does: "Print the path of the config file",
        load: async (): Loading => (await config()).configPath,
        examples: ["memoir config path"],
      },
      schema: {
        does: "Print the JSON schema for editors",
        load: async (): Loading => (await config()).configSchema,
        options: { "--json": "No effect: a schema is JSON" },
        examples: ["memoir config schema > memoir.schema.json"],
      },
    },
  },
} as const satisfies Declared;
