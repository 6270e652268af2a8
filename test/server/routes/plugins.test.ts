// /api/plugins/:name over a real runtime: one plugin, its switch, and its options with what is refused of them.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { silentLog } from "../../../src/home/log.ts";
import { memoirPaths } from "../../../src/home/paths.ts";
import { setConfigValue } from "../../../src/runtime/config/config.ts";
import { createRuntime, type Runtime } from "../../../src/runtime/runtime.ts";
import { createApp } from "../../../src/server/app.ts";
import { temporaryHome } from "../../cli/hook/run-hook.ts";
import { appOptions } from "../app-options.ts";

let home = "";
let runtime: Runtime;
let reloads: number;
let app: { handle(request: Request): Promise<Response> };
beforeEach(async () => {
  home = await temporaryHome();
  reloads = 0;
  runtime = await createRuntime({ home, log: silentLog, env: { HOME: home } });
  const reloaded = async () => void reloads++;
  app = createApp({ ...appOptions(), runtime, reloaded });
});
afterEach(async () => {
  await runtime.stop();
  await rm(home, { recursive: true, force: true });
});

async function ask(path: string, body?: unknown) {
  const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const response = await app.handle(new Request(`http://localhost/api/plugins/${path}`, init));
  return { status: response.status, ...(await response.json()) };
}
const config = async () =>
  JSON.parse(await readFile(memoirPaths(home).config, "utf8").catch(() => "{}"));

test("one plugin: what it listens to, its options, and what config sets of them", async () => {
  await setConfigValue(home, "plugins.context-relevant.maxCharacters", 900);
  const { plugin, subscriptions, options } = await ask("context-relevant");
  expect(plugin).toMatchObject({ name: "context-relevant", state: "running" });
  expect(subscriptions.map(({ hook }: { hook: string }) => hook)).toContain("UserPromptSubmit");
  expect(options.schema.properties.maxCharacters).toMatchObject({ minimum: 400, maximum: 5_000 });
  expect(options.set).toEqual({ maxCharacters: 900 });
});

test("one that is not there, with the nearest name", async () => {
  const answer = await ask("context-relevent");
  expect(answer.error.message).toContain("did you mean context-relevant?");
  expect((await ask("context-relevent/switch", { enabled: false })).error.code).toBe(
    "plugin_not_found",
  );
});

describe("the switch", () => {
  test("takes a plugin out of force and puts it back, and leaves nothing in config", async () => {
    const off = await ask("context-relevant/switch", { enabled: false });
    expect(off.plugin.state).toBe("disabled");
    expect(await config()).toEqual({ plugins: { "context-relevant": { enabled: false } } });
    expect(runtime.hooks.subscriptions().map(({ plugin }) => plugin)).not.toContain(
      "context-relevant",
    );
    const on = await ask("context-relevant/switch", { enabled: true });
    expect(on.plugin.state).toBe("running");
    expect(await config()).toEqual({});
    expect(reloads).toBe(2);
  });

  test("says when agents have to send other events", async () => {
    const { plugins } = memoirPaths(home);
    await mkdir(plugins, { recursive: true });
    const hooks = "hooks: { PreToolUse() {} }";
    await writeFile(
      join(plugins, "early.ts"),
      `export default { name: "early", description: "Hears what comes.", sdk: 1, ${hooks} };`,
    );
    expect((await ask("context-relevant/switch", { enabled: false })).hooks).toBe(false);
    expect((await ask("early/switch", { enabled: false })).hooks).toBe(false);
    const on = await ask("early/switch", { enabled: true });
    expect([on.plugin.state, on.hooks]).toEqual(["running", true]);
  });

  test("does not empty a slot that has to be filled", async () => {
    const { status, error } = await ask("sqlite/switch", { enabled: false });
    expect([status >= 400, error.code]).toEqual([true, "plugin_slot"]);
    expect(await config()).toEqual({});
  });
});

describe("options", () => {
  test("are set, changed and taken back, and in force at once", async () => {
    const set = { keep: ["Glob"], alsoSkip: ["Grep"] };
    expect(await ask("capture-skip-tools/options", { set })).toMatchObject({
      ...{ saved: true, refused: [] },
    });
    expect((await config()).plugins["capture-skip-tools"]).toEqual(set);
    const unset = ["alsoSkip"];
    await ask("capture-skip-tools/options", { set: { keep: ["Read"] }, unset });
    expect((await config()).plugins["capture-skip-tools"]).toEqual({ keep: ["Read"] });
    await ask("capture-skip-tools/options", { unset: ["keep"] });
    expect(await config()).toEqual({});
    expect(reloads).toBe(3);
  });

  test("that are wrong are each said at their place, and nothing is written", async () => {
    const set = { keep: "many", alsoSkip: [7] };
    const { saved, refused } = await ask("capture-skip-tools/options", { set });
    expect(saved).toBe(false);
    const options = refused.map(({ option }: { option: string }) => option.replace(/\W.*/, ""));
    expect(options.sort()).toEqual(["alsoSkip", "keep"]);
    const bound = await ask("context-relevant/options", { set: { maxCharacters: 99_999 } });
    expect(JSON.stringify(bound.refused)).toMatch(/5,?000/);
    expect(await config()).toEqual({});
    expect(reloads).toBe(0);
  });

  test("beside one that is wrong already are not refused for it", async () => {
    await setConfigValue(home, "plugins.context-handover", { maxCharacters: 5_000 });
    const set = { maxCharacters: 900 };
    expect((await ask("context-relevant/options", { set })).saved).toBe(true);
    expect((await config()).plugins["context-handover"]).toEqual({ maxCharacters: 5_000 });
  });

  test.each(["enabled", "inProcess"])("%s is none", async (option) => {
    const { saved, refused } = await ask("context-relevant/options", { set: { [option]: true } });
    expect([saved, refused.length]).toEqual([false, 1]);
    expect(await config()).toEqual({});
  });

  test.each(["__proto__", "prototype", "constructor"])("%s cannot be one", async (option) => {
    const set = JSON.parse(`{ "${option}": true }`);
    await expect(ask("context-relevant/options", { set })).resolves.toMatchObject({
      error: { code: "usage", message: `\`${option}\` cannot be the name of a field.` },
    });
    expect(await config()).toEqual({});
  });

  test("keep whether the plugin is on", async () => {
    await ask("context-relevant/switch", { enabled: false });
    await ask("context-relevant/options", { set: { maxCharacters: 900 } });
    expect((await config()).plugins["context-relevant"]).toEqual({
      ...{ enabled: false, maxCharacters: 900 },
    });
  });
});
