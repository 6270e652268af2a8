// Endless Mode from the client's hook to the agent's recall, through the server's routes, with a strategy of the test's own.

import { afterEach, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBackfills } from "../../../src/backfill/job.ts";
import { silentLog } from "../../../src/home/log.ts";
import { builtins } from "../../../src/runtime/builtins.ts";
import { setConfigValue } from "../../../src/runtime/config/config.ts";
import { createRuntime, type Runtime } from "../../../src/runtime/runtime.ts";
import { definePlugin } from "../../../src/sdk/plugin.ts";
import { createChanges, createServer } from "../../../src/server/server.ts";
import { noSync } from "../../support/no-sync.ts";
import { forEver } from "../app-options.ts";
import { quietServer } from "../fake-runtime.ts";

const cleanups: Array<() => Promise<unknown>> = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Cuts every long output of Bash and says how to get it back. */
const shorten = definePlugin({
  name: "shorten",
  description: "Cuts long outputs, for a test.",
  sdk: 1,
  slot: "endless-mode",
  hooks: {
    async PostToolUse({ session, toolUseId, toolName: tool }, { endless }) {
      seen.push(toolUseId);
      const whole = await endless.original(toolUseId);
      const response = whole?.response as { stdout?: string } | undefined;
      if (!response?.stdout || response.stdout.length < 1_000) return undefined;
      const after = `${response.stdout.slice(0, 100)}\nmemoir recall ${toolUseId}`;
      const request = { session, toolUseId, tool, part: "output", value: response } as const;
      if (!(await endless.keep({ ...request, before: response.stdout, after }))) return undefined;
      whenKept?.();
      return { updatedToolOutput: { ...response, stdout: after } };
    },
    request: ({ session, body }) => {
      seen.push(`request ${session}`);
      return { client: "claude-code", session, body: { ...body, seen: true } };
    },
  },
});
let seen: string[] = [];
let whenKept: (() => void) | undefined;

async function open(endless: object) {
  seen = [];
  whenKept = undefined;
  const root = await mkdtemp(join(tmpdir(), "memoir-endless-server-"));
  cleanups.push(() => rm(root, { recursive: true, force: true }));
  const home = join(root, "home");
  const shop = join(root, "shop");
  await mkdir(join(shop, ".git"), { recursive: true });
  await writeFile(join(shop, ".git", "HEAD"), "ref: refs/heads/main\n");
  await writeFile(
    join(shop, ".git", "config"),
    '[remote "origin"]\n\turl = git@example.com:acme/shop.git\n',
  );
  await setConfigValue(home, "endless", endless);
  const runtime = await createRuntime({
    home,
    log: silentLog,
    env: { HOME: root },
    builtins: { ...builtins, shorten: async () => ({ default: shorten }) },
  });
  cleanups.push(() => runtime.stop());
  const { fetch } = serve(runtime, home);
  let deliveries = 0;
  const hook = async (over: object, signal?: AbortSignal) => {
    const payload = {
      session_id: "s1",
      cwd: shop,
      hook_event_name: "PostToolUse",
      tool_name: "Bash",
      tool_use_id: "toolu_1",
      tool_input: { command: "make test" },
      ...over,
    };
    const headers = { "x-memoir-event": `delivery-${++deliveries}` };
    const body = JSON.stringify(payload);
    const url = "http://localhost/hook/claude-code";
    const response = await fetch(
      new Request(url, { method: "POST", headers, body, signal: signal ?? null }),
    );
    return response.status === 204 ? undefined : await response.json();
  };
  const get = async (path: string) => {
    const response = await fetch(new Request(`http://localhost${path}`));
    return { status: response.status, body: await response.json() };
  };
  return { runtime, home, shop, hook, get };
}

function serve(runtime: Runtime, home: string) {
  return createServer({
    sync: noSync,
    backfills: createBackfills({
      runtime: runtime.transcripts,
      home,
      log: silentLog,
      now: Date.now,
    }),
    runtime,
    retention: forEver,
    token: "a".repeat(64),
    version: "1.2.3",
    refusals: {},
    changes: createChanges(1),
    log: silentLog,
    now: Date.now,
    serverStatus: async () => quietServer,
    drainSpool: async () => {},
    reloaded: async () => {},
    stop: () => {},
  });
}

const log = Array.from({ length: 6_000 }, (_, at) => `test ${at} ... ok`).join("\n");
const bash = (stdout: string) => ({ stdout, stderr: "", interrupted: false, isImage: false });
const on = { projects: { "example.com/acme/shop": ["shorten"] } };

test("a reply that the client did not wait for kept nothing out, and its original can be recalled all the same", async () => {
  const { hook, get } = await open(on);
  const reduced = async () =>
    (await get("/api/endless/metrics")).body.tools.map((one: { reduced: number }) => one.reduced);
  const gone = new AbortController();
  whenKept = () => gone.abort();
  await hook({ tool_response: bash(log) }, gone.signal);
  expect(await reduced()).toEqual([]);
  expect((await get("/api/recall/toolu_1?lines=1")).body.recalled.text).toBe("test 0 ... ok");
  whenKept = undefined;
  await hook({ tool_use_id: "toolu_2", tool_response: bash(log) });
  expect(await reduced()).toEqual([1]);
});

test("what is asked next names the installed program, where the shell finds it", async () => {
  const { hook, get, home } = await open(on);
  await hook({ tool_response: bash(log) });
  const next = async () => (await get("/api/recall/toolu_1")).body.recalled.more;
  expect(await next()).toEndWith("next: memoir recall toolu_1 --page 2]");
  await mkdir(join(home, "bin"), { recursive: true });
  await writeFile(join(home, "bin", process.platform === "win32" ? "memoir.exe" : "memoir"), "");
  expect(await next()).toContain(`next: ${join(home, "bin")}`);
});

test("a long result is replaced, and comes back exactly: as a value, in pages, by lines, by a search", async () => {
  const { hook, get, home } = await open(on);
  const response = bash(log);
  const reply = await hook({ tool_response: response });
  expect(reply.hookSpecificOutput.updatedToolOutput).toEqual(
    bash(`${log.slice(0, 100)}\nmemoir recall toolu_1`),
  );
  const { body } = await get("/api/recall/toolu_1/value");
  expect(body.kept).toMatchObject({ toolUseId: "toolu_1", tool: "Bash", part: "output" });
  expect(JSON.stringify(body.kept.value)).toBe(JSON.stringify(response));
  let text = "";
  for (let page = 1; ; page++) {
    const { recalled } = (await get(`/api/recall/toolu?page=${page}`)).body;
    text += recalled.text;
    expect(recalled.text.length + recalled.more.length).toBeLessThan(20_000);
    if (page < recalled.pages)
      expect(recalled.more).toContain(`next: memoir recall toolu_1 --page ${page + 1}]`);
    else break;
  }
  expect(text).toBe(log);
  expect((await get("/api/recall/toolu_1?lines=10-11")).body.recalled).toMatchObject({
    text: "test 9 ... ok\ntest 10 ... ok",
    pages: 1,
  });
  const { recalled } = (await get("/api/recall/toolu_1?grep=%5C.%20ok&part=output")).body;
  expect(recalled.text.startsWith("1:test 0 ... ok\n")).toBe(true);
  expect(recalled.more).toContain(
    "next: memoir recall toolu_1 --part output --grep '\\. ok' --page 2]",
  );
  const { tools, notes } = (await get("/api/endless/metrics")).body;
  expect(tools).toMatchObject([{ strategy: "shorten", tool: "Bash", reduced: 1, profits: true }]);
  // A person asked, over the routes; what an agent asks comes by its hooks.
  expect(tools[0].fetchedBack).toBe(0);
  expect(notes).toEqual([]);
  expect((await stat(join(home, "endless.db"))).mode & 0o777).toBe(0o600);
});

test.each<[string, string, number]>([
  ["an id nobody knows", "/api/recall/toolu_9", 404],
  ["lines there are not", "/api/recall/toolu_1?lines=9999999-", 400],
  ["an expression that cannot be searched for", "/api/recall/toolu_1?grep=(%3F%3Da)", 400],
  ["a page there is not", "/api/recall/toolu_1?page=999", 400],
  ["no page at all", "/api/recall/toolu_1?page=0", 400],
  ["a part there is not", "/api/recall/toolu_1?part=both", 400],
  ["another parameter", "/api/recall/toolu_1?pages=1", 400],
])("%s is answered with what to do", async (_, path, status) => {
  const { hook, get } = await open(on);
  await hook({ tool_response: bash(log) });
  const { status: answered, body } = await get(path);
  expect(answered).toBe(status);
  expect(body.error.fix.length).toBeGreaterThan(10);
});

test("what redaction would change stays whole, and is nowhere kept", async () => {
  const { hook, get } = await open(on);
  const secret = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";
  expect(await hook({ tool_response: bash(`${log}\n${secret}`) })).toBeUndefined();
  const hidden = `${"x ".repeat(60_000)}${secret}${" y".repeat(60_000)}`;
  expect(await hook({ tool_use_id: "toolu_2", tool_response: bash(hidden) })).toBeUndefined();
  expect(seen).toEqual(["toolu_1", "toolu_2"]);
  expect((await get("/api/recall/toolu")).status).toBe(404);
});

test("far longer than an event may be: kept whole", async () => {
  const { hook, get } = await open(on);
  const long = Array.from({ length: 40_000 }, (_, at) => `row ${at}`).join("\n");
  expect(await hook({ tool_response: bash(long) })).toBeDefined();
  expect((await get("/api/recall/toolu_1/value")).body.kept.value.stdout).toBe(long);
});

test("elsewhere, held out, or in a session of its own word, nobody is asked; a reload changes that", async () => {
  const { hook, runtime, home, shop } = await open(on);
  const long = { tool_response: bash(log) };
  expect(await hook({ ...long, cwd: join(shop, "..") })).toBeUndefined();
  expect(seen).toEqual([]);
  expect(await hook({ ...long, tool_use_id: "toolu_2" })).toBeDefined();
  await setConfigValue(home, ["endless", "sessions", "s1"], []);
  await runtime.reload();
  expect(await hook({ ...long, tool_use_id: "toolu_3" })).toBeUndefined();
  expect(await hook({ ...long, tool_use_id: "toolu_4", session_id: "s2" })).toBeDefined();
  await setConfigValue(home, ["endless", "holdOut"], 1);
  await runtime.reload();
  expect(await hook({ ...long, tool_use_id: "toolu_5", session_id: "s2" })).toBeUndefined();
  expect(seen).toEqual(["toolu_2", "toolu_4"]);
});

test("a request names no project: what the journal knows of its session counts", async () => {
  const { hook, runtime } = await open(on);
  const ask = (session: string) =>
    runtime.hooks.reduce("request", { client: "claude-code", session, body: {} });
  expect((await ask("s1")).value.body).toEqual({});
  await hook({ tool_response: bash("ok") });
  expect((await ask("s1")).value.body).toEqual({ seen: true });
  expect((await ask("s2")).value.body).toEqual({});
});

test.each<[string, object]>([
  ["a recall", { tool_input: { command: "memoir recall toolu_1" } }],
  ["into a pipe", { tool_input: { command: "memoir recall toolu_1 --lines 1-900 | head -50" } }],
  ["after a cd", { tool_input: { command: "cd /shop && ~/.memoir/bin/memoir recall toolu_1" } }],
  ["over MCP", { tool_name: "mcp__memoir__recall", tool_input: { tool_use_id: "toolu_1" } }],
  ["over a client plugin's MCP", { tool_name: "mcp__plugin_memoir_memoir__recall" }],
])("%s is never captured and never reduced", async (_, tool) => {
  const { hook, runtime } = await open({ everywhere: ["shorten"] });
  expect(await hook({ ...tool, tool_response: bash(log) })).toBeUndefined();
  expect(seen).toEqual([]);
  const { journal } = await runtime.status();
  expect("counters" in journal && journal.counters).toMatchObject({ "drop:own command": 1 });
  expect("counters" in journal && journal.counters["event:PostToolUse"]).toBeUndefined();
});

test("a slot that names a strategy gives its order, and switches nothing on", async () => {
  const { hook, runtime, home } = await open({});
  await setConfigValue(home, "slots.endless-mode", ["shorten"]);
  await runtime.reload();
  expect(await hook({ tool_response: bash(log) })).toBeUndefined();
  const { plugins } = await runtime.status();
  expect(plugins.find(({ name }) => name === "shorten")?.fills).toEqual(["endless-mode"]);
  expect(seen).toEqual([]);
});

test("the project of a folder, as capture plugins see it", async () => {
  const { get, shop } = await open({});
  const asked = await get(`/api/endless/project?cwd=${encodeURIComponent(join(shop, ".git"))}`);
  expect(asked.body.project).toMatchObject({ id: "example.com/acme/shop", name: "shop" });
  expect((await get("/api/endless/project")).status).toBe(400);
});
