// How hints did, by kind: told, looked up, acted on, kept back. Pure.
import * as v from "valibot";
import type { NotedCount } from "../../runtime/journal/told.ts";

/** Of one kind of hint. */
export const MomentSchema = v.object({
  /** As the plugin that tells them calls it: `failure`, `file`. */
  kind: v.string(),
  told: v.number(),
  /** A record that it named was asked for. */
  lookedUp: v.number(),
  /** What it spoke of was done. */
  actedOn: v.number(),
  /** Not told: the kind was silent, for nobody used it. */
  keptBack: v.number(),
});
type MomentCounts = v.InferOutput<typeof MomentSchema>;

const fields: Readonly<Record<string, Exclude<keyof MomentCounts, "kind">>> = {
  told: "told",
  "looked-up": "lookedUp",
  "acted-on": "actedOn",
  silent: "keptBack",
};

/** In the projects that `isAsked` names, by the kind's name. */
export function momentCounts(
  noted: readonly NotedCount[],
  isAsked: (project: string) => boolean,
): MomentCounts[] {
  const found = new Map<string, MomentCounts>();
  for (const { project, name, count } of noted) {
    const [kind = "", what = ""] = name.split(":");
    const field = fields[what];
    if (!field || !isAsked(project)) continue;
    const sum = found.get(kind) ?? { kind, told: 0, lookedUp: 0, actedOn: 0, keptBack: 0 };
    sum[field] += count;
    found.set(kind, sum);
  }
  return [...found.values()].sort((one, other) => one.kind.localeCompare(other.kind));
}
