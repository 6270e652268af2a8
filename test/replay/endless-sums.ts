// Adds up what replayed threads came to: bytes by tool, and what of it was missed.
import type { Removal } from "./endless-context.ts";
import type { NeedKind } from "./endless-needs.ts";
import type { Outcome, ToolSum } from "./endless-replay.ts";

/** A strategy's figures over all threads. Sizes are characters, shares are from 0 to 1. */
export interface Sum {
  tools: Record<string, ToolSum>;
  /** Of all tool inputs and results, and what of them was kept out. */
  total: number;
  out: number;
  share: number;
  results: number;
  removals: number;
  /** Removals that a later turn needed something of. */
  harmed: number;
  /** Characters to be fetched back: `around` lines before and after each thing that was missed. */
  fetched: number;
  harmedByKind: Record<NeedKind, number>;
  /** `harmed` as a share of all tool results. */
  harmOfResults: number;
  /** `harmed` as a share of all removals. */
  harmOfRemovals: number;
  /** Kept out when everything that was missed is fetched back with the lines around it, once. */
  shareAfterFetching: number;
  batches: number;
  /** Tool characters carried along in all requests, as a share of what would have been. */
  carried: number;
  /** Input tokens of all requests, weighed as they are paid. */
  cost: number;
}

const around = 20;

/** Characters of the lines around everything that was missed; never more than was taken out. */
function fetchedBack({ plain, harms, out }: Removal): number {
  const lines = plain.split("\n");
  const wanted = new Set<number>();
  for (const { text } of harms) {
    const at = lines.findIndex((line) => line.includes(text));
    for (let near = Math.max(0, at - around); near <= at + around; near++) wanted.add(near);
  }
  let size = 0;
  for (const at of wanted) size += lines[at] === undefined ? 0 : lines[at].length + 8;
  return Math.min(out, size);
}

const noTool: ToolSum = { uses: 0, inputs: 0, results: 0, inputsOut: 0, resultsOut: 0 };

/** Sums outcomes of one strategy. */
export function sumOutcomes(outcomes: readonly Outcome[]): Sum {
  const tools: Record<string, ToolSum> = {};
  const harmedByKind = { edit: 0, path: 0, identifier: 0 };
  let [total, out, results, removals, harmed, fetched] = [0, 0, 0, 0, 0, 0];
  let [batches, carried, carriedBefore, cost] = [0, 0, 0, 0];
  for (const outcome of outcomes) {
    for (const [tool, sum] of outcome.tools) {
      tools[tool] = addTool(tools[tool] ?? noTool, sum);
      total += sum.inputs + sum.results;
      out += sum.inputsOut + sum.resultsOut;
    }
    results += outcome.results;
    batches += outcome.batches;
    cost += outcome.cost;
    carried += outcome.carried;
    carriedBefore += outcome.carriedBefore;
    for (const removal of outcome.removals) {
      const { harms } = removal;
      removals++;
      if (harms.length === 0) continue;
      harmed++;
      fetched += fetchedBack(removal);
      for (const kind of new Set(harms.map((harm) => harm.kind))) harmedByKind[kind]++;
    }
  }
  const of = (part: number, whole: number) => (whole === 0 ? 0 : part / whole);
  return {
    tools,
    total,
    out,
    share: of(out, total),
    results,
    removals,
    harmed,
    fetched,
    harmedByKind,
    harmOfResults: of(harmed, results),
    harmOfRemovals: of(harmed, removals),
    shareAfterFetching: of(out - fetched, total),
    batches,
    carried: of(carried, carriedBefore),
    cost,
  };
}

function addTool(one: ToolSum, other: ToolSum): ToolSum {
  return {
    uses: one.uses + other.uses,
    inputs: one.inputs + other.inputs,
    results: one.results + other.results,
    inputsOut: one.inputsOut + other.inputsOut,
    resultsOut: one.resultsOut + other.resultsOut,
  };
}
