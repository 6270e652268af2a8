// The typed client against a server of the real routes: what goes over the wire, what comes back, and what does not compile.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ifRunning, server } from "../../../src/cli/server/client.ts";
import { memoirPaths, type Paths } from "../../../src/home/paths.ts";
import { type Listener, loadHost } from "../../../src/host/index.ts";
import type { MemoryItem } from "../../../src/sdk/model.ts";
import type { StoredRecord } from "../../../src/sdk/storage.ts";
import type { Answer } from "../../../src/server/route-types.ts";
import { createServer } from "../../../src/server/server.ts";
import { appOptions } from "../../server/app-options.ts";
import { sampleMemory } from "../../support/sample-records.ts";

const asked: unknown[] = [];
const item: MemoryItem = {
  ...sampleMemory({ content: "2026-11-21", date: "2026-11-21" }),
  id: "m1",
};
const options = appOptions({
  answers: {
    "storage.search": (query) => {
      asked.push(query);
      return [];
    },
    "storage.get": ({ ids }): StoredRecord[] => {
      asked.push(ids);
      return ids[0] === "m1" ? [{ kind: "memory", record: item }] : [];
    },
  },
});

let folder = "";
let paths: Paths;
let listener: Listener;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "memoir-client-"));
  paths = memoirPaths(folder);
  const { fetch } = createServer({ ...options, token: "a".repeat(64) });
  listener = await (await loadHost()).listen({ unix: paths.socket }, fetch);
});
afterAll(async () => {
  await listener.stop(100);
  await rm(folder, { recursive: true, force: true });
});

const here = () => ({ paths, start: false });

test("a query leaves out what is undefined and joins a list; the server's schema makes values of it", async () => {
  const query = {
    text: "[1] a+b & c=d %",
    project: undefined,
    kinds: ["observation" as const, "turn" as const],
    limit: 5,
  };
  expect(await server.get("/api/search", { query, ...here() })).toEqual({ results: [] });
  expect(asked.pop()).toEqual({ text: query.text, kinds: query.kinds, limit: 5, by: "turn" });
});

test.each(["../status", "a/b?c#d", "100%", "...", "é"])(
  "the id %p stays one part of the path",
  async (id) => {
    await expect(
      server.get("/api/records/:id", { params: { id }, ...here() }),
    ).rejects.toMatchObject({ code: "record_not_found" });
    expect(asked.pop()).toEqual([id]);
  },
);

test("what cannot be asked says where a command is told about, which is no route's document", async () => {
  const asked = server.post("/api/drain", { body: { timeoutMs: -1 }, ...here() });
  await expect(asked).rejects.toMatchObject({
    code: "usage",
    fix: "See `--help` for the command.",
  });
});

test.each([".", ".."])("the id %p, which would be taken as a way up, is none", async (id) => {
  await expect(
    server.get("/api/sessions/:id", { params: { id }, ...here() }),
  ).rejects.toMatchObject({ code: "usage", message: `"${id}" is no id.` });
});

test("a text that looks like a date stays a text", async () => {
  const found = await server.get("/api/records/:id", { params: { id: "m1" }, ...here() });
  expect(found).toEqual({
    kind: "memory",
    record: item,
    by: "inferred; not said by the user",
    version: expect.any(String),
  });
});

test("a body goes as JSON, and a route without one needs none", async () => {
  const body = { session: "s-1", project: undefined, timeoutMs: 50 };
  expect(await server.post("/api/drain", { body, ...here() })).toEqual({ drained: true });
  expect(options.runtime.drains).toEqual([{ session: "s-1", timeoutMs: 50 }]);
  expect(await server.post("/api/reload", here())).toEqual({ reloaded: true });
});

test("the server's error comes with its code, words and fix", async () => {
  const query = { cwd: "" };
  await expect(server.get("/api/context", { query, ...here() })).rejects.toMatchObject({
    code: "usage",
    message: "`cwd` is empty.",
  });
});

test("no server is undefined to those who ask for one that runs, and an error to others", async () => {
  const nobody = { paths: memoirPaths(join(folder, "nobody")), start: false };
  expect(await ifRunning(server.get("/api/status", nobody))).toBeUndefined();
  await expect(server.get("/api/status", nobody)).rejects.toMatchObject({
    code: "server_unreachable",
  });
  await expect(
    ifRunning(server.get("/api/records/:id", { params: { id: "m9" }, ...here() })),
  ).rejects.toMatchObject({ code: "record_not_found" });
});

// Never called: it is the compiler that looks at it.
export async function typed(): Promise<Answer<"/api/stats">["total"]["used"]> {
  // @ts-expect-error no such route
  await server.get("/api/serach");
  // @ts-expect-error a route of the other method
  await server.get("/api/drain");
  // @ts-expect-error no such parameter
  await server.get("/api/search", { query: { txt: "a" } });
  // @ts-expect-error no such kind
  await server.get("/api/search", { query: { kinds: ["plan"] } });
  // @ts-expect-error the id is missing
  await server.get("/api/records/:id");
  // @ts-expect-error no such parameter
  await server.get("/api/context", { query: { folder: "/p" } });
  // @ts-expect-error no such field
  await server.post("/api/drain", { body: { sesion: "s-1" } });
  // @ts-expect-error nothing of that name is answered
  (await server.get("/api/search")).found;
  const net: number = (await server.get("/api/stats")).total.used;
  return net;
}
