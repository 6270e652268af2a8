// One life of a plugin's thread, with the thread's end played by the test: what is posted, what comes of what it says.
import { expect, test } from "bun:test";
import type { Thread } from "../../../src/host/spawn-worker.ts";
import { strayOf } from "../../../src/runtime/isolation/stray-notes.ts";
import type { Said, ToWorker } from "../../../src/runtime/isolation/wire.ts";
import { beginLife } from "../../../src/runtime/isolation/worker-life.ts";
import type { PluginContext } from "../../../src/sdk/context.ts";
import { memoryLog } from "../../support/hooks.ts";

/** A life of the plugin `notes` over a thread that the test plays; the host's clock is `aheadMs` ahead. */
function life({ aheadMs = 0, refuses = (_: ToWorker): boolean => false } = {}) {
  const posted: ToWorker[] = [];
  let terminated = 0;
  let ends = 0;
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
  const begun = beginLife(
    {
      ...{ plugin: "notes", source: "/plugins/notes.ts", options: { n: 1 }, context },
      ...{ maxBytes: 1_000_000_000, spawn: () => thread },
    },
    () => void ends++,
  );
  begun.started.catch(() => undefined);
  const setup = posted[0] as Extract<ToWorker, { type: "setup" }>;
  const say = (said: Said, token = setup.token) => thread.onMessage({ token, said });
  const call = (hook: string) =>
    begun.ask(hook, context, (id) => ({
      ...{ type: "call", id, hook: "Stop", input: {}, hasNext: false },
    }));
  return {
    ...{ begun, thread, log, posted, asked, say, call, setup, context },
    counts: () => ({ terminated, ends }),
    errors: () =>
      log.lines
        .filter(({ level }) => level === "error")
        .map(({ message, fields }) => [message, fields]),
  };
}
const settled = () => Bun.sleep(0);
const ended = { terminated: 1, ends: 1 };

test("a thread is told its module, home and clock, then to start with its options", async () => {
  const { begun, posted, say, setup } = life();
  expect(setup).toEqual({
    ...{ type: "setup", token: setup.token, source: "/plugins/notes.ts" },
    ...{ home: "/home/ada/.memoir", clockMs: 0 },
  });
  expect(setup.token.length).toBeGreaterThan(30);
  expect(posted.slice(1)).toEqual([{ type: "start", id: 1, options: { n: 1 } }]);
  expect(begun.isStarted).toBe(false);
  say({ type: "done", id: 1 });
  await begun.started;
  expect(begun.isStarted).toBe(true);
  begun.end();
});

test.each([
  [0, 0],
  [-900, 0],
  [900, 0],
  [3_600_000, 3_600_000],
  [-3_600_000, -3_600_000],
])("a host's clock that is %p ms ahead is told as about %p ms", (aheadMs, told) => {
  const { begun, setup } = life({ aheadMs });
  expect(Math.abs(setup.clockMs - told)).toBeLessThan(told === 0 ? 1 : 500);
  begun.end();
});

test("an answer settles its own call, and a failure comes with the plugin's error", async () => {
  const { begun, call, say } = life();
  const [first, second] = [call("Stop"), call("PostToolUse")];
  say({ type: "failed", id: 3, error: { name: "RangeError", message: "too far" } });
  say({ type: "done", id: 2, value: "first" });
  say({ type: "done", id: 9, value: "of nobody" });
  expect(await first).toBe("first");
  await expect(second).rejects.toThrow("too far");
  begun.end();
});

test("a call that cannot be sent fails alone", async () => {
  const { begun, call, counts } = life({ refuses: ({ type }) => type === "call" });
  await expect(call("Stop")).rejects.toThrow("it cannot be cloned");
  expect(counts()).toEqual({ terminated: 0, ends: 0 });
  begun.end();
});

test("a start that fails is the end of the life", async () => {
  const { begun, say, counts, posted, call } = life();
  say({ type: "failed", id: 1, error: { name: "Error", message: "no key" } });
  await expect(begun.started).rejects.toThrow("no key");
  await settled();
  expect([begun.isStarted, counts()]).toEqual([false, ended]);
  const sent = posted.length;
  void call("Stop");
  await begun.takeBack(1);
  expect(posted).toHaveLength(sent);
});

test("who is waiting when a life ends hears that it was stopped, and of which plugin and hook", async () => {
  const { begun, call, counts, errors } = life();
  const waiting = call("PostToolUse");
  begun.end();
  await expect(waiting).rejects.toMatchObject({
    ...{ code: "plugin_failed", plugin: "notes", hook: "PostToolUse" },
    message: "plugin notes failed in PostToolUse: it has been stopped",
  });
  expect([counts(), errors()]).toEqual([ended, []]);
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
  const one = life();
  one.say({ type: "done", id: 1 });
  await one.begun.started;
  const waiting = [one.call("Stop"), one.call("Stop"), one.call("PostToolUse")];
  for (const call of waiting) call.catch(() => undefined);
  end(one);
  one.thread.onClose(1);
  for (const call of waiting)
    await expect(call).rejects.toMatchObject({
      code: "plugin_ended",
      message: expect.stringContaining(why),
      cause: expect.objectContaining({ message: more.place ? `${why} (${more.place})` : why }),
    });
  expect(one.counts()).toEqual(ended);
  expect(one.errors()).toEqual([
    ["a plugin's worker ended", { plugin: "notes", why, during: "Stop, PostToolUse", ...more }],
  ]);
});

test("sixteen messages of its own end a plugin's thread, fewer do not; none of them is believed", async () => {
  const { begun, call, say, thread, errors, counts } = life();
  const waiting = call("Stop");
  waiting.catch(() => undefined);
  for (let n = 0; n < 5; n++) {
    say({ type: "done", id: 2, value: "forged" }, "guessed");
    thread.onMessage(null);
    thread.onMessage({ token: "guessed" });
  }
  expect(counts().ends).toBe(0);
  thread.onMessage("one more");
  await expect(waiting).rejects.toMatchObject({ code: "plugin_ended" });
  expect(errors()).toEqual([
    [
      "a plugin's worker ended",
      {
        plugin: "notes",
        why: "it flooded the server with messages of its own",
        during: "start, Stop",
      },
    ],
  ]);
  say({ type: "log", level: "warn", message: "after the end" });
  expect(errors()).toHaveLength(1);
  begun.end();
});

test("a plugin's lines come into the log, a thousand a second at most", () => {
  const { begun, say, log } = life();
  say({ type: "log", level: "warn", message: "careful", fields: { at: 1 } });
  expect(log.lines).toEqual([{ level: "warn", message: "careful", fields: { at: 1 } }]);
  for (let n = 0; n < 1_200; n++) say({ type: "log", level: "info", message: "again" });
  expect(log.lines).toHaveLength(1_000);
  begun.end();
});

test("an error that nobody caught is logged with its place and how many came before, and counted", () => {
  const { begun, say, context, errors } = life();
  say({ type: "stray", error: { name: "Error", message: "lost" }, before: 0 });
  const place = "/plugins/notes.ts:2:1";
  say({ type: "stray", error: { name: "Error", message: "late", place }, before: 4 });
  expect(errors()).toEqual([
    ["an error that nobody caught", { plugin: "notes", error: "lost" }],
    ["an error that nobody caught", { plugin: "notes", error: "late", place, leftOut: 4 }],
  ]);
  expect(strayOf(context)).toEqual({
    ...{ count: 6, error: `late (${place})`, at: expect.any(Number) },
  });
  begun.end();
});

test("what a plugin asks is answered under its number, an error as one, an answer that cannot be sent too", async () => {
  const { begun, say, posted, asked } = life({
    refuses: (message) => message.type === "answer" && message.ask === 3 && "value" in message,
  });
  const get = (ask: number): Said => ({
    ...{ type: "ask", ask, call: 0, what: "storage.get", input: [{ ids: [String(ask)] }] },
  });
  say(get(1));
  say({ type: "ask", ask: 2, call: 0, what: "storage.search", input: [{}] });
  say(get(3));
  say({ type: "ask", ask: 4, call: 0, what: "next", input: [] });
  while (posted.filter(({ type }) => type === "answer").length < 4) await settled();
  const answers = posted.filter((one) => one.type === "answer").sort((a, b) => a.ask - b.ask);
  expect(answers.map(({ value, error }) => value ?? error?.message)).toEqual([
    ["kept"],
    "no index",
    "it cannot be cloned",
    "there is no next to be asked here",
  ]);
  expect(asked).toEqual([{ ids: ["1"] }, { ids: ["3"] }]);
  begun.end();
});

test("what was asked by a thread that is over is not asked any more", async () => {
  const { begun, say, asked } = life();
  say({ type: "ask", ask: 1, call: 0, what: "storage.get", input: [{}] });
  begun.end();
  await settled();
  expect(asked).toEqual([]);
});

test("the rest of a hook is asked of the call that it belongs to", async () => {
  const { begun, say, posted } = life();
  const signal = new AbortController().signal;
  const ctx = { signal, next: async (input: unknown) => ["rest of", input] };
  void begun
    .ask("Stop", ctx, (id) => ({ type: "call", id, hook: "Stop", input: {}, hasNext: true }))
    .catch(() => undefined);
  say({ type: "ask", ask: 1, call: 2, what: "next", input: ["it"] });
  while (!posted.some(({ type }) => type === "answer")) await settled();
  expect(posted.at(-1)).toEqual({ type: "answer", ask: 1, value: ["rest of", "it"] });
  begun.end();
});

test("a late call is taken back; the thread goes on when it answers a ping", async () => {
  const { begun, call, say, posted, counts } = life();
  const late = call("Stop");
  const back = begun.takeBack(2);
  await expect(late).rejects.toThrow("late");
  const [abort, ping] = posted.slice(-2);
  expect(abort).toEqual({ type: "abort", id: 2 });
  if (ping?.type !== "ping") throw new Error("no ping");
  say({ type: "pong", id: ping.id, heapBytes: 0 });
  await back;
  expect(counts().ends).toBe(0);
  begun.end();
});

test("a thread that answers no ping is ended, and the late call is named", async () => {
  const { begun, call, errors, counts } = life();
  const other = call("PostToolUse");
  other.catch(() => undefined);
  const late = call("Stop");
  late.catch(() => undefined);
  await begun.takeBack(3);
  await expect(other).rejects.toMatchObject({ code: "plugin_ended" });
  expect(counts()).toEqual(ended);
  const why = "its worker was stuck, in an endless loop or in waiting";
  expect(errors()).toEqual([
    ["a plugin's worker ended", { plugin: "notes", why, during: "Stop, start, PostToolUse" }],
  ]);
});
