// Hook payloads bent and damaged: the server answers with a known error or an event's answer; the hook command always ends
// with 0, and prints one JSON object or nothing.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { silentLog } from "../../src/home/log.ts";
import { createRuntime, type Runtime } from "../../src/runtime/runtime.ts";
import { errorFixes } from "../../src/sdk/errors.ts";
import { createServer, type Server } from "../../src/server/server.ts";
import { pretendStarting, runHook, temporaryHome } from "../cli/hook/run-hook.ts";
import { appOptions } from "../server/app-options.ts";
import { mutated } from "../support/mutations.ts";
import { bent, oddJson } from "./odd-values.ts";
import { payloadsOf } from "./payloads.ts";
import { caseCount, type Draw, torture, tortureMs } from "./seeds.ts";

let home = "";
let runtime: Runtime;
let server: Server;
beforeAll(async () => {
  home = await temporaryHome();
  runtime = await createRuntime({ home, log: silentLog, env: { HOME: home } });
  server = createServer({ ...appOptions(), runtime, token: "t" });
});
afterAll(async () => {
  await runtime.stop();
  await rm(home, { recursive: true, force: true });
});

function damagedPayload(draw: Draw): Uint8Array {
  const payload = draw.pick(payloadsOf(`s-${draw.below(20)}`, draw.below(1_000_000)));
  switch (draw.below(4)) {
    case 0:
      return mutated(Buffer.from(JSON.stringify(payload)), draw.number);
    case 1:
      return Buffer.from(oddJson(payload, draw));
    default:
      return Buffer.from(JSON.stringify(bent(payload, draw)) ?? "");
  }
}

const post = (body: Uint8Array) =>
  server.fetch(
    new Request("http://localhost/hook/claude-code", {
      method: "POST",
      body: new Blob([new Uint8Array(body)]),
    }),
  );
const counted = async () => {
  const { journal } = await runtime.status();
  if ("error" in journal) throw new Error(journal.error);
  return Object.entries(journal.counters)
    .filter(([name]) => name.startsWith("event:"))
    .reduce((sum, [, count]) => sum + count, 0);
};

test(
  "what a server is given: an answer, or a known error and nothing kept of it",
  async () => {
    // What one case left is what the next begins with: looking twice for each took longer than the cases.
    let before = await counted();
    await torture("test/torture/hooks.test.ts", 1_000, async (draw) => {
      const body = damagedPayload(draw);
      const response = await post(body);
      const text = await response.text();
      const about = Buffer.from(body).toString().slice(0, 300);
      expect([200, 204, 400, 413], `${about}\n${text}`).toContain(response.status);
      const after = await counted();
      const came = after - before;
      before = after;
      if (response.ok) expect(came, about).toBeLessThanOrEqual(1);
      else {
        const { error } = JSON.parse(text);
        expect(Object.hasOwn(errorFixes, error.code) && error.fix !== "", about).toBe(true);
        expect(came, about).toBe(0);
      }
      if (response.status === 200) expect(JSON.parse(text), about).toBeObject();
    });
    expect(await runtime.drain({ timeoutMs: 600_000, flush: true })).toBe(true);
    // Nothing of it may stop the work for those that come after.
    for (const payload of payloadsOf("s-after", 1))
      expect((await post(Buffer.from(JSON.stringify(payload)))).ok).toBe(true);
    expect(await runtime.drain({ timeoutMs: 60_000, flush: true })).toBe(true);
    const [session] = (await runtime.hooks.first("storage.sessions", { limit: 1 }))?.result ?? [];
    expect(session?.id).toBe("s-after");
  },
  tortureMs,
);

test(
  "what the command is given where no server is: 0, and nothing printed but an object",
  async () => {
    const folder = await temporaryHome();
    await pretendStarting(folder);
    const huge = Buffer.alloc(50 * 1024 * 1024, 0x20);
    const text = JSON.stringify(payloadsOf("s-huge", 1)[3]);
    try {
      const inputs = [huge, Buffer.alloc(1_000), Buffer.from(text.slice(0, 100)), Buffer.alloc(0)];
      huge.write(text, huge.length - Buffer.byteLength(text));
      const run = async (input: Uint8Array) => {
        const { code, out, err } = await runHook(input, { home: folder });
        expect([code, err]).toEqual([0, ""]);
        if (out !== "") expect(JSON.parse(out)).toBeObject();
      };
      for (const input of inputs) await run(input);
      const few = Math.min(10, caseCount(10));
      let done = 0;
      await torture("test/torture/hooks.test.ts -t command", few, async (draw) => {
        // A process for each: a long run has a hundredth of them.
        if (done++ % (caseCount(few) > few ? 100 : 1) === 0) await run(damagedPayload(draw));
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
  tortureMs,
);
