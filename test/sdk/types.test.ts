// The plugin contract as types: what must compile does, what must not does not. The compiler is the judge; `bun check` runs it.
import { expect, test } from "bun:test";
import * as v from "valibot";
import { type HookOutput, hookKinds } from "../../src/sdk/hooks.ts";
import { definePlugin, type Plugin } from "../../src/sdk/plugin.ts";

const options = v.strictObject({ depth: v.optional(v.number(), 3) });

const good = definePlugin({
  name: "good",
  description: "Everything at once.",
  sdk: 1,
  slot: ["observation", "summarization"],
  events: ["PostToolUse"],
  config: options,
  start: (ctx) => ({ seen: ctx.config.depth }),
  hooks: {
    UserPromptSubmit: (event) => ({ context: event.prompt }),
    PostToolUse: {
      filter: { tool: ["mcp__*"] },
      order: "post",
      deadlineMs: 100,
      handler: (event, ctx) => {
        ctx.state.seen += event.toolUseId.length;
      },
    },
    capture: (event) => (event.name === "Stop" ? { drop: "no" } : undefined),
    observe: async (batch, ctx) => {
      const rest = await ctx.next(batch);
      const found = await ctx.storage.search({ text: batch.session.project.name });
      return rest && { ...rest, skipped: { [found[0]?.id ?? ""]: "known" } };
    },
  },
  stop: (state) => {
    state?.seen.toFixed();
  },
});

const base = { name: "bad", description: "Wrong.", sdk: 1 as const };

/** Never called: each call holds a mistake that must not compile. */
export const mistakes = [
  // @ts-expect-error no such hook
  () => definePlugin({ ...base, hooks: { PostTolUse: () => {} } }),
  // @ts-expect-error no such slot
  () => definePlugin({ ...base, slot: "storag", hooks: {} }),
  // @ts-expect-error no such event
  () => definePlugin({ ...base, events: ["PostTolUse"], hooks: {} }),
  // @ts-expect-error another version of the contract
  () => definePlugin({ ...base, sdk: 2, hooks: {} }),
  // @ts-expect-error a reply has no such field
  () => definePlugin({ ...base, hooks: { Stop: (): HookOutput<"Stop"> => ({ contxt: "x" }) } }),
  // @ts-expect-error a reply's context is a text
  () => definePlugin({ ...base, hooks: { Stop: () => ({ context: 3 }) } }),
  // @ts-expect-error a prompt event has no tool
  () => definePlugin({ ...base, hooks: { UserPromptSubmit: (e) => e.toolName } }),
  // @ts-expect-error only hooks of kind "first" have next
  () => definePlugin({ ...base, hooks: { Stop: (_, ctx) => ctx.next() } }),
  // @ts-expect-error no such config key
  () => definePlugin({ ...base, config: options, hooks: { Stop: (_, c) => c.config.dept } }),
  // @ts-expect-error no such storage verb
  () => definePlugin({ ...base, hooks: { stored: (_, ctx) => ctx.storage.drop({}) } }),
  // @ts-expect-error no such order
  () => definePlugin({ ...base, hooks: { Stop: { order: "last", handler: () => {} } } }),
  // @ts-expect-error no such filter
  () => definePlugin({ ...base, hooks: { Stop: { filter: { tools: [] }, handler: () => {} } } }),
];

test("the contract's kinds are known at run time", () => {
  const plain = {
    name: "plain",
    description: "Needs no import at run time.",
    sdk: 1,
    hooks: {},
  } satisfies Plugin;
  expect(plain.sdk).toBe(good.sdk);
  expect(new Set(Object.values(hookKinds))).toEqual(
    new Set(["sequence", "reduce", "first", "parallel"]),
  );
});
