// The hook command as a process, against servers that are well, away, hanging or talking nonsense. It always exits 0.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createBackfills } from "../../../src/backfill/job.ts";
import { silentLog } from "../../../src/home/log.ts";
import { type Listener, loadHost } from "../../../src/host/index.ts";
import { createChanges, createServer } from "../../../src/server/server.ts";
import { forEver } from "../../server/app-options.ts";
import { type FakeOptions, fakeRuntime, quietServer } from "../../server/fake-runtime.ts";
import { memoirCommand } from "../../support/compiled.ts";
import { noSync } from "../../support/no-sync.ts";
import { outcomeOf } from "../../support/outcome-of.ts";
import {
  type HookRun,
  noted,
  payload,
  pretendStarting,
  runHook,
  spooled,
  temporaryHome,
  toolUse,
} from "./run-hook.ts";

const token = "c".repeat(64);
let home: string;
let listeners: Listener[];
beforeEach(async () => {
  home = await temporaryHome();
  listeners = [];
});
afterEach(async () => {
  for (const listener of listeners) await listener.stop(0);
  await rm(home, { recursive: true, force: true });
});

type Fetch = (request: Request) => Response | Promise<Response>;

async function listen(fetch: Fetch, socket = join(home, "memoir.sock")): Promise<void> {
  listeners.push(await (await loadHost()).listen({ unix: socket }, fetch));
}

function app(fake: FakeOptions = {}) {
  const runtime = fakeRuntime(fake);
  const nothing = async () => {};
  const server = createServer({
    runtime,
    sync: noSync,
    backfills: createBackfills({
      runtime: runtime.transcripts,
      home: "/h",
      log: silentLog,
      now: Date.now,
    }),
    retention: forEver,
    token,
    version: "1.2.3",
    refusals: {},
    changes: createChanges(1),
    log: silentLog,
    now: Date.now,
    serverStatus: async () => quietServer,
    drainSpool: nothing,
    reloaded: nothing,
    stop: () => {},
  });
  return { runtime, server };
}

/** Time enough on any machine, where it is not the hook's deadline that is looked at. */
async function patient(folder = home): Promise<void> {
  const events = ["SessionStart", "UserPromptSubmit", "PostToolUse", "TeammateIdle", ""];
  const deadlines = Object.fromEntries(events.map((event) => [event, 20_000]));
  await writeFile(join(folder, "hook.json"), JSON.stringify(deadlines));
}

/** What every answer of a memoir server carries. */
const ours = { "x-memoir-server": "1.2.3" };
const silent = { code: 0, out: "", err: "" };

describe("with a server", () => {
  beforeEach(() => patient());

  test("prints its one JSON object", async () => {
    const { runtime, server } = app({ reply: { context: "known" } });
    await listen(server.fetch);
    const run = await runHook(payload("SessionStart", { source: "startup" }), { home });
    expect(run).toMatchObject({ code: 0, err: "" });
    expect(JSON.parse(run.out)).toEqual({
      hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: "known" },
    });
    const [event] = runtime.handled;
    expect(event?.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(Math.abs((event?.time ?? 0) - Date.now())).toBeLessThan(60_000);
    expect(await spooled(home)).toEqual([]);
  });

  test("prints nothing when there is nothing to say", async () => {
    const { runtime, server } = app();
    await listen(server.fetch);
    expect(await runHook(toolUse(), { home })).toEqual(silent);
    expect(runtime.handled).toHaveLength(1);
  });

  test("takes the home from its command line", async () => {
    const { runtime, server } = app();
    await listen(server.fetch);
    const env = { HOME: "/nonexistent", MEMOIR_HOME: "" };
    expect(await runHook(toolUse(), { home, args: ["--home", home], env })).toEqual(silent);
    expect(runtime.handled).toHaveLength(1);
  });

  test("memoir's own children are never captured", async () => {
    const { runtime, server } = app();
    await listen(server.fetch);
    expect(await runHook(toolUse(), { home, env: { MEMOIR_INTERNAL: "1" } })).toEqual(silent);
    expect(runtime.handled).toEqual([]);
  });

  test("50 MB go through and are bounded", async () => {
    const { runtime, server } = app();
    await listen(server.fetch);
    const large = toolUse({ tool_response: { stdout: "x".repeat(50_000_000) } });
    expect(await runHook(large, { home })).toEqual(silent);
    expect(JSON.stringify(runtime.handled).length).toBeLessThan(70_000);
  });

  test("an event larger than the server takes is spooled, shortened", async () => {
    const { runtime, server } = app();
    await listen(server.fetch);
    const huge = toolUse({ tool_response: { stdout: "x".repeat(65 * 1024 * 1024) } });
    expect(await runHook(huge, { home })).toEqual(silent);
    expect(runtime.handled).toEqual([]);
    const [event] = await spooled(home);
    expect(event).toMatchObject({ name: "PostToolUse", toolUseId: "toolu_1" });
    expect(JSON.stringify(event).length).toBeLessThan(70_000);
  });

  test("over TCP where the socket's path would be too long, past any proxy", async () => {
    const deep = join(home, "x".repeat(120));
    await mkdir(deep);
    await patient(deep);
    const { runtime, server } = app({ reply: { context: "known" } });
    const listener = await (await loadHost()).listen(
      { hostname: "127.0.0.1", port: 0 },
      server.guardedFetch,
    );
    listeners.push(listener);
    await writeFile(join(deep, "server.json"), JSON.stringify({ port: listener.port }));
    await writeFile(join(deep, "token"), `${token}\n`);
    const env = { HTTP_PROXY: "http://127.0.0.1:9", http_proxy: "http://127.0.0.1:9" };
    const run = await runHook(payload("SessionStart"), { home: deep, env });
    expect(run.out).toContain("known");
    expect(runtime.handled).toHaveLength(1);
  });

  const refused: Array<[string, string | Uint8Array, string, string]> = [
    ["junk", "not json", "claude-code", "not valid JSON"],
    ["binary", new Uint8Array(1_000).map((_, at) => at * 7), "claude-code", "not valid JSON"],
    ["missing fields", "{}", "claude-code", "session_id"],
    ["an unknown client", toolUse(), "emacs", "client_unknown"],
    ["a client with a path in it", toolUse(), "../../api/stop", "client_unknown"],
    ["nothing", "", "claude-code", "empty"],
    ["no client at all", toolUse(), "", "no client"],
    [
      "deep nesting",
      `${"[".repeat(200_000)}${"]".repeat(200_000)}`,
      "claude-code",
      "payload_invalid",
    ],
  ];
  for (const [what, input, client, reason] of refused) {
    test(`${what}: exit 0, nothing printed, the reason noted`, async () => {
      const { runtime, server } = app();
      await listen(server.fetch);
      expect(await runHook(input, { home, client })).toEqual(silent);
      expect(runtime.handled).toEqual([]);
      expect(await spooled(home)).toEqual([]);
      expect((await noted(home)).join("\n")).toContain(reason);
    });
  }

  test("an unknown event is kept", async () => {
    const { runtime, server } = app({ reply: { context: "known" } });
    await listen(server.fetch);
    expect(await runHook(payload("TeammateIdle"), { home })).toEqual(silent);
    expect(runtime.handled).toMatchObject([{ name: "Other", clientEvent: "TeammateIdle" }]);
  });

  test("a server that cannot take the event leaves it to the spool", async () => {
    const { server } = app({
      handle: async () => {
        throw new Error("disk full");
      },
    });
    await listen(server.fetch);
    expect(await runHook(toolUse(), { home })).toEqual(silent);
    expect(await spooled(home)).toMatchObject([{ name: "PostToolUse", toolUseId: "toolu_1" }]);
  });
});

describe("with a server that talks nonsense", () => {
  beforeEach(() => patient());

  const nonsense: Array<[string, string]> = [
    ["plain text", "Welcome"],
    ["text before JSON", 'log line\n{"continue": false}'],
    ["a JSON list", "[]"],
    ["a JSON string", '"context"'],
    ["null", "null"],
    ["two objects", '{"a":1}{"b":2}'],
    ["an empty 200", ""],
  ];
  for (const [what, answer] of nonsense) {
    test(`${what} is never printed`, async () => {
      await listen(() => new Response(answer, { headers: ours }));
      expect(await runHook(payload("SessionStart"), { home })).toEqual(silent);
      expect(await noted(home)).toEqual(["the server's answer was not a JSON object"]);
    });
  }

  test("a redirect is not followed", async () => {
    const headers = { ...ours, location: "http://localhost/elsewhere" };
    await listen(() => new Response(null, { status: 302, headers }));
    expect(await runHook(payload("SessionStart"), { home })).toEqual(silent);
    expect(await noted(home)).toEqual(["refused (302)"]);
  });
});

describe("with something that is no server", () => {
  beforeEach(() => patient());

  test("what another program answers is never printed, and the event is spooled", async () => {
    await pretendStarting(home);
    await listen(() => Response.json({ systemMessage: "not ours" }));
    expect(await runHook(toolUse(), { home })).toEqual(silent);
    expect(await spooled(home)).toHaveLength(1);
  });

  test("a socket that hangs up leaves the event to the spool", async () => {
    await pretendStarting(home);
    const rude = Bun.listen({
      unix: join(home, "memoir.sock"),
      socket: {
        data(socket) {
          socket.end("garbage\r\n\r\n");
        },
      },
    });
    expect(await runHook(toolUse(), { home })).toEqual(silent);
    rude.stop(true);
    expect(await spooled(home)).toHaveLength(1);
  });
});

describe("with a server that hangs", () => {
  test("every event is spooled after the hook's own deadline", async () => {
    await listen(() => new Promise<Response>(() => {}));
    const runs = await Promise.all([
      runHook(toolUse(), { home }),
      runHook(payload("SessionStart"), { home }),
      runHook(payload("UserPromptSubmit", { prompt: "hi" }), { home }),
    ]);
    expect(runs).toEqual([silent, silent, silent]);
    const names = (await spooled(home)).map(({ name }) => name);
    expect(names.sort()).toEqual(["PostToolUse", "SessionStart", "UserPromptSubmit"]);
  });

  test("also when it hangs in the middle of its answer", async () => {
    const half = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"hook'));
      },
    });
    await listen(() => new Response(half, { headers: ours }));
    expect(await runHook(toolUse(), { home })).toEqual(silent);
    expect(await spooled(home)).toHaveLength(1);
  });

  test("the posted and the spooled copy are one event", async () => {
    // On a busy machine nothing may be posted within the hook's own.
    await writeFile(join(home, "hook.json"), JSON.stringify({ Stop: 3_000 }));
    const seen: Array<string | null> = [];
    await listen((request) => {
      seen.push(request.headers.get("x-memoir-event"));
      return new Promise<Response>(() => {});
    });
    await runHook(payload("Stop"), { home });
    const [event] = await spooled(home);
    expect(seen).toEqual([event?.id as string]);
  });

  test("a longer deadline that a plugin declared replaces the hook's own", async () => {
    await writeFile(join(home, "hook.json"), JSON.stringify({ PostToolUse: 15_000 }));
    await listen(async () => {
      await Bun.sleep(1_300);
      return Response.json({ systemMessage: "late" }, { headers: ours });
    });
    expect(await runHook(toolUse(), { home })).toMatchObject({
      code: 0,
      out: '{"systemMessage":"late"}\n',
    });
  });
});

/** Starts a hook in a home of its own and has `write` bring its stdin; gives what became of the event. */
async function afterDeadline(
  write: (stdin: Bun.FileSink, hook: Bun.Subprocess) => unknown,
): Promise<{ run: HookRun; kept: number; notes: string[] }> {
  const home = await temporaryHome();
  await pretendStarting(home);
  const hook = Bun.spawn([...(await memoirCommand()), "hook", "claude-code"], {
    ...{ stdin: "pipe", stdout: "pipe", stderr: "pipe" },
    env: { PATH: process.env.PATH ?? "", HOME: "/nonexistent", MEMOIR_HOME: home },
  });
  await write(hook.stdin, hook);
  const run = await outcomeOf(hook);
  const kept = (await spooled(home)).length;
  const notes = await noted(home);
  await rm(home, { recursive: true, force: true });
  return { run, kept, notes };
}

test("once stdin had its time, what it gave is kept where it is whole", async () => {
  const written = (text: string) => async (stdin: Bun.FileSink) => {
    stdin.write(text);
    await stdin.flush();
  };
  const [whole, half, none, stopped] = await Promise.all([
    afterDeadline(written(toolUse())),
    afterDeadline(written(toolUse().slice(0, -1))),
    afterDeadline(() => {}),
    // A machine without time: the event and the hook's own deadline are there at once.
    afterDeadline(async (stdin, hook) => {
      await Bun.sleep(3_000);
      hook.kill("SIGSTOP");
      stdin.write(toolUse());
      await stdin.end();
      await Bun.sleep(5_000);
      hook.kill("SIGCONT");
    }),
  ]);
  expect([whole.run, half.run, none.run, stopped.run]).toEqual([silent, silent, silent, silent]);
  expect([whole.kept, half.kept, none.kept, stopped.kept]).toEqual([1, 0, 0, 1]);
  const givenUp = ["stdin was never closed"];
  expect([half.notes, none.notes]).toEqual([givenUp, givenUp]);
});

test("an event whose client is late to write it is kept", async () => {
  await pretendStarting(home);
  const late = new ReadableStream({
    async start(controller) {
      await Bun.sleep(3_000);
      controller.enqueue(new TextEncoder().encode(toolUse()));
      controller.close();
    },
  });
  expect(await runHook(late, { home })).toEqual(silent);
  expect(await spooled(home)).toHaveLength(1);
});

describe("with no server", () => {
  beforeEach(() => pretendStarting(home));

  test("an event is spooled at once, secrets taken out", async () => {
    const secret = `sk-ant-${"api03"}-${"Ab1".repeat(30)}`;
    const input = toolUse({ tool_input: { command: `export ANTHROPIC_API_KEY=${secret}` } });
    expect(await runHook(input, { home })).toEqual(silent);
    const [event] = await spooled(home);
    expect(event).toMatchObject({ name: "PostToolUse", toolName: "Bash", toolUseId: "toolu_1" });
    expect(JSON.stringify(event)).not.toContain(secret);
  });

  test("a stale socket is no server", async () => {
    await writeFile(join(home, "memoir.sock"), "");
    expect(await runHook(toolUse(), { home })).toEqual(silent);
    expect(await spooled(home)).toHaveLength(1);
  });

  for (const event of ["SessionStart", "UserPromptSubmit"]) {
    test(`${event} waits for the server that is being started`, async () => {
      await patient();
      const { runtime, server } = app({ reply: { context: "known" } });
      const running = runHook(payload(event, { prompt: "hi" }), { home });
      // Once the hook has made its folders it has met no server.
      while (
        !(await Bun.file(join(home, "logs"))
          .stat()
          .catch(() => undefined))
      )
        await Bun.sleep(5);
      await listen(server.fetch);
      expect((await running).out).toContain("known");
      expect(runtime.handled).toHaveLength(1);
      expect(await spooled(home)).toEqual([]);
    });
  }

  test("SessionStart is spooled when no server comes", async () => {
    expect(await runHook(payload("SessionStart"), { home })).toEqual(silent);
    expect(await spooled(home)).toMatchObject([{ name: "SessionStart" }]);
  });

  const junk: Array<[string, string, string]> = [
    ["junk", "not json", "claude-code"],
    ["missing fields", "{}", "claude-code"],
    ["an unknown client", toolUse(), "emacs"],
  ];
  for (const [what, input, client] of junk) {
    test(`${what} is noted and not spooled`, async () => {
      expect(await runHook(input, { home, client })).toEqual(silent);
      expect(await spooled(home)).toEqual([]);
      expect(await noted(home)).toHaveLength(1);
    });
  }

  test("a home that cannot be is silent", async () => {
    await writeFile(join(home, "file"), "");
    for (const event of [toolUse(), payload("SessionStart"), "junk"]) {
      expect(await runHook(event, { home: join(home, "file/home") })).toEqual(silent);
    }
  });

  test("no home folder at all is silent", async () => {
    // Bun itself, without a home, puts its cache where it runs.
    expect(await runHook(toolUse(), { home: "", env: { HOME: "" }, cwd: home })).toEqual(silent);
  });
});

test("a client that only a plugin may know is waited for, and said to be lost where no server comes", async () => {
  await pretendStarting(home);
  const { code, out, err } = await runHook('{"step":"done"}', { home, client: "diary" });
  expect([code, out, err]).toEqual([0, "", ""]);
  expect(await spooled(home)).toEqual([]);
  expect((await noted(home)).join("\n")).toContain("only a plugin");
});

describe("a fault of the hook's own", () => {
  /** Runs the hook with what `preload` does to its runtime. */
  async function broken(preload: string): Promise<HookRun> {
    const file = join(home, "preload.ts");
    await writeFile(file, preload);
    return runHook(toolUse(), { home, runtime: ["--preload", file] });
  }

  test("before it posts is noted, and the event is in the spool", async () => {
    await pretendStarting(home);
    const run = await broken('Bun.randomUUIDv7 = () => { throw new Error("no ids today"); };');
    expect(run).toEqual(silent);
    expect(await noted(home)).toEqual([
      expect.stringMatching(/^the hook itself failed: no ids today \(at .+\)$/),
    ]);
    expect(await spooled(home)).toMatchObject([{ name: "PostToolUse", session: "s-1" }]);
  });

  test("behind the server's answer is noted, and the event is not kept twice", async () => {
    const { runtime, server } = app({ reply: { systemMessage: "hello" } });
    await patient();
    await listen(server.fetch);
    const run = await broken('console.log = () => { throw new Error("no way out"); };');
    expect(run).toEqual(silent);
    expect(await noted(home)).toEqual([expect.stringContaining("itself failed: no way out")]);
    expect(await spooled(home)).toEqual([]);
    expect(runtime.handled).toHaveLength(1);
  });

  test("that keeps it from beginning is noted", async () => {
    const run = await broken(
      'globalThis.AbortController = class { constructor() { throw new Error("no signals"); } };',
    );
    expect(run).toEqual(silent);
    expect(await noted(home)).toEqual([expect.stringMatching(/no signals .*its event is lost$/)]);
  });
});
