// Asks the model and reads its answer; what cannot be read is asked for once more, with the reason.
import type { PluginContext } from "../sdk/context.ts";
import { MemoirError } from "../sdk/errors.ts";
import type { Completion } from "../sdk/provider.ts";
import { type CompletionMessage, type CompletionRequest, totalTokens } from "../sdk/provider.ts";
import { head } from "../text/text.ts";
import { retryMessage } from "./messages.ts";
import type { RawAnswer } from "./raw-answer.ts";

/** One question to the model. */
export interface Question<Answer> {
  request: CompletionRequest;
  /** How to answer, for the second try. */
  reminder: string;
  /** Reads an answer; `cut` when the model had no room to end it. */
  read(text: string, cut: boolean): RawAnswer;
  /** What can be used of it, or in words for the model why nothing can. */
  judge(answer: RawAnswer): Answer | string;
}

/** A usable answer and what it took. */
interface Asked<Answer> {
  answer: Answer;
  model: string;
  /** Of all tries together. */
  tokens: number;
  requests: number;
}

const quotedAnswer = 6_000;

/**
 * Rejects with `provider_answer` when the second answer was of no use either, with `provider_refused` when the model
 * refused, and with whatever the provider failed with.
 */
export async function askModel<Answer extends object>(
  ctx: Pick<PluginContext, "complete" | "log">,
  question: Question<Answer>,
): Promise<Asked<Answer>> {
  const messages: CompletionMessage[] = [...question.request.messages];
  let tokens = 0;
  for (let requests = 1; ; requests++) {
    const completion = await ctx.complete({ ...question.request, messages });
    tokens += totalTokens(completion.usage);
    const isCut = completion.stopReason === "max_tokens";
    if (completion.stopReason === "refusal") requireWhole(completion);
    const raw = question.read(completion.text, isCut);
    const answer = question.judge(raw);
    if (typeof answer !== "string") return { answer, model: completion.model, tokens, requests };
    const problem = isCut
      ? "it was cut off because it was too long; write fewer and shorter notes"
      : answer;
    if (requests === 2)
      throw new MemoirError(
        "provider_answer",
        `The model ${completion.model} gave no readable answer: ${answer}.`,
        {
          fix: "Nothing to do when it is rare: the next strategy took over. Else set another model or strategy.",
        },
      );
    ctx.log.info("a model's answer could not be read and is asked for again", { problem });
    messages.push(
      { role: "assistant", content: head(completion.text, quotedAnswer).trim() || "(nothing)" },
      { role: "user", content: retryMessage(problem, question.reminder) },
    );
  }
}

// Tells a whole answer of a model from one that is refused, cut or empty.

/** The completion, where the model said all it had to say. Throws `provider_refused`, `provider_cut` or `provider_answer` (nothing at all). */
export function requireWhole(completion: Completion): Completion {
  const { stopReason, model, text } = completion;
  if (stopReason === "refusal")
    throw new MemoirError("provider_refused", `The model ${model} refused to answer.`);
  if (stopReason === "max_tokens")
    throw new MemoirError("provider_cut", `The answer of ${model} was cut at the token limit.`);
  if (text.trim() === "")
    throw new MemoirError("provider_answer", `The model ${model} answered nothing.`, {
      fix: "Nothing to do when it is rare; else set another model.",
    });
  return completion;
}
