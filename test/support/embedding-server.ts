// Embedding APIs on loopback that misbehave on demand: OpenAI's and Ollama's, with vectors of the test's making.

/** What the server does with a request. */
export type EmbeddingFault =
  | "ok"
  | "hang"
  | "html"
  | "one-missing"
  | "one-twice"
  | "not-a-number"
  | "all-zero"
  | "other-length"
  | "too-long"
  | "redirect"
  | { status: number; message?: string; refuses?: RegExp };

export interface EmbeddingServer {
  /** For Ollama; `${url}/v1` for OpenAI's. */
  url: string;
  requests: Array<{ path: string; headers: Headers; model: unknown; texts: string[] }>;
  /** Done before each answer from now on. */
  before(work: () => Promise<void>): void;
  /** What all requests from now on meet. */
  meet(fault: EmbeddingFault): void;
  stop(): Promise<void>;
}

/** Starts one; `vectorOf` is its model. */
export function startEmbeddingServer(vectorOf: (text: string) => number[]): EmbeddingServer {
  let fault: EmbeddingFault = "ok";
  let before: () => Promise<void> = () => Promise.resolve();
  const requests: EmbeddingServer["requests"] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const { pathname: path } = new URL(request.url);
      const { model, input } = (await request.json()) as { model: unknown; input: string[] };
      requests.push({ path, headers: request.headers, model, texts: input });
      await before();
      if (fault === "hang") return new Promise<Response>(() => {});
      if (fault === "html") return new Response("<html><body>Welcome</body></html>");
      if (fault === "redirect") return Response.redirect("http://127.0.0.1:9/elsewhere", 307);
      if (typeof fault === "object" && (fault.refuses?.test(input.join("\n")) ?? true))
        return Response.json(
          { error: { message: fault.message ?? "no" } },
          { status: fault.status },
        );
      return answer(path, bent(input.map(vectorOf), fault));
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    requests,
    before: (work) => {
      before = work;
    },
    meet: (next) => {
      fault = next;
    },
    stop: () => server.stop(true),
  };
}

function bent(vectors: number[][], fault: EmbeddingFault): number[][] {
  if (fault === "one-missing") return vectors.slice(1);
  if (fault === "one-twice") return [...vectors, vectors[0] ?? []];
  if (fault === "not-a-number") return vectors.map(([, ...rest]) => [Number.NaN, ...rest]);
  if (fault === "all-zero") return vectors.map((vector) => vector.map(() => 0));
  if (fault === "other-length") return vectors.map((vector) => vector.slice(1));
  if (fault === "too-long") return vectors.map((vector) => [...vector, 1]);
  return vectors;
}

function answer(path: string, vectors: number[][]): Response {
  if (path === "/api/embed") return Response.json({ embeddings: vectors, prompt_eval_count: 7 });
  // Out of order, as the API allows.
  const data = vectors.map((embedding, index) => ({ index, embedding })).reverse();
  return Response.json({ data, usage: { prompt_tokens: 7 } });
}

/**
 * Vectors that mean something: each word is where the texts are that it stands in (random indexing), a text is the sum of
 * its words. Words that are used beside each other are near to each other.
 */
export function meaningOf(corpus: readonly string[], size = 256): (text: string) => number[] {
  const words = new Map<string, number[]>();
  for (const [number, text] of corpus.entries()) {
    const place = scattered(number + 1, size);
    for (const word of new Set(wordsIn(text))) {
      const known = words.get(word) ?? new Array<number>(size).fill(0);
      words.set(
        word,
        known.map((value, i) => value + (place[i] ?? 0)),
      );
    }
  }
  return (text) => {
    // A text of unknown words lies anywhere.
    const sum = scattered(Number(Bun.hash.crc32(text)), size).map((value) => value / 1_000);
    for (const word of wordsIn(text))
      (words.get(word) ?? []).forEach((value, i) => {
        sum[i] = (sum[i] ?? 0) + value;
      });
    return sum;
  };
}

/** Short words are of no use here. */
function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/[a-z]{4,}/g) ?? [];
}

/** The same numbers from -1 to 1 for the same seed. */
function scattered(seed: number, size: number): number[] {
  let state = seed * 2_654_435_761;
  return Array.from({ length: size }, () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) | 0;
    return ((state >>> 8) % 2_001) / 1_000 - 1;
  });
}
