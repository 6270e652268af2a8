// Vectors of questions within a deadline: a search never waits long, and never for an endpoint that just failed.
import { within } from "../../src/sdk/index.ts";
import { type Asker, embed } from "./endpoint.ts";
import { sendable } from "./passages.ts";
import type { Spending } from "./spending.ts";

/** Who embeds questions. */
export interface Questions {
  /** Vectors of the texts, or undefined where they did not come in time. Never rejects. */
  vectors(texts: readonly string[]): Promise<Float32Array[] | undefined>;
}

const longest = 2_000;
const mostTexts = 8;
const remembered = 128;
const mostUnderWay = 2;
/** A late answer is still worth having: the next page asks the same, and a model that was loaded answers sooner. */
const givenUpMs = 20_000;
const restMs = 30_000;

/** `asker.plugin` is blamed; `failed` is told of every failure. */
export function createQuestions(
  asker: Asker,
  spending: Spending,
  signal: AbortSignal,
  failed: (error: unknown) => void,
): Questions {
  const known = new Map<string, Float32Array>();
  let underWay = 0;
  let restsUntil = 0;

  async function ask(texts: readonly string[]): Promise<void> {
    underWay++;
    try {
      const { vectors, tokens } = await embed(texts, asker, signal, givenUpMs);
      spending.add(tokens);
      vectors.forEach((vector, i) => {
        known.set(texts[i] ?? "", vector);
      });
      for (const text of known.keys()) if (known.size > remembered) known.delete(text);
    } catch (error) {
      if (signal.aborted) return;
      restsUntil = asker.now() + restMs;
      failed(error);
    } finally {
      underWay--;
    }
  }

  return {
    async vectors(given) {
      const { queryPrefix, queryMs } = asker.config;
      const texts = given
        .map((text) => sendable(text).slice(0, longest))
        .filter((text) => text !== "")
        .slice(0, mostTexts)
        .map((text) => queryPrefix + text);
      if (texts.length === 0) return undefined;
      const missing = texts.filter((text) => !known.has(text));
      if (missing.length > 0) {
        if (underWay >= mostUnderWay || asker.now() < restsUntil) return undefined;
        await within(queryMs, ask(missing), undefined);
      }
      const vectors = texts.flatMap((text) => known.get(text) ?? []);
      return vectors.length === texts.length ? vectors : undefined;
    },
  };
}
