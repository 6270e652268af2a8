// Binds a strategy's drafts to their session and prompt: pure. What does not fit the schema is left out, never the batch.
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
