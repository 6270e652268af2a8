// Plugins that were only put into the plugins folder: listed at once, in force where that takes nothing from anybody.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { builtins } from "../../../src/runtime/builtins.ts";
import { describePlugins } from "../../../src/runtime/plugins/describe.ts";
import { startGenerations } from "../../../src/runtime/plugins/generations.ts";
import { memoryLog } from "../../support/hooks.ts";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "memoir-dropped-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

async function put(name: string, text: string): Promise<void> {
  const path = join(home, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
const plugin = (name: string, fields: string) =>
  `export default { name: "${name}", description: "d", sdk: 1, ${fields} };`;
const config = (set: unknown) => put("config.json", JSON.stringify(set));
const stateOf = async (name: string) => {
  const { plugins } = await describePlugins(home, {});
  const { state, fills, error } = plugins.find((one) => one.name === name) ?? {};
  return { state, fills, ...(error && { error }) };
};

const listener = plugin("hears", "hooks: { stored() {} }");
const redactor = plugin("redacts", 'slot: "capture", hooks: { capture: (event) => event }');
const observer = plugin("sees", 'slot: "observation", hooks: { observe: () => undefined }');

test("what stacks is on, what would take a slot waits, and a broken file hides nobody", async () => {
  await put("plugins/hears.ts", listener);
  await put("plugins/redacts/index.ts", redactor);
  await put("plugins/sees.ts", observer);
  await put("plugins/broken.ts", "export default {{{");
  await put("plugins/helper.ts", "export const one = 1;");
  for (const none of [
    "_draft.ts",
    ".hidden.ts",
    "hears.test.ts",
    "types.d.ts",
    "notes.md",
    "_old/index.ts",
  ])
    await put(`plugins/${none}`, "export default {{{");
  await put("plugins/node_modules/package/index.ts", redactor);
  const { plugins, subscriptions, problems } = await describePlugins(home, {});
  const ours = plugins.filter(({ origin }) => origin === "file");
  expect(ours.map(({ name, state, fills }) => [name, state, ...fills])).toEqual([
    ["redacts", "enabled", "capture"],
    ["hears", "enabled"],
    ["broken", "failed"],
    ["helper", "failed"],
    ["sees", "waiting"],
  ]);
  expect(ours.find(({ name }) => name === "broken")?.error).toContain("plugins/broken.ts:1:");
  expect(ours.find(({ name }) => name === "helper")?.error).toContain("Write `export default`");
  const captures = subscriptions.filter(({ hook }) => hook === "capture");
  expect(captures.slice(-2).map((one) => one.plugin)).toEqual(["redacts", "capture-privacy"]);
  expect(problems).toEqual([]);
});

test("config names what was dropped in by its own name, its file's or its path", async () => {
  await put("plugins/by-file.ts", observer);
  await symlink(join(home, "plugins"), join(home, "linked"));
  const paths = ["./plugins/by-file.ts", "./plugins/by-file", "./linked/by-file.ts"];
  for (const reference of ["sees", "by-file", ...paths]) {
    await config({ slots: { observation: reference } });
    expect([reference, await stateOf("sees")]).toEqual([
      reference,
      { state: "enabled", fills: ["observation"] },
    ]);
  }
});

test("a file that config names as well is one plugin", async () => {
  await put("plugins/hears.ts", listener);
  await config({ listeners: ["./plugins/hears.ts"] });
  const { plugins } = await describePlugins(home, {});
  expect(plugins.filter(({ name }) => name === "hears")).toHaveLength(1);
  // Also one that cannot be loaded: whoever wants it tells why.
  await put("plugins/hears.ts", "export default {{{");
  const broken = await describePlugins(home, {});
  expect(broken.plugins.filter(({ origin }) => origin === "file")).toMatchObject([
    { name: "hears", state: "failed", fills: [] },
  ]);
  expect(broken.problems).toMatchObject([{ message: expect.stringContaining("hears.ts:1:") }]);
});

test("switched off by its plugin's name or its file's; the latter is not even loaded", async () => {
  await put("plugins/file.ts", listener);
  await config({ plugins: { hears: { enabled: false } } });
  expect(await stateOf("hears")).toEqual({ state: "disabled", fills: [] });
  await put("plugins/file.ts", "throw new Error('loaded')");
  await config({ plugins: { file: { enabled: false } } });
  expect(await stateOf("file")).toEqual({ state: "disabled", fills: [] });
});

test("a built-in plugin's name is not taken over, unless config names the file", async () => {
  const fields = 'slot: "observation", hooks: { observe: () => undefined }';
  await put("plugins/x.ts", plugin("heuristic", fields));
  const named = async () =>
    (await describePlugins(home, {})).plugins
      .filter(({ name }) => name === "heuristic")
      .map(({ state, origin, error }) => [state, origin, ...(error ? [error] : [])]);
  const why = "a built-in plugin is called heuristic too. Give this one another `name`.";
  expect(await named()).toEqual([
    ["enabled", "built-in"],
    ["failed", "file", why],
  ]);
  await config({ slots: { observation: ["./plugins/x.ts"] } });
  expect(await named()).toEqual([["enabled", "file"]]);
});

const says = (text: string) =>
  plugin("says", `slot: "context-injection", hooks: { Stop: () => ({ context: "${text}" }) }`);

test("a changed file is put in force at a reload; one that does not work leaves the earlier one running", async () => {
  await put("plugins/says.ts", says("one"));
  await put("plugins/still.ts", plugin("still", "start: () => Math.random(), hooks: {}"));
  const log = memoryLog();
  const generations = await startGenerations({
    ...{ home, userHome: home, log, now: () => 0 },
    builtins: {},
  });
  const answer = async () => {
    const answers = await generations.hooks.sequence("Stop", {} as never);
    return answers.map(({ result }) => result.context);
  };
  const info = (name: string) =>
    generations.current().registry.infos.find((one) => one.name === name);
  const still = () =>
    generations.current().registry.running.find(({ loaded }) => loaded.plugin.name === "still");
  const context = still()?.context;
  expect(context).toBeDefined();
  try {
    expect(await answer()).toEqual(["one"]);
    await put("plugins/part.ts", 'export const text = "two";');
    await put(
      "plugins/says.ts",
      `import { text } from "./part.ts"; ${says("x").replace('"x"', "text")}`,
    );
    await generations.reload();
    expect(await answer()).toEqual(["two"]);

    await put("plugins/part.ts", 'export const text = "three";');
    await generations.reload();
    expect(await answer()).toEqual(["three"]);

    await put("plugins/says.ts", "export default {\n  nonsense nonsense\n};");
    await generations.reload();
    expect(await answer()).toEqual(["three"]);
    expect(info("says")).toMatchObject({ state: "running" });
    expect(info("says")?.error).toMatch(/plugins\/says\.ts:2:\d+/);

    await put("plugins/says.ts", says("four"));
    await put("plugins/new.ts", plugin("new", "hooks: {}"));
    await generations.reload();
    expect(await answer()).toEqual(["four"]);
    expect(info("says")?.error).toBeUndefined();
    expect(info("new")?.state).toBe("running");

    await rm(join(home, "plugins/says.ts"));
    await generations.reload();
    expect(await answer()).toEqual([]);
    expect(still()?.context).toBe(context as never);
  } finally {
    await generations.stop();
  }
});

test("a redactor that cannot be loaded any more withholds all text; a broken file that never was one does not", async () => {
  const begin = () =>
    startGenerations({
      ...{ home, userHome: home, log: memoryLog(), now: () => 0, builtins },
    });
  await put("plugins/broken.ts", "export default {{{ capture");
  await put("plugins/redacts.ts", redactor);
  const first = await begin();
  expect(first.current().registry.captureBroken).toBe(false);
  await first.stop();
  await put("plugins/redacts.ts", "export default {{{");
  const second = await begin();
  expect(second.current().registry.captureBroken).toBe(true);
  await second.stop();
  await config({ plugins: { redacts: { enabled: false } } });
  const third = await begin();
  expect(third.current().registry.captureBroken).toBe(false);
  await third.stop();
});
