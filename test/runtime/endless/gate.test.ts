// A strategy is asked exactly where Endless Mode is switched on for it.
import { expect, test } from "bun:test";
import type { EndlessSwitch } from "../../../src/runtime/endless/switch.ts";
import { createGate, type EndlessGate } from "../../../src/runtime/endless/switch.ts";
import { createHooks } from "../../../src/runtime/hooks/hooks.ts";
import type { AnyPlugin } from "../../../src/sdk/plugin.ts";
import { fakePlugin, memoryLog, runningPlugin, toolEvent } from "../../support/hooks.ts";

const none: EndlessSwitch = { everywhere: [], projects: {}, sessions: {}, holdOut: 0 };
const project = { id: "github.com/acme/shop", name: "shop", root: "/shop" };
const known = (session: string) => (session === "known" ? project.id : undefined);

test.each<[string, Partial<EndlessSwitch>, unknown, boolean]>([
  ["nothing set", {}, { session: "s", project }, false],
  ["everywhere", { everywhere: ["live"] }, { session: "s" }, true],
  ["another strategy", { everywhere: ["transcript"] }, { session: "s" }, false],
  [
    "an event of the project",
    { projects: { [project.id]: ["live"] } },
    { session: "s", project },
    true,
  ],
  [
    "a notice that names the project's id",
    { projects: { [project.id]: ["live"] } },
    { session: "s", project: project.id },
    true,
  ],
  [
    "a request without a project: the journal knows it",
    { projects: { [project.id]: ["live"] } },
    { session: "known" },
    true,
  ],
  [
    "and where nobody knows it",
    { projects: { [project.id]: ["live"] } },
    { session: "other" },
    false,
  ],
  [
    "a batch of work",
    { projects: { [project.id]: ["live"] } },
    { session: { id: "s", project } },
    true,
  ],
  [
    "a batch inside an extraction",
    { sessions: { s: ["live"] } },
    { batch: { session: { id: "s" } } },
    true,
  ],
  [
    "off for the session",
    { everywhere: ["live"], sessions: { s: [] } },
    { session: "s", project },
    false,
  ],
  ["held out", { everywhere: ["live"], holdOut: 1 }, { session: "s" }, false],
  [
    "held out although it is named",
    { sessions: { s: ["live"] }, holdOut: 1 },
    { session: "s" },
    false,
  ],
  ["what belongs to no session", { everywhere: ["live"] }, { ids: ["o1"] }, false],
])("%s", (_, set, input, open) => {
  expect(createGate({ ...none, ...set }, known)(["live"], input)).toBe(open);
});

function asked(plugin: AnyPlugin, fills: object, gate?: EndlessGate, reference = plugin.name) {
  const running = { ...runningPlugin(plugin, fills), reference };
  return createHooks([running], { log: memoryLog(), now: () => 0, ...(gate ? { gate } : {}) });
}

test("client events, requests, answers and notices pass one gate; a strategy named by its path too", async () => {
  const calls: string[] = [];
  const say = (hook: string) => (input: { session: unknown }) => {
    calls.push(`${hook} ${input.session}`);
  };
  const strategy = fakePlugin("mine", {
    slot: "endless-mode",
    hooks: {
      PostToolUse: { handler: say("PostToolUse"), filter: { tool: ["Bash"] } },
      request: say("request"),
      responded: say("responded"),
      settled: say("settled"),
    },
  });
  const gate = createGate({ ...none, sessions: { on: ["./plugins/mine.ts"] } }, known);
  const hooks = asked(strategy, { "endless-mode": 0 }, gate, "./plugins/mine.ts");
  for (const session of ["on", "off"]) {
    await hooks.sequence("PostToolUse", toolEvent({ session }));
    await hooks.sequence("PostToolUse", toolEvent({ session, toolName: "Read" }));
    const request = { client: "claude-code", session, body: {} };
    await hooks.reduce("request", request);
    await hooks.parallel("responded", { ...request, model: "m", status: 200, firstByteMs: 1 });
    const end = { toolUseId: "t", outcome: "stored" as const, observations: [] };
    await hooks.parallel("settled", { session, ...end });
  }
  expect(calls).toEqual(["PostToolUse on", "request on", "responded on", "settled on"]);
});

test("what a plugin does for another slot it fills, and a plugin that fills none, is not gated", async () => {
  let calls = 0;
  const hooks = {
    SessionStart: () => {
      calls++;
    },
  };
  const event = {
    ...toolEvent(),
    name: "SessionStart" as const,
    source: "startup",
  };
  const both = fakePlugin("both", { slot: ["endless-mode", "context-injection"], hooks });
  const shut = createGate(none, known);
  await asked(both, { "endless-mode": 0, "context-injection": 0 }, shut).sequence(
    "SessionStart",
    event,
  );
  await asked(fakePlugin("listener", { hooks }), {}, shut).sequence("SessionStart", event);
  expect(calls).toBe(2);
  await asked(both, { "endless-mode": 0 }, shut).sequence("SessionStart", event);
  expect(calls).toBe(2);
});
