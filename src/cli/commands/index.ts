// Every command, in the order of the help.
import type { Completable } from "../setup/completable.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { CommandData, Declared, Loading } from "./declared.ts";
import { endlessCommands } from "./endless.ts";
import { historyCommands } from "./history.ts";
import { carryCommands, correctCommands, lookCommands, storeCommands } from "./memory.ts";
import { pluginCommands } from "./plugins.ts";
import { openCommands, serverCommands } from "./server.ts";
import { configCommands, setupCommands } from "./setup.ts";
import { syncCommands } from "./sync.ts";

const { search, ask, show, sessions, context, ...looking } = lookCommands;
const { install, doctor, redact, uninstall, ...setup } = setupCommands;
const { config, provider } = configCommands;
const { backfill, stats, transcript } = historyCommands;
const { status, start, stop, retry, ...run } = serverCommands;
const { endless, recall } = endlessCommands;
const { open } = openCommands;

/** What most people type. */
const everyday: Declared = {
  ...{ install, status, search, ask, show, sessions, context, open, backfill, doctor, config },
};

const inMemory = { ...looking, stats, ...correctCommands, redact, ...carryCommands };
/** The rest, below a word for each thing. */
const topics: Declared = {
  ...pluginCommands,
  memory: {
    does: "Explore, correct, delete and back up your memory",
    usually: "stats",
    examples: ["memoir memory timeline --since today", "memoir memory pin m4"],
    commands: inMemory,
  },
  ...syncCommands,
  session: { ...transcript, examples: ["memoir session dump --last"] },
  server: {
    does: "Start and stop the server (it starts by itself)",
    usually: "status",
    examples: ["memoir server stop"],
    commands: { status: { ...status, examples: ["memoir server status"] }, start, stop, retry },
  },
  endless,
};

/** Those that a script can be made for. */
export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

/** Declared where all that it completes is known. */
const completions = {
  does: "Print your shell's completion script",
  load: async (): Loading => {
    const { printCompletions } = await import("../setup/completions.ts");
    return (shell: Shell, options: { json?: boolean; of?: Completable }, terminal: Terminal) =>
      printCompletions(shell, commands, options, terminal);
  },
  args: [["<shell>", "Which shell", { choices: shells }]],
  options: { "--of <what>": { says: "What a script asks for", hidden: true } },
  examples: [
    "memoir completions bash >> ~/.bash_completion",
    "memoir completions fish > ~/.config/fish/completions/memoir.fish",
  ],
} as const satisfies CommandData;

/** Seldom typed by hand, or typed by programs: the first help leaves them out. */
export const others: Declared = {
  uninstall,
  completions,
  ...setup,
  provider,
  recall,
  ...storeCommands,
  ...run,
};

/** The first help: commands by their heading. */
export const sections: Readonly<Record<string, Declared>> = {
  "Every day:": everyday,
  "By topic:": topics,
};

/** All of them by name, those that the first help leaves out too. */
export const commands: Declared = { ...everyday, ...topics, ...others };

/** What commands are called now that were once called otherwise; their old names go with the next version. */
export const moved: Readonly<Record<string, readonly string[]>> = {
  transcript: ["session"],
  ...inTopic("memory", inMemory),
  ...inTopic("server", { start, stop, retry }),
};

function inTopic(topic: string, commands: Declared) {
  return Object.fromEntries(Object.keys(commands).map((name) => [name, [topic, name]]));
}
