// Tells a whole answer of a model from one that is refused, cut or empty.
import { MemoirError } from "../sdk/errors.ts";
import type { Completion } from "../sdk/provider.ts";

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
