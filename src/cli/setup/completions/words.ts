// What can be typed after each command: the declared command line as plain data, for every shell alike.
import type { Command } from "commander";

/** Something that can be typed, and what it is for. */
export interface Word {
  word: string;
  description: string;
}

/** One command: its words joined by blanks (empty for the program itself), what may follow, and its options. */
export interface Place {
  path: string;
  commands: Word[];
  options: Word[];
  /** Values of options that have only a few. */
  choices: Array<{ option: string; values: string[] }>;
}

/** Every place of a command line, the program first. */
export function placesOf(command: Command, path = ""): Place[] {
  const visible = command.createHelp();
  const commands = visible
    .visibleCommands(command)
    .filter((inner) => inner.name() !== "help")
    .map((inner) => ({ word: inner.name(), description: oneSentence(inner.description()) }));
  for (const value of command.registeredArguments[0]?.argChoices ?? [])
    commands.push({ word: value, description: "" });
  const options = visible
    .visibleOptions(command)
    .flatMap(({ long, description }) =>
      long ? [{ word: long, description: oneSentence(description) }] : [],
    );
  const choices = command.options.flatMap(({ long, argChoices }) =>
    long && argChoices ? [{ option: long, values: argChoices }] : [],
  );
  const inner = command.commands.flatMap((next) =>
    placesOf(next, path === "" ? next.name() : `${path} ${next.name()}`),
  );
  return [{ path, commands, options, choices }, ...inner];
}

/** One line without what shells would read as their own. */
function oneSentence(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replaceAll("'", "’")
    .replace(/[`"\\$[\]]/g, "");
}
