// The same plugin twice, under two names with options of their own, and two versions of one side by side.
import { expect, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { forgetInPluginData } from "../../../src/home/database/plugin-data.ts";
import { memoirPaths } from "../../../src/home/paths.ts";
import { testRuntimes } from "../test-runtimes.ts";

const { start, config, home } = testRuntimes();

async function put(name: string, text: string): Promise<void> {
  const path = join(home(), name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

/** A plugin that says its greeting, how often it was asked, and what is in its database. */
const greeter = (word: string) => `import * as v from "valibot";
export default {
  name: "greeter", description: "d", sdk: 1,
  config: v.strictObject({ greeting: v.string() }),
  data: { migrations: ["CREATE TABLE asked (at INTEGER)"] },
  start: () => ({ asked: 0 }),
  hooks: {},
  operations: {
    say: {
      does: "Greets.", takes: {}, for: ["command"],
      run: async (_, ctx) => {
        await ctx.data.run("INSERT INTO asked VALUES (1)");
        const rows = await ctx.data.all("SELECT count(*) AS n FROM asked");
        return ctx.config.greeting + " ${word} " + ++ctx.state.asked + " " + rows[0].n;
      },
    },
  },
};
`;
const say = async (runtime: Awaited<ReturnType<typeof start>>["runtime"], name: string) =>
  runtime.parts.call(name, "operations.say", { input: {}, caller: { door: "command" } });

test("each has its options, its state and its data", async () => {
  await put("plugins/greeter.ts", greeter("one"));
  await put("next/greeter.ts", greeter("two"));
  await config({
    plugins: {
      greeter: { greeting: "hi" },
      "greeter-de": { plugin: "greeter", greeting: "hallo" },
      "greeter-next": { plugin: "./next/greeter.ts", greeting: "hey" },
    },
  });
  const { runtime } = await start();
  expect(await say(runtime, "greeter")).toEqual("hi one 1 1");
  expect(await say(runtime, "greeter")).toEqual("hi one 2 2");
  expect(await say(runtime, "greeter-de")).toEqual("hallo one 1 1");
  expect(await say(runtime, "greeter-next")).toEqual("hey two 1 1");
  const { plugins } = await runtime.status();
  expect(
    plugins.filter(({ name }) => name.startsWith("greeter")).map(({ state }) => state),
  ).toEqual(["running", "running", "running"]);
});

test.each([
  [{ plugin: "greeter", greeting: 1 }, /plugins\.second\.greeting/],
  [{ plugin: "gone" }, /no built-in plugin or package "gone"/],
  [{ plugin: "third" }, /plugins\.second\.plugin is third, which is a second name itself/],
])("%j is wrong, and the first goes on", async (second, why) => {
  await put("plugins/greeter.ts", greeter("one"));
  await config({
    plugins: { greeter: { greeting: "hi" }, second, third: { plugin: "greeter", enabled: false } },
  });
  const { runtime } = await start();
  const { plugins } = await runtime.status();
  expect(plugins.find(({ name }) => name === "second")).toMatchObject({
    state: "failed",
    error: expect.stringMatching(why),
  });
  expect(plugins.map(({ source }) => source)).not.toContain("second");
  expect(await say(runtime, "greeter")).toEqual("hi one 1 1");
});

test("while one of two versions is changed, the other keeps its state", async () => {
  await put("plugins/greeter.ts", greeter("one"));
  await put("next/greeter.ts", greeter("two"));
  await config({
    plugins: {
      greeter: { greeting: "hi" },
      "greeter-next": { plugin: "./next/greeter.ts", greeting: "hey" },
    },
  });
  const { runtime } = await start();
  expect([await say(runtime, "greeter"), await say(runtime, "greeter-next")]).toEqual([
    "hi one 1 1",
    "hey two 1 1",
  ]);
  await put("next/greeter.ts", greeter("three"));
  await runtime.reload();
  // Its data stays, its state is new; one that does not load leaves the version before it running.
  expect([await say(runtime, "greeter"), await say(runtime, "greeter-next")]).toEqual([
    "hi one 2 2",
    "hey three 1 2",
  ]);
  await put("next/greeter.ts", "export default {");
  await runtime.reload();
  expect([await say(runtime, "greeter"), await say(runtime, "greeter-next")]).toEqual([
    "hi one 3 3",
    "hey three 2 3",
  ]);
});

test("what is forgotten goes from a second one's data too, while it is off", async () => {
  const keeper = greeter("one")
    .replace("(at INTEGER)", "(at TEXT)")
    .replace('TABLE asked (at TEXT)"] }', 'TABLE asked (at TEXT)"], forget: { asked: "at" } }')
    .replace("VALUES (1)", "VALUES ('o1'), ('o2')");
  await put("plugins/greeter.ts", keeper);
  const plugins = {
    greeter: { greeting: "hi" },
    second: { plugin: "greeter", greeting: "hallo" },
  };
  await config({ plugins });
  const { runtime } = await start();
  expect(await say(runtime, "second")).toBe("hallo one 1 2");
  await config({ plugins: { ...plugins, second: { ...plugins.second, enabled: false } } });
  await runtime.reload();
  await expect(say(runtime, "second")).rejects.toThrow();
  expect(await forgetInPluginData(memoirPaths(home()), ["o1"])).toEqual([]);
  await config({ plugins });
  await runtime.reload();
  // Two more than the one that was left.
  expect(await say(runtime, "second")).toBe("hallo one 1 3");
});
