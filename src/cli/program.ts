// The command line: declares every command, runs the one that was called, turns whatever goes wrong into two lines and an exit code.
import { existsSync } from "node:fs";
import { Argument, Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { invitationStart } from "../features/sync.ts";
import { memoirHome, memoirPaths, userHome } from "../home/paths.ts";
import { version } from "../home/version.ts";
import { nearest } from "../runtime/config/problems.ts";
import { readAnnounced } from "../runtime/plugins/announced.ts";
import { MemoirError } from "../sdk/errors.ts";
import { when } from "../text/time-of.ts";
import {
  type CommandData,
  type Declared,
  isTopic,
  type OptionData,
  optionsOf,
} from "./commands/declared.ts";
import { broughtBy, type CommandLine, commandLine, moved } from "./commands/index.ts";
import { columns } from "./terminal/layout.ts";
import { processTerminal, reportError, type Terminal } from "./terminal/terminal.ts";

/**
 * Runs the command line that was typed (as `process.argv`). Gives the exit code: 0 ok, 1 failed, 2 wrong usage, 3 server not
 * running (`status`). Never rejects.
 */
export async function main(
  typed: readonly string[],
  terminal: Terminal = processTerminal(),
): Promise<number> {
  const argv = underPresentName(typed, terminal);
  const inHome = await commandsIn(argv, terminal);
  const json = argv.includes("--json");
  let exit = 0;
  const program = declareProgram(
    terminal,
    (code) => {
      exit = code;
    },
    inHome,
  );
  if (argv.length <= 2) {
    program.outputHelp();
    return 0;
  }
  program.hook("preAction", (_program, called) => {
    requireArguments(called, helpOf(program, argv.slice(2)));
  });
  try {
    if (argv[2] === "help" && argv[3] === "all") {
      terminal.print(allCommandsText(program));
      return 0;
    }
    if (argv[2] === "help") {
      commandCalled(program, argv.slice(3), inHome).outputHelp();
      return 0;
    }
    await program.parseAsync(withVerb(argv, inHome));
    return exit;
  } catch (error) {
    if (!(error instanceof CommanderError)) return reportError(error, terminal, json);
    if (error.exitCode === 0) return 0;
    return reportError(usageError(error, program, argv.slice(2), inHome), terminal, json);
  }
}

/** The commands of this home. A word that nobody knows may be of a plugin that came while no server ran: plugins are asked again. */
async function commandsIn(argv: readonly string[], terminal: Terminal): Promise<CommandLine> {
  if (!terminal.env.MEMOIR_HOME && userHome(terminal.env) === "") return commandLine();
  const paths = memoirPaths(memoirHome(terminal.env));
  const known = commandLine(await readAnnounced(paths));
  const word = argv[2] === "help" ? argv[3] : argv[2];
  const isKnown = word === undefined || /^-|^all$/.test(word) || Object.hasOwn(known.all, word);
  if (isKnown || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(word) || broughtBy(word)) return known;
  // A slip of the finger makes no home where there is none.
  if (!existsSync(paths.plugins)) return known;
  const { announce } = await import("./plugins/after-change.ts");
  return commandLine(await announce(terminal));
}

/** The command line with the command's present name; says so where it was typed by an old one. */
function underPresentName(typed: readonly string[], terminal: Terminal): readonly string[] {
  const at = typed[2] === "help" ? 3 : 2;
  const old = typed[at] ?? "";
  const now = Object.hasOwn(moved, old) ? moved[old] : undefined;
  if (!now) return typed;
  terminal.warn(
    `\`memoir ${old}\` is now \`memoir ${now.join(" ")}\`; the next version drops the old name.`,
  );
  return [...typed.slice(0, at), ...now, ...typed.slice(at + 1)];
}

/** Every command with its words and what it does, a line each. */
function allCommandsText(program: Command): string {
  const lines = allCommands(program)
    .filter(({ commands }) => commands.length === 0)
    .map((command) => [pathOf(command), command.description()]);
  return columns(lines).join("\n");
}

/** `memoir plugin list`. */
function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

/** The whole program; exported for a test that reads every command's help. */
export function declareProgram(
  terminal: Terminal,
  ran: (exit: number) => void,
  { sections, others, also }: CommandLine = commandLine(),
): Command {
  const program = new Command("memoir")
    .description("The long memory of coding agents.")
    .version(version, "-V, --version", "Print the version")
    .helpOption("-h, --help", "Show help")
    .helpCommand("help [command]", helpDoes)
    .configureHelp({ helpWidth: Math.min(terminal.width ?? 100, 100), showGlobalOptions: false })
    .configureOutput({
      writeOut: (text) => terminal.print(text.trimEnd()),
      writeErr: () => undefined,
    })
    .exitOverride();
  for (const commands of [...Object.values(sections), others])
    addCommands(program, commands, terminal, ran);
  program.helpInformation = () => firstHelp(sections, also);
  for (const command of allCommands(program))
    command.helpOption("-h, --help", "Show help").copyInheritedSettings(program);
  return program;
}

const helpDoes = "Show help for a command";

/** What fits a screen: what is typed every day, and by which words all else is found. */
function firstHelp(sections: CommandLine["sections"], also: readonly string[]): string {
  const rowsOf = (commands: Declared) =>
    Object.entries(commands).map(([name, { does }]) => [name, does] as const);
  const parts = Object.entries(sections).map(([heading, commands]) => ({
    heading,
    rows: [...rowsOf(commands), ...(heading === "" ? [["help", helpDoes] as const] : [])],
  }));
  const widest = Math.max(...parts.flatMap(({ rows }) => rows.map(([name]) => name.length)));
  return [
    "Usage: memoir <command> [options]",
    ...parts.map(({ heading, rows }) =>
      [
        ...(heading === "" ? [] : [heading]),
        ...rows.map(([name, does]) => `  ${name.padEnd(widest)}  ${does}`),
      ].join("\n"),
    ),
    `Also: ${also.join(", ")}.\n\`memoir help <command>\` explains one, \`memoir help all\` lists every command.`,
  ].join("\n\n");
}

// Commands as they are declared become commander's.

function addCommands(
  parent: Command,
  commands: Declared,
  terminal: Terminal,
  ran: (exit: number) => void,
): void {
  for (const [name, data] of Object.entries(commands)) {
    const command = parent.command(name).description(data.does);
    if (isTopic(data)) {
      command.addHelpText("after", exampleText(data.examples));
      addCommands(command, data.commands, terminal, ran);
    } else {
      describe(command, data);
      command.action(async (...given: unknown[]) => {
        const work = (await data.load()) as (...given: unknown[]) => Promise<number>;
        // Commander's last argument is the command itself.
        ran(await work(...given.slice(0, -1), terminal));
      });
    }
  }
}

function describe(command: Command, data: CommandData) {
  const { args = [], more, examples } = data;
  const options: CommandData["options"] = optionsOf(data);
  for (const [usage, says, { default: otherwise, choices } = {}] of args) {
    const argument = new Argument(usage, says).default(otherwise);
    if (choices) argument.choices(choices);
    command.addArgument(argument);
  }
  const offered = { ...options, "--json": options["--json"] ?? "Print JSON" };
  for (const [typed, data] of Object.entries(offered))
    command.addOption(optionOf(typed, typeof data === "string" ? { says: data } : data));
  command.addHelpText("after", `${more ? `\n${more}\n` : ""}${exampleText(examples)}`);
}

function exampleText(examples: readonly string[]): string {
  const lines = examples.map((example) => `  $ ${example}`);
  return `\nExample${examples.length > 1 ? "s" : ""}:\n${lines.join("\n")}`;
}

function optionOf(typed: string, data: OptionData): Option {
  const { most, choices, many = false, required = false, hidden = false } = data;
  const option = new Option(typed, wordsFor(data)).default(data.default);
  option.makeOptionMandatory(required).hideHelp(hidden);
  if (data.conflicts) option.conflicts([...data.conflicts]);
  if (choices) option.choices(choices);
  if (most !== undefined) option.argParser(count(most));
  if (many) option.argParser(choices ? someOf(choices) : addedUp);
  return option;
}

function wordsFor({ says, is, most, choices, many }: OptionData): string {
  if (is === "time") return `${says} (${when})`;
  if (most !== undefined) return `${says} (1 to ${most})`;
  if (many) return `${says}; ${choices ? "several as a,b" : "may be repeated"}`;
  return says;
}

const addedUp = (text: string, before: readonly string[] = []) => [...before, text];

/** A whole number from 1 to `most`; anything else is wrong usage. */
function count(most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (Number.isInteger(value) && value >= 1 && value <= most) return value;
    throw new InvalidArgumentError(`Write a whole number from 1 to ${most}.`);
  };
}

/** One of `allowed`, or several joined by commas; given again, more are added. It never takes the next word. */
function someOf(allowed: readonly string[]) {
  return (text: string, before: readonly string[] = []) => {
    const words = text.split(",").map((word) => word.trim());
    if (words.every((word) => allowed.includes(word))) return [...new Set([...before, ...words])];
    throw new InvalidArgumentError(`Allowed choices are ${allowed.join(", ")}.`);
  };
}

/** `memoir plugin` means `memoir plugin list`. Commander's own default would take every typo for an argument of `list`. */
function withVerb(argv: readonly string[], { all }: CommandLine): string[] {
  let here = all;
  let at = 2;
  for (; at < argv.length; at++) {
    const data = Object.hasOwn(here, argv[at] ?? "") ? here[argv[at] ?? ""] : undefined;
    if (!data || !isTopic(data)) break;
    here = data.commands;
    const next = argv[at + 1];
    if (next === undefined || next === "--json")
      return [...argv.slice(0, at + 1), data.usually, ...argv.slice(at + 1)];
  }
  return [...argv];
}

/** What may be empty: words to look for, and values. */
const mayBeEmpty: ReadonlySet<string> = new Set(["words", "value"]);

/** Throws `usage` for an argument without a letter: a variable of the shell's that was not set. */
function requireArguments(called: Command, help: string): void {
  const declared = called.registeredArguments;
  for (const [at, text] of called.args.entries()) {
    const name = (declared[at] ?? declared.at(-1))?.name() ?? "argument";
    if (text.trim() === "" && !mayBeEmpty.has(name))
      throw new MemoirError("usage", `The ${name} is empty.`, {
        fix: `See \`${help}\`.`,
      });
  }
}

/** The command that `memoir help plugin new` names. Throws `usage` for one that there is not. */
function commandCalled(program: Command, words: readonly string[], { off }: CommandLine): Command {
  let command = program;
  for (const word of words.filter((one) => !one.startsWith("-") && one !== "help")) {
    const names = command.commands.map((inner) => inner.name());
    const next = command.commands[names.indexOf(word)];
    if (!next) {
      const refused = command === program ? switchedOff(word, off) : undefined;
      if (refused) throw refused;
      throw new MemoirError("usage", `Unknown command '${word}'.`, {
        fix: instead(program, words, word),
      });
    }
    command = next;
  }
  return command;
}

/** A command and everything below it, itself left out. */
export function allCommands(command: Command): Command[] {
  return command.commands.flatMap((inner) => [inner, ...allCommands(inner)]);
}

/** `error: unknown option '--lmit'\n(Did you mean --limit?)` → what is wrong, and the suggestion as its fix. */
function usageError(
  error: CommanderError,
  program: Command,
  words: readonly string[],
  { off }: CommandLine,
): MemoirError {
  // What is as good as a password is not quoted.
  if (words.some((word) => /^postgres(?:ql)?:\/\//.test(word)))
    return new MemoirError("usage", "A connection string is not typed as an argument.", {
      fix: "Run `memoir sync init postgres` and type it when asked, or give it a file: `memoir sync init postgres < address.txt`.",
    });
  if (words.some((word) => word.startsWith(invitationStart)))
    return new MemoirError("usage", "An invitation is not typed as an argument.", {
      fix: "Run `memoir sync join` and paste it when asked, or give it a file: `memoir sync join < invitation.txt`.",
    });
  const help = helpOf(program, words);
  const [first = "", ...rest] = error.message.replace(/^error: /, "").split("\n");
  if (first === `unknown command '${words[0]}'`) {
    const refused = switchedOff(words[0] ?? "", off);
    if (refused) return refused;
  }
  const [, unknown] = /^unknown command '(.*)'$/.exec(first) ?? [];
  const suggestion =
    (unknown === undefined ? rest.join(" ").replace(/^\(|\)$/g, "") : "") ||
    meantChoice(first) ||
    asWords(first, program, words) ||
    toGive(first, program, words);
  const plain = first.replace(
    /^command-argument value '(.*)' is invalid for argument '(.*)'\./,
    "unknown $2 '$1'.",
  );
  const message = plain.charAt(0).toUpperCase() + plain.slice(1);
  return new MemoirError("usage", /[.?!]$/.test(message) ? message : `${message}.`, {
    fix:
      suggestion || (unknown === undefined ? `See \`${help}\`.` : instead(program, words, unknown)),
  });
}

/** What a word that is a command once something is switched on is answered with. */
function switchedOff(word: string, off: readonly string[]): MemoirError | undefined {
  const plugin = broughtBy(word) ?? (off.includes(word) ? word : undefined);
  if (plugin === undefined) return undefined;
  return new MemoirError("usage", `The plugin ${plugin} is switched off.`, {
    fix: `\`memoir plugin enable ${plugin}\` switches it on.`,
  });
}

/** How words that begin with dashes are looked for. */
function asWords(message: string, program: Command, [name]: readonly string[]): string {
  const [, option] = /^unknown option '(.*)'$/s.exec(message) ?? [];
  const command = program.commands.find((inner) => inner.name() === name);
  if (option === undefined || command?.registeredArguments[0]?.name() !== "words") return "";
  return `To look for words that begin with dashes, write \`memoir ${name} -- "${option}"\`; \`memoir ${name} --help\` lists the options.`;
}

/** What the argument that is missing is, in the command's own words. */
function toGive(message: string, program: Command, words: readonly string[]): string {
  const [, missing] = /^missing required argument '(.*)'/.exec(message) ?? [];
  const help = helpOf(program, words);
  const command = allCommands(program).find((inner) => `${pathOf(inner)} --help` === help);
  const says = command?.registeredArguments.find((one) => one.name() === missing)?.description;
  const given = says?.replace(/^\p{Lu}(?=[\p{Ll} ])/u, (letter) => letter.toLowerCase());
  return given ? `Give <${missing}>: ${given}. See \`${help}\`.` : "";
}

const mostNear = 3;

/** What was meant by a command that there is not: one beside it, one elsewhere, or what does what the word says. */
function instead(program: Command, words: readonly string[], unknown: string): string {
  const help = helpOf(program, words);
  const topic = help.replace(/ --help$/, "");
  const isBeside = (one: Command) => pathOf(one.parent ?? program) === topic;
  const all = allCommands(program);
  const ends = all.filter(({ commands }) => commands.length === 0);
  const doing = ends.filter((one) => verbOf(one) === unknown.toLowerCase());
  const beside = nearest(
    unknown,
    all.filter(isBeside).map((one) => one.name()),
  );
  if (beside && doing.length === 0) return `Did you mean ${beside}?`;
  const name = nearest(
    unknown,
    ends.map((one) => one.name()),
  );
  const near = [...new Set([...doing, ...ends.filter((one) => one.name() === name)])]
    // A command that asks before it acts is not one to be tried.
    .filter(({ options }) => !options.some(({ long }) => long === "--yes"))
    .map(pathOf)
    .sort((a, b) => Number(b.startsWith(`${topic} `)) - Number(a.startsWith(`${topic} `)))
    .slice(0, mostNear)
    .map((path) => `\`${path}\``);
  const list = `\`${topic === "memoir" ? "memoir help all" : help}\` lists every command.`;
  return near.length > 0 ? `There is ${near.join(", ")}; ${list}` : list;
}

/** Descriptions begin with one. */
const verbOf = (command: Command) => command.description().split(" ")[0]?.toLowerCase();

/** `memoir plugin info --help`, for whatever of it was called. */
function helpOf(program: Command, words: readonly string[]): string {
  const names: string[] = [];
  let command: Command | undefined = program;
  for (const word of words) {
    command = command.commands.find((inner) => inner.name() === word);
    if (!command) break;
    names.push(word);
  }
  return ["memoir", ...names, "--help"].join(" ");
}

/** `argument 'memry' is invalid. Allowed choices are observation, memory.` → which of them was meant. */
function meantChoice(message: string): string {
  const [, given = "", listed = ""] =
    /(?:argument|value) '([^']*)' is invalid.*\. Allowed choices are (.*?)\.?$/.exec(message) ?? [];
  const choices = listed.split(", ");
  const wrong = given.split(",").find((word) => !choices.includes(word.trim())) ?? "";
  const near = nearest(wrong.trim(), choices);
  return near ? `Did you mean ${near}?` : "";
}
