// Asks the summarization slot and checks what it answers.
import * as v from "valibot";
import { MemoirError } from "../../sdk/errors.ts";
import { type NewSummary, SummaryDraftSchema } from "../../sdk/model.ts";
import type { SummaryInput } from "../../sdk/work.ts";
import { canWait } from "./retry.ts";
import type { RunContext } from "./run-work.ts";
import { placesIn } from "./with-evidence.ts";

const SummaryResultSchema = v.object({
  summary: v.optional(SummaryDraftSchema),
  title: v.optional(v.string()),
  subtitle: v.optional(v.string()),
  model: v.optional(v.nullable(v.string())),
  observerTokens: v.optional(v.nullable(v.number())),
});

/** A checked answer and who gave it. */
export interface Summarized extends v.InferOutput<typeof SummaryResultSchema> {
  plugin: string;
}

/** Undefined when nobody answered; rejects with `plugin_failed` when the answer has no known shape. */
export async function askForSummary(
  { hooks, work }: RunContext,
  input: SummaryInput,
): Promise<Summarized | undefined> {
  const answer = await hooks.first("summarize", input, {
    stopAt: (error) => canWait(work, error),
    check: (result) =>
      v.is(SummaryResultSchema, result)
        ? undefined
        : "it answered with something that is no summary",
  });
  if (!answer) return undefined;
  const { plugin } = answer;
  const parsed = v.safeParse(SummaryResultSchema, answer.result);
  if (parsed.success) return { ...parsed.output, plugin };
  const paths = parsed.issues.map((issue) => v.getDotPath(issue) ?? "answer").join(", ");
  throw new MemoirError(
    "plugin_failed",
    `The plugin ${plugin} answered summarize with something that is no summary (${paths}).`,
    { plugin, hook: "summarize" },
  );
}

/** The answer as a record; nothing when it has no summary. */
export function summaryRecords(
  answer: Summarized | undefined,
  input: SummaryInput,
  scope: NewSummary["scope"],
  promptNumber: number,
  time: number,
): NewSummary[] {
  if (!answer?.summary) return [];
  const evidence = answer.summary.evidence ?? placesIn(input.turns ?? []);
  return [
    {
      ...answer.summary,
      ...(evidence && { evidence }),
      scope,
      session: input.session.id,
      client: input.session.client,
      project: input.session.project.id,
      promptNumber,
      time,
      observerTokens: answer.observerTokens ?? null,
      provenance: { strategy: answer.plugin, model: answer.model ?? null },
    },
  ];
}
