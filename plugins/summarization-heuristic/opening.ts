// A session's title and subtitle from its first prompt that asks for something.

import type { SummaryInput, SummaryResult } from "../../src/sdk/index.ts";
import {
  codeNames,
  type Goal,
  goalOf,
  headlineOf,
  overlap,
  pathsFrom,
  sublineOf,
} from "../../src/text/index.ts";

/** Word limits of a session's title and subtitle. */
export const sessionTitleWords = { min: 3, max: 6 };
export const sessionSubtitleWords = 20;

/** Titles a session; empty when its first prompt asks for nothing by itself. */
export function openSession(input: SummaryInput): SummaryResult {
  const paths = pathsFrom(input.session.project.root);
  for (const prompt of input.prompts) {
    const goal = goalOf(paths.inText(prompt.text), 3);
    if (goal.text !== "") return { ...titlesOf(goal), model: null, observerTokens: 0 };
  }
  return { model: null, observerTokens: 0 };
}

/** Title and subtitle of a goal, each only where it reads well. */
export function titlesOf(goal: Goal): Pick<SummaryResult, "title" | "subtitle"> {
  const sentences = goal.text.split(/(?<=[.!?。！？:])\s+/);
  const title = sentences
    .slice(0, 2)
    .map((sentence) => headlineOf(sentence, sessionTitleWords.min, sessionTitleWords.max))
    .find(
      (headline) =>
        headline !== undefined && !/\b(?:this|that|these|those|it|them)\b/i.test(headline),
    );
  const names = [...new Set(codeNames(goal.text))].slice(0, 2);
  const about = names.length === 2 ? `About ${names.join(" and ")}` : undefined;
  const headline = title ?? about;
  const subtitle = [...sentences, goal.text]
    .map((sentence) => sublineOf(sentence, sessionSubtitleWords))
    .find((line) => line !== undefined && (title === undefined || overlap(title, line) < 0.99));
  return {
    ...(headline === undefined ? {} : { title: headline }),
    ...(subtitle === undefined ? {} : { subtitle }),
  };
}
