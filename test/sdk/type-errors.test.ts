// What an author reads in the editor for each kind of mistake: the compiler is run once over all of them, against the published types.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { memoirPaths } from "../../src/home/paths.ts";
import { publishSdk } from "../../src/runtime/plugins/sdk-module.ts";

const base = 'name: "bad", description: "Wrong.", sdk: 1';
const config = "v.strictObject({ depth: v.optional(v.number(), 3) })";

/** Mistake → a snippet of one line, and what the message says. */
const mistakes: Record<string, [snippet: string, says: RegExp]> = {
  "a hook that does not exist": [
    `definePlugin({ ${base}, hooks: { PostTolUse() {} } })`,
    /'PostTolUse' does not exist in type 'HookSubscriptions<.*Did you mean to write 'PostToolUse'/,
  ],
  "a hook that does not exist, in a plain object": [
    `({ ${base}, hooks: { obsrve() {} } }) satisfies Plugin`,
    /Did you mean to write 'observe'/,
  ],
  "a slot that does not exist": [
    `definePlugin({ ${base}, slot: "storag", hooks: {} })`,
    /Type '"storag"' is not assignable to type '.*"storage"/,
  ],
  "an event that does not exist": [
    `definePlugin({ ${base}, events: ["Stopp"], hooks: {} })`,
    /Type '"Stopp"' is not assignable to type .*Did you mean '"Stop"'/,
  ],
  "another version of the SDK": [
    `definePlugin({ name: "bad", description: "Wrong.", sdk: 2, hooks: {} })`,
    /Type '2' is not assignable to type '1'/,
  ],
  "a forgotten description": [
    `definePlugin({ name: "bad", sdk: 1, hooks: {} })`,
    /'description' is missing/,
  ],
  "a field that the event does not have": [
    `definePlugin({ ${base}, hooks: { UserPromptSubmit(event) { event.promt; } } })`,
    /'promt' does not exist on type 'UserPromptSubmitEvent'. Did you mean 'prompt'/,
  ],
  "an argument of the wrong type": [
    `definePlugin({ ${base}, hooks: { Stop(event: string) {} } })`,
    /'StopEvent' is not assignable to type 'string'/,
  ],
  "a field that a reply does not have": [
    `definePlugin({ ${base}, hooks: { Stop: (): Reply => ({ contxt: "x" }) } })`,
    /'contxt' does not exist in type 'Reply'. Did you mean to write 'context'|Did you mean to write 'context'/,
  ],
  "a result of the wrong type": [
    `definePlugin({ ${base}, hooks: { Stop: () => ({ context: 3 }) } })`,
    /Type 'number' is not assignable to type 'string'/,
  ],
  "an observation without its fields": [
    `definePlugin({ ${base}, hooks: { observe: () => ({ observations: [{ title: "x" }] }) } })`,
    /is missing the following properties|missing/,
  ],
  "a config key that the schema does not have": [
    `definePlugin({ ${base}, config: ${config}, hooks: { Stop(_, ctx) { ctx.config.dept; } } })`,
    /'dept' does not exist on type '{ depth: number; }'. Did you mean 'depth'/,
  ],
  "a state that start did not return": [
    `definePlugin({ ${base}, start: () => ({ seen: 1 }), hooks: { Stop(_, ctx) { ctx.state.sen; } } })`,
    /'sen' does not exist on type '{ seen: number; }'. Did you mean 'seen'/,
  ],
  "a filter field that does not exist": [
    `definePlugin({ ${base}, hooks: { Stop: { filter: { tools: ["Read"] }, handler() {} } } })`,
    /'tools' does not exist in type 'HookFilter'. Did you mean to write 'tool'/,
  ],
  "a filter that is no list": [
    `definePlugin({ ${base}, hooks: { Stop: { filter: { tool: "Read" }, handler() {} } } })`,
    /Type 'string' is not assignable to type 'readonly string\[\]'/,
  ],
  "an order that does not exist": [
    `definePlugin({ ${base}, hooks: { Stop: { order: "last", handler() {} } } })`,
    /Type '"last"' is not assignable to type 'HookOrder/,
  ],
  "next, where nobody comes after": [
    `definePlugin({ ${base}, hooks: { Stop: (_, ctx) => ctx.next() } })`,
    /'next' does not exist on type/,
  ],
  "a storage verb that does not exist": [
    `definePlugin({ ${base}, hooks: { stored: (_, ctx) => ctx.storage.serch({}) } })`,
    /'serch' does not exist on type 'StorageClient'. Did you mean 'search'/,
  ],
  "a search by a field that does not exist": [
    `definePlugin({ ${base}, hooks: { async stored(_, ctx) { await ctx.storage.search({ text: "", projct: "shop" }); } } })`,
    /'projct' does not exist in type 'SearchQuery'. Did you mean to write 'project'/,
  ],
  "a strategy without a format": [
    `modelStrategy({ name: "bad", description: "Wrong." })`,
    /'format' is missing in type .* but required in type 'StrategyDefinition'/,
  ],
  "a test that calls a hook that does not exist": [
    `testHost(plugin).then((host) => host.call("obsrve", {} as never))`,
    /'"obsrve"' is not assignable to parameter of type/,
  ],
  "a test that gives a hook the wrong input": [
    `testHost(plugin).then((host) => host.call("storage.get", { id: "o1" }))`,
    /'id' does not exist in type '{ ids: string\[\]; hidden/,
  ],
};

const head = [
  'import { definePlugin, type Plugin, type Reply } from "memoir/sdk";',
  'import { modelStrategy } from "memoir/strategy";',
  'import { testHost } from "memoir/testing";',
  'import * as v from "valibot";',
  `const plugin = definePlugin({ ${base}, hooks: {} });`,
];

let home: string;
/** Line of the snippet → what the compiler says of it, all its lines. */
const said = new Map<number, string>();

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "memoir-types-"));
  const folder = join(home, "plugins");
  await mkdir(folder);
  await publishSdk(memoirPaths(home));
  const snippets = Object.values(mistakes).map(
    ([snippet], at) => `export const x${at} = ${snippet};`,
  );
  await writeFile(join(folder, "bad.ts"), [...head, ...snippets].join("\n"));
  const compilerOptions = {
    strict: true,
    module: "Preserve",
    target: "ESNext",
    noEmit: true,
    types: [],
    skipLibCheck: false,
    pretty: false,
  };
  await writeFile(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions, files: ["bad.ts"] }),
  );
  const compiler = resolve(import.meta.dir, "../../node_modules/typescript/bin/tsc");
  const child = Bun.spawn([process.execPath, compiler, "-p", "."], { cwd: folder, stdout: "pipe" });
  let line = 0;
  for (const text of (await new Response(child.stdout).text()).split("\n")) {
    const place = /^(.+?)\((\d+),\d+\): error /.exec(text);
    if (place) line = place[1]?.endsWith("bad.ts") ? Number(place[2]) : -1;
    said.set(line, `${said.get(line) ?? ""}${text}\n`);
  }
});
afterAll(() => rm(home, { recursive: true, force: true }));

test("nothing but the mistakes is objected to, the published types included", () => {
  const expected = Object.keys(mistakes).map((_, at) => head.length + 1 + at);
  const lines = [...said.keys()].filter((line) => line !== 0);
  expect([said.get(-1), lines.filter((line) => !expected.includes(line))]).toEqual([undefined, []]);
});

test.each(Object.keys(mistakes))("%s", (name) => {
  const at = Object.keys(mistakes).indexOf(name);
  const message = said.get(head.length + 1 + at) ?? "";
  expect(message).toMatch(mistakes[name]?.[1] ?? /never/);
});
