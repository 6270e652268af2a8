// Whoever looks on is told of everything that a runtime commits: events, work, records, plugins.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { silentLog } from "../../src/home/log.ts";
import { createRuntime, type Runtime } from "../../src/runtime/runtime.ts";
import { temporaryHome } from "../cli/hook/run-hook.ts";
import { promptEvent, toolEvent } from "../support/hooks.ts";

let home = "";
let runtime: Runtime;
let told: Set<string>;
beforeEach(async () => {
  home = await temporaryHome();
  told = new Set();
  runtime = await createRuntime({
    ...{ home, log: silentLog, env: { HOME: home } },
    changed: (what, session) => void told.add([what, session].filter(Boolean).join(" ")),
  });
});
afterEach(async () => {
  await runtime.stop();
  await rm(home, { recursive: true, force: true });
});

/** What was told while this went on. */
async function during(act: () => Promise<unknown>): Promise<string[]> {
  told.clear();
  await act();
  return [...told].sort();
}
const event = { ...promptEvent(), session: "s1", prompt: "Keep the invoices in euros", time: 1 };
const remembered = () =>
  during(async () => {
    await runtime.handle(event);
    await runtime.drain({ timeoutMs: 10_000, flush: true });
  });

test("an event, the work on it, and what is stored of it", async () => {
  expect(await remembered()).toEqual(["captured s1", "records s1", "worked", "worked s1"]);
});

test("an event that comes a second time is nothing new", async () => {
  await remembered();
  expect(await during(() => runtime.handle({ ...event, id: "again" }))).toEqual([]);
});

test("an event that a plugin leaves out", async () => {
  const use = toolEvent({ key: "k2", toolName: "ToolSearch" });
  expect(await during(() => runtime.handle(use))).toEqual(["captured"]);
});

test("what the user edits and forgets, work that is put back, and plugins that are read again", async () => {
  await remembered();
  const prompts = await runtime.hooks.first("storage.prompts", { session: "s1" });
  const id = prompts?.result[0]?.id ?? "";
  expect(id).not.toBe("");
  expect(await during(() => runtime.hooks.first("storage.amend", { id, pinned: true }))).toEqual([
    "records",
  ]);
  expect(await during(() => runtime.forget([id]))).toContain("records");
  expect(await during(async () => runtime.retryParked())).toEqual(["worked"]);
  expect(await during(() => runtime.reload())).toEqual(["plugins"]);
});

test("a question changes nothing", async () => {
  await remembered();
  expect(await during(() => runtime.hooks.first("storage.search", { text: "euros" }))).toEqual([]);
  expect(await during(() => runtime.status())).toEqual([]);
});
