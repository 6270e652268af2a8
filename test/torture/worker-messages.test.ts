// What a plugin's worker may say to its host, bent: nothing is thrown in the host, and it lives or is ended once.
import { expect, test } from "bun:test";
import type { Thread } from "../../src/host/spawn-worker.ts";
import type { ToWorker } from "../../src/runtime/isolation/wire.ts";
import { beginLife } from "../../src/runtime/isolation/worker-life.ts";
import type { PluginContext } from "../../src/sdk/context.ts";
import { memoryLog } from "../support/hooks.ts";
import { bent, oddValues } from "./odd-values.ts";
import { type Draw, torture, tortureMs } from "./seeds.ts";

const error = { name: "Error", message: "boom", place: "a.ts:1:1" };
const right = [
  { type: "done", id: 1, value: { context: "x" } },
  { type: "done", id: 2, value: { context: "x" } },
  { type: "failed", id: 2, error },
  { type: "failed", id: 2, error: { ...error, code: "plugin_failed", fix: "Look." } },
  { type: "ask", ask: 1, call: 2, what: "next", input: [{}] },
  { type: "ask", ask: 2, call: 2, what: "storage.get", input: [{ ids: ["o1"] }] },
  { type: "ask", ask: 3, call: 9, what: "complete", input: [{ prompt: "x" }] },
  { type: "log", level: "info", message: "a line", fields: { n: 1 } },
  { type: "stray", error, before: 0 },
  { type: "exit", code: 1 },
  { type: "pong", id: 1, heapBytes: 1_000 },
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
  let ends = 0;
  const life = beginLife(
    {
      ...{ plugin: "notes", source: "/notes.ts", options: {}, context },
      ...{ maxBytes: 1e9, spawn: () => thread },
    },
    () => void ends++,
  );
  const { token } = posted[0] as Extract<ToWorker, { type: "setup" }>;
  return { life, context, thread, token, log, counts: () => ({ terminated, ends }) };
}

async function tortured(draw: Draw): Promise<void> {
  const { life, context, thread, token, counts } = lifeOf();
  const outcome = (promise: Promise<unknown>) =>
    promise.then(
      () => "done",
      (why: unknown) => (why instanceof Error ? "failed" : `threw ${typeof why}`),
    );
  const started = outcome(life.started);
  const call = outcome(
    life.ask("Stop", context, (id) => ({
      ...{ type: "call", id, hook: "Stop", input: {}, hasNext: false },
    })),
  );
  for (let n = 1 + draw.below(20); n > 0; n--) {
    const said = draw.chance(0.2) ? draw.pick(oddValues) : bent(draw.pick(right), draw);
    const frame = draw.chance(0.9) ? { token, said } : bent({ token, said }, draw);
    thread.onMessage(draw.chance(0.05) ? draw.pick(oddValues) : frame);
  }
  await Bun.sleep(0);
  life.end();
  const { terminated, ends } = counts();
  expect([terminated, ends]).toEqual([1, 1]);
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
