// Requests that nobody meant, over every route of the OpenAPI document: always an answer of the defined form, with nothing
// of the request in it, and what was remembered before is there unchanged.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { silentLog } from "../../src/home/log.ts";
import { createRuntime, type Runtime } from "../../src/runtime/runtime.ts";
import { errorFixes } from "../../src/sdk/errors.ts";
import { openApi } from "../../src/server/openapi.ts";
import { operations } from "../../src/server/operations/index.ts";
import { createServer, type Server } from "../../src/server/server.ts";
import { asSeen } from "../../src/text/text.ts";
import { temporaryHome } from "../cli/hook/run-hook.ts";
import { appOptions } from "../server/app-options.ts";
import { syncOf } from "../support/no-sync.ts";
import { bent, keyMark, mark, oddJson, oddValues } from "./odd-values.ts";
import { payloadsOf } from "./payloads.ts";
import { type Draw, torture, tortureMs } from "./seeds.ts";

const token = "a".repeat(64);

/** A route with the names that its schemas know. */
interface Target {
  method: string;
  path: string;
  query: string[];
  body: Record<string, { type?: string }>;
}

function allTargets(): Target[] {
  const targets: Target[] = [];
  for (const [path, methods] of Object.entries(openApi(operations, "1").paths))
    for (const [method, operation] of Object.entries(methods)) {
      const { parameters = [], requestBody } = operation as unknown as {
        parameters?: Array<{ name: string; in: string }>;
        requestBody?: { content: Record<string, { schema: { properties?: Target["body"] } }> };
      };
      const body = requestBody?.content["application/json"]?.schema.properties ?? {};
      const query = parameters.filter((one) => one.in === "query").map(({ name }) => name);
      targets.push({ method: method.toUpperCase(), path, query, body });
    }
  return targets;
}

const otherNames = ["__proto__", "constructor", "toString", keyMark, `${keyMark}.${keyMark}`, ""];
const fitting: Record<string, unknown[]> = {
  string: ["o1", "startup", "/nonexistent/shop", "okapi", "2026-03-01", "github.com/acme/shop"],
  integer: [0, 1, 5, 100, 1_700_000_000_000],
  number: [0, 1, 0.5, 100, 1_700_000_000_000],
  boolean: [true, false],
  array: [[], ["o1"], ["observation"], ["okapi", "o1"]],
  object: [{}],
};

function objectFor({ body }: Target, draw: Draw): Record<string, unknown> {
  const known = Object.entries(body).filter(() => draw.chance(0.7));
  const made = known.map(([name, { type = "string" }]) => [
    name,
    draw.chance(0.6) ? draw.pick(fitting[type] ?? oddValues) : draw.pick(oddValues),
  ]);
  if (draw.chance(0.3)) made.push([draw.pick(otherNames), draw.pick(oddValues)]);
  return Object.fromEntries(made);
}

function bodyFor(target: Target, draw: Draw): string {
  const event = () => bent(draw.pick(payloadsOf("s-new", draw.below(1_000))), draw);
  const value = target.path.startsWith("/hook") ? event() : objectFor(target, draw);
  switch (draw.below(5)) {
    case 0:
      return oddJson(value, draw);
    case 1:
      return String(draw.pick(oddValues));
    case 2:
      return JSON.stringify(draw.pick(oddValues)) ?? "";
    default:
      return JSON.stringify(value) ?? "";
  }
}

const types = ["application/json", "application/x-www-form-urlencoded", "text/plain", mark];
const methods = ["PUT", "DELETE", "PATCH", "OPTIONS", "GET", "POST"];

function headersFor(draw: Draw): Record<string, string> {
  const headers: Record<string, string> = {};
  if (draw.chance(0.5))
    headers["content-type"] = draw.pick([...types, "multipart/form-data; boundary=x"]);
  if (draw.chance(0.1)) headers["x-memoir-time"] = draw.pick(["-1", "1e99", mark, "9".repeat(30)]);
  if (draw.chance(0.1)) headers["x-memoir-event"] = draw.pick(["", "é", "../..", "e".repeat(64)]);
  if (draw.chance(0.1)) headers.cookie = `${mark}=${mark}; ;=`;
  if (draw.chance(0.05)) headers["content-length"] = draw.pick(["-1", "1e99", "99999999999", mark]);
  return headers;
}

function requestOf(draw: Draw, targets: readonly Target[]): Request {
  const target = draw.pick(targets);
  const text = () => String(draw.pick(oddValues)).slice(0, 3_000).toWellFormed();
  const filled = target.path
    .replace("{client}", () => (draw.chance(0.8) ? "claude-code" : encodeURIComponent(text())))
    .replace(/\{\w+\}/g, () => (draw.chance(0.3) ? "o1" : encodeURIComponent(text())));
  const names = [...target.query, draw.pick(otherNames)].filter(() => draw.chance(0.5));
  const query = new URLSearchParams(
    names.map((name) => [
      name,
      draw.chance(0.5) ? String(draw.pick(fitting.string ?? [])) : text(),
    ]),
  );
  const method = draw.chance(0.1) ? draw.pick(methods) : target.method;
  const where = draw.chance(0.03) ? `/${mark}` : filled;
  return new Request(`http://localhost${where}${query.size > 0 ? `?${query}` : ""}`, {
    method,
    headers: headersFor(draw),
    ...(method === "GET" || method === "OPTIONS" ? {} : { body: bodyFor(target, draw) }),
  });
}

let home = "";
let runtime: Runtime;
let server: Server;
let targets: Target[];
const logged: unknown[] = [];
beforeAll(async () => {
  home = await temporaryHome();
  runtime = await createRuntime({ home, log: silentLog, env: { HOME: home } });
  const log = { ...silentLog, error: (...line: unknown[]) => void logged.push(line) };
  const options = { ...appOptions(), runtime, log, token, sync: syncOf(home) };
  server = createServer(options);
  targets = allTargets();
  // The first is there to be found, and taken back, by the ids that requests guess.
  const guessed = payloadsOf("s-guessed", 1);
  for (const payload of [...guessed, ...payloadsOf("s-kept", 7, "/nonexistent/kept")])
    await server.fetch(
      new Request("http://localhost/hook/claude-code", {
        method: "POST",
        body: JSON.stringify(payload),
      }),
    );
  await runtime.drain({ timeoutMs: 20_000, flush: true });
});
afterAll(async () => {
  await runtime.stop();
  await rm(home, { recursive: true, force: true });
});

/** Everything that is remembered of the session from before. */
async function kept(): Promise<string> {
  const response = await server.fetch(new Request("http://localhost/api/sessions/s-kept"));
  return `${response.status} ${await response.text()}`;
}

test(
  "an answer of the defined form, nothing of the request, no stack; what was kept stays",
  async () => {
    const before = await kept();
    expect(before).toContain("zebra counter 7");
    const seen: Record<number, number> = {};
    await torture("test/torture/routes.test.ts", 1_500, async (draw) => {
      const request = requestOf(draw, targets);
      const about = `${request.method} ${request.url.slice(0, 300)}`;
      const response = await server.fetch(request);
      seen[response.status] = (seen[response.status] ?? 0) + 1;
      const text = await response.text();
      // The home's own folder of that name is among the sizes.
      expect(text, about).not.toMatch(/\bat .*\.[tj]s:\d|node_modules(?!\/")/);
      expect(logged.splice(0), about).toEqual([]);
      // The protocol for agents has a form of its own.
      if (response.ok || new URL(request.url).pathname === "/mcp") return;
      const { error } = JSON.parse(text);
      // What was asked for is named, as a person typed it: cut, and with nothing in it that a terminal or an agent obeys.
      const namesIts = ["recall_not_found", "record_not_found", "plugin_not_found"].includes(
        error.code,
      );
      expect(text.includes(mark) && !namesIts, `${about}\n${text.slice(0, 500)}`).toBe(false);
      expect(error.message.length, `${about}\n${text.slice(0, 500)}`).toBeLessThanOrEqual(2_000);
      expect(asSeen(error.message), about).toBe(error.message);
      expect(Object.hasOwn(errorFixes, error.code), about).toBe(true);
      expect(error.message, about).toBeString();
      expect(error.fix, about).not.toBe("");
      expect(response.status, `${about}\n${text.slice(0, 500)}`).not.toBe(500);
    });
    await runtime.drain({ timeoutMs: 60_000, flush: true });
    expect(await kept()).toBe(before);
    // Otherwise the requests are all alike.
    if (!process.env.TORTURE) expect(Object.keys(seen).length).toBeGreaterThan(4);
  },
  tortureMs,
);

const foreign = {
  host: ["", "evil.example", "localhost.evil.example", "127.0.0.1.nip.io", "169.254.0.1", mark],
  origin: ["null", "https://evil.example", "http://localhost.evil.example", "file://", mark],
  authorization: ["", "Bearer", `Bearer ${"b".repeat(64)}`, `Basic ${token}`, `Bearer ${token} x`],
};

test(
  "over TCP a foreign name, page or token is refused on every route, and nothing else is",
  async () => {
    await torture("test/torture/routes.test.ts", 500, async (draw) => {
      const target = draw.pick(targets.filter(({ path }) => path !== "/api/stop"));
      const headers = new Headers({ host: "localhost:1", authorization: `Bearer ${token}` });
      const turned = draw.chance(0.3)
        ? undefined
        : draw.pick(["host", "origin", "authorization"] as const);
      if (turned) headers.set(turned, draw.pick(foreign[turned]));
      const { method, path } = turned ? target : { method: "GET", path: "/api/openapi.json" };
      const url = `http://localhost${path.replace(/\{\w+\}/g, "x")}`;
      const response = await server.guardedFetch(
        new Request(url, { method, headers, ...(method === "GET" ? {} : { body: "{}" }) }),
      );
      // A page trades its code there and has no token yet: what comes from no page of this address is refused as such.
      const isTrade =
        path === "/api/page/session" && !/^Bearer \S+$/.test(headers.get("authorization") ?? "");
      const wanted = !turned ? 200 : turned === "authorization" && !isTrade ? 401 : 403;
      expect(response.status, `${method} ${path} ${JSON.stringify([...headers])}`).toBe(wanted);
      if (turned) expect(await response.text()).not.toContain(mark);
    });
  },
  tortureMs,
);
