// `memoir config …` as typed: whole answers, with a server that runs and without one.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ownHome } from "../../support/own-home.ts";
import { typed } from "../../support/typed.ts";

let place: Awaited<ReturnType<typeof ownHome>>;
beforeEach(async () => {
  place = await ownHome();
  await mkdir(place.home);
});
afterEach(() => place.end());
const file = () => join(place.home, "config.json");
const config = (words: string, ...more: string[]) =>
  typed(["config", ...words.split(" "), ...more]);
const running = (words: string) => typed(["config", ...words.split(" ")], { "/api/reload": {} });

test("set and unset say when it takes effect: with the next start, by a stop and start, or at once", async () => {
  const start = "It takes effect at the next server start";
  expect((await config("set log.level debug")).out).toEqual([
    'log.level = "debug"',
    `${start} (\`memoir server stop\`, then \`memoir server start\`).`,
  ]);
  expect((await config("set plugins.live.enabled false")).out).toEqual([
    "plugins.live.enabled = false",
    `${start}.`,
  ]);
  expect((await config("unset plugins.live.enabled")).out).toEqual([
    "plugins.live.enabled is reset to its default.",
    `${start}.`,
  ]);
  const now = await running("set log.level info");
  expect([now.out, now.asked.map(({ path }) => path)]).toEqual([
    ['log.level = "info"'],
    ["/api/reload"],
  ]);
  expect((await running("set server.port 0")).out).toHaveLength(2);
  expect((await running("unset log.level")).out).toEqual(["log.level is reset to its default."]);
  expect((await running("unset log.level")).out).toEqual(["log.level was not set."]);
});

test("as JSON set and unset say what was changed where, and whether it is in force", async () => {
  const json = async (answer: Promise<{ out: string[] }>) =>
    JSON.parse((await answer).out.join(""));
  expect(await json(config("set log.level debug --json"))).toEqual({
    ...{ path: "log.level", value: "debug", file: file(), inForce: false },
  });
  expect(await json(running("set log.level info --json"))).toMatchObject({ inForce: true });
  expect(await json(config("unset log.level --json"))).toEqual({
    ...{ path: "log.level", removed: true, inForce: false },
  });
  expect(await json(running("unset log.level --json"))).toEqual({
    ...{ path: "log.level", removed: false, inForce: true },
  });
});

test("show prints the file's place, what is set, and what is wrong; nothing set has a line", async () => {
  const nothing = "Nothing is set: defaults are in effect. `memoir config show --all` prints them.";
  expect((await config("show")).out).toEqual([file(), nothing]);
  await writeFile(file(), '{"log":{"level":"loud"}}');
  const { code, out, err } = await config("show");
  expect([code, out]).toEqual([
    1,
    [file(), ...JSON.stringify({ log: { level: "loud" } }, null, 2).split("\n")],
  ]);
  expect(err).toEqual([expect.stringMatching(/^wrong: log\.level: /)]);
  await writeFile(file(), "{");
  const broken = await config("show");
  expect(broken.out).toEqual([
    file(),
    "The config can't be read, and there are no previous settings: defaults are in effect, and all text is withheld until it is fixed.",
  ]);
  await writeFile(join(place.home, "config.last.json"), '{"log":{"level":"debug"}}');
  expect((await config("show")).out[1]).toBe(
    "The config can't be read: the previous settings stay in effect until it is fixed.",
  );
});

test("get gives an option of a plugin that nobody set, and names the nearest key at any depth", async () => {
  expect((await config("get plugins.hybrid.maxTokens")).out.join("")).toMatch(/^\d+$/);
  expect((await config("get slots.storage")).out).toEqual(["sqlite"]);
  const fix = async (path: string) => (await config(`get ${path}`)).err[1];
  expect(await fix("slot")).toBe("fix: Did you mean slots?");
  expect(await fix("budget.dailyToken")).toBe("fix: Did you mean budget.dailyTokens?");
  const list =
    "fix: `memoir config show --all` prints what is in effect, `memoir config schema` every setting.";
  expect(await fix("xylophone.of.mine")).toBe(list);
  expect(await fix("plugins.nobody.here")).toBe(list);
  expect(await fix("a.plugins.hybrid.maxTokens")).toBe(list);
});

test("a list that is written as words is shown as it has to be written, and only then", async () => {
  const path = "plugins.capture-skip-tools.alsoSkip";
  const fix = async (text: string) => (await config(`set ${path}`, text)).err[1];
  expect(await fix(" A , B")).toBe(`fix: Write a list: \`memoir config set ${path} '["A","B"]'\`.`);
  for (const other of ["[A", "'A'", "7"])
    expect([other, (await fix(other))?.includes("Write a list")]).toEqual([other, false]);
  expect((await config(`set ${path}`, '["A"]')).code).toBe(0);
  expect(JSON.parse(await readFile(file(), "utf8")).plugins).toEqual({
    "capture-skip-tools": { alsoSkip: ["A"] },
  });
});

test("the schema is JSON for people and programs, and knows options of plugins", async () => {
  const { out, code } = await config("schema");
  expect([code, out[0], out[1]?.startsWith('  "')]).toEqual([0, "{", true]);
  const schema = JSON.parse(out.join("\n"));
  expect(Object.keys(schema.properties)).toContain("budget");
  expect(JSON.stringify(schema)).toContain("alsoSkip");
});
