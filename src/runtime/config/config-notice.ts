// What a person has to hear of a config that is not in force as written, at the start of a session.
import { cut } from "../../text/text.ts";
import type { ConfigFile } from "./parse.ts";
import { problemText } from "./problems.ts";

/** Longer problems are whole in `memoir doctor`. */
const longestProblem = 200;

/** One line for the terminal, or undefined where nothing is wrong. */
export function configNotice(file: ConfigFile): string | undefined {
  const [first] = file.problems;
  if (!first) return undefined;
  const more = file.problems.length > 1 ? ` (and ${file.problems.length - 1} more)` : "";
  const what = `memoir: ${file.path}: ${cut(problemText(first), longestProblem)}${more}.`;
  return `${what} ${consequence(file)} \`memoir doctor\` says what to do.`;
}

function consequence({ broken, captureUnclear }: ConfigFile): string {
  if (captureUnclear)
    return "What is to be left out cannot be known, so nothing that is said is kept until it is corrected.";
  if (broken) return "The settings of before stay in force until it is corrected.";
  return "The rest of it is in force.";
}
