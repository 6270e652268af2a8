import { afterAll, beforeAll, expect, test } from "bun:test";
import { rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { bringClients } from "../../src/clients/index.ts";
import { silentLog } from "../../src/home/log.ts";
import { setConfigValue } from "../../src/runtime/config/config.ts";
import { createRuntime, type Runtime } from "../../src/runtime/runtime.ts";
import { createServer, type Server } from "../../src/server/server.ts";
import { temporaryHome } from "../cli/hook/run-hook.ts";
import { appOptions } from "../server/app-options.ts";
import { testExample } from "../support/example-suite.ts";
import kilo from "./kilo-client.ts";

testExample("kilo-client", kilo);

let home = "";
let runtime: Runtime;
let server: Server;
beforeAll(async () => {
  home = await temporaryHome();
  const plugin = resolve(import.meta.dirname, "kilo-client.ts");
  await writeFile(join(home, "config.json"), JSON.stringify({ listeners: [plugin] }));
  const env = { HOME: home };
  runtime = await createRuntime({ home, log: silentLog, env, broughtClients: bringClients });
  server = createServer({ ...appOptions(), runtime, token: "t" });
});
afterAll(async () => {
  await runtime.stop();
  bringClients({});
  await rm(home, { recursive: true, force: true });
});

async function post(name: string, opencode: object) {
  const payload = { session_id: "ses_1", cwd: home, hook_event_name: name, opencode };
  const init = { method: "POST", body: JSON.stringify(payload) };
  const response = await server.fetch(new Request("http://localhost/hook/kilo", init));
  return { status: response.status, text: await response.text() };
}

test("kilo-client: what Kilo does is remembered as Kilo's, and not once the plugin is off", async () => {
  const parts = [{ type: "text", text: "Make the build work again." }];
  expect(await post("UserPromptSubmit", { hook: "chat.message", parts })).toMatchObject({
    status: expect.any(Number),
  });
  const use = { hook: "tool.execute.after", tool: "bash", callID: "c1", args: { command: "make" } };
  const output = { title: "make", output: "ld: no such symbol", metadata: { exit: 2 } };
  await post("PostToolUse", { ...use, output });
  await post("Stop", {});
  expect(await runtime.drain({ timeoutMs: 60_000, flush: true })).toBe(true);
  const turns = (await runtime.hooks.first("storage.turns", { limit: 9 }))?.result ?? [];
  expect(turns.map(({ client, session }) => [client, session])).toEqual([["kilo", "ses_1"]]);
  await setConfigValue(home, "listeners", []);
  await runtime.reload();
  const { status, text } = await post("Stop", {});
  expect([status, text]).toEqual([404, expect.stringContaining("client_unknown")]);
});
