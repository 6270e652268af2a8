// Passages → vectors, a batch at a time, within the day's budget. What the endpoint takes in no form is left out.
import { MemoirError, type Turn } from "../../src/sdk/index.ts";
import { estimateTokens } from "../../src/text/index.ts";
import type { Spending } from "./endpoint.ts";
import { type Asker, embed } from "./endpoint.ts";
import { type Passage, passagesOf, turnHash } from "./passages.ts";
import type { VectorStore } from "./store.ts";

/** The day's tokens are used up. */
export class BudgetSpent extends Error {
  override readonly name = "BudgetSpent";
}

interface Wanted {
  turn: string;
  passage: Passage;
}

const mostTokens = 8_000;
/** A turn that still goes on changes; after so long it is taken for cut off. */
const openMs = 3_600_000;
/** A text that every model takes. */
const probe = "text";
/** What may be the fault of one text. */
const refusals = new Set(["provider_request", "provider_context", "provider_too_large"]);

/** Keeps turns. */
export type Embedding = ReturnType<typeof createEmbedding>;

/** `refused` is told of a text that was left out. */
export function createEmbedding(
  asker: Asker,
  store: VectorStore,
  spending: Spending,
  signal: AbortSignal,
  refused: (error: MemoirError) => void,
) {
  async function vectorsOf(batch: readonly Wanted[]): Promise<Array<Float32Array | null>> {
    const texts = batch.map(({ passage }) => asker.config.textPrefix + passage.text);
    try {
      const { vectors, tokens } = await embed(texts, asker, signal);
      spending.add(tokens);
      const due = store.dimensions();
      const length = vectors[0]?.length ?? 0;
      if (due !== 0 && length !== due)
        throw new MemoirError(
          "provider_answer",
          `${asker.plugin} (${asker.config.model}) answers vectors of ${length} numbers; those that are kept have ${due}.`,
          {
            fix: `If the model behind that name is another one now, set \`plugins.${asker.plugin}.dimensions\` to ${length}: everything is embedded anew.`,
          },
        );
      return vectors;
    } catch (error) {
      if (!(error instanceof MemoirError) || !refusals.has(error.code)) throw error;
      if (batch.length > 1) {
        const half = batch.length >> 1;
        return [
          ...(await vectorsOf(batch.slice(0, half))),
          ...(await vectorsOf(batch.slice(half))),
        ];
      }
      // It is the text's fault only where another one is taken.
      await embed([probe], asker, signal);
      refused(error);
      return [null];
    }
  }

  return {
    /** Embeds what is new in these turns; rejects with the endpoint's error, or `BudgetSpent`. What was done stays. */
    async keep(turns: readonly Turn[], sweep: number): Promise<void> {
      const settled = turns.flatMap((turn) => {
        const passages = passagesOf(turn);
        const hash = turnHash(passages);
        if (store.hashOf(turn.id) === hash) {
          store.touch(turn.id, sweep);
          return [];
        }
        store.see(turn, sweep);
        const isOpen = turn.end === "open" && asker.now() - turn.time < openMs;
        return isOpen ? [] : [{ turn, passages, hash }];
      });
      const wanted = settled.flatMap(({ turn, passages }): Wanted[] => {
        const known = store.known(turn.id);
        const once = new Map(passages.map((passage) => [passage.hash, passage]));
        return [...once.values()].flatMap((passage) =>
          known.has(passage.hash) ? [] : { turn: turn.id, passage },
        );
      });
      for (const { batch, tokens } of batches(wanted)) {
        if (!spending.allows(tokens)) throw new BudgetSpent();
        const vectors = await vectorsOf(batch);
        store.add(batch.map((one, i) => ({ ...one, vector: vectors[i] ?? null })));
      }
      for (const { turn, passages, hash } of settled) store.finish(turn.id, hash, passages);
    },
  };
}

/** Passages in one call. */
const mostPassages = 32;

/** By count and by length. */
function batches(wanted: readonly Wanted[]) {
  const found: Array<{ batch: Wanted[]; tokens: number }> = [];
  for (const one of wanted) {
    const tokens = estimateTokens(one.passage.text);
    const last = found.at(-1);
    if (last && last.batch.length < mostPassages && last.tokens + tokens <= mostTokens) {
      last.batch.push(one);
      last.tokens += tokens;
    } else found.push({ batch: [one], tokens });
  }
  return found;
}
