// A strategy gets a tool use whole, or not at all.
import { afterEach, expect, test } from "bun:test";
import { scrubEvent } from "../../../plugins/capture-privacy/index.ts";
import { adapter as claudeCode } from "../../../src/clients/claude-code/index.ts";
import { holdsJson, sameJson } from "../../../src/runtime/endless/untouched.ts";
import { withholdText } from "../../../src/runtime/events/redact-event.ts";
import type { ClientEvent } from "../../../src/sdk/events.ts";
import { type EndlessRoom, keepRequest, openEndlessRoom } from "../../support/endless-room.ts";

const rooms: EndlessRoom[] = [];
afterEach(async () => {
  for (const room of rooms.splice(0)) await room.close();
});
async function open() {
  const room = await openEndlessRoom();
  rooms.push(room);
  const live = room.endless.client("live");
  /** Whether a value is kept as a part of what is held: without asking capture about it. */
  const covers = async (value: unknown) => {
    const before = room.captures();
    await live.keep(keepRequest({ session: "s", toolUseId: "t1", value }));
    return room.captures() === before;
  };
  return { endless: room.endless, original: live.original, covers };
}

const secret = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";

function payload(tool_response: unknown, tool_input: unknown = { command: "make" }) {
  const common = { session_id: "s", cwd: "/shop", hook_event_name: "PostToolUse" };
  return { ...common, tool_name: "Bash", tool_use_id: "t1", tool_input, tool_response };
}

async function held(
  given: ReturnType<typeof payload>,
  change: (event: ClientEvent) => ClientEvent = scrubEvent,
) {
  let captures = 0;
  const room = await open();
  const before = claudeCode.parse(given, { id: "delivery-1", time: 1 });
  const capture = async (event: ClientEvent) => {
    captures++;
    return { event: change(event), failed: [] };
  };
  const letGo = room.endless.keepOriginal(
    claudeCode.original(given),
    before,
    change(before),
    capture,
  );
  return { ...room, letGo, captures: () => captures };
}

const long = (middle: string) => `${"start ".repeat(20_000)}${middle}${" end".repeat(30_000)}`;

test.each<[string, unknown, unknown, number]>([
  ["small", { stdout: "ok", stderr: "" }, undefined, 0],
  ["a text", "ok", undefined, 0],
  ["a list", [{ type: "text", text: "ok" }], undefined, 0],
  ["nothing", undefined, undefined, 0],
  ["longer than an event may be", { stdout: long("") }, undefined, 1],
  ["a long input", { stdout: "ok" }, { content: long("") }, 1],
  ["very many entries", Array.from({ length: 6_000 }, (_, at) => at), undefined, 1],
])(
  "%s: whole, the very values that came, looked at again only where it was shortened",
  async (_, response, input, looks) => {
    const given = payload(response, input);
    const { original, covers, captures } = await held(given);
    const whole = await original("t1");
    expect(whole?.response).toBe(given.tool_response);
    expect(whole?.input).toBe(given.tool_input);
    await original("t1");
    expect(await covers(response ?? given.tool_input)).toBe(true);
    expect(captures()).toBe(looks);
  },
);

test.each<[string, unknown, unknown]>([
  ["a secret in the output", { stdout: `a ${secret}` }, undefined],
  ["a secret in the input", { stdout: "ok" }, { command: `login ${secret}` }],
  ["a secret in what was cut out", { stdout: long(secret) }, undefined],
  [
    "a secret by its name, in what was cut out",
    {
      ...Object.fromEntries(Array.from({ length: 5_100 }, (_, at) => [`k${at}`, 1])),
      password: "correct horse battery",
    },
    undefined,
  ],
  ["private content", { stdout: "a <private>b</private>" }, undefined],
  ["far too long to be looked at", { stdout: "x".repeat(9_000_000) }, undefined],
])("%s: nothing", async (_, response, input) => {
  const { original, covers } = await held(payload(response, input));
  expect(await original("t1")).toBeUndefined();
  expect(await covers("another")).toBe(false);
});

test("withheld, changed by any capture plugin, or dropped at the second look: nothing", async () => {
  const given = payload({ stdout: "ok" });
  expect(await (await held(given, withholdText)).original("t1")).toBeUndefined();
  const shout = (event: ClientEvent): ClientEvent =>
    event.name === "PostToolUse" ? { ...event, toolResponse: { stdout: "OK" } } : event;
  expect(await (await held(given, shout)).original("t1")).toBeUndefined();
  const copy = (event: ClientEvent) => structuredClone(event);
  expect(await (await held(given, copy)).original("t1")).toBeDefined();
  const { endless, original } = await open();
  const cut = payload({ stdout: long("") });
  const before = claudeCode.parse(cut, { id: "delivery-1", time: 1 });
  endless.keepOriginal(claudeCode.original(cut), before, before, async () => ({
    drop: "x",
    by: "y",
  }));
  expect(await original("t1")).toBeUndefined();
});

test("only while the event is answered, only that tool use, only PostToolUse", async () => {
  const { original, letGo } = await held(payload({ stdout: "ok" }));
  expect(await original("t2")).toBeUndefined();
  expect(await original("t1")).toBeDefined();
  letGo();
  expect(await original("t1")).toBeUndefined();
  const pre = { ...payload("x"), hook_event_name: "PreToolUse" };
  expect(claudeCode.original(pre)).toBeUndefined();
  expect(claudeCode.original("nonsense")).toBeUndefined();
});

test("an earlier answer that ends late does not let go of a later one", async () => {
  const { endless, original } = await open();
  const given = payload({ stdout: "ok" });
  const before = claudeCode.parse(given, { id: "delivery-1", time: 1 });
  const hold = () =>
    endless.keepOriginal(claudeCode.original(given), before, before, async (event) => ({
      event,
      failed: [],
    }));
  const first = hold();
  hold();
  first();
  expect(await original("t1")).toBeDefined();
});

test.each<[unknown, unknown, boolean]>([
  [{ a: 1, b: [2] }, { b: [2], a: 1 }, true],
  [{ a: 1 }, { a: 1, b: undefined }, false],
  [[1, 2], [2, 1], false],
  [[], {}, false],
  [null, {}, false],
  ["a", "a", true],
  [JSON.parse('{"__proto__": 1}'), {}, false],
])("%j and %j", (a, b, same) => {
  expect(sameJson(a, b)).toBe(same);
  expect(sameJson(b, a)).toBe(same);
});

test("a part of a value is found at any depth", () => {
  const whole = { a: [{ b: "deep" }, "text"], c: 1 };
  for (const part of [whole, "deep", { b: "deep" }, ["not it"].length, whole.a])
    expect(holdsJson(whole, part)).toBe(true);
  for (const part of ["dee", { b: "dee" }, [], null, "c"])
    expect(holdsJson(whole, part)).toBe(false);
});

test("an id that two sessions or agents use at once gives neither of them the other's", async () => {
  const { endless, original, covers } = await open();
  const capture = async (event: ClientEvent) => ({ event, failed: [] });
  const hold = (about: { session_id: string; agent_id?: string }, stdout: string) => {
    const given = { ...payload({ stdout }), ...about };
    const event = claudeCode.parse(given, { id: `delivery-${stdout}`, time: 1 });
    return endless.keepOriginal(claudeCode.original(given), event, event, capture);
  };
  const letGo = hold({ session_id: "s" }, "first");
  const letGoAgent = hold({ session_id: "s", agent_id: "a" }, "agent's");
  expect(await original("t1")).toBeUndefined();
  letGoAgent();
  const letGoOther = hold({ session_id: "other" }, "second");
  expect(await original("t1")).toBeUndefined();
  expect(await covers({ stdout: "first" })).toBe(false);
  letGo();
  expect((await original("t1"))?.response).toEqual({ stdout: "second" });
  letGoOther();
  expect(await original("t1")).toBeUndefined();
});
