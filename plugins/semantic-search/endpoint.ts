// One call to an embeddings API: texts out, as many vectors of one length back, or an error in words.
import * as v from "valibot";
import {
  malformedAnswer,
  providerError,
  providerTimeout,
  providerUnreachable,
  readKey,
} from "../../src/provider/index.ts";
import { MemoirError, type PluginContext, within } from "../../src/sdk/index.ts";
import { estimateTokens } from "../../src/text/index.ts";
import type { Chosen } from "./config.ts";
import { sendable } from "./passages.ts";
import type { VectorStore } from "./store.ts";

// Vectors of questions within a deadline: a search never waits long, and never for an endpoint that just failed.

/** Who embeds questions. */
export type Questions = ReturnType<typeof createQuestions>;

const longest = 2_000;
const mostTexts = 8;
const remembered = 128;
const mostUnderWay = 2;
/** A late answer is still worth having: the next page asks the same, and a model that was loaded answers sooner. */
const givenUpMs = 20_000;
const restMs = 30_000;

/** `asker.plugin` is blamed; `failed` hears of every failure. */
export function createQuestions(
  asker: Asker,
  spending: Spending,
  signal: AbortSignal,
  failed: (error: unknown) => void,
) {
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
    /** Vectors of the texts, or undefined where they did not come in time. Never rejects. */
    async vectors(given: readonly string[]): Promise<Float32Array[] | undefined> {
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

/** What came back: vectors of length 1, in the order of the texts. */
interface Embedded {
  vectors: Float32Array[];
  /** As the server counted, else an estimate. */
  tokens: number;
}

/** What a call needs of the plugin's context. */
export type Asker = Pick<PluginContext<Chosen>, "plugin" | "config" | "home" | "now">;

const vector = v.array(v.number());
const OpenAISchema = v.object({
  data: v.array(v.object({ index: v.optional(v.number()), embedding: vector })),
  usage: v.optional(v.nullable(v.object({ prompt_tokens: v.optional(v.number()) }))),
});
const OllamaSchema = v.object({
  embeddings: v.array(vector),
  prompt_eval_count: v.optional(v.nullable(v.number())),
});

const mostBytes = 64 * 1024 * 1024;

/** Rejects with a `provider_…` error; nothing is retried here, and a redirect is not followed. */
export async function embed(
  texts: readonly string[],
  asker: Asker,
  signal: AbortSignal,
  timeoutMs = asker.config.timeoutSeconds * 1_000,
): Promise<Embedded> {
  const { plugin, config } = asker;
  const key = await readKey(plugin, asker.home, config.keyEnv);
  const timeout = AbortSignal.timeout(timeoutMs);
  const { url, body } = request(texts, config);
  let answer: string;
  try {
    const response = await fetch(url, {
      method: "POST",
      redirect: "manual",
      headers: {
        "content-type": "application/json",
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.any([signal, timeout]),
    });
    if (response.status >= 300 && response.status < 400)
      throw malformedAnswer(plugin, "it leads to another address, which is not followed");
    answer = await textOf(response, plugin);
    if (!response.ok)
      throw providerError({
        provider: plugin,
        model: config.model,
        status: response.status,
        message: explanation(answer),
        retryAfter: response.headers.get("retry-after"),
        now: asker.now(),
        key,
      });
  } catch (error) {
    if (error instanceof MemoirError) throw error;
    if (timeout.aborted) throw providerTimeout(plugin, timeoutMs);
    throw providerUnreachable(plugin, new URL(url).host, error);
  }
  return embedded(answer, texts, asker);
}

function request(texts: readonly string[], config: Chosen): { url: string; body: object } {
  const base = config.baseURL.replace(/\/+$/, "");
  const { model, dimensions } = config;
  const size = dimensions === undefined ? {} : { dimensions };
  return config.api === "ollama"
    ? { url: `${base}/api/embed`, body: { model, input: texts, ...size } }
    : {
        url: `${base}/embeddings`,
        body: { model, input: texts, encoding_format: "float", ...size },
      };
}

/** The whole body; one without end is given up. */
async function textOf(response: Response, plugin: string): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.byteLength;
    if (bytes > mostBytes) throw malformedAnswer(plugin, "it does not end");
    text += decoder.decode(part, { stream: true });
  }
  return text + decoder.decode();
}

const ErrorSchema = v.object({
  error: v.union([v.string(), v.object({ message: v.string() })]),
});

/** What an API says of a failure; a page of HTML says nothing. */
function explanation(answer: string): string {
  const parsed = v.safeParse(ErrorSchema, json(answer));
  if (!parsed.success) return "";
  const { error } = parsed.output;
  return typeof error === "string" ? error : error.message;
}

function embedded(answer: string, texts: readonly string[], { plugin, config }: Asker): Embedded {
  const { list, tokens } = config.api === "ollama" ? ollama(answer) : openAI(answer);
  const wrong = (what: string) => malformedAnswer(plugin, what);
  if (!list) throw wrong("it holds no embeddings");
  if (list.length !== texts.length)
    throw wrong(`it has ${list.length} vectors for ${texts.length} texts`);
  const length = config.dimensions ?? list[0]?.length ?? 0;
  const vectors = list.map((numbers) => {
    if (numbers.length === 0 || numbers.length !== length)
      throw wrong(`a vector has ${numbers.length} numbers where ${length} are due`);
    const unit = unitVector(numbers);
    if (!unit) throw wrong("a vector has no direction");
    return unit;
  });
  // A count that is none would undo the budget.
  const estimate = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
  const isCount = tokens !== undefined && Number.isFinite(tokens) && tokens > 0;
  return { vectors, tokens: isCount ? Math.ceil(tokens) : estimate };
}

interface Listed {
  list?: number[][];
  tokens?: number | undefined;
}

function openAI(answer: string): Listed {
  const parsed = v.safeParse(OpenAISchema, json(answer));
  if (!parsed.success) return {};
  const { data, usage } = parsed.output;
  const places = data.map(({ index }, i) => index ?? i);
  // Two vectors of one place would leave another text with the vector of a neighbour.
  if (places.some((place) => places[place] === undefined) || new Set(places).size < places.length)
    return {};
  const list = places
    .map((place, i) => ({ place, embedding: data[i]?.embedding ?? [] }))
    .sort((a, b) => a.place - b.place)
    .map(({ embedding }) => embedding);
  return { list, tokens: usage?.prompt_tokens };
}

function ollama(answer: string): Listed {
  const parsed = v.safeParse(OllamaSchema, json(answer));
  if (!parsed.success) return {};
  return { list: parsed.output.embeddings, tokens: parsed.output.prompt_eval_count ?? undefined };
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Scaled to length 1; undefined for one that has none, or a number that is none. */
function unitVector(numbers: readonly number[]): Float32Array | undefined {
  const length = Math.sqrt(numbers.reduce((sum, value) => sum + value * value, 0));
  if (!Number.isFinite(length) || length === 0) return undefined;
  return Float32Array.from(numbers, (value) => value / length);
}

// The tokens of a day: what embedding took, remembered across restarts.

/** What a day's budget allows. */
export type Spending = ReturnType<typeof createSpending>;

/** Days are UTC's. */
export function createSpending(
  store: Pick<VectorStore, "note" | "setNote">,
  tokensPerDay: number,
  now: () => number,
) {
  const today = () => new Date(now()).toISOString().slice(0, 10);
  const spent = (): number => {
    const [day, tokens] = (store.note("spent") ?? "").split(" ");
    return day === today() ? Number(tokens) : 0;
  };
  return {
    add: (tokens: number): void => store.setNote("spent", `${today()} ${spent() + tokens}`),
    /** Whether so many more may be taken today. */
    allows: (tokens: number): boolean => spent() + tokens <= tokensPerDay,
  };
}
