// A JSON answer as raw observations and summary, with what was wrong with it in words.
import * as v from "valibot";
import { ofSummaryTexts, summaryTextNames } from "../../src/sdk/index.ts";
import { emptyAnswer, findJson, type RawAnswer, saysNothing } from "../../src/strategy/index.ts";
import { nameWords } from "../../src/text/index.ts";
import { LooseObservation, LooseSummary } from "./schema.ts";

const longestAnswer = 400_000;

/** Never throws. An answer that was cut off gives the observations that are whole. */
export function readAnswer(text: string): RawAnswer {
  const answer = emptyAnswer();
  const values = findJson(text.slice(0, longestAnswer)).filter(
    (value) => typeof value === "object" && value !== null,
  );
  if (values.length === 0) {
    answer.nothing = saysNothing(text);
    if (!answer.nothing) answer.problem = "no JSON object was found in it";
    return answer;
  }
  for (const value of values) take(answer, value ?? {});
  if (answer.observations.length === 0 && answer.summary === undefined && !answer.nothing)
    answer.problem = 'the JSON has neither "observations" nor the fields of a summary';
  return answer;
}

function take(answer: RawAnswer, value: object): void {
  const list: unknown = Array.isArray(value) ? value : Reflect.get(value, "observations");
  if (Array.isArray(list)) {
    if (list.length === 0) answer.nothing = true;
    for (const item of list) takeObservation(answer, item);
    return;
  }
  const inner: unknown = Reflect.get(value, "observation") ?? Reflect.get(value, "summary");
  if (typeof inner === "object" && inner !== null) take(answer, inner);
  else if (Array.isArray(Reflect.get(value, "facts")) || "narrative" in value)
    takeObservation(answer, value);
  else if (summaryTextNames.some((name) => name in value)) takeSummary(answer, value);
}

function takeObservation(answer: RawAnswer, item: unknown): void {
  const parsed = v.safeParse(LooseObservation, item);
  if (!parsed.success) return;
  const { title, facts, narrative } = parsed.output;
  if (title !== "" || facts.length > 0 || narrative !== "") answer.observations.push(parsed.output);
}

function takeSummary(answer: RawAnswer, value: object): void {
  const field = (name: string) =>
    Reflect.get(value, name) ?? Reflect.get(value, nameWords(name, "_"));
  const renamed = { ...value, ...ofSummaryTexts(field) };
  const parsed = v.safeParse(LooseSummary, renamed);
  if (!parsed.success) return;
  const { title, subtitle, ...summary } = parsed.output;
  answer.summary = { ...summary, filesRead: [], filesEdited: [] };
  if (title !== "") answer.title = title;
  if (subtitle !== "") answer.subtitle = subtitle;
}
