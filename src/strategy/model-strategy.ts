// A prompt strategy as a plugin: everything but the form of the answer is shared, so that a strategy is that form and little more.

import * as v from "valibot";
import { type ObservationDraft, SummaryDraftSchema } from "../sdk/model.ts";
import { definePlugin } from "../sdk/plugin.ts";
import type { NewTurn } from "../sdk/turn.ts";
import type {
  ObservationBatch,
  ObservationResult,
  SummaryInput,
  SummaryResult,
  ToolUse,
  WorkSession,
} from "../sdk/work.ts";
import { type Paths, pathsFrom, type TouchedFiles, touchedFiles } from "../text/paths.ts";
import { overlap } from "../text/prose/plain.ts";
import { baseName } from "../text/text.ts";
import { draftObservation, draftSummary, draftTitles, type Shown } from "./draft-observation.ts";
import {
  type AnsweredPart,
  askModel,
  asksOf,
  createAnsweredParts,
  evidenceLimit,
  faultsOf,
  observeMessage,
  type Question,
  type StrategyConfig,
  StrategyConfigSchema,
  type StrategyContext,
  type StrategyState,
  storedTitles,
  summaryMessage,
  systemPrompt,
} from "./messages.ts";
import { createFence, unescapeMarkup } from "./model-text.ts";
import { outcomeOf } from "./outcome.ts";
import type { AnswerFormat, Faults, RawAnswer } from "./raw-answer.ts";
import {
  closingWords,
  endsTurn,
  namesIn,
  type ShownUse,
  showToolUses,
  showTurns,
  turnEvidence,
} from "./tool-data.ts";

type AskContext = Pick<
  StrategyContext,
  "complete" | "config" | "log" | "now" | "plugin" | "state" | "storage"
>;

/** What tells one strategy from another. */
interface StrategyDefinition {
  name: string;
  description: string;
  format: AnswerFormat;
  /** Default: the system's random numbers. */
  random?: () => number;
}

const minute = 60_000;

/**
 * A plugin for the slots `observation` and `summarization` that asks the provider in force and reads `format`.
 *
 * @example
 * ```ts
 * import { emptyAnswer, modelStrategy, saysNothing } from "memoir/strategy";
 *
 * export default modelStrategy({
 *   name: "one-fact",
 *   description: "Asks for one note, a line for its title and one for its fact.",
 *   format: {
 *     instructions: "Write a title of 3 to 8 words, below it a fact of 50 to 150 characters.",
 *     reminders: { observe: "A title, then a fact.", summarize: "Answer NOTHING." },
 *     read(text) {
 *       const [title = "", fact = ""] = text.trim().split("\n");
 *       const answer = { ...emptyAnswer(), nothing: saysNothing(text) };
 *       if (answer.nothing) return answer;
 *       const rest = { subtitle: "", concepts: [], files: [], uses: [] };
 *       return {
 *         ...answer,
 *         observations: [{ type: "discovery", title, facts: [fact], narrative: fact, ...rest }],
 *       };
 *     },
 *   },
 * });
 * ```
 */
export function modelStrategy({
  name,
  description,
  format,
  random = randomBits,
}: StrategyDefinition) {
  return definePlugin<StrategyConfig, StrategyState>({
    name,
    description,
    sdk: 1,
    slot: ["observation", "summarization"],
    events: [
      "UserPromptSubmit",
      "PostToolUse",
      "PostToolUseFailure",
      "Stop",
      "SubagentStop",
      "SessionEnd",
    ],
    config: StrategyConfigSchema,
    start: () => ({ answered: createAnsweredParts(), random }),
    hooks: {
      observe: {
        // A large batch takes several requests, one after the other.
        deadlineMs: 10 * minute,
        handler: (batch: ObservationBatch, ctx) => observeBatch(batch, format, ctx),
      },
      summarize: {
        deadlineMs: 4 * minute,
        handler: (input: SummaryInput, ctx) => summarizeWith(input, format, ctx),
      },
    },
  });
}

function randomBits(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
}

// Sums up a prompt or a session with the model; a session's first title is left to whoever needs no model for it.

/** A closing message shorter than this, with nothing else to go by, is no matter for a model. */
const shortMessage = 200;

/** Undefined when the next strategy of the slot does as well. Rejects when the model could not be asked or understood. */
async function summarizeWith(
  input: SummaryInput,
  format: AnswerFormat,
  ctx: AskContext & { next(): Promise<SummaryResult | undefined> },
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
  const asking: Asking = { purpose: "summarize", session, time: prompts.at(-1)?.time, format };
  const content = summaryMessage({
    ...frameOf(asking, texts, ctx),
    ...{ scope, observations, summaries, evidence, lastAssistantMessage, wantsTitle },
    prompts: prompts.map(({ text }) => text),
    files: known,
    names: new Set([...known.modified, ...known.read].map(baseName)),
  });
  const faults = faultsOf(format);
  const { answer, model, tokens } = await askModel(ctx, {
    ...questionOf(asking, content, ctx),
    judge: (raw) => {
      const asked = prompts.map(({ text }) => text).join("\n");
      const came = outcomeIn(input.turns, paths);
      const titles = wantsTitle ? draftTitles(raw, paths, { asked, came }) : {};
      if (raw.summary === undefined)
        return raw.nothing ? titles : (raw.problem ?? faults.noSummary);
      const summary = draftSummary(raw.summary, known, paths);
      return typeof summary === "string" ? faults[summary] : { ...titles, summary };
    },
  });
  // A session that a model has nothing to say of is described by whoever needs no model; its titles are the model's.
  const other = scope === "session" && !("summary" in answer) ? await ctx.next() : undefined;
  return { ...other, ...answer, model, observerTokens: tokens };
}

interface Asking {
  purpose: "observe" | "summarize";
  session: WorkSession;
  /** Epoch ms of the work; absent: now. */
  time: number | undefined;
  format: AnswerFormat;
}

/** What came of the last turn that came to anything. */
function outcomeIn(turns: readonly NewTurn[] = [], paths: Paths): string | undefined {
  const outcomes = turns.map((turn) => outcomeOf(turn, paths.inText));
  return outcomes.findLast(({ basis }) => basis !== "asked")?.title;
}

/** What both requests have; a quarter of what one may hold is for what the user wrote. */
function frameOf(
  { purpose, session, time, format }: Asking,
  texts: readonly string[],
  { config, state, now }: AskContext,
) {
  return {
    project: session.project.name,
    date: new Date(time ?? now()).toISOString().slice(0, 10),
    fence: createFence(state.random, texts),
    room: Math.floor(config.maxCharacters / 4),
    asks: asksOf(format),
    reminder: format.reminders[purpose],
  };
}

/** The request with this content, and how its answer is read. */
function questionOf(
  { purpose, session, format }: Asking,
  content: string,
  { config }: AskContext,
): Omit<Question<object>, "judge"> {
  return {
    request: {
      system: systemPrompt(purpose, format, config),
      messages: [{ role: "user", content }],
      maxTokens: purpose === "observe" ? config.maxTokens : Math.min(config.maxTokens, 2_000),
      ...(format.schemas && { schema: format.schemas[purpose] }),
      purpose,
      session: session.id,
      project: session.project.id,
    },
    again: `${asksOf(format).again}\n${format.reminders[purpose]}`,
    faults: format.faults,
    read: format.read,
  };
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
  const edited = summaries.flatMap(({ filesEdited }) => filesEdited);
  const changed = observations.flatMap(({ filesModified }) => filesModified);
  const modified = new Set([...own.modified, ...changed, ...edited]);
  const looked = [...observations, ...summaries].flatMap(({ filesRead }) => filesRead);
  const read = new Set([...own.read, ...looked]).difference(modified);
  return { read: [...read], modified: [...modified] };
}

// Turns a batch of tool uses into observations: as few requests as fit, each answer judged, all of it under one budget.

/** A batch with less text is left to the next strategy of the slot. */
const leastCharacters = 300;
/** Characters shown of each tool use. */
const limits = { input: 1_500, result: 2_000, looked: 1_200, reasoning: 500 };

/** Undefined when the batch is too slight to ask a model about. Rejects when the model could not be asked or understood. */
async function observeBatch(
  batch: ObservationBatch,
  format: AnswerFormat,
  ctx: AskContext,
): Promise<ObservationResult | undefined> {
  const { config, state } = ctx;
  const uses = batch.toolUses.filter(({ withheld }) => !withheld);
  if (uses.length === 0) return { observations: [], skipped: reasons(batch, []), model: null };
  const prompt = batch.prompt?.text ?? "";
  const paths = pathsFrom(batch.session.project.root, [...new Set(uses.map(({ cwd }) => cwd))]);
  const show = (toolUses: readonly ToolUse[]) => showToolUses({ toolUses, prompt, paths, limits });
  const shown = show(uses);
  const size = shown.reduce((sum, { text }) => sum + text.length, 0);
  if (!batch.waiting && size < leastCharacters && closingOf(batch).join("").length < size)
    return undefined;

  const groups = splitUses(shown, {
    toolUses: config.maxToolUses,
    characters: config.maxCharacters,
  });
  const parts = state.answered(batch.session.id, batch.key);
  const stored = await storedTitles(ctx.storage, batch.session.id);
  for (const [index, toolUses] of groups.entries()) {
    if (parts.has(index)) continue;
    const fresh = [...parts.values()].flatMap(({ observations }) => observations);
    const titles = [...new Set([...stored, ...fresh.map(({ title }) => title)])];
    const uses = show(toolUses).map(({ text }) => text);
    const isLast = index === groups.length - 1;
    const part = await askAbout({ batch, toolUses, uses, paths, titles, isLast }, format, ctx);
    parts.set(index, part);
  }
  return resultOf(batch, [...parts.values()]);
}

interface Part {
  batch: ObservationBatch;
  toolUses: readonly ToolUse[];
  /** As they are shown. */
  uses: readonly string[];
  paths: Paths;
  titles: readonly string[];
  /** The turn's end is shown with its last part. */
  isLast: boolean;
}

async function askAbout(
  { batch, toolUses, uses, paths, titles, isLast }: Part,
  format: AnswerFormat,
  ctx: AskContext,
): Promise<AnsweredPart> {
  const { session, prompt, waiting, turn } = batch;
  const { guide = "", instructions } = format;
  const asking: Asking = { purpose: "observe", session, time: toolUses[0]?.time, format };
  const written = prompt?.text ?? "";
  const closing = isLast ? closingOf(batch) : [];
  const evidence = isLast && turn ? turnEvidence([turn], evidenceLimit) : "";
  const content = observeMessage({
    ...frameOf(asking, [...uses, evidence, ...closing, written], ctx),
    ...{ prompt, uses, evidence, closing, titles, waiting },
    names: namesIn(toolUses),
    turns: showTurns(toolUses, written),
  });
  const shown: Shown = {
    ...{ toolUses, evidence: unescapeMarkup(content), paths },
    turn: { asked: written, came: outcomeIn(turn && [turn], paths) },
    types: ctx.config.types ?? format.types,
    own: `${guide}\n${typeof instructions === "string" ? instructions : instructions.observe}`,
  };
  const { answer, model, tokens } = await askModel(ctx, {
    ...questionOf(asking, content, ctx),
    judge: (raw) => judge(raw, shown, faultsOf(format)),
  });
  return { observations: answer, model, tokens };
}

function judge(raw: RawAnswer, shown: Shown, faults: Faults): ObservationDraft[] | string {
  const judged = raw.observations.map((observation) => draftObservation(observation, shown));
  const drafts = judged.filter((one) => typeof one !== "string");
  if (drafts.length > 0) return drafts;
  const fault = judged.find((one) => typeof one === "string");
  const problem = fault ? faults[fault] : raw.problem;
  if (problem !== undefined) return problem;
  return raw.nothing ? [] : faults.noNote;
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

function closingOf(batch: ObservationBatch): string[] {
  const { turn, lastAssistantMessage, agentMessages } = batch;
  const said = (agentMessages ?? []).map(
    ({ agent, text }) => `${agent.type ?? "subagent"}: ${text}`,
  );
  const closing = endsTurn(batch)
    ? ((turn && closingWords([turn])) ?? lastAssistantMessage)
    : undefined;
  return [...said, ...(closing ? [closing] : [])];
}

// Groups shown tool uses into as few requests as their number and size allow.

/** Limits of one request. */
interface RequestLimits {
  toolUses: number;
  /** Of all tool uses together, as shown. */
  characters: number;
}

/** In order; a single tool use is never split, however large. */
function splitUses(shown: readonly ShownUse[], limits: RequestLimits): ToolUse[][] {
  const groups: ToolUse[][] = [];
  let size = 0;
  for (const { use, text } of shown) {
    const group = groups.at(-1);
    if (!group || group.length >= limits.toolUses || size + text.length > limits.characters) {
      groups.push([use]);
      size = text.length;
    } else {
      group.push(use);
      size += text.length;
    }
  }
  return groups;
}
