// One request through the gateway: who is let in, where it goes, what is counted, and what the log may say.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { type GatewayCounts, handleRequest } from "../../../src/server/gateway/handle-request.ts";
import { fakeHooks } from "../../support/fake-hooks.ts";
import { keptLog } from "../../support/kept-log.ts";
import { type RawUpstream, rawUpstream, whole } from "../../support/raw-upstream.ts";

type HandleOptions = Parameters<typeof handleRequest>[1];

const usage = '{"model":"m","usage":{"input_tokens":7}}';
let upstream: RawUpstream;
let counts: GatewayCounts;
let log: ReturnType<typeof keptLog>;
let hooks: ReturnType<typeof fakeHooks>;
let led: string[];
beforeEach(async () => {
  const json = { "content-type": "application/json" };
  upstream = await rawUpstream((socket) => void socket.end(whole("200 OK", json, usage)));
  counts = { requests: 0, rewritten: 0, unsure: 0, failed: 0, whole: 0, unreached: 0, refused: 0 };
  log = keptLog();
  hooks = fakeHooks();
  led = [];
});
afterEach(() => upstream.stop());

interface Sent {
  path?: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}
async function ask({ path = "/v1/messages", ...init }: Sent, more: Partial<HandleOptions> = {}) {
  const { method = "POST", headers = {}, body = '{"messages":[]}' } = init;
  const request = new Request(`http://127.0.0.1:1${path}`, {
    method,
    headers: { host: "127.0.0.1:1", "x-claude-code-session-id": "s1", ...headers },
    ...(method !== "GET" && { body }),
  });
  const answer = await handleRequest(request, {
    ...{ host: "bun", hooks: () => hooks, log, now: () => 5, counts },
    upstreamOf(session) {
      led.push(session);
      return upstream.url;
    },
    ...more,
  });
  return { status: answer.status, text: await answer.text() };
}
/** The answer is through before the strategies hear of it. */
async function told(times: number) {
  while (hooks.inputs("responded").length < times) await Bun.sleep(1);
  return hooks.inputs("responded");
}
const message = ({ text }: { text: string }) => JSON.parse(text).error.message as string;

test("a web page is refused and counted as that alone", async () => {
  const refused = await ask({ headers: { origin: "http://evil.test" } });
  expect([refused.status, message(refused)]).toEqual([
    403,
    "memoir's gateway serves no web pages.",
  ]);
  expect(counts).toMatchObject({ requests: 0, refused: 1 });
  expect([upstream.requests, led]).toEqual([[], []]);
});

test.each<[string, Sent]>([
  ["a message", {}],
  ["a look", { method: "GET", path: "/v1/models?limit=1" }],
  ["something large", { headers: { "content-length": "99999999999" } }],
])("%s that nobody led here is told so", async (_, sent) => {
  const answer = await ask(sent, { upstreamOf: () => undefined });
  expect([answer.status, message(answer)]).toEqual([
    ...[502, "memoir's gateway is off, and no session was led to it."],
  ]);
  expect([counts.requests, upstream.requests.length]).toEqual([1, 0]);
});

test("a body goes on as it came, and what the answer took is told to the strategies once", async () => {
  const answer = await ask({ body: '{ "messages": [] }', path: "/v1/messages?beta=true" });
  expect([answer.status, answer.text]).toEqual([200, usage]);
  expect(upstream.requests.map(({ line, body }) => [line, body.toString()])).toEqual([
    ["POST /v1/messages?beta=true", '{ "messages": [] }'],
  ]);
  expect(hooks.inputs("request").map(({ session, client }) => [client, session])).toEqual([
    ["claude-code", "s1"],
  ]);
  expect(await told(1)).toMatchObject([
    { client: "claude-code", session: "s1", status: 200, model: "m", usage: { input: 7 } },
  ]);
  expect([led, counts.requests]).toEqual([["s1"], 1]);
});

test.each<[string, Sent, number, number]>([
  ["a message", {}, 1, 1],
  ["tokens to be counted", { path: "/v1/messages/count_tokens" }, 1, 0],
  ["another path", { path: "/v1/complete" }, 0, 0],
  ["another method", { method: "PUT" }, 0, 0],
  ["a look", { method: "GET" }, 0, 0],
  ["nobody's message", { headers: { "x-claude-code-session-id": "" } }, 0, 0],
])("%s: strategies see it %d times, and its answer %d times", async (_, sent, seen, answered) => {
  expect((await ask(sent)).status).toBe(200);
  await told(answered);
  expect([hooks.inputs("request").length, hooks.inputs("responded").length]).toEqual([
    ...[seen, answered],
  ]);
});

test("who is not named by a header is by the body, of messages alone", async () => {
  const headers = { "x-claude-code-session-id": "" };
  const body = '{"messages":[],"metadata":{"user_id":"{\\"session_id\\":\\"of-body\\"}"}}';
  await ask({ headers, body });
  await ask({ headers, body, path: "/v1/complete" });
  expect(led).toEqual(["of-body", ""]);
});

test("what strategies do is counted by how it ended", async () => {
  hooks.respond({ request: (request) => ({ ...request, body: { messages: [1] } }) });
  await ask({});
  expect(upstream.requests.at(-1)?.body.toString()).toBe('{"messages":[1]}');
  expect(counts).toMatchObject({ rewritten: 1, failed: 0, whole: 0, unsure: 0 });
  hooks.respond({ request: (request) => ({ ...request, body: request.body && { no: 1 } }) });
  await ask({});
  await ask({ body: "{}" });
  await ask({ headers: { "content-encoding": "gzip" } });
  expect(counts).toMatchObject({ requests: 4, rewritten: 1, failed: 1, unsure: 2 });
});

test("what the API does not take shortened is sent whole, and its session is not shortened again", async () => {
  const shorten = () =>
    hooks.respond({ request: (request) => ({ ...request, body: { messages: [] } }) });
  const long = '{"messages":[{"role":"user","content":"all of it"}]}';
  const refusals = new Set<string>();
  const memory: Partial<HandleOptions> = {
    isRefused: (session) => refusals.has(session),
    refused: (session) => void refusals.add(session),
    anyRefused: () => refusals.size > 0,
  };
  let takes: (body: string) => boolean = (body) => body === long;
  const error = gzipSync('{"type":"error","error":{"message":"messages.1: not as signed"}}');
  const zipped = { "content-type": "application/json", "content-encoding": "gzip" };
  const api = await rawUpstream((socket, { body }) => {
    if (takes(body.toString()))
      socket.end(whole("200 OK", { "content-type": "application/json" }, usage));
    else socket.end(whole("400 Bad Request", zipped, error));
  });
  const bodies = () => api.requests.splice(0).map(({ body }) => body.toString());
  const send = () => ask({ body: long }, { ...memory, upstreamOf: () => api.url });
  shorten();
  takes = () => false;
  // The whole one is not taken either: nothing is learnt from that.
  expect([(await send()).status, refusals.size, counts.whole]).toEqual([400, 0, 0]);
  expect(bodies()).toEqual(['{"messages":[]}', long]);
  expect((await told(1)).map((one) => [one.status, one.refused])).toEqual([[400, undefined]]);

  takes = (body) => body === long;
  expect(await send()).toEqual({ status: 200, text: usage });
  expect(bodies()).toEqual(['{"messages":[]}', long]);
  expect((await told(2))[1]).toMatchObject({ status: 200, refused: true, usage: { input: 7 } });
  expect([[...refusals], counts.whole]).toEqual([["s1"], 1]);
  expect(log.lines).toMatchObject([
    { level: "warn", fields: { session: "s1", error: "messages.1: not as signed" } },
  ]);

  expect((await send()).status).toBe(200);
  expect(bodies()).toEqual([long]);
  expect((await told(3))[2]).not.toHaveProperty("refused");
  // Another session's are shortened, and strategies know what happened.
  await ask(
    { body: long, headers: { "x-claude-code-session-id": "s2" } },
    { ...memory, upstreamOf: () => api.url },
  );
  expect(hooks.inputs("request").map(({ session, wasRefused }) => [session, wasRefused])).toEqual([
    ["s1", undefined],
    ["s1", undefined],
    ["s2", true],
  ]);
  await api.stop();
});

test("an API that is not reached is counted, and its address does not reach the log", async () => {
  await upstream.stop();
  const key = upstream.url.replace("http://", "http://user:secret@");
  const answer = await ask({}, { upstreamOf: () => key });
  expect([answer.status, counts.unreached]).toEqual([502, 1]);
  expect(message(answer)).toContain("memoir's gateway cannot reach 127.0.0.1:");
  expect(log.lines).toMatchObject([{ level: "warn", message: "the API was not reached" }]);
  expect(JSON.stringify([log.lines, answer.text])).not.toContain("secret");
  expect(hooks.inputs("responded")).toEqual([]);
});

test("what goes wrong in memoir itself is an answer and a line with its error", async () => {
  const broken = new Error("boom");
  const answer = await ask(
    {},
    {
      upstreamOf() {
        throw broken;
      },
    },
  );
  expect([answer.status, message(answer)]).toEqual([
    ...[502, "memoir's gateway could not handle the request."],
  ]);
  expect(log.lines).toMatchObject([{ level: "error", fields: { error: broken } }]);
});

test.each<[string, (request: object) => unknown, object]>([
  ["throws", () => Promise.reject(new Error("boom")), { failed: 1 }],
  ["fails, and nobody changed it", (request) => ({ value: request, failed: ["x"] }), { failed: 1 }],
  [
    "fails, and another changed it",
    (request) => ({ value: { ...request, body: { messages: [] } }, failed: ["x"] }),
    { failed: 0, rewritten: 1 },
  ],
  ["sees who asks, and does nothing", (request) => ({ value: request, failed: [] }), { failed: 0 }],
])("a strategy that %s is counted so", async (_, reduce, counted) => {
  const seen: object[] = [];
  const own = {
    ...fakeHooks(),
    reduce: async (_name: string, request: object) => {
      seen.push(request);
      return reduce(request);
    },
  };
  const body = '{"messages":[1]}';
  const headers = { "x-claude-code-agent-id": "a1" };
  expect((await ask({ body, headers }, { hooks: () => own as never })).status).toBe(200);
  expect(counts).toMatchObject({ rewritten: 0, unsure: 0, ...counted });
  expect(upstream.requests.at(-1)?.body.toString()).toBe(
    counts.rewritten === 0 ? body : '{"messages":[]}',
  );
  expect(seen).toMatchObject([{ client: "claude-code", session: "s1", agent: "a1" }]);
  expect(log.lines.length).toBe(_ === "throws" ? 1 : 0);
});
