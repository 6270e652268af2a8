// Built-in plugin `commands`: observations and summaries by a model that answers in command lines, which are read and never run.

import { split } from "shlex";
import type { AnswerFormat, RawAnswer } from "../../src/strategy/index.ts";
import {
  emptyAnswer,
  modelStrategy,
  observationTypes,
  rawObservation,
  saysNothing,
} from "../../src/strategy/index.ts";

// Finds memoir's command lines in a model's answer and splits them as a shell would. Nothing is expanded, nothing is run.

const verbs = ["store-memory", "update-session-metadata", "store-overview"] as const;

/** A command with its options; an option that came twice keeps the last value. */
interface CommandLine {
  verb: (typeof verbs)[number];
  options: Map<string, string>;
}

/** The commands that could be read, and in words what was wrong with the first that could not. */
interface CommandLines {
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
function readCommands(answer: string): CommandLines {
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

/** False when a list is not valid JSON: then its quotes were taken apart in the wrong place. */
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

// Command lines as raw observations and summary, with what was wrong with them in words.

const longestAnswer = 400_000;

/** Never throws. A command that was cut off in its quotes is left out. */
function readAnswer(text: string): RawAnswer {
  const answer = emptyAnswer();
  const { commands, problem } = readCommands(text.slice(0, longestAnswer));
  for (const command of commands) take(answer, command);
  if (problem !== undefined) answer.problem = problem;
  else if (commands.length === 0) {
    answer.nothing = saysNothing(text);
    if (!answer.nothing) answer.problem = "no memoir command was found in it";
  }
  return answer;
}

function take(answer: RawAnswer, { verb, options }: CommandLine): void {
  const value = (name: string) => options.get(name)?.trim() ?? "";
  switch (verb) {
    case "store-memory": {
      const observation = rawObservation(value, (name) => listOf(value(name)));
      if (observation) answer.observations.push(observation);
      else answer.problem ??= "a store-memory command had neither --title nor --facts";
      break;
    }
    case "update-session-metadata": {
      if (value("title") !== "") answer.title = value("title");
      if (value("subtitle") !== "") answer.subtitle = value("subtitle");
      break;
    }
    case "store-overview":
      answer.summary = {
        request: value("request"),
        learned: value("learned"),
        completed: value("content"),
        nextSteps: value("next-steps") || value("next"),
        filesRead: [],
        filesEdited: [],
      };
  }
}

/** A JSON list of texts; else the lines, or for short words the items between commas. */
function listOf(text: string): string[] {
  try {
    const value: unknown = JSON.parse(text);
    const list: unknown[] = Array.isArray(value) ? value : [value];
    return list.filter((item) => typeof item === "string");
  } catch {
    const bare = text.replace(/^\[|\]$/g, "");
    const separator = !bare.includes("\n") && /^[\w./, -]*$/.test(bare) ? "," : "\n";
    return bare
      .split(separator)
      .map((item) => item.trim())
      .filter((item) => item !== "");
  }
}

// The command form: how the model is asked to answer.

const intro =
  "HOW TO ANSWER\nAnswer with command lines and nothing around them. Nobody runs them: they are only read.";
const instructions = {
  observe: `${intro} One command for each note:
memoir store-memory \\
  --type "one of the types" \\
  --title "3 to 8 words" \\
  --subtitle "at most 24 words" \\
  --facts '["50 to 150 characters, understandable alone", "another one"]' \\
  --narrative "the whole story" \\
  --concepts '["broad-category", "another-one"]' \\
  --files '["path/from/the/project/root.ts"]' \\
  --uses "1,3"
Lists are JSON in single quotes; inside single quotes write an apostrophe as '\\''. Other values are in double quotes; inside them write " as \\". Notes have no numbers: ids are given when they are stored. When nothing is worth a note, answer with the one word NOTHING.`,
  summarize: `${intro}
memoir store-overview \\
  --request "what the user wanted" \\
  --learned "what was found out about the project" \\
  --content "two or three sentences: what was done, the state it is in, key decisions, outcome" \\
  --next-steps "what is still open"
and, where title and subtitle are asked for, also:
memoir update-session-metadata --title "the session in 3 to 8 words" --subtitle "at most 20 words"`,
};

/** Command lines, split by the rules of a shell. */
export const commandFormat: AnswerFormat = {
  types: observationTypes,
  instructions,
  reminders: {
    observe: "Answer with memoir store-memory commands, or with NOTHING.",
    summarize: "Answer with memoir store-overview.",
  },
  read: readAnswer,
};

export default modelStrategy({
  name: "commands",
  description:
    "Asks the model for observations and summaries as memoir command lines, which are read and never run.",
  format: commandFormat,
});
