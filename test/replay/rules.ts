// The field rules an observation and a summary must keep; the replay counts every break.

import { type ObservationDraft, type SummaryDraft, summaryTextNames } from "../../src/sdk/model.ts";

/** A broken rule and the text that broke it. */
export interface Break {
  rule: string;
  text: string;
}

const clientMarkup =
  /<\/?(?:tool_use_error|system-reminder|command-name|local-command-\w+|task-notification)\b/;
const gutter = /^\s*\d+→/m;
// biome-ignore lint/suspicious/noControlCharactersInRegex: escapes are what is looked for
const terminal = /\u001b|\[\d{1,2}(?:;\d+)*m/;
const home = /\/(?:home|Users)\/\w/;

/** All breaks of one observation. */
export function breaksOf(observation: ObservationDraft): Break[] {
  const found: Break[] = [];
  const check = (rule: string, ok: boolean, text: string) => {
    if (!ok) found.push({ rule, text });
  };
  check(
    "title is one line of at most 140 characters",
    observation.title !== "" && observation.title.length <= 140 && !/\n/.test(observation.title),
    observation.title,
  );
  check("at most 7 facts", observation.facts.length <= 7, observation.title);
  check(
    "2 to 5 concepts",
    observation.concepts.length >= 2 && observation.concepts.length <= 5,
    observation.concepts.join(","),
  );
  check("narrative is not empty", observation.narrative !== "", observation.title);
  check(
    "concepts are lower-case and differ",
    new Set(observation.concepts).size === observation.concepts.length &&
      observation.concepts.every((concept) => /^[a-z][a-z0-9+-]*$/.test(concept)),
    observation.concepts.join(","),
  );
  for (const fact of observation.facts) {
    check("fact has at most 400 characters", fact.length <= 400, fact);
    check("fact is one line", !fact.includes("\n"), fact);
  }
  for (const text of [
    observation.title,
    observation.subtitle,
    ...observation.facts,
    observation.narrative,
  ]) {
    check("no client markup", !clientMarkup.test(text), text);
    check("no line gutter", !gutter.test(text), text);
    check("no terminal codes", !terminal.test(text), text);
    check("no home path", !home.test(text), text);
    check("whole characters", text.isWellFormed(), text);
  }
  return found;
}

/** Breaks among the observations of one batch. */
export function batchBreaks(observations: readonly ObservationDraft[]): Break[] {
  const seen = new Set<string>();
  return observations.flatMap((observation) => {
    const key = `${observation.title} ${observation.facts.join(" ")}`.toLowerCase();
    if (!seen.has(key)) {
      seen.add(key);
      return [];
    }
    return [{ rule: "no duplicate in a batch", text: observation.title }];
  });
}

/** All breaks of one summary. */
export function summaryBreaks(summary: SummaryDraft): Break[] {
  const found: Break[] = [];
  const fields = summaryTextNames.map((name) => summary[name] ?? "");
  if (fields.every((field) => field === ""))
    found.push({ rule: "summary says something", text: "" });
  for (const text of fields) {
    if (clientMarkup.test(text)) found.push({ rule: "no client markup", text });
    if (terminal.test(text) || gutter.test(text)) found.push({ rule: "no terminal codes", text });
    if (text.includes("\n")) found.push({ rule: "one line", text });
    if (!text.isWellFormed()) found.push({ rule: "whole characters", text });
    if (home.test(text)) found.push({ rule: "no home path", text });
    if (text.length > 2_400) found.push({ rule: "a field is short", text });
  }
  return found;
}
