// Turns a batch of tool uses into observations: as few requests as fit, each answer judged, all of it under one budget.
import type { ObservationDraft } from "../sdk/model.ts";
import type { ObservationBatch, ObservationResult, ToolUse } from "../sdk/work.ts";
import { overlap } from "../text/prose/meaning.ts";
import { type Paths, pathsFrom } from "../text/prose/paths.ts";
import type { AnswerFormat } from "./answer-format.ts";
import { askModel } from "./ask-model.ts";
import { draftObservation, type Shown } from "./draft-observation.ts";
import { createFence } from "./fence.ts";
import { sharedInstructions } from "./instructions.ts";
import { evidenceLimit, observeMessage } from "./messages.ts";
import { unescapeMarkup } from "./model-text.ts";
import type { RawAnswer } from "./raw-answer.ts";
import { type AnsweredPart, partsOf, type SessionNotes, titlesSoFar } from "./session-notes.ts";
import { splitUses } from "./split-uses.ts";
import type { StrategyContext } from "./strategy-context.ts";
import { showToolUses, showTurns } from "./tool-data.ts";
import { closingWords, turnEvidence } from "./turn-evidence.ts";

/** Undefined when the batch is too slight to ask a model about. Rejects when the model could not be asked or understood. */
export async function observeBatch(
  batch: ObservationBatch,
  format: AnswerFormat,
  ctx: Pick<StrategyContext, "complete" | "config" | "log" | "now" | "state">,
): Promise<ObservationResult | undefined> {
  const { config, state } = ctx;
  const uses = batch.toolUses.filter(({ withheld }) => !withheld);
  if (uses.length === 0) return { observations: [], skipped: reasons(batch, []), model: null };
  const limits = {
    input: config.inputCharacters,
    result: config.resultCharacters,
    reasoning: config.reasoningCharacters,
  };
  const prompt = batch.prompt?.text ?? "";
  const paths = pathsFrom(batch.session.project.root, [...new Set(uses.map(({ cwd }) => cwd))]);
  const show = (toolUses: readonly ToolUse[]) => showToolUses({ toolUses, prompt, paths, limits });
  const shown = show(uses);
  const size = shown.reduce((sum, { text }) => sum + text.length, 0);
  if (!batch.waiting && size < config.leastCharacters && closingOf(batch).join("").length < size)
    return undefined;

  const groups = splitUses(shown, {
    toolUses: config.maxToolUses,
    characters: config.maxCharacters,
  });
  const notes = await state.memory.of(batch.session.id);
  const parts = partsOf(notes, batch.key);
  for (const [index, toolUses] of groups.entries()) {
    if (parts.has(index)) continue;
    const isLast = index === groups.length - 1;
    const closing = isLast ? closingOf(batch) : [];
    const evidence = isLast && batch.turn ? turnEvidence([batch.turn], evidenceLimit) : "";
    const texts = show(toolUses).map(({ text }) => text);
    parts.set(
      index,
      await askAbout({ batch, toolUses, texts, paths, evidence, closing, notes }, format, ctx),
    );
    notes.isNew = false;
  }
  if (notes.batch) notes.batch.isWhole = true;
  return resultOf(batch, [...parts.values()]);
}

interface Part {
  batch: ObservationBatch;
  toolUses: readonly ToolUse[];
  texts: readonly string[];
  paths: Paths;
  evidence: string;
  closing: readonly string[];
  notes: SessionNotes;
}

async function askAbout(
  { batch, toolUses, texts, paths, evidence, closing, notes }: Part,
  format: AnswerFormat,
  ctx: Pick<StrategyContext, "complete" | "config" | "log" | "now" | "state">,
): Promise<AnsweredPart> {
  const { session, prompt, waiting } = batch;
  const reminder = format.reminders.observe;
  const content = observeMessage({
    project: session.project.name,
    session: session.id,
    date: new Date(toolUses[0]?.time ?? ctx.now()).toISOString().slice(0, 10),
    prompt,
    notes: { ...notes, titles: titlesSoFar(notes) },
    fence: createFence(ctx.state.random, [...texts, evidence, ...closing, prompt?.text ?? ""]),
    turns: showTurns(toolUses, prompt?.text ?? ""),
    uses: texts,
    evidence,
    closing,
    reminder,
    waiting,
  });
  const shown: Shown = { toolUses, evidence: unescapeMarkup(content), paths };
  const { answer, model, tokens } = await askModel(ctx, {
    request: {
      system: `${sharedInstructions}\n\n${format.instructions}`,
      messages: [{ role: "user", content }],
      maxTokens: ctx.config.maxTokens,
      ...(format.schemas && { schema: format.schemas.observe }),
      purpose: "observe",
      session: session.id,
      project: session.project.id,
    },
    reminder,
    read: format.read,
    judge: (raw) => judge(raw, shown),
  });
  return { observations: answer, model, tokens };
}

function judge(raw: RawAnswer, shown: Shown): ObservationDraft[] | string {
  const judged = raw.observations.map((observation) => draftObservation(observation, shown));
  const drafts = judged.filter((one) => typeof one !== "string");
  if (drafts.length > 0) return drafts;
  const problem = judged.find((one) => typeof one === "string") ?? raw.problem;
  if (problem !== undefined) return problem;
  return raw.nothing ? [] : "it holds no note, and does not say that there is nothing to note";
}

function resultOf(batch: ObservationBatch, parts: readonly AnsweredPart[]): ObservationResult {
  const observations: ObservationDraft[] = [];
  for (const draft of parts.flatMap((part) => part.observations))
    if (!observations.some((other) => isSame(other, draft))) observations.push(draft);
  return {
    observations,
    skipped: reasons(batch, observations),
    model: parts.at(-1)?.model ?? null,
    observerTokens: parts.reduce((sum, { tokens }) => sum + tokens, 0),
  };
}

function isSame(left: ObservationDraft, right: ObservationDraft): boolean {
  if (left.title.toLowerCase() === right.title.toLowerCase()) return true;
  return overlap(left.facts.join(" "), right.facts.join(" ")) > 0.9;
}

function reasons(
  { toolUses }: ObservationBatch,
  observations: readonly ObservationDraft[],
): Record<string, string> {
  const used = new Set(observations.flatMap(({ toolUseIds }) => toolUseIds));
  return Object.fromEntries(
    toolUses
      .filter(({ id }) => !used.has(id))
      .map(({ id, withheld }) => [id, withheld ? "withheld" : "nothing to keep"]),
  );
}

function closingOf({ turn, lastAssistantMessage, agentMessages }: ObservationBatch): string[] {
  const said = (agentMessages ?? []).map(
    ({ agent, text }) => `${agent.type ?? "subagent"}: ${text}`,
  );
  const closing = (turn && closingWords([turn])) ?? lastAssistantMessage;
  return [...said, ...(closing ? [closing] : [])];
}
