// The strict harm of taking tool results out: of what an agent used soon and had from one result alone, the share that was gone.
import type { MarkedNeed, MarkedThread } from "./endless-marks.ts";
import { plainText } from "./endless-needs.ts";
import { type Strategy, sizeAfter } from "./endless-replay.ts";
import type { UseStep } from "./endless-threads.ts";
import { kindOfOutput } from "./output-kinds.ts";

/** So many of the agent's next messages count as soon. */
export const soon = 20;

/** One tool result of a recorded session. */
export interface JudgedResult {
  /** `thread, step`. */
  name: string;
  session: string;
  tool: string;
  /** What printed it, in a reader's words. */
  kind: string;
  /** Characters that the model read, and that it would read with the strategy. */
  before: number;
  after: number;
  /** What the agent used of it in its next messages and had from nowhere else. */
  used: string[];
  /** Of these, what the strategy had taken out. */
  lost: string[];
  /** How it was made smaller; undefined where it was left. */
  how: string | undefined;
}

/** Everything of a thread's results that a strategy is judged by. */
export function judgeThread(marked: MarkedThread, strategy: Strategy): JudgedResult[] {
  const { thread } = marked;
  const reduce = strategy.reduce?.(thread);
  const usedOf = soleUses(marked);
  const uses = new Map<string, UseStep>();
  const judged: JudgedResult[] = [];
  for (const [at, step] of thread.steps.entries()) {
    if (step.kind === "compacted") reduce?.compacted?.();
    if (step.kind === "user") reduce?.asked?.(step.text);
    if (step.kind === "said") reduce?.said?.(step.text, step.request);
    if (step.kind === "use") uses.set(step.id, step);
    if (step.kind !== "result") continue;
    const use = uses.get(step.id);
    if (!use) continue;
    uses.delete(step.id);
    if (step.isError) reduce?.failed?.(use);
    const replacement = step.isError ? undefined : reduce?.result(use, step);
    const after = replacement && sizeAfter(step, replacement);
    const isReduced = replacement !== undefined && after !== step.text.length;
    const used = usedOf.get(at) ?? [];
    const text = isReduced ? plainText({ ...step, text: replacement.text }) : "";
    judged.push({
      name: `${thread.name}, step ${at}`,
      session: thread.session,
      tool: use.tool,
      kind: kindOfOutput(use),
      before: step.text.length,
      after: after ?? step.text.length,
      used: used.map((need) => need.text),
      lost: isReduced
        ? used.filter((need) => !isIn(need, text, marked)).map((need) => need.text)
        : [],
      how: isReduced ? replacement.how : undefined,
    });
  }
  return judged;
}

/** By result's step: what the agent used of it within its next messages, and had from nowhere else when it used it. */
function soleUses({ thread, needs, plain, marks }: MarkedThread): Map<number, MarkedNeed[]> {
  const found = new Map<number, MarkedNeed[]>();
  /** By mark, where it stood since the context began: a step, or more than one. */
  let holders = new Map<number, number | "several">();
  let visible: number[] = [];
  let request = -1;
  const requestOf = new Map<number, number>();
  const known = new Set<string>();

  /** The one result that holds a part of a line; undefined where several steps do, or something else. */
  function holderOf({ mark, text, partial }: MarkedNeed): number | undefined {
    const whole = holders.get(mark);
    if (whole !== undefined && !partial) return whole === "several" ? undefined : whole;
    if (!partial) return undefined;
    const all = visible.filter((at) => plain[at]?.includes(text));
    return all.length === 1 ? all[0] : undefined;
  }

  for (const [at, step] of thread.steps.entries()) {
    if (step.kind === "compacted") {
      holders = new Map();
      visible = [];
      continue;
    }
    if (step.kind === "said" || step.kind === "use") {
      request = step.request;
      for (const need of needs[at] ?? []) {
        const holder = holderOf(need);
        if (holder === undefined || thread.steps[holder]?.kind !== "result") continue;
        if (request - (requestOf.get(holder) ?? 0) > soon) continue;
        const key = `${holder}\n${need.text}`;
        if (known.has(key)) continue;
        known.add(key);
        found.set(holder, [...(found.get(holder) ?? []), need]);
      }
    }
    requestOf.set(at, request);
    visible.push(at);
    for (const mark of marks[at] ?? []) holders.set(mark, holders.has(mark) ? "several" : at);
  }
  return found;
}

/** Whether a text still says it; a path may be told by its folder and its name below it. */
function isIn(need: MarkedNeed, text: string, { marksOf }: MarkedThread): boolean {
  if (text.includes(need.text) || marksOf(text).includes(need.mark)) return true;
  if (need.kind !== "path") return false;
  const cut = need.text.lastIndexOf("/");
  const folder = text.indexOf(need.text.slice(0, cut + 1));
  return cut > 0 && folder !== -1 && text.includes(need.text.slice(cut + 1), folder);
}

/** The sums of some results. */
export interface HarmSum {
  results: number;
  before: number;
  after: number;
  used: number;
  lost: number;
}

/** Adds up. */
export function sumHarm(judged: readonly JudgedResult[]): HarmSum {
  const sum = { results: 0, before: 0, after: 0, used: 0, lost: 0 };
  for (const { before, after, used, lost } of judged) {
    sum.results++;
    sum.before += before;
    sum.after += after;
    sum.used += used.length;
    sum.lost += lost.length;
  }
  return sum;
}
