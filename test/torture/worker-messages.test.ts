// What a plugin's worker may say to its host, bent: nothing is thrown in the host, and it lives or is ended once.
import { expect, test } from "bun:test";
import type { Thread } from "../../src/host/spawn-worker.ts";
import type { ToWorker } from "../../src/runtime/isolation/wire.ts";
import { createPluginWorker } from "../../src/runtime/isolation/worker-thread.ts";
import type { PluginContext } from "../../src/sdk/context.ts";
import { memoryLog } from "../support/hooks.ts";
import { bent, oddValues } from "./odd-values.ts";
import { type Draw, torture, tortureMs } from "./seeds.ts";

const error = { name: "Error", message: "boom", place: "a.ts:1:1" };
const right = [
  { type: "answer", id: 1, value: { context: "x" } },
  { type: "answer", id: 2, value: { context: "x" } },
  { type: "answer", id: 2, error },
  { type: "answer", id: 2, error: { ...error, code: "plugin_failed", fix: "Look." } },
  { type: "ask", id: 1, during: 2, what: "next", input: [{}] },
  { type: "ask", id: 2, during: 2, what: "storage.get", input: [{ ids: ["o1"] }] },
  { type: "ask", id: 3, during: 9, what: "complete", input: [{ prompt: "x" }] },
  { type: "log", level: "info", message: "a line", fields: { n: 1 } },
  { type: "stray", error, before: 0 },
  { type: "exit", code: 1 },
];

function lifeOf() {
  const posted: ToWorker[] = [];
  let terminated = 0;
  const thread: Thread = {
    post: (message) => void posted.push(structuredClone(message) as ToWorker),
    terminate: () => void terminated++,
    onMessage: () => undefined,
    onError: () => undefined,
    onClose: () => undefined,
  };
  let asked = 0;
  const method = async () => void asked++;
  const log = memoryLog();
  const context = {
    ...{ plugin: "notes", config: {}, home: "/h", log, now: Date.now, complete: method },
    ...{ storage: { get: method }, endless: { keep: method } },
  } as unknown as PluginContext;
  const worker = createPluginWorker({
    plugin: "notes",
    source: "/notes.ts",
    options: {},
    maxBytes: 1e9,
    spawn: () => thread,
  });
  const started = worker.begin(context)();
  const { token } = posted[0] as Extract<ToWorker, { type: "setup" }>;
  return { worker, started, thread, token, terminated: () => terminated };
}

async function tortured(draw: Draw): Promise<void> {
  const { worker, started: starting, thread, token, terminated } = lifeOf();
  const outcome = (promise: Promise<unknown>) =>
    promise.then(
      () => "done",
      (why: unknown) => (why instanceof Error ? "failed" : `threw ${typeof why}`),
    );
  const started = outcome(starting);
  const { signal } = new AbortController();
  const call = outcome(worker.call("Stop", {}, { signal }));
  for (let n = 1 + draw.below(20); n > 0; n--) {
    const said = draw.chance(0.2) ? draw.pick(oddValues) : bent(draw.pick(right), draw);
    const frame = draw.chance(0.9) ? { token, said } : bent({ token, said }, draw);
    thread.onMessage(draw.chance(0.05) ? draw.pick(oddValues) : frame);
  }
  await Bun.sleep(0);
  worker.end();
  expect(terminated()).toBe(1);
  expect(["done", "failed"]).toContain(await started);
  expect(["done", "failed"]).toContain(await call);
}

test(
  "nothing that it says is thrown in the host, and nobody waits for ever",
  async () => {
    const stray: unknown[] = [];
    const note = (why: unknown) => void stray.push(why);
    process.on("unhandledRejection", note);
    try {
      await torture("test/torture/worker-messages.test.ts", 500, async (draw) => {
        await tortured(draw);
        expect(stray.splice(0).map(String)).toEqual([]);
      });
    } finally {
      process.off("unhandledRejection", note);
    }
  },
  tortureMs,
);
