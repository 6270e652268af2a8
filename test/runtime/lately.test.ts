// What somebody who looks at what goes on is shown: sessions, events with how they ended, what waits, what was left out, what was told.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { silentLog } from "../../src/home/log.ts";
import { createRuntime, type Runtime } from "../../src/runtime/runtime.ts";
import { temporaryHome } from "../cli/hook/run-hook.ts";
import { promptEvent, toolEvent } from "../support/hooks.ts";

let home = "";
let runtime: Runtime;
let clock: number;
const hour = 60 * 60_000;
beforeEach(async () => {
  home = await temporaryHome();
  clock = Date.UTC(2026, 10, 1);
  const env = { HOME: home };
  runtime = await createRuntime({ home, log: silentLog, env, now: () => clock });
});
afterEach(async () => {
  await runtime.stop();
  await rm(home, { recursive: true, force: true });
});

const prompt = (session: string, text: string) =>
  runtime.handle({
    ...promptEvent(),
    session,
    key: `${session} ${text}`,
    time: clock,
    prompt: text,
  });

test("nothing yet", () => {
  expect(runtime.lately()).toEqual({
    ...{ sessions: [], happened: [], told: [], taken: 0, leftOut: {} },
    waiting: { events: 0, work: 0, underWay: 0, parked: 0, oldestAt: null },
  });
});

test("a prompt and a tool use that waits, the newest first, each in a line", async () => {
  await prompt("s1", "Why is it slow?");
  await runtime.handle(
    toolEvent({ session: "s1", key: "k1", time: clock, toolInput: { command: "make -j8" } }),
  );
  await runtime.drain({ timeoutMs: 10_000 });
  const { sessions, happened, waiting, taken } = runtime.lately();
  expect(sessions).toMatchObject([{ session: "s1", prompts: 1, lastEventAt: clock }]);
  expect(happened).toMatchObject([
    { name: "PostToolUse", about: "make -j8", outcome: null, promptNumber: 1 },
    { name: "UserPromptSubmit", about: "Why is it slow?", outcome: "stored" },
  ]);
  expect([waiting.events, waiting.oldestAt, taken]).toEqual([1, clock, 2]);
});

test("why nothing was made of an event, and what was left out", async () => {
  await prompt("s1", "Why is it slow?");
  const use = { session: "s1", time: clock };
  await runtime.handle(toolEvent({ ...use, key: "k1", toolName: "ToolSearch" }));
  await runtime.handle(toolEvent({ ...use, key: "k2", toolUseId: "t2" }));
  await runtime.drain({ timeoutMs: 10_000, flush: true });
  const { happened, leftOut } = runtime.lately();
  expect(happened.find(({ name }) => name === "PostToolUse")).toMatchObject({
    outcome: "skipped",
    reason: expect.stringMatching(/./),
  });
  expect(leftOut).toEqual({ "skip list: ToolSearch": 1 });
});

test("a session that ended, or was not heard of within the hour, is not open", async () => {
  await prompt("left", "First");
  clock += hour + 1;
  await prompt("ended", "Second");
  await runtime.handle({
    ...{ ...promptEvent(), key: "end", session: "ended", time: clock },
    ...{ name: "SessionEnd", reason: "exit" },
  } as never);
  await prompt("open", "Third");
  expect(runtime.lately().sessions.map(({ session }) => session)).toEqual(["open"]);
});

test("what was forgotten is no longer there, and a large event is told by its name", async () => {
  await prompt("s1", "The secret plan");
  const toolInput = { command: "x".repeat(80_000) };
  await runtime.handle(toolEvent({ session: "s1", key: "k1", time: clock, toolInput }));
  await runtime.drain({ timeoutMs: 10_000, flush: true });
  expect(runtime.lately().happened.map(({ about }) => about)).toEqual(["…", "The secret plan"]);
  await runtime.forget(["s1"]);
  expect(JSON.stringify(runtime.lately())).not.toContain("secret plan");
});

test("what the last session was told, written this moment", async () => {
  await prompt("s1", "We always round half up. Remember that.");
  await runtime.handle({
    ...{ ...promptEvent(), key: "stop", session: "s1", time: clock + 1, name: "Stop" },
    ...{ stopHookActive: false, lastAssistantMessage: "Noted: amounts are rounded half up." },
  } as never);
  await runtime.drain({ timeoutMs: 10_000, flush: true });
  const began = { ...promptEvent(), key: "s2", session: "s2", time: clock + 2 };
  const reply = await runtime.handle({
    ...began,
    name: "SessionStart",
    source: "startup",
  } as never);
  expect(reply.reply.context).toContain("round half up");
  expect(runtime.lately().told).toMatchObject([
    {
      session: "s2",
      event: "SessionStart",
      records: [expect.any(String), expect.stringMatching(/^m/)],
    },
  ]);
});
