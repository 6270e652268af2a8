// The `ctx` of a plugin in a worker: what it says goes to the log, what it asks goes to the host under its call.
import { expect, test } from "bun:test";
import type { AskWhat, LogLevel } from "../../../src/runtime/isolation/wire.ts";
import { workerContext } from "../../../src/runtime/isolation/worker-plugin.ts";
import { hookKinds } from "../../../src/sdk/hooks.ts";

function context(call?: number) {
  const asked: unknown[] = [];
  const logged: unknown[] = [];
  const ends = {
    ...{ plugin: "notes", home: "/home/ada/.memoir", now: () => 77 },
    log: (...line: [LogLevel, string, object?]) => void logged.push(line),
    ask: async (of: number, what: AskWhat, ...input: unknown[]) => {
      asked.push([of, what, ...input]);
      return `answer of ${what}`;
    },
  };
  return { asked, logged, ctx: workerContext({ n: 1 }, ends, call) };
}

test("name, config, home and clock are those that it was made with", () => {
  const { ctx } = context();
  expect([ctx.plugin, ctx.config, ctx.home, ctx.now()]).toEqual([
    ...["notes", { n: 1 }, "/home/ada/.memoir", 77],
  ]);
});

test("a line comes into the log with its own level and its fields", () => {
  const { ctx, logged } = context();
  for (const level of ["debug", "info", "warn", "error"] as const)
    ctx.log[level]("said", { level });
  expect(logged).toEqual(
    ["debug", "info", "warn", "error"].map((level) => [level, "said", { level }]),
  );
});

test("every verb of storage is there, and asked of the host by its name", async () => {
  const { ctx, asked } = context(7);
  const verbs = Object.keys(hookKinds).filter((name) => name.startsWith("storage."));
  expect(Object.keys(ctx.storage).map((verb) => `storage.${verb}`)).toEqual(verbs);
  expect(verbs.length).toBeGreaterThan(5);
  expect(await ctx.storage.get({ ids: ["o1"] })).toEqual("answer of storage.get" as never);
  expect(asked).toEqual([[7, "storage.get", { ids: ["o1"] }]]);
});

test("a model and Endless Mode are asked with all that was given; outside of a call under 0", async () => {
  const { ctx, asked } = context();
  await ctx.complete({ system: "s" } as never);
  const endless = ctx.endless as unknown as Record<string, (...input: unknown[]) => unknown>;
  for (const name of ["original", "keep", "kept", "note", "figures", "settled"])
    await endless[name]?.("a", 2);
  expect(asked).toEqual([
    [0, "complete", { system: "s" }],
    ...["original", "keep", "kept", "note", "figures", "settled"].map((name) => [
      ...[0, `endless.${name}`, "a", 2],
    ]),
  ]);
});
