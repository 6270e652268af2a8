// A whole server in a throw-away home: one per home, its files, its spool, its end.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { silentLog } from "../../../src/home/log.ts";
import { memoirPaths, type Paths } from "../../../src/home/paths.ts";
import { atomicWrite } from "../../../src/home/read-file.ts";
import { loadHost } from "../../../src/host/index.ts";
import { spooledFiles, writeSpool } from "../../../src/runtime/events/spool.ts";
import type { NoteChange } from "../../../src/runtime/ports.ts";
import type { ClientEvent } from "../../../src/sdk/events.ts";
import {
  type RunningServer,
  type RunOptions,
  runServer,
} from "../../../src/server/life/run-server.ts";
import { readServerInfo } from "../../../src/server/life/server-info.ts";
import { isServing, startServer } from "../../../src/server/life/start-server.ts";
import { temporaryHome } from "../../cli/hook/run-hook.ts";
import { freePort } from "../../support/free-port.ts";
import { type FakeRuntime, fakeRuntime } from "../fake-runtime.ts";

let paths: Paths;
let servers: RunningServer[];
beforeEach(async () => {
  paths = memoirPaths(await temporaryHome());
  servers = [];
});
afterEach(async () => {
  for (const server of servers) await server.stop();
  await rm(paths.home, { recursive: true, force: true });
});

async function run(
  runtime: FakeRuntime = fakeRuntime(),
  more: Partial<RunOptions> = {},
): Promise<RunningServer> {
  const server = await runServer({
    paths,
    version: "1.2.3",
    log: silentLog,
    createRuntime: async () => runtime,
    ...more,
  });
  servers.push(server);
  return server;
}

function stopEvent(time: number): ClientEvent {
  const frame = { id: `id-${time}`, key: `key-${time}`, client: "claude-code", session: "s" };
  return { ...frame, name: "Stop", time, cwd: "/p", stopHookActive: false };
}

async function ask(route: string, init: RequestInit = {}): Promise<Response> {
  return (await loadHost()).fetchUnix(paths.socket, `http://localhost${route}`, init);
}

describe("a server", () => {
  test("is announced before its socket answers", async () => {
    const started = run();
    let answered = false;
    while (!answered) {
      answered = await ask("/api/status").then(
        (response) => response.ok,
        () => false,
      );
    }
    expect(existsSync(paths.serverInfo)).toBe(true);
    await started;
  });

  test("announces itself in private files", async () => {
    const { info } = await run();
    expect(await readServerInfo(paths.serverInfo)).toEqual(info);
    expect(info).toMatchObject({ pid: process.pid, version: "1.2.3", socket: paths.socket });
    for (const file of [paths.serverInfo, paths.socket, paths.token]) {
      expect((await stat(file)).mode & 0o777).toBe(0o600);
    }
    expect((await stat(paths.home)).mode & 0o777).toBe(0o700);
    expect(await isServing(paths)).toBe(true);
  });

  test("answers over its socket without, over TCP only with the token", async () => {
    const { info } = await run();
    const status = await (await ask("/api/status")).json();
    expect(status).toMatchObject({ ...info, home: paths.home, spool: { waiting: 0 } });
    const url = `http://127.0.0.1:${info.port}/api/status`;
    expect((await fetch(url)).status).toBe(401);
    const token = (await Bun.file(paths.token).text()).trim();
    const allowed = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    expect(allowed.status).toBe(200);
  });

  test("tells who looks on of what the runtime commits, and ends the stream when it stops", async () => {
    const told: NoteChange[] = [];
    const server = await run(undefined, {
      createRuntime: async (changed) => {
        told.push(changed);
        return fakeRuntime();
      },
    });
    const response = await ask("/api/changes");
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toContain('"what":[]');
    told[0]?.("records", "s1");
    expect((await reader?.read())?.value).toContain('{"what":["records"],"sessions":["s1"]}');
    const ended = reader?.read();
    await server.stop();
    expect(await ended).toEqual({ done: true, value: undefined });
  });

  test("refuses a body over the limit and counts it", async () => {
    await run();
    const large = await ask("/hook/claude-code", {
      method: "POST",
      body: "x".repeat(65 * 1024 * 1024),
    });
    expect(large.status).toBe(413);
    expect(await (await ask("/api/status")).json()).toMatchObject({
      refused: { payload_too_large: 1 },
    });
  });

  test("is the only one of its home", async () => {
    const { info } = await run();
    await expect(run()).rejects.toMatchObject({
      code: "server_running",
      message: expect.stringContaining(String(info.pid)),
    });
    expect(await isServing(paths)).toBe(true);
  });

  test("of two that start at once exactly one wins", async () => {
    const outcomes = await Promise.allSettled([run(), run()]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect((await ask("/api/status")).status).toBe(200);
  });

  test("waits for one that is just stopping, however long that takes", async () => {
    const slow = fakeRuntime();
    slow.stop = () => Bun.sleep(400);
    const first = await run(slow);
    const stopping = first.stop();
    const second = await run();
    await stopping;
    expect((await ask("/api/status")).status).toBe(200);
    expect(await readServerInfo(paths.serverInfo)).toEqual(second.info);
  });

  test("is not started again by a hook that just missed it", async () => {
    await run();
    expect(await startServer(paths, process.env)).toBeUndefined();
    expect(await readdir(paths.home)).not.toContain("server.starting");
  });

  test("takes over the files of one that was killed", async () => {
    await writeFile(paths.socket, "stale");
    await writeFile(
      paths.serverInfo,
      JSON.stringify({ pid: 1, port: 1, socket: null, version: "0", startedAt: 1 }),
    );
    await writeFile(join(paths.home, "server.starting"), "1");
    expect(await isServing(paths)).toBe(false);
    await run();
    expect((await ask("/api/status")).status).toBe(200);
    expect(await readdir(paths.home)).not.toContain("server.starting");
  });

  test("uses another port when the configured one is taken", async () => {
    const taken = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("") });
    const { info } = await run(fakeRuntime(), { port: taken.port ?? 0 });
    expect(info.port).not.toBe(taken.port as number);
    expect(info.port).toBeGreaterThan(0);
    await taken.stop(true);
  });

  test("lets go of the home when the runtime cannot start", async () => {
    const broken = async () => {
      throw new Error("journal unwritable");
    };
    await expect(run(fakeRuntime(), { createRuntime: broken })).rejects.toThrow(
      "journal unwritable",
    );
    await run();
  });
});

describe("its spool", () => {
  test("goes in before anything else is heard", async () => {
    await writeSpool(paths.spool, stopEvent(1));
    await writeSpool(paths.spool, stopEvent(2));
    const runtime = fakeRuntime();
    await run(runtime);
    expect(runtime.handled).toEqual([stopEvent(1), stopEvent(2)]);
    expect(await spooledFiles(paths.spool)).toEqual([]);
  });

  test("is looked at again while the server runs", async () => {
    let taken: () => void = () => {};
    const handled = new Promise<void>((resolve) => {
      taken = resolve;
    });
    await run(fakeRuntime({ handle: async () => taken() }), { lookEveryMs: 5 });
    await writeSpool(paths.spool, stopEvent(3));
    await handled;
  });

  test("an event that is posted and spooled is one", async () => {
    const runtime = fakeRuntime();
    await run(runtime);
    const body = JSON.stringify({ session_id: "s", cwd: "/p", hook_event_name: "Stop" });
    const headers = { "x-memoir-event": "delivery-1" };
    await ask("/hook/claude-code", { method: "POST", body, headers });
    const [posted] = runtime.handled;
    expect(posted).toBeDefined();
    if (posted) await writeSpool(paths.spool, posted);
    await ask("/api/drain", { method: "POST" });
    expect(runtime.handled).toHaveLength(1);
    expect(await spooledFiles(paths.spool)).toEqual([]);
  });
});

describe("its end", () => {
  test("finishes what is under way and leaves nothing but the memory", async () => {
    let release: () => void = () => {};
    let arrived: () => void = () => {};
    const entered = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const runtime = fakeRuntime({
      handle: () => {
        arrived();
        return gate;
      },
    });
    const server = await run(runtime);
    const body = JSON.stringify({ session_id: "s", cwd: "/p", hook_event_name: "Stop" });
    const answer = ask("/hook/claude-code", { method: "POST", body });
    await entered;
    const stopping = server.stop();
    release();
    expect((await answer).status).toBe(204);
    await stopping;
    expect(runtime.handled).toHaveLength(1);
    expect(runtime.calls).toEqual(["stop"]);
    const left = await readdir(paths.home);
    expect(left).not.toContain("memoir.sock");
    expect(left).not.toContain("server.json");
  });

  test("comes when it is asked for, once", async () => {
    const runtime = fakeRuntime();
    const server = await run(runtime);
    expect(await (await ask("/api/stop", { method: "POST" })).json()).toEqual({ stopping: true });
    await server.stopped;
    await server.stop();
    expect(runtime.calls).toEqual(["stop"]);
    await run();
  });

  test("comes by itself when its home is gone", async () => {
    const server = await run(fakeRuntime(), { lookEveryMs: 5 });
    // Moved in one step: taking it away file by file would race with what the ending server takes away itself.
    const moved = `${paths.home}-moved`;
    await rename(paths.home, moved);
    await server.stopped;
    await rm(moved, { recursive: true, force: true });
  });

  test("comes by itself when the file of whoever serves the home is another's", async () => {
    const server = await run(fakeRuntime(), { lookEveryMs: 5 });
    await atomicWrite(paths.serverInfo, "{}\n");
    await server.stopped;
  });

  test("comes by itself when its socket is gone, so that the next hook starts another", async () => {
    const server = await run(fakeRuntime(), { lookEveryMs: 5 });
    await rm(paths.socket);
    await server.stopped;
    expect(await isServing(paths)).toBe(false);
  });
});

test("a gateway's port that was taken is listened on as soon as it is free", async () => {
  const host = await loadHost();
  const port = await freePort();
  const taker = await host.listen({ hostname: "127.0.0.1", port }, () => new Response("taken"));
  const settings = async () => ({ enabled: true, port, upstream: "http://127.0.0.1:9" });
  await run(fakeRuntime(), { lookEveryMs: 5, gateway: settings });
  const gateway = async () => (await (await ask("/api/status")).json()).gateway;
  expect(await gateway()).toMatchObject({
    listening: false,
    error: expect.stringContaining(`another program listens on port ${port}`),
  });
  await taker.stop(0);
  while (!(await gateway()).listening) await Bun.sleep(5);
  expect((await gateway()).error).toBeUndefined();
});

describe("longer deadlines for the hook command", () => {
  const subscription = (deadlineMs: number) => ({
    plugin: "waiter",
    hook: "PostToolUse" as const,
    kind: "sequence" as const,
    order: "normal" as const,
    deadlineMs,
    calls: 0,
    failures: 0,
    p50: null,
    p99: null,
  });

  test("are written when a plugin declares them, and taken away when none does", async () => {
    const server = await run(fakeRuntime({ subscriptions: [subscription(90_000)] }));
    expect(await Bun.file(paths.hookDeadlines).json()).toEqual({ PostToolUse: 90_500 });
    await server.stop();
    await run(fakeRuntime({ subscriptions: [subscription(1_000)] }));
    expect(await Bun.file(paths.hookDeadlines).exists()).toBe(false);
  });
});
