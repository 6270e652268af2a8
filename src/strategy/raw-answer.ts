// What a model said, read but not yet judged: fields may be missing, too long, or about nothing that was shown.
import type { SummaryDraft } from "../sdk/model.ts";

/** An observation as the model gave it. */
export interface RawObservation {
  type: string;
  title: string;
  subtitle: string;
  facts: string[];
  narrative: string;
  concepts: string[];
  files: string[];
  /** Numbers of the tool uses it rests on; empty when the model did not say. */
  uses: number[];
}

/** A summary as the model gave it: each field of a draft, none of them judged. */
export type RawSummary = Omit<SummaryDraft, "evidence">;

/** A model's whole answer. */
export interface RawAnswer {
  observations: RawObservation[];
  summary?: RawSummary;
  /** The session's, when the model gave them. */
  title?: string;
  subtitle?: string;
  /** The model said clearly that there is nothing to keep. */
  nothing: boolean;
  /** What was wrong with the answer, in words for the model; absent when all of it could be read. */
  problem?: string;
}

/** An answer in which nothing was found yet. */
export function emptyAnswer(): RawAnswer {
  return { observations: [], nothing: false };
}

const oneWord = /^\W*(?:nothing|none|skip|n\/a)\W*$/i;
const denial =
  /\b(?:no|nothing|not|none|skip(?:ped|ping)?)\b[^.\n]{0,60}\b(?:observations?|record(?:ed|ing)?|remember(?:ing)?|noteworthy|worth|note|notes|keep|store|summar\w+|significant|needed|new)\b/i;

/** True for short prose that says in words that there is nothing to keep. */
export function saysNothing(text: string): boolean {
  const plain = text.trim();
  return plain === "" || oneWord.test(plain) || (plain.length < 300 && denial.test(plain));
}
