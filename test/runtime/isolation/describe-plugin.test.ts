// A plugin as data: what lists show of it without running it, and what it makes of its options.
import { expect, test } from "bun:test";
import * as v from "valibot";
import {
  checkPluginOptions,
  describePlugin,
} from "../../../src/runtime/isolation/worker-plugin.ts";
import type { AnyPlugin } from "../../../src/sdk/plugin.ts";
import { fakePlugin } from "../../support/hooks.ts";

const imported = {
  source: "/plugins/notes.ts",
  text: "export default {\n  hooks: {\n    Stop() {},\n  },\n};",
  importMs: 1.26,
};
const handler = () => undefined;

test("a plugin with nothing but a hook", async () => {
  expect(await describePlugin(fakePlugin("notes", { hooks: { Stop: handler } }), imported)).toEqual(
    {
      ...{
        name: "notes",
        description: "The test plugin notes.",
        sdk: 1,
        hasStart: false,
        importMs: 1.3,
      },
      hooks: [{ hook: "Stop", order: "normal", place: "/plugins/notes.ts:3" }],
    },
  );
});

test("slots, events, options, its start, and of each hook what it declares", async () => {
  const filter = { tools: ["Bash"] };
  const plugin = {
    ...fakePlugin("notes", {
      hooks: {
        PostToolUse: { handler, order: "pre", filter, deadlineMs: 40 },
        UserPromptSubmit: { handler, deadlineMs: (config: { ms: number }) => config.ms },
      },
    } as never),
    ...{ slot: ["observation", "summarization"], events: ["Notification"], start: handler },
    config: v.strictObject({ ms: v.optional(v.number(), 7) }),
  } as unknown as AnyPlugin;
  const described = await describePlugin(plugin, imported);
  expect(described).toEqual(
    expect.objectContaining({
      ...{ slot: ["observation", "summarization"], events: ["Notification"], hasStart: true },
      hooks: [
        { hook: "PostToolUse", order: "pre", filter, deadlineMs: 40 },
        { hook: "UserPromptSubmit", order: "normal", deadlineMs: "config" },
      ],
    }),
  );
  expect(described.config).toEqual(
    expect.objectContaining({ type: "object", properties: { ms: { type: "number", default: 7 } } }),
  );
  expect((await describePlugin({ ...plugin, slot: "storage" } as AnyPlugin, imported)).slot).toBe(
    "storage",
  );
});

test("options are parsed, with the deadlines that follow from them; what is wrong with them is told", () => {
  const plugin = {
    ...fakePlugin("notes", {
      hooks: {
        Stop: { handler, deadlineMs: 40 },
        UserPromptSubmit: { handler, deadlineMs: (config: { ms: number }) => config.ms * 2 },
      },
    } as never),
    config: v.strictObject({ ms: v.optional(v.number(), 7) }),
  } as unknown as AnyPlugin;
  expect(checkPluginOptions(plugin, {})).toEqual({
    ...{ problems: [], config: { ms: 7 }, deadlines: { UserPromptSubmit: 14 } },
  });
  const wrong = checkPluginOptions(plugin, { ms: "many" });
  expect(wrong).toEqual({
    problems: [expect.objectContaining({ message: expect.stringContaining("number") })],
    deadlines: {},
  });
});

test("options that cannot cross to the host are left out", () => {
  const plugin = {
    ...fakePlugin("notes", { hooks: { Stop: handler } }),
    config: v.pipe(
      v.strictObject({}),
      v.transform(() => ({ now: () => 1 })),
    ),
  } as unknown as AnyPlugin;
  expect(checkPluginOptions(plugin, {})).toEqual({ problems: [], deadlines: {} });
});
