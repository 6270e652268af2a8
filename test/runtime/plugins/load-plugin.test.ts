// Users' plugins: where they are found, and what is said when they cannot be loaded.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { memoirPaths } from "../../../src/home/paths.ts";
import { createHooks } from "../../../src/runtime/hooks/hooks.ts";
import { entryOf, isPath } from "../../../src/runtime/plugins/find.ts";
import { startInstance } from "../../../src/runtime/plugins/instance.ts";
import { loadPlugin } from "../../../src/runtime/plugins/load-plugin.ts";
import { publishSdk } from "../../../src/runtime/plugins/sdk-module.ts";
import { MemoirError } from "../../../src/sdk/errors.ts";
import { fakePlugin, memoryLog } from "../../support/hooks.ts";

let home: string;
let elsewhere: string;
const good = (name: string) =>
  `export default { name: "${name}", description: "d", sdk: 1, hooks: { Stop: () => ({ systemMessage: "hi" }) } };\n`;
const files: Record<string, string> = {
  "good.ts": `const text: string = "typed";\n${good("good")}`,
  "folder/index.js": good("folder"),
  "user/mine.mjs": good("mine"),
  "syntax.ts": "const a = 1;\nexport default { name: ;\n",
  "throws.ts": '\nthrow new Error("boom");\n',
  "missing-import.ts": 'import "./nowhere.ts";\nexport default {};\n',
  "waits.ts": `await new Promise(() => {});\n${good("waits")}`,
  "no-default.ts": "export const a = 1;\n",
  "newer.ts": 'export default { name: "newer", description: "d", sdk: 2, hooks: {} };\n',
  "wrong.ts":
    'export default { name: "Bad Name", sdk: 1, slot: "storag", events: ["Stopp"], config: {}, start: 1, hooks: { PostTolUse: () => {}, Stop: { handler: 1, order: "last", deadlineMs: -1, filter: { tools: [] } }, capture: 3 } };\n',
  "plugins/sdk.ts":
    'import { definePlugin, MemoirError } from "memoir/sdk";\nexport default definePlugin({ name: "sdk-user", description: "d", sdk: 1, hooks: { complete: () => { throw new MemoirError("provider_none", "x"); } } });\n',
  "plugins/node_modules/memoir-slack/package.json":
    '{"name":"memoir-slack","type":"module","exports":{".":{"types":"./x.d.ts","import":"./dist/main.js"}}}',
  "plugins/node_modules/memoir-slack/dist/main.js": good("slack"),
  "node_modules/@acme/notes/package.json":
    '\ufeff{"name":"@acme/notes","type":"module","main":"lib.js"}',
  "node_modules/@acme/notes/lib.js": good("notes"),
  "node_modules/broken/package.json": '{"name":"broken","main":"gone.js"}',
};

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "memoir-load-"));
  elsewhere = await mkdtemp(join(tmpdir(), "memoir-elsewhere-"));
  await writeFile(
    join(elsewhere, "outside.ts"),
    'import { definePlugin } from "memoir/sdk";\nexport default definePlugin({ name: "outside", description: "d", sdk: 1, hooks: {} });\n',
  );
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(home, name)), { recursive: true });
    await writeFile(join(home, name), text);
  }
  await publishSdk(memoirPaths(home));
  await publishSdk(memoirPaths(home));
});
afterAll(async () => {
  await rm(home, { recursive: true, force: true });
  await rm(elsewhere, { recursive: true, force: true });
});

const builtins = { sqlite: async () => ({ default: fakePlugin("sqlite", { hooks: {} }) }) };
const load = (reference: string) =>
  loadPlugin(reference, builtins, { home, userHome: join(home, "user") });

test.each([
  ["sqlite", "sqlite", "built-in"],
  ["./good.ts", "good", "file"],
  ["good.ts", "good", "file"],
  ["./good", "good", "file"],
  ["./folder", "folder", "file"],
  ["~/mine.mjs", "mine", "file"],
  ["memoir-slack", "slack", "package"],
  ["@acme/notes", "notes", "package"],
])("%s is %s, a %s", async (reference, name, origin) => {
  const loaded = await load(reference);
  expect(loaded.plugin.name).toBe(name);
  expect(loaded.origin).toBe(origin as never);
});

test("a module that waits for ever is given up", async () => {
  const loading = loadPlugin("./waits.ts", builtins, {
    ...{ home, userHome: home },
    config: { isolation: { loadSeconds: 0.02 } },
  });
  await expect(loading).rejects.toMatchObject({
    code: "plugin_deadline",
    message: `${join(home, "waits.ts")} was not loaded within 20 ms`,
    fix: expect.stringContaining("`start`"),
  });
});

test("an absolute path is taken as it is", async () => {
  const path = join(home, "good.ts");
  expect(await load(path)).toMatchObject({ origin: "file", source: path });
});

describe("what goes wrong is named", () => {
  test.each<[string, string, RegExp]>([
    ["./gone.ts", "plugin_not_found", /there is no plugin file .*\/gone\.ts$/],
    [
      "sqlit",
      "plugin_not_found",
      /^no built-in plugin or package "sqlit"; did you mean "sqlite"\?$/,
    ],
    ["memoir-else", "plugin_not_found", /^no built-in plugin or package "memoir-else"$/],
    ["../../etc", "plugin_not_found", /no plugin file/],
    ["a/b", "plugin_not_found", /names no plugin/],
    ["broken", "plugin_not_found", /package broken has no file .*gone\.js/],
    ["./syntax.ts", "plugin_invalid", /syntax\.ts cannot be loaded: .*syntax\.ts:2:\d+\)$/],
    ["./throws.ts", "plugin_invalid", /throws\.ts cannot be loaded: boom \(.*throws\.ts:2:\d+\)$/],
    ["./missing-import.ts", "plugin_invalid", /cannot be loaded: .*nowhere\.ts/],
    ["./no-default.ts", "plugin_invalid", /no-default\.ts has no default export; it exports a/],
    ["./newer.ts", "plugin_sdk_version", /version 2 of the SDK, this memoir has version 1/],
  ])("%s", async (reference, code, message) => {
    const error = await load(reference).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(MemoirError);
    expect(error).toMatchObject({ code });
    expect((error as Error).message).toMatch(message);
    expect((error as Error).message).not.toContain("\n");
  });

  test("every wrong field at once, with the nearest right word", async () => {
    const error = await load("./wrong.ts").catch((reason: unknown) => reason);
    const message = (error as Error).message;
    for (const part of [
      "name: must be lower-case words joined by dashes",
      "description: must be a string",
      'slot: "storag", unknown name; did you mean "storage"?',
      'events: "Stopp", unknown name; did you mean "Stop"?',
      "config: must be a valibot schema",
      "start: must be a function",
      'hooks.PostTolUse: unknown hook; did you mean "PostToolUse"?',
      "hooks.Stop.handler: must be a function",
      'hooks.Stop.order: "last", unknown name; there is pre, normal, post',
      "hooks.Stop.deadlineMs: must be a number",
      'hooks.Stop.filter.tools: unknown field; did you mean "tool"?',
      "hooks.capture: must be a function, or an object with a handler",
    ])
      expect(message).toContain(part);
  });
});

test("a plugin elsewhere imports it too", async () => {
  expect((await load(join(elsewhere, "outside.ts"))).plugin.name).toBe("outside");
});

test("a plugin below the home imports this program's own SDK, also in its worker", async () => {
  const loaded = await load("./plugins/sdk.ts");
  const tools = { home, log: memoryLog(), now: Date.now, hooks: () => undefined };
  const { plugin, context, state, stop } = await startInstance(loaded, {}, tools);
  const hooks = createHooks([{ plugin, fills: { provider: 0 }, context, state }], tools);
  const request = {
    system: "",
    messages: [],
    maxTokens: 1,
    purpose: "p",
    session: "s",
    project: "",
  };
  const asked = hooks.first("complete", request as never);
  await expect(asked).rejects.toMatchObject({ code: "provider_none", message: "x" });
  await stop();
});

test("config runs a plugin inside the server, by its name", async () => {
  const config = { plugins: { good: { inProcess: true } }, isolation: { memoryMb: 64 } };
  const places = { home, userHome: home, config };
  expect((await loadPlugin("./good.ts", builtins, places)).isInProcess).toBe(true);
  expect((await loadPlugin("./folder", builtins, places)).isInProcess).toBe(false);
});

test.each([
  ["./a", true],
  ["../a", true],
  ["/a", true],
  ["~/a", true],
  ["C:\\a", true],
  ["a.ts", true],
  ["a", false],
  ["@acme/a", false],
  ["~a", false],
])("isPath(%s) is %p", (reference, expected) => {
  expect(isPath(reference)).toBe(expected);
});

test.each<[Record<string, unknown>, string]>([
  [{}, "index.js"],
  [{ main: "a.js" }, "a.js"],
  [{ main: "a.cjs", module: "a.mjs" }, "a.mjs"],
  [{ exports: "./e.js", main: "a.js" }, "./e.js"],
  [{ exports: { import: "./i.js", require: "./r.cjs" } }, "./i.js"],
  [
    { exports: { ".": { types: "./t.d.ts", bun: "./b.ts", default: "./d.js" }, "./x": "./x.js" } },
    "./b.ts",
  ],
  [{ exports: { ".": { node: { require: "./r.cjs", default: "./n.js" } } } }, "./n.js"],
])("%p begins at %s", (manifest, entry) => {
  expect(entryOf(manifest)).toBe(entry);
});
