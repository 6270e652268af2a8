// What a strategy of Endless Mode promises: it keeps before it takes out, keeps shapes, and leaves alone what it may not touch.
import assert from "node:assert/strict";
import type { ModelRequest } from "../../sdk/endless.ts";
import { assertSameShape, assertWholeText, textsOf } from "../checks.ts";
import { fakeEndless } from "../fakes.ts";
import { type Room, type SuiteCase, skip, suiteCase } from "../room.ts";
import { clientEvent } from "../samples.ts";

const root = "/home/ada/shop";
const failure = "src/cart.ts:12:3 - error TS2304: Cannot find name 'totalOf'.";
const noise = Array.from({ length: 3_000 }, (_, i) => `INFO  request ${i} took ${i % 97} ms`);
const output = [...noise.slice(0, 1_500), failure, ...noise.slice(1_500)].join("\n");
const source = Array.from(
  { length: 2_000 },
  (_, i) => `export function part${i}(sum: number): number { return sum + ${i}; }`,
).join("\n");

interface Sample {
  tool: string;
  input: Record<string, unknown>;
  response: unknown;
}

/** Large results, in the shapes that the client gives them. */
const samples: readonly Sample[] = [
  {
    tool: "Bash",
    input: { command: "bun run check", description: "Check everything" },
    response: { stdout: output, stderr: "", interrupted: false, isImage: false },
  },
  {
    tool: "Read",
    input: { file_path: `${root}/src/parts.ts` },
    response: {
      type: "text",
      file: {
        filePath: `${root}/src/parts.ts`,
        content: source,
        numLines: 2_000,
        startLine: 1,
        totalLines: 2_000,
      },
    },
  },
  {
    tool: "Grep",
    input: { pattern: "part", output_mode: "content" },
    response: { mode: "content", filenames: [], numFiles: 0, content: source, numLines: 2_000 },
  },
  {
    tool: "Glob",
    input: { pattern: "**/*" },
    response: {
      filenames: noise.map((_, i) => `${root}/src/f${i}.ts`),
      numFiles: 3_000,
      durationMs: 3,
      truncated: false,
    },
  },
  {
    tool: "WebFetch",
    input: { url: "http://localhost/a", prompt: "What is it?" },
    response: {
      bytes: 200_000,
      code: 200,
      codeText: "OK",
      durationMs: 9,
      result: output,
      url: "http://localhost/a",
    },
  },
  { tool: "mcp__shop__list", input: { of: "orders" }, response: [{ type: "text", text: output }] },
  { tool: "SomethingNew", input: {}, response: { text: output, list: noise } },
];

/** Lets a strategy see one result, and gives what it would have the model see instead. */
async function arrive(
  room: Room,
  sample: Sample,
  how: { mayKeep?: boolean; known?: boolean } = {},
) {
  if (!room.plugin.hooks.PostToolUse) skip("it does not change results as they arrive");
  const endless = fakeEndless(() => 0);
  endless.mayKeep = how.mayKeep ?? true;
  const { tool: toolName, input: toolInput, response: toolResponse } = structuredClone(sample);
  const toolUseId = "toolu_large";
  if (how.known !== false)
    endless.originals.set(toolUseId, { input: toolInput, response: toolResponse });
  const host = await room.open({ endless });
  const event = clientEvent("PostToolUse", { toolUseId, toolName, toolInput, toolResponse });
  const reply = await host.call("PostToolUse", { ...event, key: "tool:toolu_large" });
  return { updated: reply?.updatedToolOutput, endless };
}

/** Fields by which a client says that the rest lies in a file: they go when the text is replaced. */
const mayLack = ["persistedOutputPath", "persistedOutputSize"];

const atArrival: readonly SuiteCase[] = [
  suiteCase("gives a result back in its tool's own shape", async (room) => {
    for (const sample of samples) {
      const { updated } = await arrive(room, sample);
      if (updated === undefined) continue;
      assertSameShape(sample.response, updated, `the result of ${sample.tool}`, mayLack);
      assertWholeText(updated, `the result of ${sample.tool}`);
      const size = (value: unknown) => textsOf(value).join("").length;
      assert.ok(size(updated) < size(sample.response), `the result of ${sample.tool} grew`);
    }
  }),

  suiteCase("keeps the whole before it takes anything out", async (room) => {
    for (const sample of samples) {
      const { updated, endless } = await arrive(room, sample);
      if (updated === undefined) continue;
      const kept = await endless.kept("toolu_large", "output");
      assert.ok(kept, `a part of ${sample.tool}'s result went without \`ctx.endless.keep\``);
      assert.deepEqual(kept.value, sample.response, "what was kept is not what came");
    }
  }),

  suiteCase("leaves whole what may not be kept", async (room) => {
    for (const sample of samples) {
      const { updated } = await arrive(room, sample, { mayKeep: false });
      assert.equal(
        updated,
        undefined,
        `${sample.tool}: \`keep\` said false, the result was changed`,
      );
    }
  }),

  suiteCase("leaves whole what capture plugins changed", async (room) => {
    for (const sample of samples) {
      const { updated } = await arrive(room, sample, { known: false });
      assert.equal(updated, undefined, `${sample.tool}: without an original nothing is taken out`);
    }
  }),

  suiteCase("leaves errors word for word", async (room) => {
    const [bash] = samples;
    if (!bash) return;
    const { updated } = await arrive(room, bash);
    if (updated !== undefined)
      assert.ok(
        textsOf(updated).some((text) => text.includes(failure)),
        `the line "${failure}" is gone from the output of a failing check`,
      );
  }),

  suiteCase("leaves small results alone", async (room) => {
    const response = { stdout: "3 pass\n0 fail\n", stderr: "", interrupted: false, isImage: false };
    const { updated } = await arrive(room, {
      tool: "Bash",
      input: { command: "bun test" },
      response,
    });
    assert.equal(updated, undefined, "two short lines were replaced");
  }),

  suiteCase("decides the same of the same", async (room) => {
    for (const sample of samples) {
      const first = await arrive(room, sample);
      const second = await arrive(room, sample);
      assert.deepEqual(second.updated, first.updated, `${sample.tool}: two answers to one result`);
    }
  }),
];

/** A session's request after so many tool uses; each turn holds a large result. */
function sampleRequest(turns: number): ModelRequest {
  const messages: unknown[] = [
    { role: "user", content: [{ type: "text", text: "Fix the cart." }] },
  ];
  for (let i = 0; i < turns; i++)
    messages.push(
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: `I look at part ${i}.`, signature: `sig-${i}` },
          { type: "tool_use", id: `toolu_${i}`, name: "Bash", input: { command: `run part ${i}` } },
        ],
      },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: `toolu_${i}`, content: output }],
      },
    );
  const body = {
    model: "claude-opus-5-5",
    max_tokens: 32_000,
    system: [{ type: "text", text: "You are an agent.", cache_control: { type: "ephemeral" } }],
    tools: [{ name: "Bash", description: "Runs", input_schema: { type: "object" } }],
    metadata: { user_id: '{"session":"s1"}' },
    somethingNew: { nested: [1, null] },
    stream: true,
    messages,
  };
  return { client: "claude-code", session: "s1", project: "github.com/acme/shop", body };
}

async function send(room: Room, requests: readonly ModelRequest[], mayKeep = true) {
  if (!room.plugin.hooks.request) skip("it does not change requests");
  const endless = fakeEndless(() => 0);
  endless.mayKeep = mayKeep;
  const host = await room.open({ endless });
  const sent: ModelRequest[] = [];
  for (const request of requests) sent.push((await host.call("request", request)) ?? request);
  return { sent, endless };
}

const messagesOf = ({ body }: ModelRequest) => body.messages as Array<Record<string, unknown>>;
const idsOf = (request: ModelRequest, field: "id" | "tool_use_id") =>
  messagesOf(request)
    .flatMap(({ content }) => (Array.isArray(content) ? content : []))
    .flatMap((block: Record<string, unknown>) =>
      block[field] === undefined ? [] : [block[field]],
    );

const inRequests: readonly SuiteCase[] = [
  suiteCase("leaves the rest of a request as it is, key by key", async (room) => {
    const request = sampleRequest(40);
    const [sent = request] = (await send(room, [request])).sent;
    const { messages: _m, ...rest } = request.body;
    const { messages: _n, ...after } = sent.body;
    assert.deepEqual(after, rest, "only `messages` may change");
    assert.deepEqual(
      Object.keys(sent.body),
      Object.keys(request.body),
      "the order of keys changed",
    );
    assert.deepEqual({ ...sent, body: 0 }, { ...request, body: 0 }, "who asks must stay as it is");
  }),

  suiteCase(
    "keeps every tool use beside its result, and thinking as it was signed",
    async (room) => {
      const request = sampleRequest(40);
      const [sent = request] = (await send(room, [request])).sent;
      assert.deepEqual(idsOf(sent, "tool_use_id"), idsOf(sent, "id"), "a tool use lost its result");
      const thinking = (of: ModelRequest) =>
        messagesOf(of)
          .flatMap(({ content }) => (Array.isArray(content) ? content : []))
          .filter((block: { type?: string }) => block.type === "thinking");
      const before = thinking(request).map((block) => JSON.stringify(block));
      for (const block of thinking(sent))
        assert.ok(before.includes(JSON.stringify(block)), "a signed thinking block was changed");
    },
  ),

  suiteCase("repeats what it decided byte for byte", async (room) => {
    const requests = [sampleRequest(30), sampleRequest(30), sampleRequest(31)];
    const { sent } = await send(room, requests);
    const text = (request: ModelRequest | undefined) => JSON.stringify(request?.body);
    assert.equal(text(sent[1]), text(sent[0]), "the same request was sent in two ways");
    const [first, , third] = sent;
    if (!first || !third) return;
    const common = messagesOf(first).map((message) => JSON.stringify(message));
    const again = messagesOf(third)
      .slice(0, common.length)
      .map((message) => JSON.stringify(message));
    const changed = again.findIndex((message, at) => message !== common[at]);
    if (changed !== -1)
      room.warn(
        `message ${changed} changed after it was sent: the prompt cache is lost from there`,
      );
  }),

  suiteCase("leaves requests whole while nothing may be kept", async (room) => {
    const request = sampleRequest(40);
    const [sent = request] = (await send(room, [request], false)).sent;
    assert.deepEqual(sent.body, request.body, "`keep` said false, and the request was changed");
  }),
];

export const endlessCases: readonly SuiteCase[] = [...atArrival, ...inRequests];
