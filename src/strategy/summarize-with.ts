// Sums up a prompt or a session with the model; a session's first title is left to whoever needs no model for it.

import * as v from "valibot";
import { SummaryDraftSchema } from "../sdk/model.ts";
import type { SummaryInput, SummaryResult } from "../sdk/work.ts";
import { pathsFrom } from "../text/prose/paths.ts";
import type { AnswerFormat } from "./answer-format.ts";
import { askModel } from "./ask-model.ts";
import { draftSummary, draftTitles } from "./draft-summary.ts";
import { createFence } from "./fence.ts";
import { sharedInstructions } from "./instructions.ts";
import { evidenceLimit, summaryMessage } from "./messages.ts";
import type { StrategyContext } from "./strategy-context.ts";
import { type TouchedFiles, touchedFiles } from "./touched-files.ts";
import { closingWords, turnEvidence } from "./turn-evidence.ts";

/** A closing message shorter than this, with nothing else to go by, is no matter for a model. */
const shortMessage = 200;

/** Undefined when the next strategy of the slot does as well. Rejects when the model could not be asked or understood. */
export async function summarizeWith(
  input: SummaryInput,
  format: AnswerFormat,
  ctx: Pick<StrategyContext, "complete" | "config" | "log" | "now" | "plugin" | "state"> & {
    next(): Promise<SummaryResult | undefined>;
  },
): Promise<SummaryResult | undefined> {
  const { scope, session, prompts, observations, summaries } = input;
  const lastAssistantMessage = closingWords(input.turns ?? []) ?? input.lastAssistantMessage;
  if (scope === "opening" || isSlight(input)) return undefined;
  const only = onlySummary(input, ctx.plugin);
  if (only) return only;

  const paths = pathsFrom(session.project.root);
  const known = knownFiles(input);
  const wantsTitle = scope === "session" || prompts[0]?.promptNumber === 1;
  const evidence = turnEvidence(input.turns ?? [], evidenceLimit);
  const texts = [...prompts.map(({ text }) => text), evidence, lastAssistantMessage ?? ""];
  const reminder = format.reminders.summarize;
  const content = summaryMessage({
    scope,
    project: session.project.name,
    date: new Date(prompts.at(-1)?.time ?? ctx.now()).toISOString().slice(0, 10),
    prompts: prompts.map(({ text }) => text),
    observations,
    summaries,
    files: known,
    evidence,
    lastAssistantMessage,
    wantsTitle,
    fence: createFence(ctx.state.random, texts),
    reminder,
  });
  const { answer, model, tokens } = await askModel(ctx, {
    request: {
      system: `${sharedInstructions}\n\n${format.instructions}`,
      messages: [{ role: "user", content }],
      maxTokens: Math.min(ctx.config.maxTokens, 2_000),
      ...(format.schemas && { schema: format.schemas.summarize }),
      purpose: "summarize",
      session: session.id,
      project: session.project.id,
    },
    reminder,
    read: format.read,
    judge: (raw) => {
      const titles = wantsTitle ? draftTitles(raw, paths) : {};
      if (raw.summary === undefined)
        return raw.nothing ? titles : (raw.problem ?? "it holds no summary");
      const summary = draftSummary(raw.summary, known, paths);
      return typeof summary === "string" ? summary : { ...titles, summary };
    },
  });
  // A session that a model has nothing to say of is told by whoever needs no model; its titles are the model's.
  const other = scope === "session" && !("summary" in answer) ? await ctx.next() : undefined;
  return { ...other, ...answer, model, observerTokens: tokens };
}

function isSlight({
  scope,
  toolUses,
  observations,
  summaries,
  lastAssistantMessage,
}: SummaryInput): boolean {
  if (observations.length > 0) return false;
  if (scope === "session") return summaries.length === 0;
  return toolUses.length === 0 && (lastAssistantMessage ?? "").length < shortMessage;
}

/** A session of one prompt is what this strategy said of that prompt; no need to ask again. */
function onlySummary(
  { scope, prompts, summaries }: SummaryInput,
  plugin: string,
): SummaryResult | undefined {
  const [summary, ...others] = summaries;
  if (scope !== "session" || prompts.length > 1 || !summary || others.length > 0) return undefined;
  if (summary.provenance.strategy !== plugin) return undefined;
  return {
    // What storage adds to a draft is left out.
    summary: v.parse(SummaryDraftSchema, summary),
    model: summary.provenance.model,
    observerTokens: 0,
  };
}

/** What tool uses, observations and earlier summaries say was read and changed. */
function knownFiles({ session, toolUses, observations, summaries }: SummaryInput): TouchedFiles {
  const own = touchedFiles(toolUses, pathsFrom(session.project.root));
  const modified = new Set([
    ...own.modified,
    ...observations.flatMap((observation) => observation.filesModified),
    ...summaries.flatMap((one) => one.filesEdited),
  ]);
  const read = [
    ...own.read,
    ...observations.flatMap((one) => one.filesRead),
    ...summaries.flatMap((one) => one.filesRead),
  ];
  return {
    read: [...new Set(read)].filter((path) => !modified.has(path)),
    modified: [...modified],
  };
}
