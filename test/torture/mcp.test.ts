// Frames of the Model Context Protocol, bent: each has an answer of the protocol's form, without stacks or what stands behind.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { silentLog } from "../../src/home/log.ts";
import { createRuntime, type Runtime } from "../../src/runtime/runtime.ts";
import { tools } from "../../src/server/mcp/tools.ts";
import { createServer, type Server } from "../../src/server/server.ts";
import { temporaryHome } from "../cli/hook/run-hook.ts";
import { appOptions } from "../server/app-options.ts";
import { mutated } from "../support/mutations.ts";
import { bent, oddJson } from "./odd-values.ts";
import { payloadsOf } from "./payloads.ts";
import { type Draw, torture, tortureMs } from "./seeds.ts";

let home = "";
let runtime: Runtime;
let server: Server;
const post = (path: string, body: BodyInit, headers: Record<string, string> = {}) =>
  server.fetch(new Request(`http://localhost${path}`, { method: "POST", body, headers }));
beforeAll(async () => {
  home = await temporaryHome();
  runtime = await createRuntime({ home, log: silentLog, env: { HOME: home } });
  server = createServer({ ...appOptions(), runtime, token: "t" });
  for (const payload of payloadsOf("s-kept", 7))
    await post("/hook/claude-code", JSON.stringify(payload));
  await runtime.drain({ timeoutMs: 20_000, flush: true });
});
afterAll(async () => {
  await runtime.stop();
  await rm(home, { recursive: true, force: true });
});

const given: Record<string, object> = {
  search: { query: "zebra", limit: 5, kind: "turn", explain: true, since: "2026-01-01" },
  timeline: { around: "t1", limit: 3, project: "shop" },
  get: { ids: ["t1", "p1"] },
  recall: { tool_use_id: "toolu_1", lines: "1-5", grep: "a" },
  remember: { content: "Always run the tests.", quote: "always run the tests", kind: "rule" },
  forget: { ids: ["m999"], confirm: false },
};

function frameOf(draw: Draw): unknown {
  const { name } = draw.pick(tools);
  const call = { name, arguments: given[name] ?? {} };
  const params = draw.chance(0.5) ? { name, arguments: bent(call.arguments, draw) } : call;
  const frame = { jsonrpc: "2.0", id: draw.below(1_000), method: "tools/call", params };
  if (draw.chance(0.5)) return frame;
  const method = draw.pick(["initialize", "tools/list", "ping", "notifications/initialized", "x"]);
  return bent(draw.chance(0.5) ? frame : { ...frame, method }, draw);
}

function bodyOf(draw: Draw): string | Uint8Array<ArrayBuffer> {
  const frame = draw.chance(0.1) ? [frameOf(draw), frameOf(draw)] : frameOf(draw);
  const text = JSON.stringify(frame) ?? "";
  if (draw.chance(0.15)) return oddJson(frame, draw);
  return draw.chance(0.15) ? new Uint8Array(mutated(Buffer.from(text), draw.number)) : text;
}

/** The messages of an answer: JSON, or a stream of events. */
function messagesOf(text: string): Array<Record<string, unknown>> {
  const data =
    text.startsWith("{") || text.startsWith("[")
      ? [text]
      : text.split("\n").flatMap((line) => (line.startsWith("data: ") ? [line.slice(6)] : []));
  return data.flatMap((json): Array<Record<string, unknown>> => JSON.parse(json));
}

test(
  "a result, an error of the protocol's, or nothing where nothing is owed",
  async () => {
    await torture("test/torture/mcp.test.ts", 500, async (draw) => {
      const body = bodyOf(draw);
      const response = await post("/mcp", body, {
        "content-type": draw.chance(0.95) ? "application/json" : "text/plain",
        accept: "application/json, text/event-stream",
      });
      const text = await response.text();
      const about = `${Buffer.from(body).toString().slice(0, 300)}\n${response.status} ${text.slice(0, 500)}`;
      expect([200, 202, 400, 404, 406, 413, 415], about).toContain(response.status);
      expect(text, about).not.toMatch(/\bat .*\.[tj]s:\d|node_modules|memoir could not answer/);
      for (const { jsonrpc, result, error } of messagesOf(text)) {
        expect(jsonrpc, about).toBe("2.0");
        expect(result !== undefined || typeof error === "object", about).toBe(true);
      }
    });
  },
  tortureMs,
);
