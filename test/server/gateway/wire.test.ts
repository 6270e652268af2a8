// What goes over the wire: the client's bytes arrive at the upstream, the upstream's bytes arrive at the client, whatever they are.
import { afterEach, describe, expect, test } from "bun:test";
import net from "node:net";
import * as zlib from "node:zlib";
import { fakeHooks, type Responders } from "../../support/fake-hooks.ts";
import { keptLog } from "../../support/kept-log.ts";
import {
  chunk,
  head,
  lastChunk,
  type RawAnswer,
  type RawUpstream,
  rawUpstream,
  whole,
} from "../../support/raw-upstream.ts";
import { type OpenGateway, openGateway } from "./open-gateway.ts";

const json = { "content-type": "application/json" };
const events = { "content-type": "text/event-stream; charset=utf-8", "request-id": "req_1" };
const body = JSON.stringify({
  model: "m",
  messages: [{ role: "user", content: "Grüße, 你好 🙂" }],
});
const headers = {
  ...json,
  "x-api-key": "sk-secret-key",
  authorization: "Bearer secret-token",
  "anthropic-beta": "a,b",
  "x-claude-code-session-id": "session-1",
};

const sse = (event: { type: string; [field: string]: unknown }) =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
const stream = [
  sse({
    type: "message_start",
    message: {
      model: "claude-x",
      usage: {
        input_tokens: 3,
        cache_read_input_tokens: 90,
        cache_creation_input_tokens: 7,
        output_tokens: 1,
      },
    },
  }),
  sse({ type: "content_block_delta", delta: { type: "text_delta", text: "Grüße 🙂" } }),
  sse({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 20 } }),
  sse({ type: "message_stop" }),
].join("");
const usage = { input: 3, output: 20, cacheRead: 90, cacheWrite: 7 };

let open: Array<{ stop(): Promise<unknown> }> = [];
afterEach(async () => {
  for (const one of open.toReversed()) await one.stop();
  open = [];
});

async function between(
  answer: RawAnswer,
  responders: Responders = {},
): Promise<OpenGateway & { upstream: RawUpstream; hooks: ReturnType<typeof fakeHooks> }> {
  const upstream = await rawUpstream(answer);
  const hooks = fakeHooks(responders);
  const opened = await openGateway(upstream.url, { hooks });
  open.push(upstream, { stop: () => opened.gateway.stop(50) });
  return { ...opened, upstream, hooks };
}

function post(url: string, more: RequestInit = {}): Promise<Response> {
  return fetch(`${url}/v1/messages?beta=true`, { method: "POST", body, headers, ...more });
}

/** Waits for what happens on another connection; the test's own limit is the only one. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await Bun.sleep(5);
}

describe("an answer passes as it came", () => {
  const error = (type: string) => JSON.stringify({ type: "error", error: { type, message: "m" } });
  const answers: Array<
    [name: string, status: string, headers: Record<string, string>, text: string]
  > = [
    ["whole", "200 OK", json, '{"type":"message"}'],
    ["empty", "200 OK", json, ""],
    ["400", "400 Bad Request", { ...json, "request-id": "req_2" }, error("invalid_request_error")],
    ["401", "401 Unauthorized", json, error("authentication_error")],
    ["429", "429 Too Many Requests", { ...json, "retry-after": "7" }, error("rate_limit_error")],
    ["529", "529 Overloaded", { ...json, "x-should-retry": "true" }, error("overloaded_error")],
    ["HTML", "502 Bad Gateway", { "content-type": "text/html" }, "<html>bad</html>"],
    ["a redirect", "302 Found", { location: "https://elsewhere.test/" }, ""],
  ];
  test.each(answers)("%s", async (_name, status, sent, text) => {
    const { url, hooks } = await between((socket) => void socket.end(whole(status, sent, text)));
    const answer = await post(url, { redirect: "manual" });
    expect(answer.status).toBe(Number(status.slice(0, 3)));
    for (const [name, value] of Object.entries(sent)) expect(answer.headers.get(name)).toBe(value);
    expect(await answer.text()).toBe(text);
    await until(() => hooks.inputs("responded").length > 0);
    expect(hooks.inputs("responded")).toMatchObject([{ status: answer.status }]);
  });

  test("streamed, each event as soon as it is there", async () => {
    const parts = stream.split(/(?<=\n\n)/);
    let next: () => void = () => undefined;
    const { url } = await between(async (socket) => {
      socket.write(head("200 OK", events));
      for (const part of parts) {
        socket.write(chunk(part));
        await new Promise<void>((resolve) => {
          next = resolve;
        });
      }
      socket.end(lastChunk);
    });
    const answer = await post(url);
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
    const got: string[] = [];
    for (;;) {
      // The upstream goes on only once the part before has arrived here: a gateway that waits for more would hang.
      const { done, value } = await reader.read();
      if (done) break;
      got.push(new TextDecoder().decode(value));
      next();
    }
    expect(got).toEqual(parts);
  });

  test("cut in the middle of a character", async () => {
    const bytes = Buffer.from(stream);
    const cut = bytes.indexOf(Buffer.from("🙂")) + 2;
    const { url, hooks } = await between((socket) => {
      socket.write(head("200 OK", events));
      socket.write(chunk(bytes.subarray(0, cut)));
      setTimeout(() => {
        socket.write(chunk(bytes.subarray(cut)));
        socket.end(lastChunk);
      }, 20);
    });
    expect(await (await post(url)).text()).toBe(stream);
    await until(() => hooks.inputs("responded").length > 0);
    expect(hooks.inputs("responded")).toMatchObject([{ model: "claude-x", usage, status: 200 }]);
  });

  const codings: Array<[string, (text: string) => Buffer]> = [
    ["gzip", (text) => zlib.gzipSync(text)],
    ["deflate", (text) => zlib.deflateSync(text)],
    ["br", (text) => zlib.brotliCompressSync(text)],
    ["zstd", (text) => zlib.zstdCompressSync(text)],
  ];
  test.each(codings)("compressed with %s, not a byte changed", async (coding, compress) => {
    const packed = compress(stream);
    const sent = { ...events, "content-encoding": coding };
    const { url, hooks } = await between(
      (socket) => void socket.end(whole("200 OK", sent, packed)),
    );
    const answer = await post(url, { decompress: false } as RequestInit);
    expect(answer.headers.get("content-encoding")).toBe(coding);
    expect(Buffer.from(await answer.arrayBuffer()).equals(packed)).toBe(true);
    await until(() => hooks.inputs("responded").length > 0);
    expect(hooks.inputs("responded")).toMatchObject([{ usage }]);
  });

  test("a stream that breaks is broken for the client too, not ended", async () => {
    const { url } = await between((socket) => {
      socket.write(head("200 OK", events));
      socket.write(chunk(stream.slice(0, 40)));
      setTimeout(() => socket.resetAndDestroy(), 20);
    });
    const answer = await post(url);
    const text = await answer.text().catch(() => undefined);
    expect(text).toBeUndefined();
  });

  test("an upstream that is not there, or resets at once, is a 502 to try again", async () => {
    const { url, upstream, gateway } = await between((socket) => void socket.resetAndDestroy());
    for (const stopped of [false, true]) {
      if (stopped) await upstream.stop();
      const answer = await post(url);
      expect(answer.status).toBe(502);
      expect(await answer.json()).toMatchObject({ type: "error", error: { type: "api_error" } });
    }
    expect(gateway.status().unreached).toBe(2);
    open.shift();
  });

  test("a client that leaves lets go of the upstream, before and after the first byte", async () => {
    for (const begin of [false, true]) {
      const { url, upstream } = await between((socket) => {
        if (begin) socket.write(head("200 OK", events) + chunk("data: x\n\n").toString());
      });
      const leaving = new AbortController();
      const asked = post(url, { signal: leaving.signal });
      await until(() => upstream.requests.length > 0);
      if (begin) await (await asked).body?.getReader().read();
      leaving.abort();
      await asked.catch(() => undefined);
      await until(() => upstream.left > 0);
      expect(upstream.left).toBe(1);
    }
  });
});

describe("a request passes as it came", () => {
  const ok: RawAnswer = (socket) => void socket.end(whole("200 OK", json, "{}"));

  test("body, path, query, keys and other headers; nothing of the connection, nothing added", async () => {
    const { url, upstream } = await between(ok);
    const hop = { "proxy-authorization": "Basic x", te: "trailers" };
    await post(url, {
      headers: {
        ...headers,
        ...hop,
        "accept-encoding": "gzip, br",
        "user-agent": "c/1",
        accept: "a/b",
      },
    });
    const [request] = upstream.requests;
    expect(request?.line).toBe("POST /v1/messages?beta=true");
    expect(request?.body.toString()).toBe(body);
    const { connection, host, "content-length": length, ...rest } = request?.headers ?? {};
    expect(rest).toEqual({
      ...headers,
      "accept-encoding": "gzip, br",
      "user-agent": "c/1",
      accept: "a/b",
    });
    expect(host).toBe(new URL(upstream.url).host);
    expect(Number(length)).toBe(Buffer.byteLength(body));
  });

  test("other paths and methods", async () => {
    const { url, upstream } = await between(ok);
    await fetch(`${url}/`, { method: "HEAD" });
    await fetch(`${url}/v1/models?limit=3`);
    await fetch(`${url}/v1/messages/batches`, { method: "POST", body: "raw \u0000" });
    expect(upstream.requests.map(({ line }) => line)).toEqual([
      "HEAD /",
      "GET /v1/models?limit=3",
      "POST /v1/messages/batches",
    ]);
    expect(upstream.requests[2]?.body.toString()).toBe("raw \u0000");
  });

  const rewriteAll: Responders = { request: (request) => ({ ...request, body: { messages: [] } }) };
  const unsure: Array<
    [name: string, body: string | Uint8Array<ArrayBuffer>, more: Record<string, string>]
  > = [
    ["white space", '{"messages": []}', {}],
    ["a number that reads otherwise", '{"messages":[],"t":1.0}', {}],
    ["an escape that need not be", '{"messages":["\\u0041"]}', {}],
    ["a key twice", '{"messages":[],"messages":[]}', {}],
    ["number-like keys out of order", '{"messages":[],"b":1,"2":1,"1":1}', {}],
    ["no JSON", "{", {}],
    ["no messages", '{"model":"m"}', {}],
    ["a list", "[]", {}],
    ["no UTF-8", new Uint8Array([123, 255, 125]), {}],
    ["a byte order mark", '\ufeff{"messages":[]}', {}],
    ["compressed", zlib.gzipSync(body) as Uint8Array<ArrayBuffer>, { "content-encoding": "gzip" }],
  ];
  test.each(unsure)("unsure: %s", async (_name, sent, more) => {
    const { url, upstream, gateway } = await between(ok, {
      request: (request) => ({ ...request, body: { messages: request.body.messages } }),
    });
    await post(url, { body: sent, headers: { ...headers, ...more } });
    expect(upstream.requests[0]?.body.equals(Buffer.from(sent))).toBe(true);
    expect(gateway.status()).toMatchObject({ unsure: 1, rewritten: 0 });
  });

  test("without a session nobody is asked", async () => {
    const { url, upstream, hooks } = await between(ok, rewriteAll);
    await post(url, { headers: json });
    expect(upstream.requests[0]?.body.toString()).toBe(body);
    expect(hooks.calls).toEqual([]);
  });

  const failing: Array<[string, NonNullable<Responders["request"]>]> = [
    ["gives no body", (request) => ({ ...request, body: undefined as never })],
    ["gives no messages", (request) => ({ ...request, body: {} })],
    ["gives what cannot be written", (request) => ({ ...request, body: { messages: [], n: 1n } })],
    ["never ends", () => new Promise(() => undefined)],
  ];
  test.each(failing)("a strategy that %s", async (_name, request) => {
    const { url, upstream, gateway } = await between(ok, { request });
    await post(url);
    expect(upstream.requests[0]?.body.toString()).toBe(body);
    expect(gateway.status()).toMatchObject({ failed: 1, rewritten: 0 });
  });

  test("ten megabytes, and only the changed message differs", async () => {
    const large = "Ä".repeat(5_000_000);
    const sent = {
      model: "m",
      messages: [
        { role: "user", content: large },
        { role: "user", content: "b" },
      ],
    };
    const { url, upstream } = await between(ok, {
      request: (request) => {
        const [first] = request.body.messages as unknown[];
        return {
          ...request,
          body: { ...request.body, messages: [first, { role: "user", content: "c" }] },
        };
      },
    });
    await post(url, { body: JSON.stringify(sent) });
    const expected = JSON.stringify(sent).replace('"content":"b"', '"content":"c"');
    expect(upstream.requests[0]?.body.toString()).toBe(expected);
  });

  test("many sessions and subagents at once, each with its own answer", async () => {
    const { url, hooks } = await between(
      (socket, request) =>
        void setTimeout(
          () =>
            socket.end(whole("200 OK", json, request.headers["x-claude-code-session-id"] ?? "")),
          Math.random() * 20,
        ),
      {
        request: (request) => ({
          ...request,
          body: { ...request.body, messages: [request.session] },
        }),
      },
    );
    const sessions = Array.from({ length: 40 }, (_, at) => `session-${at}`);
    const answers = await Promise.all(
      sessions.map(async (session, at) => {
        const agent = at % 2 ? { "x-claude-code-agent-id": `agent-${at}` } : {};
        const own = { ...headers, ...agent, "x-claude-code-session-id": session };
        return (await post(url, { headers: own })).text();
      }),
    );
    expect(answers).toEqual(sessions);
    const agents = hooks.inputs("request").filter(({ agent }) => agent !== undefined);
    expect(agents.length).toBe(20);
    for (const { session, agent } of agents) expect(agent?.slice(6)).toBe(session.slice(8));
  });

  test("tokens are counted after the same rewriting, and not told as an answer", async () => {
    const { url, upstream, hooks } = await between(ok, rewriteAll);
    const counted = await fetch(`${url}/v1/messages/count_tokens`, {
      method: "POST",
      body,
      headers,
    });
    expect(counted.status).toBe(200);
    expect(upstream.requests[0]?.body.toString()).toBe('{"messages":[]}');
    expect(hooks.inputs("responded")).toEqual([]);
  });
});

describe("who may use it", () => {
  const refused: Array<[string, Record<string, string>]> = [
    ["a page", { origin: "https://evil.test" }],
    ["a page of this machine", { origin: "http://localhost:3000" }],
    ["a page without a name", { origin: "null" }],
    ["a browser", { "sec-fetch-site": "cross-site" }],
  ];
  test.each(refused)("not %s", async (_name, more) => {
    const { url, upstream, gateway } = await between(() => undefined);
    const answer = await post(url, { headers: { ...headers, ...more } });
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({
      type: "error",
      error: { type: "permission_error" },
    });
    expect(upstream.requests).toEqual([]);
    expect(gateway.status().refused).toBe(1);
  });

  test.each([
    ["another name", "evil.test"],
    ["a path behind the name", "localhost/x"],
    ["a fragment behind the name", "localhost#evil.test"],
    ["somebody before the name", "a@localhost"],
  ])("not under %s", async (_name, host) => {
    const { port, upstream } = await between(() => undefined);
    const said = await new Promise<string>((resolve) => {
      const socket = net.connect(port, "127.0.0.1");
      socket.once("data", (bytes) => {
        resolve(bytes.toString());
        socket.destroy();
      });
      socket.write(`POST /v1/messages HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 2\r\n\r\n{}`);
    });
    expect(said).toStartWith("HTTP/1.1 403");
    expect(upstream.requests).toEqual([]);
  });
});

test("no key is ever logged, whatever goes wrong", async () => {
  const log = keptLog();
  const upstream = await rawUpstream((socket) => void socket.resetAndDestroy());
  const hooks = fakeHooks({
    request: () => {
      throw new Error("no");
    },
  });
  const { url, gateway } = await openGateway(upstream.url, { hooks, log });
  open.push(upstream, { stop: () => gateway.stop(50) });
  await post(url);
  expect(log.lines.length).toBeGreaterThan(1);
  expect(JSON.stringify(log.lines)).not.toMatch(/secret|Grüße/);
  expect(JSON.stringify(gateway.status())).not.toContain("secret");
});

test("what the upstream's address or a query holds is not logged either", async () => {
  const log = keptLog();
  const upstream = await rawUpstream((socket) => void socket.end("no HTTP at all\r\n\r\n"));
  const address = upstream.url.replace("http://", "http://user:hunter2@");
  const { url, gateway } = await openGateway(address, { log });
  open.push(upstream, { stop: () => gateway.stop(50) });
  expect((await fetch(`${url}/v1/models?key=hunter3`, { headers })).status).toBe(502);
  expect(log.lines.some(({ level }) => level === "warn")).toBe(true);
  expect(JSON.stringify(log.lines)).not.toMatch(/hunter/);
  expect(gateway.status().upstream).not.toContain("hunter");
});
