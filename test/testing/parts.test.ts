// The promises of what a plugin brings: each is broken by one that breaks it.
import { expect, test } from "bun:test";
import * as v from "valibot";
import { MemoirError } from "../../src/sdk/errors.ts";
import { operation } from "../../src/sdk/operation.ts";
import type { AnyPlugin } from "../../src/sdk/plugin.ts";
import { definePlugin } from "../../src/sdk/plugin.ts";
import { runSuite } from "../../src/testing/suites.ts";

const plugin = (brings: Partial<AnyPlugin>) =>
  definePlugin({ name: "it", description: "d", sdk: 1, hooks: {}, ...brings });
const takes = { words: { says: "Words", required: true } } as const;
const one = (run: (input: { words: string }) => unknown, more = {}) =>
  plugin({
    operations: { find: operation({ does: "Find", takes, for: ["route"], run, ...more }) },
  });

const broken: ReadonlyArray<[string, AnyPlugin, string, RegExp]> = [
  [
    "throws",
    one(() => {
      throw new Error("no");
    }),
    "find answers what it takes, or says what is wrong",
    /failed in operations.find: no$/,
  ],
  [
    "answers code",
    one(() => ({ f: () => 1 })),
    "find answers what it takes, or says what is wrong",
    /cannot be cloned/,
  ],
  [
    "answers too much",
    one(() => "x".repeat(9_000_000)),
    "find answers what it takes, or says what is wrong",
    /8 MB/,
  ],
  [
    "answers something else",
    one(() => ({ count: "3" }), { answers: v.object({ count: v.number() }) }),
    "find answers what it takes, or says what is wrong",
    /not as `answers` says: count/,
  ],
  [
    "falls over a text",
    one(({ words }) => decodeURIComponent(words)),
    "find takes any text",
    /URI/,
  ],
  [
    "says too much",
    one(() => 1, { does: "Find\nit" }),
    "find is described in a line",
    /more than one line/,
  ],
  [
    "answers a text",
    plugin({ routes: () => "no" as never }),
    "routes answer any request with a Response",
    /no Response/,
  ],
  [
    "throws at a body",
    plugin({
      routes: async (request) =>
        Response.json(request.method === "POST" ? await request.json() : 1),
    }),
    "routes answer any request with a Response",
    /./,
  ],
  [
    "loads a script",
    plugin({ panels: { main: { title: "t", html: '<script src="https://x.y/z.js"></script>' } } }),
    "panel main is a document that loads nothing from elsewhere",
    /load nothing/,
  ],
  [
    "is empty",
    plugin({ panels: { main: { title: "t", html: () => " " } } }),
    "panel main is a document that loads nothing from elsewhere",
    /empty/,
  ],
  [
    "has a panel ask what is not open to panels",
    plugin({
      operations: { find: operation({ does: "Find", for: ["route"], run: () => 1 }) },
      panels: { main: { title: "t", html: '<script>memoir.ask("find", {})</script>' } },
    }),
    "panel main is a document that loads nothing from elsewhere",
    /asks find, which is not open to panels/,
  ],
];

test.each(broken)("a plugin that %s", async (_, subject, name, message) => {
  const { failures } = await runSuite(subject);
  expect(failures.map((failure) => [failure.slot, failure.name])).toContainEqual([
    expect.stringMatching(/^(operations|routes|panels)$/),
    name,
  ]);
  expect(failures.find((failure) => failure.name === name)?.message).toMatch(message);
});

test("one that refuses with usage keeps them all", async () => {
  const subject = one(() => {
    throw new MemoirError("usage", "Not so.");
  });
  expect(await runSuite(subject)).toMatchObject({ failed: 0, passed: 3 });
});
