// What can be typed after each command: the declared commands as lists of words, for every shell alike.
import {
  type CommandData,
  type Declared,
  isTopic,
  type TopicData,
} from "../../commands/declared.ts";

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

const help = { word: "--help", description: "show help" };
const json = { word: "--json", description: "print JSON" };

/** Every place of a command line, the program first. */
export function placesOf(commands: Declared): Place[] {
  const version = { word: "--version", description: "print the version" };
  const below = Object.entries(commands).flatMap(([name, data]) => placesBelow(name, data));
  return [{ path: "", commands: named(commands), options: [version, help], choices: [] }, ...below];
}

function placesBelow(path: string, data: CommandData | TopicData): Place[] {
  if (isTopic(data)) {
    const { commands } = data;
    const inner = Object.entries(commands).flatMap(([name, next]) =>
      placesBelow(`${path} ${name}`, next),
    );
    return [{ path, commands: named(commands), options: [help], choices: [] }, ...inner];
  }
  const values = data.args?.[0]?.[2]?.choices ?? [];
  const place: Place = {
    path,
    commands: values.map((word) => ({ word, description: "" })),
    options: [],
    choices: [],
  };
  for (const [typed, option] of Object.entries(data.options ?? {})) {
    const word = /--[\w-]+/.exec(typed)?.[0] ?? typed;
    const { says, hidden, choices } = typeof option === "string" ? { says: option } : option;
    if (!hidden) place.options.push({ word, description: oneSentence(says) });
    if (choices) place.choices.push({ option: word, values: [...choices] });
  }
  if (!place.options.some(({ word }) => word === json.word)) place.options.push(json);
  place.options.push(help);
  return [place];
}

function named(commands: Declared): Word[] {
  return Object.entries(commands).map(([word, { does }]) => ({
    word,
    description: oneSentence(does),
  }));
}

/** One line without what shells would read as their own. */
function oneSentence(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replaceAll("'", "’")
    .replace(/[`"\\$[\]]/g, "");
}
