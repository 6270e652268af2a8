// The command line out of what is declared: each command with its options, its help and the work that it does.
import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import type { Terminal } from "../terminal/terminal.ts";
import { type CommandData, type Declared, isTopic, type OptionData } from "./declared.ts";

/** The work of commands by name, as it is found while the command line is read. */
export interface AnyWork {
  readonly [name: string]: (() => Promise<(...given: never[]) => Promise<number>>) | AnyWork;
}

/** Adds commands to one; `ran` gets the exit code of the one that was called. */
export function addCommands(
  parent: Command,
  commands: Declared,
  work: AnyWork,
  terminal: Terminal,
  ran: (exit: number) => void,
  how: { hidden?: boolean } = {},
): void {
  for (const [name, data] of Object.entries(commands)) {
    const command = parent.command(name, how).description(data.does);
    const does = work[name];
    if (isTopic(data)) {
      command.addHelpText("after", exampleText(data.examples));
      addCommands(command, data.commands, does as AnyWork, terminal, ran);
    } else {
      describe(command, data);
      command.action(async (...given: unknown[]) => {
        const load = does as () => Promise<(...given: unknown[]) => Promise<number>>;
        // Commander's last argument is the command itself.
        ran(await (await load())(...given.slice(0, -1), terminal));
      });
    }
  }
}

function describe(command: Command, { args = [], options = {}, more, examples }: CommandData) {
  for (const [usage, says, { default: otherwise, choices } = {}] of args) {
    const argument = new Argument(usage, says).default(otherwise);
    if (choices) argument.choices(choices);
    command.addArgument(argument);
  }
  for (const [typed, data] of Object.entries({ ...options, ...jsonOf(options) }))
    command.addOption(optionOf(typed, typeof data === "string" ? { says: data } : data));
  command.addHelpText("after", `${more ? `\n${more}\n` : ""}${exampleText(examples)}`);
}

const jsonOf = (options: object) => ("--json" in options ? {} : { "--json": "print JSON" });

function exampleText(examples: readonly string[]): string {
  const lines = examples.map((example) => `  $ ${example}`);
  return `\nExample${examples.length > 1 ? "s" : ""}:\n${lines.join("\n")}`;
}

function optionOf(typed: string, data: OptionData): Option {
  const { says, most, choices, many = false, required = false, hidden = false } = data;
  const option = new Option(typed, says).default(data.default);
  option.makeOptionMandatory(required).hideHelp(hidden);
  if (data.conflicts) option.conflicts([...data.conflicts]);
  if (choices) option.choices(choices);
  if (most !== undefined) option.argParser(count(most));
  if (many) option.argParser(choices ? someOf(choices) : addedUp);
  return option;
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
