// What a whole server really answers, against what its routes' schemas say: nothing missing, nothing that no schema names.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import * as v from "valibot";
import { silentLog } from "../../src/home/log.ts";
import { memoirPaths, type Paths } from "../../src/home/paths.ts";
import { loadHost } from "../../src/host/index.ts";
import { setConfigValue } from "../../src/runtime/config/config.ts";
import { createRuntime } from "../../src/runtime/runtime.ts";
import { type RunningServer, runServer } from "../../src/server/life/run-server.ts";
import type { Operation } from "../../src/server/operation.ts";
import { operations } from "../../src/server/operations/index.ts";
import { temporaryHome } from "../cli/hook/run-hook.ts";
import { miniSession } from "../deno/mini-session.ts";

let paths: Paths;
let server: RunningServer;
const session = "5f1f6b9e-0000-4000-8000-00000000d3f0";
const long = Array.from({ length: 4_000 }, (_, at) => `src/file-${at}.ts: nothing of note`).join(
  "\n",
);

async function call(path: string, body?: unknown): Promise<unknown> {
  const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const host = await loadHost();
  const response = await host.fetchUnix(paths.socket, `http://localhost${path}`, init);
  const text = await response.text();
  expect(response.ok, `${path}: ${text.slice(0, 400)}`).toBe(true);
  return text === "" ? undefined : JSON.parse(text);
}

beforeAll(async () => {
  paths = memoirPaths(await temporaryHome());
  await setConfigValue(paths.home, "endless", { everywhere: ["live"] });
  server = await runServer({
    paths,
    version: "1.2.3",
    log: silentLog,
    createRuntime: () =>
      createRuntime({ home: paths.home, log: silentLog, env: { HOME: paths.home } }),
    gateway: async () => ({ enabled: false, port: 0, upstream: "https://api.example.com" }),
  });
  const events = miniSession(paths.home);
  const reading = {
    ...events[2],
    hook_event_name: "PostToolUse",
    tool_name: "Bash",
    tool_use_id: "toolu_long",
    tool_input: { command: "make lint" },
    tool_response: { stdout: long, stderr: "", interrupted: false, isImage: false },
  };
  for (const event of [...events.slice(0, 2), reading, ...events.slice(2)])
    await call("/hook/claude-code", event);
  await call("/api/drain", { timeoutMs: 15_000 });
  // Only a home that shares has members to read.
  await call("/api/sync/spaces", {
    kind: "mine",
    hub: { type: "folder", folder: await temporaryHome() },
  });
}, 180_000);
afterAll(async () => {
  await server.stop();
  await rm(paths.home, { recursive: true, force: true });
});

const routes: readonly Operation[] = operations;
const reads: Record<string, () => string[]> = {
  "/api/search": () => ["/api/search?text=greeting", "/api/search?text=greting&level=facts"],
  "/api/records/:id": () => ids.map((id) => `/api/records/${id}`),
  "/api/related/:id": () => ids.map((id) => `/api/related/${id}`),
  "/api/sessions": () => ["/api/sessions?limit=5"],
  "/api/sessions/:id": () => [`/api/sessions/${session}`],
  "/api/sessions/:id/told": () => [`/api/sessions/${session}/told`],
  "/api/timeline": () => ["/api/timeline", `/api/timeline?around=${ids[0]}`],
  "/api/marked": () => ["pinned", "hidden", "edited"].map((mark) => `/api/marked?mark=${mark}`),
  "/api/backfill": () => ["/api/backfill"],
  "/api/backfill/read": () => ["/api/backfill/read"],
  "/api/projects": () => ["/api/projects"],
  "/api/sync": () => ["/api/sync"],
  "/api/sync/members": () => ["/api/sync/members"],
  "/api/stats": () => ["/api/stats"],
  "/api/retention": () => ["/api/retention"],
  "/api/usage": () => ["/api/usage"],
  "/api/recall/:id": () => ["/api/recall/toolu_long", "/api/recall/toolu_long?grep=file-7"],
  "/api/recall/:id/value": () => ["/api/recall/toolu_long/value"],
  "/api/endless/metrics": () => ["/api/endless/metrics"],
  "/api/endless/project": () => [`/api/endless/project?cwd=${encodeURIComponent(paths.home)}`],
  "/api/status": () => ["/api/status"],
  "/api/health": () => ["/api/health"],
  "/api/now": () => ["/api/now"],
  "/api/overview": () => ["/api/overview?since=0&until=9999999999999"],
  "/api/plugins": () => ["/api/plugins"],
  "/api/memory": () => ["/api/memory", "/api/memory?hidden=false&kinds=decisions,facts&limit=2"],
  "/api/plugins/:name": () => ["/api/plugins/context-relevant", "/api/plugins/sqlite"],
  "/api/context": () => [`/api/context?cwd=${encodeURIComponent(paths.home)}`],
  "/api/openapi.json": () => ["/api/openapi.json"],
};
/** One record of each kind that the session left. */
let ids: string[] = [];
beforeAll(async () => {
  const { items } = (await call("/api/timeline")) as {
    items: Array<{ parts: Array<{ id: string; kind: string }> }>;
  };
  const parts = items.flatMap((item) => item.parts);
  const byKind = Map.groupBy(parts, ({ kind }) => kind);
  ids = [...byKind.values()].flatMap(([first]) => (first ? [first.id] : []));
  ids.push(session);
});

test("every route that reads is looked at", () => {
  const paths = routes.filter(({ method }) => method === "GET").map(({ path }) => path);
  expect(Object.keys(reads).sort()).toEqual(paths.sort());
});

for (const { method, path, answer } of routes) {
  if (method !== "GET") continue;
  test(`GET ${path}`, async () => {
    for (const url of reads[path]?.() ?? []) {
      const body = await call(url);
      const parsed = v.safeParse(answer, body);
      expect(parsed.issues?.map((issue) => v.getDotPath(issue))).toBeUndefined();
      // A schema drops what it does not name.
      expect(parsed.output).toEqual(body);
    }
  });
}

test("the session left something of each kind to look at", async () => {
  expect(ids.length).toBeGreaterThan(2);
  const { results } = (await call("/api/search?text=greeting&by=record")) as { results: unknown[] };
  expect(results.length).toBeGreaterThan(2);
});
