// The runtime as a whole, with plugins of the test's own: what happens to an event, and what a reload does to those under way.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtemp, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import type { LoadPlugin } from "../../src/runtime/builtins.ts";
import type { Journal } from "../../src/runtime/journal/journal-types.ts";
import { defaultSlots } from "../../src/runtime/plugins/selection.ts";
import { createRuntime, type Runtime, type RuntimeOptions } from "../../src/runtime/runtime.ts";
import type { DrainRequest, Worker, WorkerDeps } from "../../src/runtime/worker/worker-types.ts";
import type { ClientEvent } from "../../src/sdk/events.ts";
import { type AnyPlugin, type Slot, slotNames } from "../../src/sdk/plugin.ts";
import type { Settled } from "../../src/sdk/work.ts";
import { fakePlugin, memoryLog, promptEvent, slotHooks, toolEvent } from "../support/hooks.ts";

let home: string;
let open: Runtime[] = [];
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "memoir-runtime-"));
});
afterEach(async () => {
  for (const runtime of open) await runtime.stop();
  open = [];
  await rm(home, { recursive: true, force: true });
});

/** A runtime whose journal and worker only take notes; plugins are stand-ins for the built-in ones. */
async function start(
  special: Record<string, Partial<AnyPlugin>> = {},
  more: Partial<RuntimeOptions> = {},
) {
  const events: ClientEvent[] = [];
  const notes: string[] = [];
  const drains: DrainRequest[] = [];
  const journal = {
    append: async (event: ClientEvent) => {
      notes.push(`append ${event.name}`);
      const fresh = !events.some(({ key }) => key === event.key);
      if (fresh) events.push(event);
      return { seq: events.length, promptNumber: 0, fresh };
    },
    inject: () => {},
    count: (name: string) => notes.push(`count ${name}`),
    status: () => ({ pendingEvents: 0 }),
    close: async () => {
      notes.push("close journal");
    },
  } as unknown as Journal;
  const worker = {
    start: () => notes.push("start worker"),
    wake: (session: string) => notes.push(`wake ${session}`),
    drain: async (request: DrainRequest) => {
      drains.push(request);
      return true;
    },
    settled: ({ toolUseId }: Settled) => notes.push(`settled ${toolUseId}`),
    stop: async () => {
      notes.push("stop worker");
    },
  } as unknown as Worker;
  const standIns = slotNames.flatMap((slot) =>
    defaultSlots[slot].map((name): [string, Slot] => [name, slot]),
  );
  const extra = Object.keys(special).filter((name) => !standIns.some(([known]) => known === name));
  const builtins: Record<string, LoadPlugin> = Object.fromEntries([
    ...standIns.map(([name, slot]) => [
      name,
      async () => ({
        default: fakePlugin(name, {
          slot,
          ...special[name],
          hooks: { ...slotHooks(slot), ...special[name]?.hooks },
        }),
      }),
    ]),
    ...extra.map((name) => [
      name,
      async () => ({ default: fakePlugin(name, { hooks: {}, ...special[name] }) }),
    ]),
  ]);
  const log = memoryLog();
  const runtime = await createRuntime({
    home,
    log,
    builtins,
    now: () => 2_000,
    env: { HOME: `${home}/user` },
    createJournal: async () => journal,
    createWorker: () => worker,
    ...more,
  });
  open.push(runtime);
  return { runtime, events, notes, drains, log };
}
const config = (set: unknown) =>
  writeFile(join(home, "config.json"), typeof set === "string" ? set : JSON.stringify(set));
const project = { id: "github.com/acme/shop", name: "shop", root: "/shop" };
const sessionStart = {
  ...promptEvent(),
  key: "s",
  name: "SessionStart" as const,
  source: "startup",
  project,
};

describe("an event", () => {
  test("is captured, committed, worked on and answered, in this order", async () => {
    const order: string[] = [];
    const { runtime, events, notes } = await start({
      "capture-privacy": {
        hooks: {
          capture: (event) => {
            order.push("capture");
            return { ...event, project };
          },
        },
      },
      "context-relevant": {
        hooks: {
          UserPromptSubmit: () => {
            order.push("reply");
            return { context: "known" };
          },
        },
      },
    });
    expect(await runtime.handle(promptEvent())).toEqual({
      reply: { context: "known" },
      accepted: "committed",
    });
    expect(order).toEqual(["capture", "reply"]);
    expect(notes).toEqual(["start worker", "append UserPromptSubmit", "wake s1"]);
    expect(events).toEqual([{ ...promptEvent(), project }]);
  });

  test("that is known is answered again and makes no work", async () => {
    const { runtime, notes } = await start({
      "context-relevant": { hooks: { UserPromptSubmit: () => ({ context: "known" }) } },
    });
    await runtime.handle(promptEvent());
    expect(await runtime.handle(promptEvent())).toEqual({
      reply: { context: "known" },
      accepted: "duplicate",
    });
    // By a second registration of the hooks: the same context twice in one request would be no help.
    const { reply, accepted } = await runtime.handle(promptEvent({ id: "e2" }));
    expect([reply.context, accepted]).toEqual([undefined, "duplicate"]);
    expect(reply.systemMessage).toContain("run twice");
    expect(notes.filter((note) => note.startsWith("wake"))).toHaveLength(1);
  });

  test("that is dropped is counted, and its tool use settled", async () => {
    const settled: Settled[] = [];
    const { runtime, notes, events } = await start({
      "capture-skip-tools": { hooks: { capture: () => ({ drop: "skip list: Bash" }) } },
      sqlite: {
        hooks: {
          settled: (one) => {
            settled.push(one);
          },
        },
      },
    });
    expect(await runtime.handle(toolEvent())).toEqual({
      reply: {},
      accepted: "dropped",
      reason: "skip list: Bash",
    });
    expect(notes).toEqual([
      "start worker",
      "count drop:skip list: Bash",
      "count settled:skipped",
      "settled t1",
    ]);
    expect(events).toEqual([]);
    expect(settled).toEqual([
      {
        session: "s1",
        toolUseId: "t1",
        outcome: "skipped",
        reason: "skip list: Bash",
        observations: [],
      },
    ]);
    await runtime.handle(promptEvent());
    expect(settled).toHaveLength(1);
    const before = notes.length;
    expect(await runtime.handle(toolEvent())).toMatchObject({ accepted: "dropped" });
    expect(settled).toHaveLength(1);
    expect(notes).toHaveLength(before);
  });

  test("whose commit fails is refused, and the next one is taken", async () => {
    let full = true;
    const journal = {
      append: async () => {
        if (full) throw new Error("disk full");
        return { seq: 1, promptNumber: 0, fresh: true };
      },
      close: async () => {},
      count() {},
    } as unknown as Journal;
    const { runtime } = await start({}, { createJournal: async () => journal });
    expect(runtime.handle(promptEvent())).rejects.toThrow("disk full");
    full = false;
    expect(await runtime.handle(promptEvent())).toMatchObject({ accepted: "committed" });
  });

  test("can be answered without being kept", async () => {
    const { runtime, notes } = await start({
      "capture-project": { hooks: { capture: (event) => ({ ...event, project }) } },
      "context-handover": {
        hooks: { SessionStart: (event) => ({ context: event.project?.name ?? "none" }) },
      },
    });
    expect(await runtime.reply({ ...sessionStart })).toEqual({ context: "shop" });
    expect(notes).toEqual(["start worker"]);
  });

  test("starting a session waits for that project's work, unless it comes late from the spool", async () => {
    const { runtime, drains } = await start();
    await runtime.handle({ ...sessionStart, time: 1_000 });
    expect(drains).toEqual([{ project: project.id, timeoutMs: 700 }]);
    await runtime.handle({ ...sessionStart, key: "old", time: -60_000 });
    await runtime.handle(promptEvent());
    expect(drains).toHaveLength(1);
  });
});

describe("text is withheld", () => {
  const fail = () => {
    throw new Error("no");
  };
  const wrongIdentity = (event: ClientEvent) => ({ ...event, session: "other" });
  test.each<[string, Record<string, Partial<AnyPlugin>>, unknown, boolean]>([
    [
      "when a capture plugin throws",
      { "capture-privacy": { hooks: { capture: fail } } },
      {},
      false,
    ],
    [
      "when a capture plugin answers another event",
      { "capture-privacy": { hooks: { capture: wrongIdentity } } },
      {},
      false,
    ],
    ["when a capture plugin did not start", { "capture-privacy": { start: fail } }, {}, true],
    [
      "when a capture plugin's options are wrong",
      {},
      { plugins: { "capture-privacy": { patern: "x" } } },
      true,
    ],
    ["when a capture plugin is not found", {}, { slots: { capture: ["./gone.ts", "..."] } }, true],
    ["when what to capture cannot be read", {}, { slots: { capture: [1] } }, true],
  ])("%s", async (_, special, set, shown) => {
    await config(set);
    const { runtime, events, notes } = await start(special);
    expect(
      await runtime.handle(promptEvent({ prompt: "secret", extra: { more: "secret" } })),
    ).toMatchObject({ accepted: "committed" });
    expect(events).toMatchObject([{ withheld: true, session: "s1" }]);
    expect(JSON.stringify(events)).not.toContain("secret");
    expect(notes).toContain("count withheld");
    expect((await runtime.status()).textWithheld).toBe(shown);
  });

  test("and not when all is well", async () => {
    const { runtime, events } = await start();
    await runtime.handle(promptEvent());
    expect(events).toEqual([promptEvent()]);
  });
});

test("the worker is given config's numbers in the units that it counts in", async () => {
  await config({
    worker: {
      ...{ concurrency: 3, maxToolUses: 7, maxBytes: 1_000_000, quietMinutes: 2, idleMinutes: 5 },
      retrySeconds: [1, 30],
    },
    journal: { keepDays: 2 },
  });
  let given: WorkerDeps["options"];
  await start(
    {},
    {
      createWorker: (deps: WorkerDeps) => {
        given = deps.options;
        return { start() {}, async stop() {} } as unknown as Worker;
      },
    },
  );
  expect(given).toEqual({
    ...{ concurrency: 3, maxToolUses: 7, maxBytes: 1_000_000, quietMs: 120_000, idleMs: 300_000 },
    ...{ retryDelaysMs: [1_000, 30_000], keepMs: 2 * 24 * 3_600_000 },
  });
});

describe("reload", () => {
  const options = v.looseObject({ word: v.optional(v.string(), "none") });
  const say = {
    config: options,
    hooks: { UserPromptSubmit: (_event, ctx) => ({ context: ctx.config.word }) },
  } satisfies Partial<AnyPlugin>;
  const word = (text: string) => config({ plugins: { "context-relevant": { word: text } } });

  test("puts a new config in force, for the runtime's stable hooks too", async () => {
    await word("one");
    const { runtime } = await start({ "context-relevant": say });
    const { hooks } = runtime;
    expect((await runtime.handle(promptEvent())).reply).toEqual({ context: "one" });
    await word("two");
    await runtime.reload();
    expect((await runtime.handle(promptEvent())).reply).toEqual({ context: "two" });
    expect(await hooks.sequence("UserPromptSubmit", promptEvent())).toMatchObject([
      { result: { context: "two" } },
    ]);
  });

  test("watches the file of a plugin that a reload brings", async () => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "memoir-elsewhere-")));
    const file = join(folder, "late.ts");
    const write = (version: number) =>
      writeFile(
        file,
        `export default { name: "late", description: "d", sdk: 1, hooks: { Stop: () => ({ systemMessage: "v${version}" }) } };`,
      );
    try {
      await write(1);
      const { runtime } = await start();
      const heard = Promise.withResolvers<void>();
      // No look comes by itself: what is heard, the system noticed in a place that is watched.
      const times = { quietMs: 5, lookMs: 3_600_000 };
      const watch = await runtime.watchPlugins(async () => heard.resolve(), times);
      await config({ listeners: [file] });
      await runtime.reload();
      await write(2);
      await heard.promise;
      await watch.stop();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  test("an event under way finishes on the plugins it began with; they stop afterwards", async () => {
    const life: string[] = [];
    let arrived: () => void = () => {};
    let go: () => void = () => {};
    const inside = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    let stopped: () => void = () => {};
    const over = new Promise<void>((resolve) => {
      stopped = resolve;
    });
    await word("one");
    const { runtime } = await start({
      "capture-privacy": {
        hooks: {
          capture: async () => {
            arrived();
            await gate;
          },
        },
      },
      "context-relevant": {
        ...say,
        hooks: {
          UserPromptSubmit: (_event, ctx) => {
            life.push(`reply ${ctx.config.word}`);
            return { context: ctx.config.word };
          },
        },
        start: (ctx) => {
          life.push(`start ${ctx.config.word}`);
          return ctx.config.word;
        },
        stop: (state) => {
          life.push(`stop ${state}`);
          stopped();
        },
      },
    });
    const under = runtime.handle(promptEvent());
    await inside;
    await word("two");
    await runtime.reload();
    expect(life).toEqual(["start one", "start two"]);
    go();
    expect((await under).reply).toEqual({ context: "one" });
    await over;
    expect(life).toEqual(["start one", "start two", "reply one", "stop one"]);
    await runtime.stop();
    expect(life.slice(4)).toEqual(["stop two"]);
  });

  test("leaves plugins alone whose options did not change", async () => {
    const life: string[] = [];
    let stopped: () => void = () => {};
    const over = new Promise<void>((resolve) => {
      stopped = resolve;
    });
    await word("one");
    const { runtime } = await start({
      "context-relevant": { ...say, stop: () => stopped() },
      none: { start: () => void life.push("start"), stop: () => void life.push("stop") },
    });
    await word("two");
    await runtime.reload();
    await over;
    expect(life).toEqual(["start"]);
    await runtime.stop();
    expect(life).toEqual(["start", "stop"]);
  });

  test("two at once wait for one another; whatever was started is stopped", async () => {
    const life: string[] = [];
    let open: () => void = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    await word("one");
    const { runtime } = await start({
      "context-relevant": {
        ...say,
        start: async (ctx) => {
          life.push(`start ${ctx.config.word}`);
          if (ctx.config.word === "two") await gate;
        },
        stop: (_state, ctx) => void life.push(`stop ${ctx.config.word}`),
      },
    });
    await word("two");
    const both = Promise.all([runtime.reload(), runtime.reload()]);
    // Long enough for the second to read the config, if it did not wait.
    for (let n = 0; n < 5; n++) await readFile(join(home, "config.json"));
    open();
    await both;
    await runtime.stop();
    expect(life).toEqual(["start one", "start two", "stop one", "stop two"]);
  });

  test("under traffic loses nothing and answers everything", async () => {
    await word("w0");
    const { runtime, events } = await start({ "context-relevant": say });
    const answers: Array<string | undefined> = [];
    const traffic = (async () => {
      for (let n = 0; n < 300; n++) {
        const { reply } = await runtime.handle(promptEvent({ key: `k${n}` }));
        answers.push(reply.context);
        if (n % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    for (let n = 1; n <= 5; n++) {
      await word(`w${n}`);
      await Promise.all([runtime.reload(), runtime.reload()]);
    }
    await traffic;
    expect(events).toHaveLength(300);
    expect(answers.every((answer) => /^w\d$/.test(answer ?? ""))).toBe(true);
    expect((await runtime.handle(promptEvent())).reply.context).toBe("w5");
  });

  test("a file that is no JSON changes nothing, is shown and said; a restart goes on with the last one that could be read", async () => {
    await word("one");
    const { runtime } = await start({ "context-relevant": say });
    await config('{ "plugins": ');
    await runtime.reload();
    expect((await runtime.handle(promptEvent())).reply).toEqual({ context: "one" });
    const { config: shown } = await runtime.status();
    expect(shown).toMatchObject({ broken: true, path: join(home, "config.json") });
    expect(shown.problems.map(({ text }) => text)).toEqual([
      "line 1, column 14: the file ends where a value is wanted",
    ]);

    const { runtime: fresh } = await start({ "context-relevant": say });
    expect((await fresh.handle(promptEvent())).reply).toEqual({ context: "one" });
    const { reply } = await fresh.handle({ ...sessionStart, time: Date.now() });
    expect(reply.systemMessage).toContain("line 1, column 14");
    expect(reply.systemMessage).toContain("The settings of before stay in force");
    await word("three");
    await fresh.reload();
    expect((await fresh.status()).config).toMatchObject({ broken: false, problems: [] });
  });
});

test("status asks everybody and survives who cannot answer", async () => {
  await config({
    plugins: { gone: { x: 1 }, none: { enabled: false } },
    listeners: ["./nowhere.ts"],
  });
  const journal = {
    status: () => {
      throw new Error("locked");
    },
    close: async () => {},
  } as unknown as Journal;
  const { runtime } = await start(
    {
      sqlite: {
        hooks: {
          "storage.stats": () => {
            throw new Error("no disk");
          },
        },
      },
      spare: { slot: "provider" },
    },
    { createJournal: async () => journal },
  );
  const status = await runtime.status();
  expect(status).toMatchObject({
    home,
    uptimeMs: 0,
    textWithheld: false,
    journal: { error: "locked" },
    storage: { error: "plugin sqlite failed in storage.stats: no disk" },
  });
  const states = Object.fromEntries(status.plugins.map(({ name, state }) => [name, state]));
  expect(states).toMatchObject({
    sqlite: "running",
    none: "disabled",
    spare: "disabled",
    "./nowhere.ts": "failed",
  });
  expect(status.config.problems.map(({ path }) => path)).toEqual(["plugins.gone"]);
});

test("stop ends worker, plugins and journal in this order, once", async () => {
  const { runtime, notes } = await start({
    off: {
      stop: () => {
        notes.push("stop plugin");
      },
    },
  });
  await Promise.all([runtime.stop(), runtime.stop()]);
  expect(notes).toEqual(["start worker", "stop worker", "stop plugin", "close journal"]);
});

test("the home is its owner's, and offers the SDK to plugins", async () => {
  await start();
  for (const folder of ["", "logs", "spool", "plugins", "node_modules"])
    expect((await stat(join(home, folder))).mode & 0o777).toBe(0o700);
  expect(await readFile(join(home, "node_modules/memoir/sdk.js"), "utf8")).toContain(
    " as definePlugin };",
  );
});
