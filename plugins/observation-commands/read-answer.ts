// Command lines as raw observations and summary, with what was wrong with them in words.
import {
  emptyAnswer,
  type RawAnswer,
  type RawObservation,
  saysNothing,
} from "../../src/strategy/index.ts";
import { type CommandLine, readCommands } from "./read-commands.ts";

const longestAnswer = 400_000;

/** Never throws. A command that was cut off in its quotes is left out. */
export function readAnswer(text: string): RawAnswer {
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
      const observation: RawObservation = {
        type: value("type"),
        title: value("title"),
        subtitle: value("subtitle"),
        facts: listOf(value("facts")),
        narrative: value("narrative"),
        concepts: listOf(value("concepts")),
        files: listOf(value("files")),
        uses: (value("uses").match(/\d{1,4}/g) ?? []).map(Number),
      };
      const { title, facts, narrative } = observation;
      if (title !== "" || facts.length > 0 || narrative !== "")
        answer.observations.push(observation);
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
