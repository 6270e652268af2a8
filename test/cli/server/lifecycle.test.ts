// The real server as a process of its own: started by hooks and by hand, killed, replaced, stopped.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { server } from "../../../src/cli/server/client.ts";
import { silentLog } from "../../../src/home/log.ts";
import { memoirPaths, type Paths } from "../../../src/home/paths.ts";
import { runServer } from "../../../src/server/life/run-server.ts";
import { readServerInfo } from "../../../src/server/life/server-info.ts";
import { isServing } from "../../../src/server/life/start-server.ts";
import { fakeRuntime } from "../../server/fake-runtime.ts";
import { runMemoir } from "../../support/run-memoir.ts";
import { noted, payload, runHook, spooled, temporaryHome, toolUse } from "../hook/run-hook.ts";

let folder: string;
let home: string;
let paths: Paths;
beforeEach(async () => {
  folder = await temporaryHome();
  home = folder;
  paths = memoirPaths(home);
});
afterEach(async () => {
  await memoir("server", "stop");
  await rm(folder, { recursive: true, force: true });
});

const memoir = (...args: string[]) =>
  runMemoir(args, { HOME: "/nonexistent", MEMOIR_HOME: home }, "/");

async function serversStarted(): Promise<number> {
  const log = await readFile(paths.log, "utf8");
  return log.split("\n").filter((line) => line.includes('"server started"')).length;
}

async function status(): Promise<{ running: boolean; pid: number; journal: { counters: object } }> {
  return JSON.parse((await memoir("status", "--json")).out);
}

/** On a busy machine a hook may have spooled its event. */
async function allTaken(): Promise<void> {
  while ((await spooled(home)).length > 0) await Bun.sleep(20);
}

/** Never 0 or undefined: a signal to pid 0 would reach this very test. */
async function serverPid(): Promise<number> {
  const info = await readServerInfo(paths.serverInfo);
  if (!info) throw new Error("no server is announced");
  return info.pid;
}

test("twenty hooks at once start one server, and no event is lost or doubled", async () => {
  const inputs = Array.from({ length: 20 }, (_, at) => toolUse({ tool_use_id: `toolu_${at}` }));
  const runs = await Promise.all(inputs.map((input) => runHook(input, { home })));
  expect(runs.map(({ code, out, err }) => `${code}${out}${err}`)).toEqual(inputs.map(() => "0"));
  // A prompt waits for the server, and what waits in the spool goes before it.
  await runHook(payload("UserPromptSubmit", { prompt: "hello" }), { home });
  expect((await memoir("server", "start")).code).toBe(0);
  await allTaken();
  expect((await status()).journal.counters).toMatchObject({
    "event:PostToolUse": 20,
    "event:UserPromptSubmit": 1,
  });
  expect(await serversStarted()).toBe(1);
  const others = (await noted(home)).filter((reason) => !reason.includes("did not answer in time"));
  expect(others).toEqual([]);
});

test("start, status and stop", async () => {
  expect((await memoir("status")).code).toBe(3);
  expect(JSON.parse((await memoir("status", "--json")).out)).toMatchObject({
    running: false,
    home,
  });

  const started = JSON.parse((await memoir("server", "start", "--json")).out);
  expect(started).toMatchObject({ outcome: "started", socket: paths.socket });
  expect(JSON.parse((await memoir("server", "start", "--json")).out)).toEqual({
    ...started,
    outcome: "already running",
  });
  expect(await status()).toMatchObject({
    running: true,
    home,
    pid: started.pid,
    port: started.port,
  });
  expect((await memoir("status")).out).toContain(`pid ${started.pid}`);

  const second = await memoir("serve");
  expect(second.code).toBe(1);
  expect(second.err).toContain(`pid ${started.pid}`);

  expect(JSON.parse((await memoir("server", "stop", "--json")).out)).toMatchObject({
    stopped: true,
  });
  expect(JSON.parse((await memoir("server", "stop", "--json")).out)).toMatchObject({
    stopped: false,
  });
  expect(await isServing(paths)).toBe(false);
});

test("an event survives the server's death, and the next hook brings a new server", async () => {
  await memoir("server", "start");
  expect(await runHook(toolUse({ tool_use_id: "toolu_a" }), { home })).toMatchObject({ code: 0 });
  const pid = await serverPid();
  process.kill(pid, "SIGKILL");
  while (await isServing(paths)) await Bun.sleep(5);
  expect(await runHook(toolUse({ tool_use_id: "toolu_b" }), { home })).toMatchObject({ code: 0 });
  await runHook(payload("SessionStart"), { home });
  await allTaken();
  const after = await status();
  expect(after.pid).not.toBe(pid);
  expect(after.journal.counters).toMatchObject({ "event:PostToolUse": 2, "event:SessionStart": 1 });
});

test("an event survives a stopped process, and is one when that goes on", async () => {
  await memoir("server", "start");
  const pid = await serverPid();
  process.kill(pid, "SIGSTOP");
  try {
    expect(await runHook(toolUse(), { home })).toEqual({ code: 0, out: "", err: "" });
    expect(await spooled(home)).toHaveLength(1);
  } finally {
    process.kill(pid, "SIGCONT");
  }
  await allTaken();
  expect((await status()).journal.counters).toMatchObject({ "event:PostToolUse": 1 });
  expect((await status()).pid).toBe(pid);
});

test("a newer binary takes over from an older server, once", async () => {
  const older = await runServer({
    paths,
    version: "0.0.1",
    log: silentLog,
    createRuntime: async () => fakeRuntime(),
  });
  const took = JSON.parse((await memoir("server", "start", "--json")).out);
  await older.stopped;
  expect(took.outcome).toBe("took over");
  expect(took.version).not.toBe("0.0.1");
  expect(JSON.parse((await memoir("server", "start", "--json")).out)).toMatchObject({
    outcome: "already running",
    pid: took.pid,
  });
});

test("an older binary leaves a newer server alone", async () => {
  const newer = await runServer({
    paths,
    version: "99.0.0",
    log: silentLog,
    createRuntime: async () => fakeRuntime(),
  });
  expect(JSON.parse((await memoir("server", "start", "--json")).out)).toMatchObject({
    outcome: "already running",
    version: "99.0.0",
  });
  await newer.stop();
});

test("a home whose socket path would be too long is served over TCP", async () => {
  home = join(home, "x".repeat(100));
  paths = memoirPaths(home);
  expect(JSON.parse((await memoir("server", "start", "--json")).out)).toMatchObject({
    socket: null,
  });
  expect(await runHook(toolUse(), { home })).toEqual({ code: 0, out: "", err: "" });
  await allTaken();
  expect((await status()).journal.counters).toMatchObject({ "event:PostToolUse": 1 });
  expect(JSON.parse((await memoir("server", "stop", "--json")).out)).toMatchObject({
    stopped: true,
  });
});

test("a server that hangs is told from one that is away", async () => {
  await memoir("server", "start");
  const pid = await serverPid();
  process.kill(pid, "SIGSTOP");
  try {
    const error = await server
      .get("/api/status", { paths, start: false, timeoutMs: 100 })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "server_silent" });
  } finally {
    process.kill(pid, "SIGCONT");
  }
});

test("the server does not inherit a hook's environment", async () => {
  const env = {
    ANTHROPIC_API_KEY: "not-a-key",
    ANTHROPIC_BASE_URL: "http://127.0.0.1:1",
    CLAUDE_CODE_SESSION_ID: "s",
    TZ: "UTC",
  };
  await runHook(payload("SessionStart"), { home, env });
  const seen = await readFile(`/proc/${await serverPid()}/environ`, "utf8").catch(() => undefined);
  if (seen === undefined) return;
  const names = seen
    .split("\0")
    .filter(Boolean)
    .map((entry) => entry.split("=")[0]);
  // The first is the server's own: how large its heap may grow.
  const own = ["BUN_JSC_forceRAMSize", "HOME", "MEMOIR_HOME", "PATH", "TZ"];
  expect(names.sort()).toEqual(own);
});
