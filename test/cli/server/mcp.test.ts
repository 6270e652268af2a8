// The proxy between a client's pipe and the server: lines in, lines out, and words when nobody answers.
import { expect, spyOn, test } from "bun:test";
import { chmod, copyFile, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { callerHeaders, mcp, processStreams } from "../../../src/cli/server/mcp.ts";
import { memoirPaths } from "../../../src/home/paths.ts";
import { loadHost } from "../../../src/host/index.ts";
import { MemoirError } from "../../../src/sdk/errors.ts";
import { serverHeader } from "../../../src/server/endpoint.ts";
import { outcomeOf } from "../../support/outcome-of.ts";
import { ownHome } from "../../support/own-home.ts";
import { temporaryHome } from "../hook/run-hook.ts";

interface Posted {
  message: unknown;
  headers: Record<string, string>;
}

async function run(
  chunks: Array<string | Uint8Array>,
  reply: (message: { id?: number }) => string,
) {
  const posted: Posted[] = [];
  const written: unknown[] = [];
  async function* input() {
    yield* chunks;
  }
  const code = await mcp({
    input: input(),
    write: (line) => {
      expect(line).not.toContain("\n");
      written.push(JSON.parse(line));
    },
    async post(message, headers) {
      posted.push({ message: JSON.parse(message), headers });
      const text = reply(JSON.parse(message));
      return (async function* () {
        for (const byte of new TextEncoder().encode(text)) yield new Uint8Array([byte]);
      })();
    },
  });
  expect(code).toBe(0);
  return { posted, written };
}

const answer = ({ id }: { id?: number }) => JSON.stringify({ jsonrpc: "2.0", id, result: {} });

test("each line is one message, however the pipe cuts it", async () => {
  const bytes = new TextEncoder().encode('{"id":1,"method":"é"}\n\r\n{"id":2}\n{"id":3}');
  const pieces = Array.from(bytes, (byte) => new Uint8Array([byte]));
  const { posted, written } = await run(pieces, answer);
  expect(posted.map(({ message }) => message)).toEqual([
    { id: 1, method: "é" },
    { id: 2 },
    { id: 3 },
  ]);
  expect(written).toEqual([1, 2, 3].map((id) => ({ jsonrpc: "2.0", id, result: {} })));
});

test("a notification's empty answer writes nothing; pretty JSON and event streams become lines", async () => {
  const { written } = await run(['{"method":"x"}\n{"id":1}\n{"id":2}\n'], ({ id }) => {
    if (id === undefined) return "";
    if (id === 1) return '{\n  "id": 1\n}\n';
    return 'event: message\ndata: {"id":2,"n":1}\n\n: quiet\n\ndata: {"id":2}\n\n';
  });
  expect(written).toEqual([{ id: 1 }, { id: 2, n: 1 }, { id: 2 }]);
});

test("who asks gets an error when the server does not answer; a notification gets none", async () => {
  const { written } = await run(['{"id":7}\n{"method":"gone"}\nno json\n'], () => {
    throw new MemoirError("binary_gone", "memoir was uninstalled.");
  });
  // Answers come as they are ready, in no order.
  expect(written).toHaveLength(2);
  expect(written).toContainEqual({
    jsonrpc: "2.0",
    id: null,
    error: { code: -32_700, message: "The message is not valid JSON, or longer than 8 MB." },
  });
  expect(written).toContainEqual({
    jsonrpc: "2.0",
    id: 7,
    error: {
      code: -32_000,
      message: expect.stringMatching(/^memoir was uninstalled\. .*memoir install/),
    },
  });
});

test("a subscription's events come while it is open, and its end is not waited for", async () => {
  const written: unknown[] = [];
  async function* input() {
    yield '{"id":1,"method":"subscriptions/listen"}\n';
    while (written.length === 0) await Bun.sleep(1);
  }
  const code = await mcp({
    input: input(),
    write: (line) => written.push(JSON.parse(line)),
    post: async () =>
      (async function* () {
        yield new TextEncoder().encode('event: message\ndata: {"id":1}\n\n');
        await new Promise(() => undefined);
      })(),
  });
  expect(code).toBe(0);
  expect(written).toEqual([{ id: 1 }]);
});

test("a server that hangs holds no client back from beginning; a call takes as long as it takes", async () => {
  const waits = new Map<unknown, boolean>();
  const methods = ["initialize", "tools/list", "tools/call", "subscriptions/listen"];
  await mcp({
    input: (async function* () {
      yield methods.map((method, id) => `${JSON.stringify({ id, method })}\n`).join("");
    })(),
    write: () => undefined,
    async post(message, _headers, timeoutMs) {
      waits.set(JSON.parse(message).method, timeoutMs > 0);
      return (async function* () {})();
    },
  });
  expect([...waits]).toEqual([
    ["initialize", true],
    ["tools/list", true],
    ["tools/call", false],
    ["subscriptions/listen", false],
  ]);
});

test("the newer protocol's headers say what its message says", async () => {
  const message = {
    id: 1,
    method: "tools/call",
    params: { name: "search", _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } },
  };
  const { posted } = await run([`${JSON.stringify(message)}\n`], answer);
  expect(posted[0]?.headers).toEqual({
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": "search",
  });
});

test("a line that is too long is answered by its id, and nothing of it is taken for another message", async () => {
  const long = `{"jsonrpc":"2.0","id":7,"method":"x","params":"${"a".repeat(9_000_000)}`;
  const { posted, written } = await run([long, '{"id":8}', '"}\n', '{"id":9}\n'], answer);
  expect(posted.map(({ message }) => message)).toEqual([{ id: 9 }]);
  expect(written).toMatchObject([
    { id: 7, error: { code: -32_700 } },
    { id: 9, result: {} },
  ]);
});

test("it says for whom it asks, in letters that a header may hold", () => {
  expect(callerHeaders({}, "/home/dev/ünder \n")).toEqual({
    "memoir-cwd": "%2Fhome%2Fdev%2F%C3%BCnder%20%0A",
  });
  expect(
    callerHeaders({ CLAUDE_CODE_SESSION_ID: "3f2a-1", CLAUDE_PROJECT_DIR: "/shop" }, "/"),
  ).toEqual({ "memoir-session": "3f2a-1", "memoir-cwd": "%2Fshop" });
  for (const [entry, headers] of [
    ["cli", {}],
    ["sdk-cli", { "memoir-unattended": "1" }],
    ["sdk-py", { "memoir-unattended": "1" }],
  ] as const)
    expect(callerHeaders({ CLAUDE_CODE_ENTRYPOINT: entry }, "/")).toEqual({
      ...headers,
      "memoir-cwd": "%2F",
    });
  expect(callerHeaders({ CLAUDE_CODE_SESSION_ID: "a\nb" }, "/")).toEqual({ "memoir-cwd": "%2F" });
  // An agent in another's shell has that one's variables too: what memoir's own extension set is surest.
  for (const env of [
    { PI_SESSION_ID: "p1" },
    { CLAUDE_CODE_SESSION_ID: "c1", MEMOIR_SESSION: "p1" },
  ])
    expect(callerHeaders(env, "/")).toEqual({ "memoir-session": "p1", "memoir-cwd": "%2F" });
});

test("a call after uninstall is answered in words, and leaves nothing where the home was", async () => {
  const folder = await temporaryHome();
  const home = join(folder, "home");
  // The program of an open session, as uninstall takes it away.
  const program = join(folder, "memoir");
  await copyFile(process.execPath, program);
  await chmod(program, 0o755);
  const proxy = Bun.spawn([program, join(import.meta.dir, "../../../src/cli/main.ts"), "mcp"], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
    env: { PATH: process.env.PATH ?? "", HOME: "/nonexistent", MEMOIR_HOME: home },
  });
  try {
    await rm(program);
    proxy.stdin.write('{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}\n');
    await proxy.stdin.end();
    const { code, out, err } = await outcomeOf(proxy);
    expect(JSON.parse(out)).toEqual({
      jsonrpc: "2.0",
      id: 1,
      error: {
        code: -32_000,
        message: expect.stringMatching(/^memoir was uninstalled while .*after `memoir install`\.$/),
      },
    });
    expect([code, err]).toEqual([0, ""]);
    expect(await readdir(folder)).toEqual([]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test("a call goes to the server with who asks, and waits as long as it takes", async () => {
  const place = await ownHome();
  const asked: Array<Record<string, string | null>> = [];
  const host = await loadHost();
  await mkdir(place.home);
  const listener = await host.listen({ unix: memoirPaths(place.home).socket }, (request) => {
    const header = (name: string) => request.headers.get(name);
    asked.push({
      ...{ path: new URL(request.url).pathname, method: request.method, own: header("x-own") },
      ...{ type: header("content-type"), accept: header("accept") },
    });
    return new Response("answer", { headers: { [serverHeader]: "1" } });
  });
  const timeout = spyOn(AbortSignal, "timeout");
  try {
    const body = await processStreams().post('{"id":1}', { "x-own": "1" }, 0);
    expect(await new Response(body as ReadableStream).text()).toBe("answer");
    expect(timeout).not.toHaveBeenCalled();
    expect(asked).toEqual([
      {
        ...{ path: "/mcp", method: "POST", own: "1", type: "application/json" },
        accept: "application/json, text/event-stream",
      },
    ]);
  } finally {
    timeout.mockRestore();
    await listener.stop(0);
    await place.end();
  }
});
