// One call to an embeddings API: what is asked, what of an answer is taken, and which error each failure is.
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import type { Config } from "../../../plugins/semantic-search/config.ts";
import { type Asker, embed } from "../../../plugins/semantic-search/endpoint.ts";
import { MemoirError } from "../../../src/sdk/errors.ts";

interface Asked {
  path: string;
  body: Record<string, unknown>;
}
const asked: Asked[] = [];
let answer: (body: Record<string, unknown>) => Response | Promise<Response>;
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    const body = (await request.json()) as Record<string, unknown>;
    asked.push({ path: new URL(request.url).pathname, body });
    return answer(body);
  },
});
afterAll(() => server.stop(true));

const list = (...vectors: number[][]) => vectors.map((embedding, index) => ({ index, embedding }));
beforeEach(() => {
  asked.length = 0;
  answer = ({ input }) =>
    Response.json({
      data: list(...(input as string[]).map(() => [3, 4])),
      usage: { prompt_tokens: 7 },
    });
});

function call(
  texts: string[],
  config: Partial<Config> = {},
  signal = new AbortController().signal,
) {
  const asker = {
    ...{ plugin: "semantic-search", home: "/nowhere", now: () => 1_000 },
    config: {
      baseURL: `${server.url}v1`,
      model: "m",
      api: "openai",
      timeoutSeconds: 20,
      ...config,
    },
  } as Asker;
  return embed(texts, asker, signal);
}
const failure = async (...given: Parameters<typeof call>) => {
  const error = await call(...given).catch((thrown: unknown) => thrown);
  if (!(error instanceof MemoirError)) throw new Error(`no error: ${JSON.stringify(error)}`);
  return error;
};

describe("is asked", () => {
  test("with model, texts and form, wherever its address ends", async () => {
    await call(["one", "two"], { baseURL: `${server.url}v1//` });
    const body = { model: "m", input: ["one", "two"], encoding_format: "float" };
    expect(asked).toEqual([{ path: "/v1/embeddings", body }]);
  });
  test("for so many numbers as config says", async () => {
    answer = () => Response.json({ data: list(Array.from({ length: 8 }, () => 1)) });
    await call(["one"], { dimensions: 8 });
    expect(asked[0]?.body.dimensions).toBe(8);
  });
  test("as Ollama wants it", async () => {
    answer = () => Response.json({ embeddings: [[3, 4]], prompt_eval_count: 5 });
    const { vectors, tokens } = await call(["one"], { api: "ollama", baseURL: server.url.href });
    expect(asked).toEqual([{ path: "/api/embed", body: { model: "m", input: ["one"] } }]);
    expect([[...(vectors[0] ?? [])].map((one) => one.toFixed(1)), tokens]).toEqual([
      ["0.6", "0.8"],
      5,
    ]);
  });
});

describe("of an answer", () => {
  test("vectors stand in the order of the texts, with the tokens that were counted", async () => {
    answer = () =>
      Response.json({
        data: [
          { index: 1, embedding: [0, 2] },
          { index: 0, embedding: [2, 0] },
        ],
        usage: { prompt_tokens: 7 },
      });
    const { vectors, tokens } = await call(["one", "two"]);
    expect([vectors.map((vector) => [...vector]), tokens]).toEqual([
      [
        [1, 0],
        [0, 1],
      ],
      7,
    ]);
  });
  test.each([0, -3, null])(
    "a count of %p tokens is no count: they are estimated",
    async (count) => {
      answer = () =>
        Response.json({ data: list([3, 4]), usage: { prompt_tokens: count ?? undefined } });
      expect((await call(["a text of some words"])).tokens).toBeGreaterThan(1);
    },
  );
  test.each<[string, unknown, Partial<Config>, string]>([
    ["fewer vectors than texts", { data: list([3, 4]) }, {}, "it has 1 vectors for 2 texts"],
    [
      "two of one place",
      { data: [0, 0].map((index) => ({ index, embedding: [1] })) },
      {},
      "it holds no embeddings",
    ],
    ["two lengths", { data: list([3, 4], [1]) }, {}, "a vector has 1 numbers where 2 are due"],
    [
      "another length than asked for",
      { data: list([3, 4], [3, 4]) },
      { dimensions: 8 },
      "a vector has 2 numbers where 8 are due",
    ],
    ["no direction", { data: list([3, 4], [0, 0]) }, {}, "a vector has no direction"],
    ["no list", { error: "none" }, {}, "it holds no embeddings"],
  ])("%s is none", async (_, body, config, words) => {
    answer = () => Response.json(body);
    const error = await failure(["one", "two"], config);
    expect([error.code, error.message]).toEqual([
      "provider_answer",
      expect.stringContaining(words),
    ]);
  });
});

describe("fails", () => {
  test("where it leads elsewhere, which is not followed", async () => {
    answer = () => Response.redirect(`${server.url}v2/embeddings`, 307);
    expect((await failure(["one"])).message).toContain("leads to another address");
    expect(asked).toHaveLength(1);
  });
  test("with the API's words, and when to come back", async () => {
    const headers = { "retry-after": "9" };
    answer = () => Response.json({ error: { message: "slow down" } }, { status: 429, headers });
    const error = await failure(["one"]);
    expect([error.code, error.retryAfterMs]).toEqual(["provider_rate", 9_000]);
    expect(error.message).toContain("slow down");
  });
  test("as too slow once its time is over", async () => {
    answer = () => new Promise<Response>(() => {});
    const asker = {
      ...{ plugin: "semantic-search", home: "/nowhere", now: () => 1_000 },
      config: { baseURL: `${server.url}v1`, model: "m", api: "openai", timeoutSeconds: 20 },
    } as Asker;
    const late = embed(["one"], asker, new AbortController().signal, 20);
    expect(await late.catch(({ code }: MemoirError) => code)).toBe("provider_timeout");
  });
  test("at once where it is given up", async () => {
    const stopping = new AbortController();
    answer = () => {
      stopping.abort();
      return new Promise<Response>(() => {});
    };
    expect((await failure(["one"], {}, stopping.signal)).code).toBe("provider_connection");
  });
});
