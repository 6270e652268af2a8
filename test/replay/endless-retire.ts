// The requests of a replayed thread: what each costs with the cache as it is, and which old results leave before it.
import {
  type expectedTurns,
  retirementPolicy,
  weighRetirement,
} from "../../plugins/endless-gateway/retire.ts";
import type { Context, Piece } from "./endless-context.ts";
import type { Thread } from "./endless-threads.ts";

type RetirementPolicy = NonNullable<Parameters<typeof expectedTurns>[2]>;

const charactersPerToken = 4;
/** System prompt and tools, where the first request did not report what it weighed. */
const usualBase = 15_000;
/** The API forgets a cached beginning that nobody asked for in this time. */
const cacheLife = 5 * 60_000;
/** The line that is left of a result. */
const stub = "[memoir left out this result; whole: memoir recall toolu_0123456789abcdefghijklmn]";

/** When results leave, and of which tools. */
export interface Retire {
  policy: RetirementPolicy;
  wants(tool: string): boolean;
}

type Remove = (piece: Piece, plain: string, size: number, how: string) => void;

/** What the requests came to. */
export interface Requests {
  /** Before each request: lets a batch leave where that pays. */
  send(request: number): void;
  /** Batches that left. */
  batches(): number;
  /** Input tokens of all requests at the input price, reads from and writes to the cache weighed as they are paid. */
  cost(): number;
}

/** Follows a thread's requests; without a policy nothing leaves and only the cost is counted. */
export function followRequests(
  thread: Thread,
  context: Context,
  retire: Retire | undefined,
  remove: Remove,
): Requests {
  const answers: number[] = [];
  const tools = new Map<string, string>();
  for (const step of thread.steps) if (step.kind === "use") tools.set(step.id, step.tool);
  const retired = new Set<Piece>();
  let base: number | undefined;
  let sent = 0;
  let batches = 0;
  let cost = 0;
  const tokensIn = () =>
    (base ?? usualBase) + sumOf(context.pieces(), ({ size }) => size) / charactersPerToken;

  /** Tokens in front of the first that left; undefined when nothing did. */
  function leave(request: number, isCold: boolean): number | undefined {
    if (!retire) return undefined;
    const old = new Map<string, { piece: Piece; at: number }>();
    const results = [];
    let at = base ?? usualBase;
    for (const piece of context.pieces()) {
      const step = thread.steps[piece.step];
      if (
        step?.kind === "result" &&
        !retired.has(piece) &&
        piece.size > stub.length &&
        retire.wants(tools.get(step.id) ?? "")
      ) {
        const saves = (piece.size - stub.length) / charactersPerToken;
        results.push({ id: step.id, at, saves, age: request - piece.request - 1 });
        old.set(step.id, { piece, at });
      }
      at += piece.size / charactersPerToken;
    }
    const sum = weighRetirement(
      { results, contextTokens: at, answers, cacheIsCold: isCold },
      retire.policy,
    );
    if (!sum.retire) return undefined;
    batches++;
    for (const id of sum.ids) {
      const { piece } = old.get(id) ?? {};
      if (!piece) continue;
      retired.add(piece);
      remove(piece, "", stub.length, "retired");
    }
    return old.get(sum.ids[0] ?? "")?.at;
  }

  return {
    send(request) {
      const { usage, time = 0 } = thread.requests[request] ?? {};
      if (base === undefined) {
        const told = usage ? usage.input + usage.cacheRead + usage.cacheWrite : 0;
        base = 0;
        base = Math.max(usualBase, told - tokensIn());
      }
      const isCold =
        request === 0 || time - (thread.requests[request - 1]?.time ?? time) > cacheLife;
      const from = leave(request, isCold);
      const now = tokensIn();
      // Compacted, the context is shorter than what was sent before: only the system prompt is still cached.
      const known = now < sent && from === undefined ? base : sent;
      const cacheRead = isCold ? 0 : Math.min(from ?? known, now);
      // A request holds no answers from before a compaction.
      if (now < sent && from === undefined) answers.length = 0;
      answers.push(now);
      cost +=
        cacheRead * retirementPolicy.readPrice + (now - cacheRead) * retirementPolicy.writePrice;
      sent = now;
    },
    batches: () => batches,
    cost: () => cost,
  };
}

function sumOf<Item>(items: Iterable<Item>, value: (item: Item) => number): number {
  let sum = 0;
  for (const item of items) sum += value(item);
  return sum;
}
