import { afterAll, beforeAll, expect, test } from "bun:test";
import { rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { silentLog } from "../../src/home/log.ts";
import { createRuntime, type Runtime } from "../../src/runtime/runtime.ts";
import { createServer, type Server } from "../../src/server/server.ts";
import { temporaryHome } from "../cli/hook/run-hook.ts";
import { appOptions } from "../server/app-options.ts";
import { testExample } from "../support/example-suite.ts";
import diary from "./diary-client.ts";

testExample("diary-client", diary);

let home = "";
let runtime: Runtime;
let server: Server;
beforeAll(async () => {
  home = await temporaryHome();
  const plugin = resolve(import.meta.dirname, "diary-client.ts");
  await writeFile(join(home, "config.json"), JSON.stringify({ listeners: [plugin] }));
  runtime = await createRuntime({ home, log: silentLog, env: { HOME: home } });
  server = createServer({ ...appOptions(), runtime, token: "t" });
});
afterAll(async () => {
  await runtime.stop();
  await rm(home, { recursive: true, force: true });
});

async function step(client: string, payload: unknown) {
  const url = `http://localhost/hook/${client}`;
  const response = await server.fetch(
    new Request(url, { method: "POST", body: JSON.stringify(payload) }),
  );
  const text = await response.text();
  return { status: response.status, answer: text === "" ? undefined : JSON.parse(text) };
}
const at = (run: string, more: object) => ({ run, folder: home, ...more });

test("diary-client: what the agent does is remembered, and its next run is told in its own form", async () => {
  expect(await step("diary", at("r1", { step: "begin" }))).toMatchObject({ status: 204 });
  await step("diary", at("r1", { step: "asked", text: "Make the build work again." }));
  const failed = { step: "ran", text: "make", output: "ld: no such symbol", exit: 2, number: 1 };
  await step("diary", at("r1", failed));
  await step("diary", at("r1", failed));
  await step("diary", at("r1", { step: "ran", text: "make", output: "ok", number: 2 }));
  await step("diary", at("r1", { step: "done", text: "The symbol was missing; it builds." }));
  expect(await runtime.drain({ timeoutMs: 60_000, flush: true })).toBe(true);
  const turns = (await runtime.hooks.first("storage.turns", { limit: 9 }))?.result ?? [];
  expect(turns.map(({ client, session }) => [client, session])).toEqual([["diary", "r1"]]);
  const failures = turns[0]?.pieces.filter(({ kind }) => kind === "failure");
  expect(failures).toMatchObject([
    { about: "make", text: expect.stringContaining("no such symbol") },
  ]);
  const next = await step("diary", at("r2", { step: "begin" }));
  expect(next).toMatchObject({
    status: 200,
    answer: { remember: expect.stringContaining("it builds") },
  });
});

test("diary-client: what it does not understand is no event, and other clients stay unknown", async () => {
  expect(await step("diary", { folder: 7 })).toEqual({ status: 204, answer: undefined });
  expect(await step("emacs", at("r1", { step: "begin" }))).toMatchObject({
    status: 404,
    answer: { error: { code: "client_unknown" } },
  });
});

test("diary-client: the name that was given decides, also of a payload that looks like another client's", async () => {
  const like = { turn_id: "t1", cursor_version: "2026.07", timestamp: "2026-11-23T18:00:00Z" };
  const begun = await step("diary", at("r3", { step: "begin", ...like }));
  expect(begun).toMatchObject({ status: 200, answer: { remember: expect.any(String) } });
});
