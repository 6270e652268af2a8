// Finds memoir's command lines in a model's answer and splits them as a shell would. Nothing is expanded, nothing is run.
import { split } from "shlex";

export const verbs = ["store-memory", "update-session-metadata", "store-overview"] as const;

/** A command with its options; an option that came twice keeps the last value. */
export interface CommandLine {
  verb: (typeof verbs)[number];
  options: Map<string, string>;
}

/** The commands that could be read, and in words what was wrong with the first that could not. */
export interface CommandLines {
  commands: CommandLine[];
  problem?: string;
}

const begin =
  /^[ \t>$`*-]*(?:[\w.~/\\-]*[/\\])?memoir(?:\.exe)?[ \t]+(store-memory|update-session-metadata|store-overview)\b/gm;
/** What a shell would take for the end of a command. */
const separators = new Set(["&&", "||", ";", "|", "&", ">", ">>", "<", "#"]);
const mostLines = 100;
const longestCommand = 20_000;

/** Reads all commands of an answer, in order. */
export function readCommands(answer: string): CommandLines {
  const found: CommandLines = { commands: [] };
  const starts = [...answer.matchAll(begin)];
  for (const [index, match] of starts.entries()) {
    const verb = verbs.find((name) => name === match[1]);
    if (verb === undefined) continue;
    const rest = answer.slice(match.index + match[0].length, starts[index + 1]?.index);
    const words = wordsOf(rest.split(/\n[ \t]*```/)[0] ?? "");
    if (words) found.commands.push({ verb, options: optionsOf(words) });
    else found.problem ??= `the quotes of a ${verb} command do not match`;
  }
  return found;
}

/** The words of the command's own lines: it goes on after a backslash and inside quotes. */
function wordsOf(text: string): string[] | undefined {
  const lines = text.slice(0, longestCommand).split("\n").slice(0, mostLines);
  for (const source of [lines, lines.map(withoutApostrophes)]) {
    let command = "";
    for (const line of source) {
      command += command === "" ? line : `\n${line}`;
      if (/\\[ \t]*$/.test(line)) {
        command = command.replace(/\\[ \t]*$/, "\\");
        continue;
      }
      const words = splitOrNot(command);
      if (words && listsAreWhole(words)) return words;
    }
  }
  return undefined;
}

/** An apostrophe inside a word, which models forget to escape, is not a quote. */
function withoutApostrophes(line: string): string {
  return line.replace(/(?<=\p{L})'(?=\p{L})/gu, "\u2019");
}

function splitOrNot(command: string): string[] | undefined {
  try {
    return split(command);
  } catch {
    return undefined;
  }
}

/** False when a list is no JSON: then its quotes were taken apart in the wrong place. */
function listsAreWhole(words: readonly string[]): boolean {
  return words.every((word) => !word.startsWith("[") || isJson(word.replace(/;$/, "")));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function optionsOf(words: readonly string[]): Map<string, string> {
  const options = new Map<string, string>();
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (separators.has(word)) break;
    const named = /^--([a-z][a-z-]*)(?:=([\s\S]*))?$/.exec(word);
    if (named?.[1] === undefined) continue;
    const next = named[2] ?? words[at + 1] ?? "";
    if (named[2] === undefined) at++;
    options.set(named[1], next);
    if (/;$/.test(next) && at === words.length - 1) options.set(named[1], next.slice(0, -1));
  }
  return options;
}
