// What a server of the chat completions API is asked, field by field.
import { afterAll, beforeEach, expect, test } from "bun:test";
import * as v from "valibot";
import { complete } from "../../../plugins/provider-openai-compatible/complete.ts";
import { ConfigSchema } from "../../../plugins/provider-openai-compatible/config.ts";
import { sampleTurn } from "../../support/sample-records.ts";

const bodies: Array<Record<string, unknown>> = [];
const chunk = (delta: object, more: object = {}) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: null }], ...more })}\n\n`;
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    const body = (await request.json()) as Record<string, unknown>;
    bodies.push(body);
    if (body.stream)
      return new Response(
        `${chunk({ content: "hel" })}${chunk({ content: "lo" }, { model: "large" })}data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }], usage: { prompt_tokens: 3, completion_tokens: 2 } })}\n\ndata: [DONE]\n\n`,
        { headers: { "content-type": "text/event-stream" } },
      );
    const message = { role: "assistant", content: "hello" };
    return Response.json({ model: "large", choices: [{ message, finish_reason: "stop" }] });
  },
});
afterAll(() => server.stop(true));
beforeEach(() => {
  bodies.length = 0;
});

const schema = { type: "object", properties: {} };
const request = {
  ...{ system: "You take notes.", maxTokens: 50, schema, purpose: "observe" },
  messages: [{ role: "user" as const, content: "one" }],
  session: sampleTurn({}).session,
};
const ask = (config: object) =>
  complete(request, {
    ...{ plugin: "openai-compatible", home: "/nowhere", now: () => 0 },
    config: v.parse(ConfigSchema, { baseURL: `${server.url}v1`, ...config }),
    signal: new AbortController().signal,
  } as never);

test("a local server is told how to answer, how long and in which form, by the names that it knows", async () => {
  expect((await ask({ model: "large" })).text).toBe("hello");
  expect(bodies).toEqual([
    {
      ...{ model: "large", max_tokens: 50, stream: false },
      messages: [
        { role: "system", content: "You take notes." },
        { role: "user", content: "one" },
      ],
      response_format: {
        ...{ type: "json_schema", json_schema: { name: "answer", schema, strict: true } },
      },
    },
  ]);
});

test("a server that takes no schema is given none; one that writes as it goes is asked what it took", async () => {
  const { text, usage } = await ask({ structuredOutput: false, stream: true });
  expect([text, usage.input, usage.output]).toEqual(["hello", 3, 2]);
  expect(bodies[0]).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  expect(bodies[0]).not.toHaveProperty("response_format");
});
