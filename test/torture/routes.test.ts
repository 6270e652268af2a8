// A thousand requests that nobody meant, over every route: always an answer of the defined form, and nothing of the request in it.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { silentLog } from "../../src/home/log.ts";
import { createRuntime, type Runtime } from "../../src/runtime/runtime.ts";
import { errorFixes } from "../../src/sdk/errors.ts";
import { createApp } from "../../src/server/app.ts";
import { createServer } from "../../src/server/server.ts";
import { temporaryHome } from "../cli/hook/run-hook.ts";
import { appOptions } from "./app-options.ts";

/** The same numbers for the same seed (mulberry32). */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const mark = "SECRETsecret";
/** An unknown name that looks like one may be repeated. */
const keyMark = "oddName";
const token = "a".repeat(64);

/** What may stand anywhere; whatever of it says something holds the mark. */
const odd: unknown[] = [
  ...["", " ", mark, `${mark}\n${mark}`, `[${mark}]`, `{"${keyMark}":1}`, "[1]", "{}", "null"],
  ...[
    "-1",
    "1e9",
    "99999999999999999999",
    "NaN",
    "%",
    "%ff",
    "../../etc",
    `${mark}\u0000`,
    "𝕏".repeat(50),
  ],
  ...[0, -1, 1.5, 1e308, true, null, [], {}, [mark], { [keyMark]: mark }, [[[[mark]]]]],
  ...["__proto__", "constructor", mark.repeat(500), "1", "observation", "newest", "output"],
];
const names = [
  ...[
    "text",
    "project",
    "session",
    "kinds",
    "level",
    "limit",
    "offset",
    "since",
    "until",
    "order",
    "around",
  ],
  ...[
    "cwd",
    "client",
    "source",
    "prompt",
    "part",
    "lines",
    "grep",
    "page",
    "timeoutMs",
    "ids",
    "provider",
  ],
  ...[
    "title",
    "subtitle",
    "facts",
    "concepts",
    "files",
    "time",
    "root",
    "content",
    "sessions",
    "modelFree",
  ],
  ...["__proto__", "constructor", "toString", keyMark, `${keyMark}.${keyMark}`, "projcet", ""],
];

function requestOf(
  random: () => number,
  routes: ReadonlyArray<{ method: string; path: string }>,
): Request {
  const pick = <Item>(items: readonly Item[]): Item =>
    items[Math.floor(random() * items.length)] as Item;
  const { method, path } = pick(routes);
  const text = () => String(pick(odd));
  const filled = path.replace(/:\w+/g, () => encodeURIComponent(text()));
  const query = new URLSearchParams(
    Array.from({ length: Math.floor(random() * 4) }, () => [pick(names), text()]),
  );
  const used = random() < 0.1 ? pick(["PUT", "DELETE", "PATCH", "OPTIONS", "GET", "POST"]) : method;
  const where = random() < 0.05 ? `/${mark}` : filled;
  const object = () =>
    Object.fromEntries(
      Array.from({ length: Math.floor(random() * 6) }, () => [pick(names), pick(odd)]),
    );
  const body = () =>
    pick([
      () => JSON.stringify(object()),
      () => JSON.stringify(pick(odd)),
      text,
      () => `{"${mark}`,
    ])();
  const headers: Record<string, string> = {};
  if (random() < 0.5)
    headers["content-type"] = pick([
      "application/json",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "text/plain",
      mark,
    ]);
  if (random() < 0.2) headers["x-memoir-time"] = encodeURIComponent(text()).slice(0, 200);
  if (random() < 0.2) headers.cookie = `${mark}=${mark}; ;=`;
  if (random() < 0.05) headers["content-length"] = pick(["-1", "1e99", "99999999999", mark]);
  return new Request(`http://localhost${where}${query.size > 0 ? `?${query}` : ""}`, {
    method: used === "ALL" ? "POST" : used,
    headers,
    ...(used === "GET" || used === "OPTIONS" ? {} : { body: body() }),
  });
}

let home = "";
let runtime: Runtime;
beforeAll(async () => {
  home = await temporaryHome();
  runtime = await createRuntime({ home, log: silentLog, env: { HOME: home } });
});
afterAll(async () => {
  await runtime.stop();
  await rm(home, { recursive: true, force: true });
});

test("1,000 requests of a seed: an answer of the defined form, nothing of the request, no stack", async () => {
  const logged: unknown[] = [];
  const log = { ...silentLog, error: (...line: unknown[]) => void logged.push(line) };
  const options = { ...appOptions(), runtime, log, token };
  const { fetch } = createServer(options);
  const app = createApp(options);
  const seen: Record<number, number> = {};
  const random = numbersFrom(20_261_122);
  for (let at = 0; at < 1_000; at++) {
    const request = requestOf(random, app.routes);
    const about = `${at}: ${request.method} ${request.url.slice(0, 200)}`;
    const response = await fetch(request);
    seen[response.status] = (seen[response.status] ?? 0) + 1;
    const text = await response.text();
    expect(text, about).not.toMatch(/\bat .*\.[tj]s:\d|node_modules/);
    // The protocol for agents has a form of its own.
    if (response.ok || new URL(request.url).pathname === "/mcp") continue;
    const { error } = JSON.parse(text);
    // By what a person typed at their own shell; cut, and without control characters.
    const namesIts = error.code === "recall_not_found";
    expect(text.includes(mark) && !namesIts, `${about}\n${text}`).toBe(false);
    expect(Object.hasOwn(errorFixes, error.code), about).toBe(true);
    expect(error.message, about).toBeString();
    expect(error.fix, about).not.toBe("");
  }
  // Otherwise the requests are all alike.
  expect(Object.keys(seen).length).toBeGreaterThan(4);
  expect([seen[500] ?? 0, logged]).toEqual([0, []]);
}, 60_000);
