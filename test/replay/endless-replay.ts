// Replays a thread under a strategy of Endless Mode: what it keeps out, what a later turn misses, what the cache costs.

import { createContext, type Piece, type Removal } from "./endless-context.ts";
import type { MarkedThread } from "./endless-marks.ts";
import { plainText } from "./endless-needs.ts";
import { followRequests, type Retire } from "./endless-retire.ts";
import type { ResultStep, Thread, UseStep } from "./endless-threads.ts";

/** What a strategy puts in a result's place. */
export interface Replacement {
  /** As the model reads it. */
  text: string;
  /** What it would have read, where that is not the recorded text. */
  before?: string;
  how: string;
}

/** What is done to a thread. Stateful parts are made anew for each thread. */
export interface Strategy {
  name: string;
  /** Results as they arrive. */
  reduce?(thread: Thread): Reduce;
  /** Inputs longer than this many characters are cleared once their tool use is finished. */
  clear?: { over: number; wants(tool: string): boolean };
  /** Old results leave in batches. */
  retire?: Retire;
}

/** Told everything in order; answers a replacement for a result or nothing. */
export interface Reduce {
  result(use: UseStep, result: ResultStep): Replacement | undefined;
  failed?(use: UseStep): void;
  asked?(text: string): void;
  /** What the agent said in a message of its own. */
  said?(text: string, request: number): void;
  compacted?(): void;
}

/** One tool's figures, in characters. */
export interface ToolSum {
  uses: number;
  inputs: number;
  results: number;
  inputsOut: number;
  resultsOut: number;
}

/** What came of a thread. */
export interface Outcome {
  thread: Thread;
  tools: Map<string, ToolSum>;
  /** Tool results. */
  results: number;
  removals: Removal[];
  /** Batches in which old results left. */
  batches: number;
  /** Tool characters in the context, summed over all requests: with the strategy, and without. */
  carried: number;
  carriedBefore: number;
  /** Input tokens of all requests, weighed as they are paid; estimated. */
  cost: number;
}

/** What a cleared input becomes. */
const clearedInput = (characters: number) =>
  JSON.stringify({
    _cleared: true,
    message: `[Input removed to save ~${Math.ceil(characters / 4)} tokens]`,
  });

/** Replays a thread. */
export function replayThread(marked: MarkedThread, strategy: Strategy): Outcome {
  const { thread } = marked;
  const context = createContext(marked);
  const reduce = strategy.reduce?.(thread);
  const outcome: Outcome = {
    thread,
    tools: new Map(),
    results: 0,
    removals: [],
    batches: 0,
    carried: 0,
    carriedBefore: 0,
    cost: 0,
  };
  const uses = new Map<string, { use: UseStep; piece: Piece }>();
  const answered = new Set<string>();
  let request = -1;
  /** Characters that the tools' part of the context would have without the strategy. */
  let whole = 0;
  const requests = followRequests(thread, context, strategy.retire, remove);

  const sumOf = (tool: string): ToolSum => {
    const sum = outcome.tools.get(tool) ?? {
      uses: 0,
      inputs: 0,
      results: 0,
      inputsOut: 0,
      resultsOut: 0,
    };
    outcome.tools.set(tool, sum);
    return sum;
  };
  const toolOf = (id: string) => uses.get(id)?.use.tool ?? "";
  const removals = new Map<number, Removal>();

  /** Books a text's disappearance, once a step however often it shrinks. */
  function remove(piece: Piece, plain: string, size: number, how: string): void {
    const from = thread.steps[piece.step];
    const tool = from?.kind === "use" ? from.tool : from?.kind === "result" ? toolOf(from.id) : "";
    const known = removals.get(piece.step);
    const removal = known ?? {
      step: piece.step,
      tool,
      how,
      out: 0,
      plain: piece.plain,
      harms: [],
    };
    if (!known) {
      removals.set(piece.step, removal);
      outcome.removals.push(removal);
    } else if (!removal.how.includes(how)) removal.how += `, then ${how}`;
    removal.out += piece.size - size;
    const sum = sumOf(tool);
    if (from?.kind === "use") sum.inputsOut += piece.size - size;
    else sum.resultsOut += piece.size - size;
    context.replace(piece, plain, size, removal);
  }

  for (const [at, step] of thread.steps.entries()) {
    if ((step.kind === "said" || step.kind === "use") && step.request !== request) {
      request = step.request;
      requests.send(request);
      let carried = 0;
      for (const { step: from, size } of context.pieces()) {
        const { kind } = thread.steps[from] ?? {};
        if (kind === "use" || kind === "result") carried += size;
      }
      outcome.carried += carried;
      outcome.carriedBefore += whole;
    }
    context.meet(at, marked.needs[at] ?? []);
    const piece: Piece = {
      step: at,
      plain: marked.plain[at] ?? "",
      marks: marked.marks[at] ?? new Int32Array(),
      size: step.kind === "compacted" ? 0 : step.text.length,
      request,
    };
    if (step.kind === "compacted") {
      context.clear();
      reduce?.compacted?.();
      whole = 0;
      continue;
    }
    if (step.kind === "result" && (answered.has(step.id) || !uses.has(step.id))) continue;
    context.add(piece);
    if (step.kind === "user") reduce?.asked?.(step.text);
    if (step.kind === "use") {
      uses.set(step.id, { use: step, piece });
      const sum = sumOf(step.tool);
      sum.uses++;
      sum.inputs += step.text.length;
      whole += step.text.length;
    }
    if (step.kind !== "result") continue;
    const { use, piece: input } = uses.get(step.id) as { use: UseStep; piece: Piece };
    answered.add(step.id);
    outcome.results++;
    sumOf(use.tool).results += step.text.length;
    whole += step.text.length;
    if (step.isError) reduce?.failed?.(use);
    const replacement = step.isError ? undefined : reduce?.result(use, step);
    if (replacement) {
      const size = sizeAfter(step, replacement);
      if (size !== piece.size)
        remove(piece, plainText({ ...step, text: replacement.text }), size, replacement.how);
    }
    if (strategy.clear && input.size > strategy.clear.over && strategy.clear.wants(use.tool)) {
      const cleared = clearedInput(input.size);
      remove(input, "", cleared.length, "input cleared");
    }
  }
  outcome.batches = requests.batches();
  outcome.cost = requests.cost();
  return outcome;
}

/** A preview that the client made itself is the baseline; else what the client adds (reminders) stays. */
export function sizeAfter({ text }: ResultStep, { text: after, before }: Replacement): number {
  if (before === undefined || before.length > text.length * 1.1 + 200) return after.length;
  return Math.max(after.length, text.length - (before.length - after.length));
}
