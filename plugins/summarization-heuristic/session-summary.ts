// The summary of a whole session, from its prompts, their summaries and all its observations; and its final title.

import type {
  Observation,
  Summary,
  SummaryDraft,
  SummaryInput,
  SummaryResult,
} from "../../src/sdk/index.ts";
import {
  baseName,
  type Goal,
  goalOf,
  headlineOf,
  meaningOf,
  overlap,
  pathsFrom,
  sublineOf,
} from "../../src/text/index.ts";
import { sessionSubtitleWords, sessionTitleWords, titlesOf } from "./opening.ts";
import { asDone, asSentence, proseField, someOf } from "./prose-field.ts";

/** Sums up a session; without a summary when none of its prompts led to anything. */
export function summarizeSession(input: SummaryInput): SummaryResult {
  const paths = pathsFrom(input.session.project.root);
  const goals = input.prompts
    .map((prompt) => goalOf(paths.inText(prompt.text), 1))
    .filter((goal) => goal.text !== "");
  const titles = sessionTitles(goals, input.observations);
  if (input.observations.length === 0 && input.summaries.length === 0)
    return { ...titles, model: null, observerTokens: 0 };
  const changes = input.observations.filter((one) => one.filesModified.length > 0);
  const edited = unique([
    ...input.summaries.flatMap((one) => one.filesEdited),
    ...changes.flatMap((one) => one.filesModified),
  ]);
  const read = unique([
    ...input.summaries.flatMap((one) => one.filesRead),
    ...input.observations.flatMap((one) => one.filesRead),
  ]).filter((path) => !edited.includes(path));
  const decisions = input.observations.filter((one) => one.type === "decision");
  const summary: SummaryDraft = {
    request: request(goals),
    investigated: read.length < 2 ? "" : asSentence(`Read ${someOf(read.map(baseName), 6)}`),
    learned: proseField(firstSentences(input.summaries, "learned").slice(-3), 3, 560),
    completed: completed(changes, input.summaries),
    nextSteps: lastNextSteps(input.summaries),
    filesRead: read.slice(0, 50),
    filesEdited: edited.slice(0, 50),
    notes: proseField(
      decisions.flatMap((one) => one.facts.filter((fact) => fact.startsWith("User "))),
      3,
      420,
    ),
  };
  return { ...titles, summary, model: null, observerTokens: 0 };
}

/** The first request, the one after it, and the last; how many there were when there were more. */
function request(goals: readonly Goal[]): string {
  const texts = goals
    .filter((goal, index) => index === 0 || meaningOf(goal.text).size >= 3)
    .map((goal) =>
      asSentence(goal.text.length <= 160 ? goal.text : (sublineOf(goal.text, 26) ?? "")),
    )
    .filter((text) => text !== "");
  if (texts.length <= 3) return proseField(texts, 3, 600);
  const [first = "", second = ""] = texts;
  return proseField(
    [
      first,
      `Then: ${second}`,
      `${texts.length - 2} more requests, the last: ${texts.at(-1) ?? ""}`,
    ],
    3,
    600,
  );
}

function completed(changes: readonly Observation[], summaries: readonly Summary[]): string {
  const titles = distinct(
    [...changes]
      .sort((left, right) => right.toolUseIds.length - left.toolUseIds.length)
      .map((one) => one.title),
  );
  const inOrder = distinct(changes.map((one) => one.title)).filter((title) =>
    titles.slice(0, 6).includes(title),
  );
  if (titles.length === 0) return proseField(firstSentences(summaries, "completed"), 3, 560);
  if (titles.length <= 2)
    return proseField([...firstSentences(summaries, "completed"), ...inOrder.map(asDone)], 3, 560);
  const more = titles.length > 6 ? `; and ${titles.length - 6} more` : "";
  return asSentence(`${inOrder.map(asDone).join("; ")}${more}`);
}

function lastNextSteps(summaries: readonly Summary[]): string {
  return summaries.slice(-2).findLast((summary) => summary.nextSteps !== "")?.nextSteps ?? "";
}

function firstSentences(summaries: readonly Summary[], field: "learned" | "completed"): string[] {
  return summaries
    .map((summary) => summary[field].split(/(?<=[.!?])\s+(?=[A-Z`"])/)[0] ?? "")
    .filter((text) => text !== "" && !/\b(?:you|your|I|my)\b/.test(text));
}

/** What the session turned out to be about: its largest change, else what was first asked. */
function sessionTitles(
  goals: readonly Goal[],
  observations: readonly Observation[],
): Pick<SummaryResult, "title" | "subtitle"> {
  const opening = goals[0] === undefined ? {} : titlesOf(goals[0]);
  const ranked = observations
    .filter((one) => one.agent === undefined)
    .map((one) => ({ one, weight: one.toolUseIds.length + (one.filesModified.length > 0 ? 8 : 0) }))
    .sort((left, right) => right.weight - left.weight)
    .map((entry) => entry.one.title);
  const headlines = distinct(ranked).flatMap(
    (title) => headlineOf(title, sessionTitleWords.min, sessionTitleWords.max) ?? [],
  );
  const title =
    goals[0]?.kind !== "request" || opening.title === undefined
      ? (headlines[0] ?? opening.title)
      : opening.title;
  const rest = distinct(ranked).filter((text) => title === undefined || overlap(title, text) < 0.7);
  const subtitle =
    [rest.slice(0, 3).join("; "), rest.slice(0, 2).join("; "), rest[0] ?? ""]
      .map((text) => (text === "" ? undefined : sublineOf(text, sessionSubtitleWords)))
      .find((text) => text !== undefined) ?? opening.subtitle;
  return {
    ...(title === undefined ? {} : { title }),
    ...(subtitle === undefined ? {} : { subtitle }),
  };
}

function distinct(texts: readonly string[]): string[] {
  const kept: string[] = [];
  for (const text of texts) if (!kept.some((other) => overlap(other, text) > 0.75)) kept.push(text);
  return kept;
}

function unique(list: readonly string[]): string[] {
  return [...new Set(list)];
}
