// Decisions and preferences that the user stated, and choices the user made.
import {
  cleanText,
  isTrivial,
  startCapital,
  statementsOf,
  stripPoliteness,
  withoutClientMarkup,
} from "../../src/text/index.ts";
import type { ChoiceStep } from "./step.ts";

/** Something the user settled. */
export interface UserDecision {
  /** As the user put it, without politeness. */
  text: string;
  kind: "decision" | "preference" | "rule";
}

const rules: Array<[RegExp, UserDecision["kind"]]> = [
  [/^(?:always|never|do not ever|don't ever|from now on)\b/i, "rule"],
  [
    /\b(?:I|we|you|code|tests?|comments?|commits?|agents?) (?:should|must) (?:always|never|not|only)\b/i,
    "rule",
  ],
  [/\b(?:I|we) (?:really |explicitly |definitely )?(?:don't|do not) want\b.{8,}/i, "preference"],
  [
    /\b(?:I|we) (?:always|never) (?:want|use|do|commit|push|write|add|need)\b|\b(?:we )?(?:explicitly|definitely) (?:don't|do not) want\b/i,
    "rule",
  ],
  [
    /\bI(?:'d| would)? (?:much |really |strongly )?(?:prefer|like (?:it|to (?:have|keep|see|use))|rather)\b|\bmy preference\b|^prefer\b/i,
    "preference",
  ],
  [
    /\b(?:let's|lets|let us) (?:use|go with|stick (?:with|to)|keep|start with|switch to|not|avoid|always|never)\b/i,
    "decision",
  ],
  [
    /\b(?:we|I) (?:have |'ve )?(?:decided|agreed|settled|chose|opted)\b|\bI(?:'ll| will) go with\b|\bgo(?:ing)? with (?:the |option )?\w+/i,
    "decision",
  ],
  [/^(?:use|keep|stick (?:with|to)) .{3,80}\b(?:instead of|rather than|not|over)\b/i, "decision"],
  [/\bI think we (?:want|should)\b.{10,}/i, "decision"],
];

/** Finds statements in a prompt that settle something beyond the task at hand. Questions settle nothing. */
export function decisionsIn(prompt: string): UserDecision[] {
  const found: UserDecision[] = [];
  for (const statement of statementsOf(
    cleanText(withoutClientMarkup(prompt.slice(0, 4_000))),
    30,
  )) {
    const raw = statement.text;
    if (raw.length < 15 || raw.length > 260 || /\?\s*$/.test(raw) || isTrivial(raw)) continue;
    if (!/\p{L}{3}/u.test(raw) || /^[+\-@>$#]|\bat line\b|::|=>/.test(raw)) continue;
    for (const part of raw.split(/;\s+/)) {
      const rule = part.length < 12 ? undefined : rules.find(([pattern]) => pattern.test(part));
      const text = startCapital(stripPoliteness(part).replace(/[.!]+$/, ""));
      if (rule !== undefined && !isTrivial(text)) found.push({ text, kind: rule[1] });
    }
  }
  return found.slice(0, 4);
}

/** The question and answer of a choice, on one line each. */
export function choiceText(choice: ChoiceStep): { question: string; answer: string } {
  return { question: cleanText(choice.question).trim(), answer: cleanText(choice.answer).trim() };
}

/** A decision as a headline would put it: without "I think we want", "we decided to". */
export function settled(decision: UserDecision): string {
  return startCapital(
    decision.text
      .replace(/^I think (?:that )?(?:we|you) (?:want|need|should)(?: to)?\s+/i, "")
      .replace(/^(?:I|we) (?:\w+ly )?(?:don't|do not|never) want (?:(?:any|an?) )?/i, "No ")
      .replace(/^(?:I|we)(?:'d| would)? (?:\w+ly )?prefer\s+(?:if )?/i, "Prefer ")
      .replace(/^(?:I|we)(?: have|'ve)? (?:decided|agreed|opted)(?: to| on)?\s+/i, "")
      .replace(/^(?:I|we)(?:'ll| will) go with\s+/i, "Go with "),
  );
}
