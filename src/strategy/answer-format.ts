// The form in which a strategy wants its answers.
import type { RawAnswer } from "./raw-answer.ts";

/** How to answer, and how an answer is read. Reading never throws. */
export interface AnswerFormat {
  /** The end of the system prompt: the form of notes and summaries. */
  instructions: string;
  /** One or two lines at the end of a request. */
  reminders: { observe: string; summarize: string };
  /** JSON schemas for providers with structured output. */
  schemas?: { observe: Record<string, unknown>; summarize: Record<string, unknown> };
  /** `cut`: the model had no room to end its answer, so what stands open at its end is not whole. */
  read(text: string, cut: boolean): RawAnswer;
}
