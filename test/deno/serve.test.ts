// The same server from source under Deno: a session goes in over TCP, is worked off and found, so that the sources never drift to Bun alone.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { SearchResult } from "../../src/sdk/storage.ts";
import { deno, denoEnv } from "./deno.ts";
import { miniSession } from "./mini-session.ts";

const root = resolve(import.meta.dirname, "../..");

let home = "";
let server: Bun.Subprocess<"ignore", "pipe", "pipe"> | undefined;
let url = "";
let token = "";

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    const end = text.indexOf("\n");
    if (end >= 0) return text.slice(0, end);
  }
  throw new Error(`the server printed "${text}" and ended`);
}

async function call(path: string, body?: unknown, bearer = token): Promise<Response> {
  return fetch(url + path, {
    // The server's stop waits for open connections.
    keepalive: false,
    headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
  });
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "memoir-deno-"));
  server = Bun.spawn([deno, "run", "-A", "--no-prompt", "src/cli/main.ts", "serve", "--json"], {
    cwd: root,
    env: denoEnv(home, { MEMOIR_HOME: home }),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const line = await firstLine(server.stdout).catch(async (error) => {
    const reason = server ? await new Response(server.stderr).text() : "";
    throw new Error(`${error.message}: ${reason}`);
  });
  const info: { port: number } = JSON.parse(line);
  url = `http://127.0.0.1:${info.port}`;
  token = (await readFile(join(home, "token"), "utf8")).trim();
}, 180_000);

afterAll(async () => {
  server?.kill();
  await server?.exited;
  await rm(home, { recursive: true, force: true });
});

test("Deno: the page is there, and its session is had for a code", async () => {
  const script = await fetch(`${url}/page/app.js`, { keepalive: false });
  expect(script.headers.get("content-type")).toStartWith("text/javascript");
  expect((await script.text()).length).toBeGreaterThan(10_000);
  const { address } = await (await call("/api/page/code", {})).json();
  const own = { origin: url, "sec-fetch-site": "same-origin" };
  const traded = await fetch(`${url}/api/page/session`, {
    ...{ method: "POST", headers: own, keepalive: false },
    body: JSON.stringify({ code: new URL(address).hash.slice(1) }),
  });
  const cookie = traded.headers.get("set-cookie")?.split(";")[0] ?? "";
  const headers = { ...own, cookie, "memoir-page-key": (await traded.json()).key };
  const sessions = await fetch(`${url}/api/sessions`, { headers, keepalive: false });
  expect([sessions.status, await sessions.json()]).toEqual([200, { sessions: [] }]);
});

test("Deno: an event without the token is refused", async () => {
  const refused = await call("/hook/claude-code", miniSession(home)[0], "wrong");
  expect(refused.status).toBe(401);
});

test("Deno: a captured session is worked off and found", async () => {
  for (const payload of miniSession(home)) {
    const answer = await call("/hook/claude-code", payload);
    expect([200, 204], await answer.text()).toContain(answer.status);
  }
  const drained = await call("/api/drain", { timeoutMs: 15_000 });
  expect(await drained.json()).toEqual({ drained: true });

  const found = await call(`/api/search?${new URLSearchParams({ text: "greeting tests" })}`);
  const { results }: { results: SearchResult[] } = await found.json();
  expect(results.length).toBeGreaterThan(0);
  expect(results.flatMap(({ files }) => files)).toContain("src/greet.ts");

  const query = new URLSearchParams({ cwd: home });
  const { context }: { context: string } = await (await call(`/api/context?${query}`)).json();
  expect(context).toContain("src/greet.ts");
});

test("Deno: a wrong question is told what may be asked, and the routes describe themselves", async () => {
  const refused = await call("/api/search?projcet=shop");
  expect([refused.status, (await refused.json()).error.fix]).toEqual([400, "Write `project`."]);
  const document = await (await call("/api/openapi.json")).json();
  expect(document.paths["/api/search"].get.parameters[0]).toMatchObject({ name: "text" });
});

test("Deno: it stops when it is asked to", async () => {
  const stopping = await call("/api/stop", {});
  expect(await stopping.json()).toEqual({ stopping: true });
  expect(await server?.exited).toBe(0);
});
