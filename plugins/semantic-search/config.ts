// The options of semantic search. Nothing is asked before `baseURL` and `model` are set.
import * as v from "valibot";
import { KeyEnvSchema } from "../../src/provider/index.ts";
import { wholeOption } from "../../src/sdk/index.ts";

const prefix = (description: string) =>
  v.optional(v.pipe(v.string(), v.maxLength(500), v.description(description)), "");

export const ConfigSchema = v.strictObject({
  api: v.optional(
    v.pipe(
      v.picklist(["openai", "ollama"]),
      v.description(
        "What the server speaks: `openai` (`POST …/embeddings`), `ollama` (`/api/embed`).",
      ),
    ),
    "openai",
  ),
  baseURL: v.exactOptional(
    v.pipe(
      v.string(),
      v.url(),
      v.regex(/^https?:/i, "must be an address that begins with http:// or https://"),
      v.description(
        "Where texts are sent: up to and with the version for `openai` (`…/v1`), the server for `ollama`. Nothing is sent without it.",
      ),
    ),
  ),
  model: v.exactOptional(
    v.pipe(
      v.string(),
      v.nonEmpty(),
      v.description(
        "Embedding model, as the server names it. Another one embeds everything again.",
      ),
    ),
  ),
  dimensions: v.exactOptional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(8),
      v.maxValue(8_192),
      v.description("Numbers in a vector, for models that let one choose (8 to 8192)."),
    ),
  ),
  keyEnv: v.exactOptional(KeyEnvSchema),
  queryPrefix: prefix("Put before a question, for models that want it (`search_query: `)."),
  textPrefix: prefix("Put before a passage, for models that want it (`search_document: `)."),
  tokensPerDay: wholeOption(
    "Tokens that embedding takes a day (UTC); the rest waits. Questions count, and are never held back",
    0,
    1_000_000_000,
    2_000_000,
  ),
  timeoutSeconds: wholeOption("Seconds that one call may take", 1, 110, 60),
  meaningShare: v.optional(
    v.pipe(
      v.number(),
      v.minValue(0.1),
      v.maxValue(3),
      v.description(
        "What the best hit by meaning counts beside the best by words, which counts 1 (0.1 to 3). More for a strong model, less for a weak one.",
      ),
    ),
    0.5,
  ),
  queryMs: wholeOption(
    "Milliseconds that a search waits for its question to be embedded; after that words alone find",
    10,
    2_000,
    150,
  ),
});
export type Config = v.InferOutput<typeof ConfigSchema>;

/** Config that says whom to ask. */
export type Chosen = Config & { baseURL: string; model: string };

/** True once an endpoint and a model are chosen. */
export function isChosen(config: Config): config is Chosen {
  return config.baseURL !== undefined && config.model !== undefined;
}

/** What vectors depend on: kept vectors of another one are worth nothing. */
export function makingOf({ model, dimensions, textPrefix }: Chosen): string {
  return JSON.stringify([1, model, dimensions ?? null, textPrefix]);
}
