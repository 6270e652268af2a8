// What `live` would have gained in recorded sessions, by their real usage: dollars at list prices and requests before compaction. Run it with bun.

import { leastIn, type policyOf } from "../../plugins/endless-live/policy.ts";
import {
  addGains,
  type CountedRequest,
  type Gain,
  gainOf,
  type Moved,
} from "../../src/runtime/endless/gain.ts";
import type { EntryUsage } from "../../src/transcript/entry.ts";
import { contextOf } from "../../src/transcript/usage.ts";
import { defaultPolicy } from "../plugins/endless-live/cases.ts";
import { sizeAfter } from "./endless-replay.ts";
import { live } from "./endless-strategies.ts";
import { readThreads, recordedRoot, type Thread, type UseStep } from "./endless-threads.ts";

type Early = ReturnType<typeof policyOf>["early"];

/** What is left out of one result, before which request. */
interface Out {
  request: number;
  tokens: number;
}

/** Everything that `live` takes out of a thread's results. */
export function outOf(thread: Thread, early: Early = "long"): Out[] {
  const reduce = live(defaultPolicy).reduce?.(thread);
  const uses = new Map<string, UseStep>();
  const outs: Out[] = [];
  let request = -1;
  for (const step of thread.steps) {
    if (step.kind === "use") uses.set(step.id, step);
    if (step.kind === "use" || step.kind === "said") request = step.request;
    if (step.kind === "compacted") reduce?.compacted?.();
    if (step.kind === "user") reduce?.asked?.(step.text);
    if (step.kind !== "result") continue;
    const use = uses.get(step.id);
    uses.delete(step.id);
    if (!use) continue;
    if (step.isError) reduce?.failed?.(use);
    const { usage } = thread.requests[request] ?? {};
    if (step.isError) continue;
    const least = leastIn(usage && contextOf(usage), { early });
    if (step.text.length < least) continue;
    const replaced = reduce?.result(use, step);
    const saved = replaced ? step.text.length - sizeAfter(step, replaced) : 0;
    if (saved > 0) outs.push({ request: request + 1, tokens: saved / 4 });
  }
  return outs;
}

/** The thread's requests as they would have been, and what moved; a token is taken out where the recording had it. */
export function replayed(
  thread: Thread,
  outs: readonly Out[],
): { requests: CountedRequest[]; moved: Moved[] } {
  const requests: CountedRequest[] = [];
  const moved: Moved[] = [];
  let here: Array<{ from: number; tokens: number }> = [];
  let before = 0;
  for (const [at, { usage, time, model, compacted }] of thread.requests.entries()) {
    if (!usage || contextOf(usage) === 0) continue;
    if (compacted) [here, before] = [[], 0];
    for (const { tokens } of outs.filter(({ request }) => request === at)) {
      here.push({ from: before, tokens });
      moved.push({ at: time, tokens, wasSent: false });
    }
    requests.push({ time, model, compacted, usage: lessOf(usage, here) });
    before = contextOf(usage);
  }
  return { requests, moved };
}

function lessOf(
  usage: EntryUsage,
  here: ReadonlyArray<{ from: number; tokens: number }>,
): EntryUsage {
  const all = here.reduce((sum, { tokens }) => sum + tokens, 0);
  const read = here
    .filter(({ from }) => usage.cacheRead > from)
    .reduce((sum, { tokens }) => sum + tokens, 0);
  const rest = usage.input + usage.cacheWrite;
  const times = rest === 0 ? 1 : Math.max(0, rest - (all - read)) / rest;
  return {
    ...usage,
    cacheRead: Math.max(0, usage.cacheRead - read),
    input: usage.input * times,
    cacheWrite: usage.cacheWrite * times,
    ...(usage.cacheWriteLong && { cacheWriteLong: usage.cacheWriteLong * times }),
  };
}

export interface SessionGain extends Gain {
  session: string;
  compactions: number;
  largest: number;
  outs: number;
}

/** Of each session with its subagents; compactions are those of its own agent. */
export function gainsOf(threads: readonly Thread[], early: Early = "long"): SessionGain[] {
  return [...Map.groupBy(threads, ({ session }) => session)].map(([session, own]) => {
    const each = own.map((thread) => {
      const outs = outOf(thread, early);
      const { requests, moved } = replayed(thread, outs);
      return { gain: gainOf(requests, moved), outs: outs.length, requests };
    });
    const requests = own.flatMap((one) => (one.agent === undefined ? one.requests : []));
    return {
      session,
      ...addGains(each.map(({ gain }) => gain)),
      compactions: requests.filter(({ compacted }) => compacted).length,
      largest: Math.max(0, ...requests.map(({ usage }) => (usage ? contextOf(usage) : 0))),
      outs: each.reduce((sum, one) => sum + one.outs, 0),
    };
  });
}

const quantile = (values: readonly number[], at: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * at))] ??
  0;

function report(name: string, gains: readonly SessionGain[]): void {
  const priced = gains.filter(({ saved, cost }) => saved !== null && (cost ?? 0) > 0);
  const shares = priced.map(
    ({ saved, cost }) => ((saved ?? 0) / ((cost ?? 0) + (saved ?? 0))) * 100,
  );
  const sum = addGains(gains);
  const total = ((sum.saved ?? 0) / ((sum.saved ?? 0) + (sum.cost ?? 1))) * 100;
  const long = gains.filter(({ compactions }) => compactions > 0);
  const more = long.map(({ more }) => more);
  const at = (values: readonly number[]) =>
    [0.1, 0.25, 0.5, 0.75, 0.9, 1].map((q) => quantile(values, q).toFixed(1)).join(" ");
  console.log(
    `${name}: ${gains.length} sessions, $${((sum.cost ?? 0) + (sum.saved ?? 0)).toFixed(0)} without, saved $${(sum.saved ?? 0).toFixed(2)} = ${total.toFixed(2)} %; share by session p10 25 50 75 90 100: ${at(shares)}; mean ${(shares.reduce((a, b) => a + b, 0) / shares.length).toFixed(2)}; touched ${gains.filter(({ outs }) => outs > 0).length}, results ${gains.reduce((a, b) => a + b.outs, 0)}; compacted ${long.length}, more requests: ${at(more)}, sum ${more.reduce((a, b) => a + b, 0)}; others' more ${gains.filter(({ compactions }) => compactions === 0).reduce((a, b) => a + b.more, 0)}`,
  );
}

if (import.meta.main) {
  const threads = await readThreads(process.argv[2] ?? recordedRoot);
  for (const early of ["long", "all"] as const) report(`early: ${early}`, gainsOf(threads, early));
}
