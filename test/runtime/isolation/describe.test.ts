// What a plugin says of itself, asked in a worker that is thrown away, and kept as long as its files stay as they are.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoirPaths } from "../../../src/home/paths.ts";
import {
  describeIsolated,
  lastSlots,
  loadIsolated,
} from "../../../src/runtime/isolation/isolated-plugin.ts";
import { publishSdk } from "../../../src/runtime/plugins/sdk-module.ts";

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "memoir-describe-"));
  await publishSdk(memoirPaths(home));
});
afterAll(() => rm(home, { recursive: true }));

let made = 0;
async function plugin(body: string) {
  const source = join(home, `plugin-${++made}.ts`);
  const mark = `${source}.asked`;
  const write = (more = "") =>
    writeFile(
      source,
      `import * as v from "valibot"; import { appendFileSync } from "node:fs"; appendFileSync(${JSON.stringify(mark)}, "x");${more}
export default { name: "plugin", description: "d", sdk: 1, ${body} };\n`,
    );
  await write();
  const subject = { source, home, deadlineMs: 5_000 };
  /** How often its module was imported so far. */
  const imports = async () => (await readFile(mark, "utf8").catch(() => "")).length;
  return { subject, write, imports };
}

test("a plugin as data: what it declares, where, its options as a schema, and what it makes of some", async () => {
  const { subject } = await plugin(`
    slot: ["observation", "summarization"], events: ["SessionEnd"], start() {},
    config: v.strictObject({ ms: v.optional(v.number(), 7) }),
    hooks: {
      Stop() {},
      PostToolUse: { handler() {}, order: "pre", filter: { tool: ["Bash"] }, deadlineMs: 40 },
      UserPromptSubmit: { handler() {}, deadlineMs: (config) => config.ms * 2 },
    }`);
  const at = (line: number) => expect.stringMatching(new RegExp(`plugin-\\d+\\.ts:${line}$`));
  const options = { type: "object", properties: { ms: { type: "number", default: 7 } } };
  const hooks = [
    { hook: "Stop", order: "normal", place: at(6) },
    { hook: "PostToolUse", order: "pre", filter: { tool: ["Bash"] }, deadlineMs: 40, place: at(7) },
    { hook: "UserPromptSubmit", order: "normal", deadlineMs: "config", place: at(8) },
  ];
  expect(await describeIsolated(subject)).toEqual({
    name: "plugin",
    description: "d",
    sdk: 1,
    slot: ["observation", "summarization"],
    events: ["SessionEnd"],
    hasStart: true,
    importMs: expect.any(Number),
    config: expect.objectContaining(options),
    hooks: hooks as never,
  });
  const code = await loadIsolated({ ...subject, maxBytes: 1e9 });
  expect(await code.check({})).toEqual({
    problems: [],
    config: { ms: 7 },
    deadlines: { UserPromptSubmit: 14 },
  });
  expect(await code.check({ ms: "many" })).toMatchObject({
    problems: [{ message: expect.stringContaining("number") }],
    deadlines: {},
  });
});

test("options that cannot cross to the host are left out", async () => {
  const { subject } = await plugin(
    "config: v.pipe(v.strictObject({}), v.transform(() => ({ now: () => 1 }))), hooks: {}",
  );
  const code = await loadIsolated({ ...subject, maxBytes: 1e9 });
  expect(await code.check({})).toEqual({ problems: [], deadlines: {} });
});

test("it is asked once, and again when its files, or the packages beside it, changed", async () => {
  const { subject, write, imports } = await plugin('slot: "capture", hooks: {}');
  const asked = async () => {
    const before = await imports();
    await describeIsolated(subject);
    return (await imports()) > before;
  };
  expect([await asked(), await asked()]).toEqual([true, false]);
  await write("\n");
  expect([await asked(), await asked()]).toEqual([true, false]);
  await writeFile(join(home, "bun.lock"), "{}");
  expect([await asked(), await asked()]).toEqual([true, false]);
  await write("for (;;) throw 1;");
  await expect(asked()).rejects.toThrow("cannot be loaded");
  expect(await lastSlots(home, subject.source)).toEqual(["capture"]);
});

test("what was kept and is not whole counts as nothing", async () => {
  const { subject, imports } = await plugin("hooks: { Stop() {} }");
  await describeIsolated(subject);
  const folder = join(memoirPaths(home).cache, "plugins");
  const entries = await Promise.all(
    (await readdir(folder)).map(async (name) => {
      const path = join(folder, name);
      return { path, text: await readFile(path, "utf8") };
    }),
  );
  const kept = entries.find((one) => one.text.includes(`plugin-${made}.ts`));
  if (!kept) throw new Error("nothing was kept");
  const { path, text } = kept;
  const whole = JSON.parse(text);
  const { described } = whole;
  for (const damaged of [
    text.slice(0, 40),
    JSON.stringify({ ...whole, described: {} }),
    JSON.stringify({ ...whole, described: { ...described, hooks: [{ hook: "nope" }] } }),
    JSON.stringify({ ...whole, described: { ...described, slot: "nope" } }),
    JSON.stringify({ ...whole, checks: { "{}": {} } }),
    "[".repeat(100_000),
  ]) {
    await writeFile(path, damaged);
    const before = await imports();
    expect((await describeIsolated(subject)).name).toBe("plugin");
    expect([damaged.slice(0, 30), await imports()]).toEqual([damaged.slice(0, 30), before + 1]);
  }
});
