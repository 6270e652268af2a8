// One life of a plugin's thread, with the thread's end played by the test: what is posted, what comes of what it says.
import { expect, test } from "bun:test";
import type { Thread } from "../../../src/host/spawn-worker.ts";
import { createPluginWorker } from "../../../src/runtime/isolation/isolated-plugin.ts";
import type { Ask, Said, ToWorker } from "../../../src/runtime/isolation/messages.ts";
import type { CallContext } from "../../../src/runtime/isolation/thread.ts";
import type { PluginContext } from "../../../src/sdk/context.ts";
import { memoryLog } from "../../support/hooks.ts";

/** A life of the plugin `notes` over a thread that the test plays; the host's clock is `aheadMs` ahead. */
function life({ aheadMs = 0, refuses = (_: ToWorker): boolean => false } = {}) {
  const posted: ToWorker[] = [];
  let terminated = 0;
  const thread: Thread = {
    post(message) {
      if (refuses(message as ToWorker)) throw new TypeError("it cannot be cloned");
      posted.push(message as ToWorker);
    },
    terminate: () => void terminated++,
    onMessage: () => undefined,
    onError: () => undefined,
    onClose: () => undefined,
  };
  const log = memoryLog();
  const asked: unknown[] = [];
  const context = {
    ...{ plugin: "notes", config: {}, home: "/home/ada/.memoir", log },
    now: () => Date.now() + aheadMs,
    storage: {
      get: async (query: unknown) => {
        asked.push(query);
        return ["kept"];
      },
      search: async () => Promise.reject(new RangeError("no index")),
    },
  } as unknown as PluginContext;
  const worker = createPluginWorker({
    plugin: "notes",
    source: "/plugins/notes.ts",
    options: { n: 1 },
    maxBytes: 1_000_000_000,
    spawn: () => thread,
  });
  const started = worker.begin(context)();
  started.catch(() => undefined);
  const setup = posted[0] as Extract<ToWorker, { type: "setup" }>;
  const say = (said: Said, token = setup.token) => thread.onMessage({ token, said });
  const asks = () => posted.filter((one) => one.type === "ask");
  const last = (what: string): Ask => {
    const found = asks().findLast((ask) => ask.what === what);
    if (!found) throw new Error(`${what} was not asked`);
    return found;
  };
  const answer = (id: number, value?: unknown) => say({ type: "answer", id, value });
  const fails = (id: number, message: string, name = "Error") =>
    say({ type: "answer", id, error: { name, message } });
  /** A call of the started plugin, with what takes it back. */
  const call = (hook: "Stop" | "PostToolUse", more: Partial<CallContext> = {}) => {
    const controller = new AbortController();
    const answered = worker.call(hook, {}, { signal: controller.signal, ...more });
    answered.catch(() => undefined);
    return { answered, late: () => controller.abort() };
  };
  return {
    ...{ worker, started, thread, log, posted, asked, asks, last, say, answer, fails, call, setup },
    terminated: () => terminated,
    errors: () =>
      log.lines
        .filter(({ level }) => level === "error")
        .map(({ message, fields }) => [message, fields]),
  };
}
/** A life whose plugin has started. */
async function startedLife(how: Parameters<typeof life>[0] = {}) {
  const one = life(how);
  one.answer(1);
  await one.started;
  return one;
}
const settled = () => Bun.sleep(0);

test("a thread is told its module, home and clock, then to start with its options", async () => {
  const { worker, started, posted, answer, setup } = life();
  expect(setup).toEqual({
    ...{ type: "setup", token: setup.token, source: "/plugins/notes.ts" },
    ...{ home: "/home/ada/.memoir", clockMs: 0 },
  });
  expect(setup.token.length).toBeGreaterThan(30);
  const start = { type: "ask", id: 1, what: "start", input: [{ n: 1 }], during: 0 };
  expect(posted.slice(1)).toEqual([start] as never);
  answer(1);
  await started;
  worker.end();
});

test.each([
  [0, 0],
  [-900, 0],
  [900, 0],
  [3_600_000, 3_600_000],
  [-3_600_000, -3_600_000],
])("a host's clock that is %p ms ahead is told as about %p ms", (aheadMs, told) => {
  const { worker, setup } = life({ aheadMs });
  expect(Math.abs(setup.clockMs - told)).toBeLessThan(told === 0 ? 1 : 500);
  worker.end();
});

test("an answer settles its own call, and a failure comes with the plugin's error", async () => {
  const { worker, call, answer, fails, asks } = await startedLife();
  const [first, second] = [call("Stop"), call("PostToolUse")];
  await settled();
  expect(asks().slice(1)).toMatchObject([
    { id: 2, what: "Stop", input: [{}, false] },
    { id: 3, what: "PostToolUse", input: [{}, false] },
  ]);
  fails(3, "too far", "RangeError");
  answer(2, "first");
  answer(9, "of nobody");
  expect(await first.answered).toBe("first");
  await expect(second.answered).rejects.toThrow("too far");
  worker.end();
});

test("a call that cannot be sent fails alone", async () => {
  const { worker, call, terminated } = await startedLife({
    refuses: (message) => message.type === "ask" && message.what === "Stop",
  });
  await expect(call("Stop").answered).rejects.toThrow("it cannot be cloned");
  expect(terminated()).toBe(0);
  worker.end();
});

test("a start that fails is the end of the life", async () => {
  const { started, fails, terminated } = life();
  fails(1, "no key");
  await expect(started).rejects.toThrow("no key");
  await settled();
  expect(terminated()).toBe(1);
});

test("who is waiting when a life ends hears that it was stopped, and of which plugin and hook", async () => {
  const { worker, call, terminated, errors } = await startedLife();
  const { answered } = call("PostToolUse");
  await settled();
  worker.end();
  await expect(answered).rejects.toMatchObject({
    ...{ code: "plugin_failed", plugin: "notes", hook: "PostToolUse" },
    message: "plugin notes failed in PostToolUse: it has been stopped",
  });
  await expect(call("Stop").answered).rejects.toThrow("plugin notes has been stopped");
  expect([terminated(), errors()]).toEqual([1, []]);
});

test.each<[string, (of: ReturnType<typeof life>) => void, string, { place?: string }]>([
  [
    "exits",
    ({ say }) => say({ type: "exit", code: 3, place: "/plugins/notes.ts:7:2" }),
    "it ended its worker with exit(3)",
    { place: "/plugins/notes.ts:7:2" },
  ],
  ["is gone", ({ thread }) => thread.onClose(0), "its worker ended by itself", {}],
  [
    "breaks",
    ({ thread }) => thread.onError("1 | throw x\n   TypeError: x is no function\n at y"),
    "its worker broke: TypeError: x is no function",
    {},
  ],
  [
    "breaks without saying what the error is",
    ({ thread }) => thread.onError("  out of room\nmore"),
    "its worker broke: out of room",
    {},
  ],
])("a thread that %s ends all its calls, once, and the log says why", async (_, end, why, more) => {
  const one = await startedLife();
  const waiting = [one.call("Stop"), one.call("Stop"), one.call("PostToolUse")];
  await settled();
  end(one);
  one.thread.onClose(1);
  const at = more.place ? `${why} (${more.place})` : why;
  for (const [n, { answered }] of waiting.entries())
    await expect(answered).rejects.toMatchObject({
      code: "plugin_ended",
      message: `plugin notes failed in ${n < 2 ? "Stop" : "PostToolUse"}: ${at}`,
      cause: expect.objectContaining({ message: at }),
    });
  expect(one.terminated()).toBe(1);
  expect(one.errors()).toEqual([
    ["a plugin's worker ended", { plugin: "notes", why, during: "Stop, PostToolUse", ...more }],
  ]);
});

test("sixteen messages of its own end a plugin's thread, fewer do not; none of them is believed", async () => {
  const { call, say, thread, errors, terminated } = await startedLife();
  const { answered } = call("Stop");
  await settled();
  for (let n = 0; n < 5; n++) {
    say({ type: "answer", id: 2, value: "forged" }, "guessed");
    thread.onMessage(null);
    thread.onMessage({ token: "guessed" });
  }
  expect(terminated()).toBe(0);
  thread.onMessage("one more");
  await expect(answered).rejects.toMatchObject({ code: "plugin_ended" });
  const why = "it flooded the server with messages of its own";
  expect(errors()).toEqual([["a plugin's worker ended", { plugin: "notes", why, during: "Stop" }]]);
  say({ type: "log", level: "warn", message: "after the end" });
  expect(errors()).toHaveLength(1);
});

test("a plugin's lines come into the log, a thousand a second at most", () => {
  const { worker, say, log } = life();
  say({ type: "log", level: "warn", message: "careful", fields: { at: 1 } });
  expect(log.lines).toEqual([{ level: "warn", message: "careful", fields: { at: 1 } }]);
  const begun = performance.now();
  for (let n = 0; n < 5_000; n++) say({ type: "log", level: "info", message: "again" });
  const allowed = 1_000 + (performance.now() - begun);
  expect(log.lines.length).toBeWithin(1_000, Math.ceil(allowed) + 2);
  worker.end();
});

test("an error that nobody caught is logged with its place and how many came before, and counted", () => {
  const { worker, say, errors } = life();
  expect(worker.stray()).toBeUndefined();
  say({ type: "stray", error: { name: "Error", message: "lost" }, before: 0 });
  const place = "/plugins/notes.ts:2:1";
  say({ type: "stray", error: { name: "Error", message: "late", place }, before: 4 });
  expect(errors()).toEqual([
    ["an error that nobody caught", { plugin: "notes", error: "lost" }],
    ["an error that nobody caught", { plugin: "notes", error: "late", place, leftOut: 4 }],
  ]);
  expect(worker.stray()).toEqual({
    ...{ count: 6, error: `late (${place})`, at: expect.any(Number) },
  });
  worker.end();
});

test("what a plugin asks is answered under its number, an error as one, an answer that cannot be sent too", async () => {
  const { worker, say, posted, asked } = life({
    refuses: (message) => message.type === "answer" && message.id === 3 && "value" in message,
  });
  const ask = (id: number, what: string, ...input: unknown[]) =>
    say({ type: "ask", id, what, input, during: 0 });
  ask(1, "storage.get", { ids: ["1"] });
  ask(2, "storage.search", {});
  ask(3, "storage.get", { ids: ["3"] });
  const notOffered = [
    "next",
    "log.info",
    "storage.drop",
    "storage.toString",
    "plugin",
    "storage",
    "",
  ];
  for (const [n, what] of notOffered.entries()) ask(4 + n, what);
  const count = 3 + notOffered.length;
  while (posted.filter(({ type }) => type === "answer").length < count) await settled();
  const answers = posted.filter((one) => one.type === "answer").sort((a, b) => a.id - b.id);
  expect(answers.map(({ value, error }) => value ?? error?.message)).toEqual([
    ["kept"],
    "no index",
    "it cannot be cloned",
    ...notOffered.map((what) => `there is no ${what} to be asked here`),
  ]);
  expect(asked).toEqual([{ ids: ["1"] }, { ids: ["3"] }]);
  worker.end();
});

test("a thread that is over asks nothing any more", async () => {
  const { worker, say, asked } = life();
  worker.end();
  say({ type: "ask", id: 1, during: 0, what: "storage.get", input: [{}] });
  await settled();
  expect(asked).toEqual([]);
});

test("the rest of a hook is asked of the call that it belongs to, where that has one", async () => {
  const { worker, call, say, posted } = await startedLife();
  call("Stop", { next: async (input: unknown) => ["rest of", input] });
  call("Stop");
  await settled();
  for (const during of [2, 3])
    say({ type: "ask", id: during, during, what: "next", input: ["it"] });
  while (posted.filter(({ type }) => type === "answer").length < 2) await settled();
  const answers = posted.filter((one) => one.type === "answer").sort((a, b) => a.id - b.id);
  expect(answers).toMatchObject([
    { id: 2, value: ["rest of", "it"] },
    { id: 3, error: { message: "there is no next to be asked here" } },
  ]);
  worker.end();
});

test("a late call is taken back; the thread goes on when it answers a ping", async () => {
  const { worker, call, answer, last, posted, terminated } = await startedLife();
  const { answered, late } = call("Stop");
  await settled();
  late();
  await expect(answered).rejects.toThrow("the deadline has passed");
  expect(posted).toContainEqual({ type: "abort", id: 2 });
  answer(last("ping").id, 77);
  await Bun.sleep(450);
  expect(terminated()).toBe(0);
  worker.end();
});

test("a thread that answers no ping is ended, and the late call is named", async () => {
  const { call, errors, terminated } = await startedLife();
  const other = call("PostToolUse");
  const { late } = call("Stop");
  await settled();
  late();
  await expect(other.answered).rejects.toMatchObject({ code: "plugin_ended" });
  expect(terminated()).toBe(1);
  const why = "its worker was stuck, in an endless loop or in waiting";
  const during = "Stop, PostToolUse";
  expect(errors()).toEqual([["a plugin's worker ended", { plugin: "notes", why, during }]]);
});
