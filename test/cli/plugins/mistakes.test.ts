// What an author's mistakes are answered with by `check`, `new`, `add`, `dev` and `list`, and that nothing of them stays behind.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { addPlugin } from "../../../src/cli/plugins/change.ts";
import { checkOne } from "../../../src/cli/plugins/check.ts";
import { devPlugin } from "../../../src/cli/plugins/dev.ts";
import { listPlugins } from "../../../src/cli/plugins/list.ts";
import { newPlugin } from "../../../src/cli/plugins/new.ts";
import { plainTerminal } from "../../support/plain-terminal.ts";

let room: string;
let home: string;
const usual = process.env.MEMOIR_HOME;
beforeAll(async () => {
  room = await realpath(await mkdtemp(join(tmpdir(), "memoir-mistakes-")));
  home = join(room, "home");
  await mkdir(home);
  // A server is looked for where the process says.
  process.env.MEMOIR_HOME = home;
});
afterAll(async () => {
  if (usual === undefined) delete process.env.MEMOIR_HOME;
  else process.env.MEMOIR_HOME = usual;
  await rm(room, { recursive: true, force: true });
});
const terminal = () => plainTerminal({ env: { MEMOIR_HOME: home, HOME: room }, cwd: room });

async function put(path: string, content: object | string): Promise<void> {
  const file = join(room, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));
}
const drop = (path: string, content: object | string) => put(`home/plugins/${path}`, content);
const gone = (path: string) => rm(join(home, "plugins", path), { recursive: true });
const text = (name: string, more = "hooks: { stored() {} }") =>
  `export default { name: "${name}", description: "d", sdk: 1, ${more} };\n`;

async function check(name: string): Promise<Array<{ what: string; state: string; lines: string }>> {
  const screen = terminal();
  await checkOne(name, { json: true }, screen);
  const { findings } = JSON.parse(screen.out.join("\n"));
  return findings.map((one: { lines: string[] }) => ({ ...one, lines: one.lines.join(" ") }));
}

test("an option without a default is a finding", async () => {
  await drop(
    "needs-url.ts",
    `import * as v from "valibot";\n${text("needs-url", "config: v.strictObject({ url: v.string() }), hooks: { stored() {} }")}`,
  );
  const options = (await check("needs-url")).find(({ what }) => what === "options");
  expect(options).toMatchObject({
    state: "fail",
    lines: expect.stringContaining("plugins.needs-url.url: is missing"),
  });
  await gone("needs-url.ts");
});

test("a name that somebody has is a finding, and nothing to begin with", async () => {
  await drop("one.ts", text("same"));
  await drop("two.ts", text("same"));
  await drop("three.ts", text("heuristic"));
  const contract = async (name: string) =>
    (await check(name)).find(({ what, state }) => what === "contract" && state === "fail")?.lines;
  expect(await contract("one")).toContain("two.ts is called same too");
  expect(await contract("three")).toContain("a built-in plugin is called heuristic too");
  expect(newPlugin("listener", "same", {}, terminal())).rejects.toThrow("is called same");
  for (const file of ["one.ts", "two.ts", "three.ts"]) await gone(file);
});

test("a name that is asked of the wrong entry is a finding that names the right one, values and types", async () => {
  await drop(
    "moved.ts",
    `import { modelStrategy, type AnswerFormat, type Gone } from "memoir/sdk";\nconst format: AnswerFormat & Gone = {} as never;\nexport default modelStrategy({ name: "moved", description: "d", format });\n`,
  );
  const findings = await check("moved");
  const types = findings.find(({ what }) => what === "types")?.lines;
  expect(types).toContain("Import `modelStrategy` from `memoir/strategy`, which has it");
  expect(types).toContain("Import `AnswerFormat` from `memoir/strategy`, which has it");
  expect(types).toContain("`memoir/sdk` has no `Gone`, nor has another entry");
  expect(findings.find(({ what }) => what === "contract")).toMatchObject({
    state: "fail",
    lines: expect.stringContaining("Import `modelStrategy` from `memoir/strategy`"),
  });
  await gone("moved.ts");
});

test("the types of JavaScript are not said to be correct; of what is checked by its own wish, they are looked at", async () => {
  const wrong = text("plain", "hooks: { stored() { const n = 1; n.none(); } }");
  const types = async () => (await check("plain")).find(({ what }) => what === "types");
  await drop("plain.js", wrong);
  expect(await types()).toMatchObject({ lines: "not checked: plain.js is JavaScript" });
  await gone("plain.js");
  await drop("plain/index.mjs", wrong);
  await drop("plain/tsconfig.json", { compilerOptions: { strict: true } });
  expect(await types()).toMatchObject({ lines: "not checked: index.mjs is JavaScript" });
  const compilerOptions = { allowJs: true, checkJs: true, strict: true, noEmit: true };
  await drop("plain/tsconfig.json", { compilerOptions });
  expect(await types()).toMatchObject({ state: "fail", lines: expect.stringContaining("TS2339") });
  await gone("plain");
});

test("what memoir hands a plugin is not counted as the plugin's own loading", async () => {
  await drop(
    "light.ts",
    `import { modelStrategy } from "memoir/strategy";\nimport { openRecords } from "memoir/records";\nimport * as v from "valibot";\nexport const used = [modelStrategy, openRecords, v];\n${text("light")}`,
  );
  const loading = (await check("light")).find(({ what }) => what === "loading");
  expect(loading?.lines).toMatch(/^\d+ ms, 1 file/);
  expect(loading?.lines).not.toContain("packages");
  await gone("light.ts");
});

test("what the import throws is said, not the code around it", async () => {
  await drop("throws.ts", `\nthrow new Error("no good");\n${text("throws")}`);
  const loading = (await check("throws")).find(({ what }) => what === "loading");
  expect(loading?.lines).toBe("error: no good");
  await gone("throws.ts");
});

test("what lies there and is no plugin is named, with the reason", async () => {
  await drop("typed.mts", text("typed"));
  await drop("folder/plugin.ts", text("folder"));
  await drop("data/words.json", {});
  const screen = terminal();
  await listPlugins({}, screen);
  const said = screen.out.filter((line) => line.includes("is no plugin"));
  expect(said.map((line) => line.split(":")[0])).toEqual([
    "○ folder is no plugin",
    "○ typed.mts is no plugin",
  ]);
  expect(check("folder")).rejects.toThrow("folder is no plugin: its folder has no index.ts");
  await gone("typed.mts");
  await gone("folder");
});

test("a package that is no plugin leaves nothing behind", async () => {
  await put("words/package.json", { name: "words", version: "1.0.0", main: "i.js" });
  await put("words/i.js", "exports.up = (text) => text.toUpperCase();");
  const dependencies = { words: `file:${join(room, "words")}` };
  await put("none/package.json", { name: "none-such", version: "1.0.0", dependencies });
  await put("none/index.js", "module.exports = { up: 1 };");
  const before = await readdir(join(home, "plugins"));
  expect(addPlugin(join(room, "none"), { yes: true }, terminal())).rejects.toThrow("is no plugin");
  await addPlugin(join(room, "none"), { yes: true }, terminal()).catch(() => undefined);
  expect(await readdir(join(home, "plugins"))).toEqual(before);
}, 180_000);

test("packages of a plugin in the plugins folder are installed where it lies", async () => {
  const dependencies = { words: `file:${join(room, "words")}` };
  await drop("loud/package.json", { name: "loud", type: "module", dependencies });
  await drop(
    "loud/index.ts",
    `import { up } from "words";\nexport default { name: "loud", description: up("d"), sdk: 1, hooks: { stored() {} } };`,
  );
  const contract = (await check("loud")).find(({ what }) => what === "contract");
  expect(contract?.lines).toContain("memoir plugin add <folder>");
  const screen = terminal();
  expect(await addPlugin(join(home, "plugins/loud"), { yes: true }, screen)).toBe(0);
  expect(screen.out.join("\n")).toContain("it is on");
  expect((await check("loud")).find(({ what }) => what === "contract")?.state).toBe("ok");
  expect((await readdir(home)).includes("config.json")).toBe(false);
  await gone("loud");
}, 180_000);

test("dev asks config's provider where that is wanted, also one of one's own", async () => {
  const answer = { text: "ONE", model: "m", stopReason: "end" };
  const usage = "usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 }";
  await drop(
    "says-one.ts",
    text(
      "says-one",
      `slot: "provider", hooks: { complete: () => ({ ...${JSON.stringify(answer)}, ${usage} }) }`,
    ),
  );
  await drop(
    "asks.ts",
    text(
      "asks",
      `hooks: { async stored(notice, ctx) { const { text } = await ctx.complete({ system: "", messages: [{ role: "user", content: "?" }], maxTokens: 9, purpose: "test", session: notice.session }); ctx.log.info("answered " + text); } }`,
    ),
  );
  const dev = async (provider: boolean) => {
    const screen = terminal();
    await devPlugin("asks", { json: true, provider }, screen);
    return JSON.parse(screen.out.join("\n")).log.join("\n");
  };
  expect(dev(true)).rejects.toMatchObject({ code: "provider_none" });
  await put("home/config.json", { slots: { provider: "says-one" } });
  expect(await dev(true)).toContain("answered ONE");
  expect(await dev(false)).not.toContain("answered ONE");
}, 180_000);
