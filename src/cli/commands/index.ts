// Every command, in the order of the help.
import { backfill } from "../../features/backfill.ts";
import { endless } from "../../features/endless.ts";
import type { Feature } from "../../features/feature.ts";
import { memory } from "../../features/memory.ts";
import { sync } from "../../features/sync.ts";
import { memoirHome, memoirPaths } from "../../home/paths.ts";
import { type Announced, readAnnounced } from "../../runtime/plugins/announced.ts";
import type { Completable } from "../setup/completions.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { aloneOf, pluginTopics, topicOf } from "./contributed.ts";
import type { CommandData, Declared, Loading } from "./declared.ts";
import { historyCommands } from "./history.ts";
import { carryCommands, correctCommands, storeCommands } from "./memory.ts";
import { pluginCommands } from "./plugins.ts";
import { openCommands, serverCommands } from "./server.ts";
import { configCommands, setupCommands } from "./setup.ts";

const { search, ask, show, sessions, context, ...looking } = memory;
const { install, doctor, redact, uninstall, ...setup } = setupCommands;
const { config, provider } = configCommands;
const { transcript } = historyCommands;
const { status, start, stop, retry, ...run } = serverCommands;
const { open } = openCommands;

/** What most people type. */
const everyday: Declared = {
  ...{ install, status, search, show, open, context, sessions },
  ...aloneOf(backfill),
  ...{ doctor, config, ...pluginCommands },
};

const inMemory = { ...looking, ...correctCommands, redact, ...carryCommands };
/** The rest, below a word for each thing. */
const topics: Declared = {
  memory: {
    does: "Explore, correct, delete and back up your memory",
    usually: "stats",
    examples: ["memoir memory timeline --since today", "memoir memory pin m4"],
    commands: inMemory,
  },
  ...topicOf(sync),
  session: { ...transcript, examples: ["memoir session dump --last"] },
  server: {
    does: "Start and stop the server (it starts by itself)",
    usually: "status",
    examples: ["memoir server stop"],
    commands: { status: { ...status, examples: ["memoir server status"] }, start, stop, retry },
  },
  ...topicOf(endless),
};

/** Those that a script can be made for. */
export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

/** Declared where all that it completes is known. */
const completions = {
  does: "Print your shell's completion script",
  load: async (): Loading => {
    const { printCompletions } = await import("../setup/completions.ts");
    return async (
      shell: Shell,
      options: { json?: boolean; of?: Completable },
      terminal: Terminal,
    ) => {
      const paths = memoirPaths(memoirHome(terminal.env));
      const { all } = commandLine(await readAnnounced(paths));
      return printCompletions(shell, all, options, terminal);
    };
  },
  args: [["<shell>", "Which shell", { choices: shells }]],
  options: { "--of <what>": { says: "What a script asks for", hidden: true } },
  examples: [
    "memoir completions bash >> ~/.bash_completion",
    "memoir completions fish > ~/.config/fish/completions/memoir.fish",
  ],
} as const satisfies CommandData;

const { demo, upgrade, version } = setup;
/** Seldom typed: the first help has their names. */
const seldom: Declared = { ask, demo, provider, upgrade, uninstall, completions, version };
/** Typed by programs: the first help leaves them out. */
const byPrograms: Declared = { ...aloneOf(endless), ...storeCommands, ...run };

/** All of memoir's own by name, those that the first help leaves out too. */
export const commands: Declared = { ...everyday, ...topics, ...seldom, ...byPrograms };

/** The plugin that brings one of memoir's own commands; undefined for what is always there. */
export function broughtBy(command: string): string | undefined {
  const brings = (one: Feature) => Object.hasOwn({ ...topicOf(one), ...aloneOf(one) }, command);
  return [backfill, sync, endless].find(brings)?.name;
}

/** The command line of one home. */
export interface CommandLine {
  /** The first help: commands by their heading; what is typed every day has none. */
  sections: Readonly<Record<string, Declared>>;
  /** What it only names. */
  also: readonly string[];
  /** All that are in no section. */
  others: Declared;
  all: Declared;
  /** Plugins that are switched off. */
  off: readonly string[];
}

/** memoir's own commands without those of plugins that are off, and what plugins bring; without a home, memoir's own. */
export function commandLine(announced?: Announced): CommandLine {
  const { off = [] } = announced ?? {};
  const on = (own: Declared): Declared =>
    Object.fromEntries(
      Object.entries(own).filter(([name]) => !off.includes(broughtBy(name) ?? "")),
    );
  const brought = announced ? pluginTopics(announced, commands) : {};
  return {
    sections: {
      "": on(everyday),
      "By topic:": on(topics),
      ...(Object.keys(brought).length > 0 && { "From plugins:": brought }),
    },
    also: Object.keys(seldom),
    others: on({ ...seldom, ...byPrograms }),
    all: { ...on(commands), ...brought },
    off,
  };
}

/** What commands are called now that were once called otherwise; their old names go with the next version. */
export const moved: Readonly<Record<string, readonly string[]>> = {
  transcript: ["session"],
  ...inTopic("memory", inMemory),
  ...inTopic("server", { start, stop, retry }),
};

function inTopic(topic: string, commands: Declared) {
  return Object.fromEntries(Object.keys(commands).map((name) => [name, [topic, name]]));
}
