// Plugins that are switched off, gone, in the way or there already: what the commands about them do and say.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { main } from "../../../src/cli/program.ts";
import { setConfigValue } from "../../../src/runtime/config/config.ts";
import { ownHome } from "../../support/own-home.ts";
import { plainTerminal } from "../../support/plain-terminal.ts";

let place: Awaited<ReturnType<typeof ownHome>>;
beforeEach(async () => {
  place = await ownHome();
  await mkdir(place.home);
});
afterEach(() => place.end());

async function memoir(...words: string[]) {
  const env = { HOME: place.root, MEMOIR_HOME: place.home };
  const screen = plainTerminal({ env, cwd: place.root });
  const code = await main(["memoir", "memoir", ...words], screen);
  return { code, out: screen.out.join("\n"), err: screen.err.join("\n") };
}
const config = async () =>
  JSON.parse(await readFile(join(place.home, "config.json"), "utf8").catch(() => "{}"));
const off = { enabled: false };
const text = (name: string, more = "hooks: { Stop() {} }") =>
  `export default { name: "${name}", description: "d", sdk: 1, ${more} };\n`;
async function drop(name: string, code: string): Promise<void> {
  await mkdir(join(place.home, "plugins"), { recursive: true });
  await writeFile(join(place.home, "plugins", `${name}.ts`), code);
}
const operation =
  'hooks: {}, operations: { words: { does: "Counts.", takes: {}, for: ["command"], run: () => ({}) } }';

test("removing a plugin of the plugins folder that is off leaves it off", async () => {
  await memoir("plugin", "new", "listener", "fresh");
  expect(await memoir("plugin", "remove", "fresh")).toMatchObject({
    code: 2,
    err: expect.stringContaining("It stays switched off."),
  });
  expect((await config()).plugins).toEqual({ fresh: off });
  await setConfigValue(place.home, ["plugins", "fresh", "a"], 1);
  const removed = await memoir("plugin", "remove", "fresh");
  expect(removed).toMatchObject({ code: 0, out: expect.stringContaining("It stays switched off") });
  expect((await config()).plugins).toEqual({ fresh: off });
});

test.each([
  ["a listener, which is on by lying there", "hooks: { Stop() {} }", true],
  [
    "one of a slot that is chosen",
    'slot: "observation", hooks: { observe: () => ({ observations: [] }) }',
    false,
  ],
])("removing what config sets of %s says whether it is on all the same", async (_, more, isOn) => {
  await drop("mine", text("mine", more));
  await setConfigValue(place.home, ["plugins", "mine", "a"], 1);
  const { code, out } = await memoir("plugin", "remove", "mine");
  expect(code).toBe(0);
  expect(out.includes("`memoir plugin disable mine` switches it off")).toBe(isOn);
});

test("what is left in config of a plugin that is gone is in nobody's way, and goes by its name", async () => {
  await drop(
    "other",
    text("other", 'slot: "observation", hooks: { observe: () => ({ observations: [] }) }'),
  );
  await setConfigValue(place.home, ["plugins", "vanished"], off);
  const path = join(place.root, "elsewhere.ts");
  await writeFile(path, text("vanishes", 'slot: "observation", hooks: { observe: () => ({}) }'));
  for (const reference of ["other", path])
    expect(await memoir("config", "set", "slots.observation", reference)).toMatchObject({
      code: 0,
    });
  await setConfigValue(place.home, ["plugins", "gone"], off);
  const shown = await memoir("config", "show");
  expect(shown.err).toContain("If it is gone, `memoir config unset plugins.gone`");
  expect((await memoir("config", "set", "plugins.gone.enabled", "false")).code).not.toBe(0);
  expect(await memoir("plugin", "remove", "gone")).toMatchObject({
    code: 0,
    out: expect.stringContaining("Removed gone; no longer in config: plugins.gone."),
  });
  expect((await config()).plugins).toEqual({ vanished: off });
});

test("dev tries a plugin that is off, with its options, and says so", async () => {
  await drop("throws", text("throws", 'hooks: { Stop() { throw new Error("no good"); } }'));
  await setConfigValue(place.home, ["plugins", "throws"], off);
  const { code, out } = await memoir("plugin", "dev", "throws", "--once");
  expect(out).toContain("throws is switched off; it is tried here as if it were on.");
  expect(out).toContain("no good");
  expect(code).toBe(1);
});

test("dev says what of a plugin the session calls nothing of, and what does", async () => {
  const parts = [
    'operations: { words: { does: "Counts.", takes: {}, for: ["panel"], run: () => ({}) } }',
    'panels: { words: { title: "Words", html: "<p>None</p>" } }',
    'schedules: { weekly: { at: "fri 16:00", run() {} } }',
    "routes: () => new Response()",
    'redactions: { staff: { pattern: "EMP-[0-9]{5}", removes: ["EMP-12345"] } }',
    'hooks: { rank: (given) => given, export: () => ({ text: "" }), Stop() {} }',
  ];
  await drop("calm", text("calm", parts.join(", ")));
  const { code, out } = await memoir("plugin", "dev", "calm", "--once");
  expect(out.replace(/\s+/g, " ")).toContain(
    "This session calls nothing of rank, export, operations.words, routes, panels.words, schedules.weekly, the redaction staff; `memoir plugin test calm` tries it.",
  );
  expect(code).toBe(0);
}, 180_000);

test("a plugin that is added while it is switched off is not said to be on", async () => {
  const path = join(place.root, "mine.ts");
  await writeFile(path, text("mine", "hooks: { stored() {} }"));
  await setConfigValue(place.home, ["plugins", "mine"], off);
  const { out } = await memoir("plugin", "add", path, "--yes");
  expect(out).toContain("Added; it is switched off: `memoir plugin enable mine` enables it.");
  expect(out).toContain("events  none of the client's");
  expect((await memoir("plugin", "add", path, "--yes")).err).toContain("It is read where it lies");
});

test("the command of a plugin that is off names how it is enabled", async () => {
  await drop("words", text("words", operation));
  expect((await memoir("words", "--help")).code).toBe(0);
  await memoir("plugin", "disable", "words");
  for (const words of [["words"], ["words", "count"], ["help", "words"]])
    expect(await memoir(...words)).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /The plugin words is switched off\.[\s\S]*`memoir plugin enable words`/,
      ),
    });
  await rm(join(place.home, "plugins/words.ts"));
  expect((await memoir("words")).err).toContain("nknown command");
});

test("an operation under the name of a command of memoir's own is warned of", async () => {
  const clash = "`memoir search` is a command of memoir's own; give the plugin another name";
  expect((await memoir("plugin", "new", "operation", "search")).err).toContain(clash);
  expect((await memoir("plugin", "enable", "search")).err).toContain(clash);
  const { findings } = JSON.parse((await memoir("plugin", "check", "search", "--json")).out);
  expect(findings).toContainEqual({ what: "contract", state: "warn", lines: [clash] });
  expect((await memoir("plugin", "new", "listener", "status")).err).toBe("");
});
