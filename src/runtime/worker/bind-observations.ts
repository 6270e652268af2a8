// Binds a strategy's drafts to their session, their prompt and what they took: pure. What does not fit the schema is left out, never the batch.
import * as v from "valibot";
import { type NewObservation, ObservationDraftSchema } from "../../sdk/model.ts";
import type { ObservationBatch } from "../../sdk/work.ts";
import { placesIn } from "./with-evidence.ts";

/** A strategy's answer at the edge: drafts are judged one by one. */
export const ObservationResultSchema = v.object({
  observations: v.array(v.unknown()),
  skipped: v.optional(v.record(v.string(), v.string())),
  model: v.optional(v.nullable(v.string())),
  observerTokens: v.optional(v.nullable(v.number())),
});

export interface Bound {
  observations: NewObservation[];
  /** For each draft left out, where it broke the schema (`facts.0`); no text of it. */
  invalid: string[];
  /** Tool uses that only such drafts name. */
  invalidToolUses: Set<string>;
}

/** `strategy` is the plugin that answered. Tool-use ids that are not in the batch are left out. */
export function bindObservations(
  drafts: readonly unknown[],
  batch: ObservationBatch,
  promptNumber: number,
  provenance: { strategy: string; model: string | null },
): Bound {
  const bound: Bound = { observations: [], invalid: [], invalidToolUses: new Set() };
  const times = new Map(batch.toolUses.map(({ id, time }) => [id, time]));
  const lastTime = Math.max(...times.values());
  const { id: session, client, project } = batch.session;
  for (const raw of drafts) {
    const parsed = v.safeParse(ObservationDraftSchema, raw);
    if (!parsed.success) {
      bound.invalid.push(parsed.issues.map((issue) => v.getDotPath(issue) ?? "draft").join(", "));
      for (const id of namedIds(raw)) if (times.has(id)) bound.invalidToolUses.add(id);
      continue;
    }
    const draft = parsed.output;
    const toolUseIds = draft.toolUseIds.filter((id) => times.has(id));
    const evidence = toolUseIds.flatMap((id) => times.get(id) ?? []);
    const places = draft.evidence ?? placesIn(batch.turn ? [batch.turn] : [], toolUseIds);
    bound.observations.push({
      ...draft,
      toolUseIds,
      ...(places && { evidence: places }),
      session,
      client,
      project: project.id,
      ...(project.branch !== undefined && { branch: project.branch }),
      promptNumber,
      time: draft.time ?? (evidence.length > 0 ? Math.max(...evidence) : lastTime),
      discoveryTokens: draft.discoveryTokens ?? null,
      observerTokens: draft.observerTokens ?? null,
      provenance,
    });
  }
  return bound;
}

function namedIds(raw: unknown): string[] {
  const parsed = v.safeParse(v.object({ toolUseIds: v.array(v.string()) }), raw);
  return parsed.success ? parsed.output.toolUseIds : [];
}

/** Shares what a batch's model calls took out over its observations, by the length of what was written; parts add up to `tokens`. Without a known total everybody keeps what they say. */
export function withObserverTokens(
  observations: readonly NewObservation[],
  tokens: number | null | undefined,
): NewObservation[] {
  if (tokens === null || tokens === undefined) return [...observations];
  const parts = shareOut(Math.max(0, Math.round(tokens)), observations.map(length));
  return observations.map((observation, at) => ({
    ...observation,
    observerTokens: parts[at] ?? 0,
  }));
}

function length({ title, subtitle, narrative, facts }: NewObservation): number {
  return title.length + subtitle.length + narrative.length + facts.join("").length;
}

/**
 * `total` (a whole number ≥ 0) shared out by weight, by largest remainder: parts are whole, differ from their exact
 * share by less than one, and add up to `total`. Weights that are all 0 count as equal. No weights, no parts.
 */
export function shareOut(total: number, weights: readonly number[]): number[] {
  const positive = weights.map((weight) => Math.max(0, weight));
  const sum = positive.reduce((all, weight) => all + weight, 0);
  const exact = positive.map((weight) =>
    sum === 0 ? total / weights.length : (total * weight) / sum,
  );
  const parts = exact.map(Math.floor);
  let rest = total - parts.reduce((all, part) => all + part, 0);
  const byRemainder = exact
    .map((share, at) => ({ at, remainder: share - Math.floor(share) }))
    .sort((a, b) => b.remainder - a.remainder || a.at - b.at);
  for (const { at } of byRemainder) {
    if (rest-- <= 0) break;
    parts[at] = (parts[at] ?? 0) + 1;
  }
  return parts;
}
