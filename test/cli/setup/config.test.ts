// `memoir config` and the switches of plugins, called as when typed, with no server running.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { switchPlugin } from "../../../src/cli/plugins/change.ts";
import {
  configPath,
  getConfig,
  setConfig,
  showConfig,
  waitsForStart,
} from "../../../src/cli/setup/config.ts";
import type { Terminal } from "../../../src/cli/terminal/terminal.ts";
import { reportError } from "../../../src/cli/terminal/terminal.ts";
import { MemoirError } from "../../../src/sdk/errors.ts";
import { ownHome } from "../../support/own-home.ts";
import { plainTerminal } from "../../support/plain-terminal.ts";

let place: Awaited<ReturnType<typeof ownHome>>;
beforeEach(async () => {
  place = await ownHome();
  await mkdir(place.home);
});
afterEach(() => place.end());

/** What a command prints and gives. */
async function run(command: (terminal: Terminal) => Promise<number>) {
  const env = { HOME: place.root, MEMOIR_HOME: place.home };
  const terminal = plainTerminal({ cwd: place.root, env });
  const code = await command(terminal);
  return { code, out: terminal.out.join("\n"), err: terminal.err.join("\n") };
}
const file = () => join(place.home, "config.json");
const kept = async () => JSON.parse(await readFile(file(), "utf8"));
const set = (path: string, text: string, json = false) =>
  run((terminal) => setConfig(path, text, { json }, terminal));

describe("a value", () => {
  test("that may not be is refused, and the file stays as it was", async () => {
    await set("log.level", "debug");
    const before = await readFile(file(), "utf8");
    await expect(set("log.level", "loud")).rejects.toMatchObject({ code: "config_invalid" });
    await expect(set("budget.dailyToken", "1")).rejects.toThrow();
    expect(await readFile(file(), "utf8")).toBe(before);
  });

  test("is set beside another that was wrong before, also where a plugin is", async () => {
    await writeFile(file(), '{"plugins": {"gone": {"x": 1}, "hybrid": {"maxTokens": "many"}}}');
    expect((await set("log.level", "debug")).code).toBe(0);
    expect(await kept()).toMatchObject({ log: { level: "debug" }, plugins: { gone: { x: 1 } } });
    await expect(set("plugins.elsewhere.x", "1")).rejects.toThrow("plugins.elsewhere: unknown");
    await expect(set("plugins.gone.y", "1")).rejects.toThrow("plugins.gone: unknown");
    expect((await set("plugins.hybrid.maxTokens", "900")).code).toBe(0);
  });

  test("is printed as it is in force; a text as itself, anything else as JSON", async () => {
    await set("log.level", "debug");
    const get = (path: string, json = false) =>
      run((terminal) => getConfig(path, { json }, terminal));
    expect((await get("log.level")).out).toBe("debug");
    expect(JSON.parse((await get("log.level", true)).out)).toEqual({
      path: "log.level",
      value: "debug",
    });
    expect(Number((await get("budget.dailyTokens")).out)).toBeGreaterThan(0);
    expect(JSON.parse((await get("log")).out)).toMatchObject({ level: "debug" });
    await writeFile(file(), '{"budget": {"dailyTokens": 0}, "plugins": {"mine": {"on": false}}}');
    expect((await get("budget.dailyTokens")).out).toBe("0");
    expect((await get("plugins.mine.on")).out).toBe("false");
    await expect(get("log.levle")).rejects.toMatchObject({
      code: "usage",
      fix: "Did you mean log.level?",
    });
    await expect(get("nothing.at.all")).rejects.toThrow("There is no setting nothing.at.all.");
    await expect(get("dailyTokens")).rejects.toMatchObject({
      fix: "Did you mean budget.dailyTokens?",
    });
    expect((await get("plugins.live.read.sources")).out).toBe("subagents");
    expect(JSON.parse((await get("plugins.live.read")).out)).toEqual({ sources: "subagents" });
    await expect(get("plugins.live.read.none")).rejects.toThrow("There is no setting");
    expect(await get("slots.hub")).toEqual({
      ...{ code: 0, out: "", err: "slots.hub is not set and has no default." },
    });
    expect(JSON.parse((await get("slots.hub", true)).out)).toEqual({
      ...{ path: "slots.hub", value: null },
    });
  });
});

describe("the whole", () => {
  const show = (options: { json?: boolean; all?: boolean } = {}) =>
    run((terminal) => showConfig(options, terminal));

  test("is what was set, or with --all what is in force", async () => {
    expect((await show()).out).toContain("Nothing is set: defaults are in effect.");
    await set("log.level", "debug");
    expect(JSON.parse((await show({ json: true })).out)).toEqual({
      ...{ path: file(), config: { log: { level: "debug" } }, problems: [] },
    });
    const all = JSON.parse((await show({ json: true, all: true })).out).config;
    expect(all).toMatchObject({ log: { level: "debug" }, slots: { storage: "sqlite" } });
    expect((await show()).out.split("\n")[0]).toBe(file());
  });

  test("with something wrong in it says what, and gives 1", async () => {
    await writeFile(file(), '{"log": {"level": "loud"}}');
    const wrong = await show();
    expect([wrong.code, wrong.err.includes("log.level")]).toEqual([1, true]);
    await writeFile(file(), '{"plugins": {"hybrid": {"maxTokens": "many"}}}');
    const option = await show();
    expect([option.code, option.err]).toEqual([
      1,
      'wrong: plugins.hybrid.maxTokens: must be a number, but is "many"',
    ]);
  });

  test("that cannot be read says what is in force meanwhile", async () => {
    const get = (path: string) => run((terminal) => getConfig(path, {}, terminal));
    await writeFile(file(), "{");
    expect((await show()).out).toContain("all text is withheld until it is fixed.");
    await writeFile(join(place.home, "config.last.json"), '{"log": {"level": "debug"}}');
    const { out, err, code } = await show();
    expect([code, err]).toEqual([1, expect.stringContaining("line 1, column 2")]);
    expect(out).toContain(
      "The config can't be read: the previous settings stay in effect until it is fixed.",
    );
    expect(out).toContain('"level": "debug"');
    expect((await get("log.level")).out).toBe("debug");
  });

  test("has its place, whether or not it is there", async () => {
    expect((await run((terminal) => configPath({}, terminal))).out).toBe(file());
    expect(JSON.parse((await run((terminal) => configPath({ json: true }, terminal))).out)).toEqual(
      {
        path: file(),
      },
    );
  });
});

test.each([
  ["server.port", true],
  ["journal.keepDays", true],
  ["worker.concurrency", true],
  ["watch.enabled", true],
  ["log.level", false],
  ["budget.dailyTokens", false],
  ["plugins.live.over", false],
])("%s waits for the server's next start: %p", (path, waits) => {
  expect(waitsForStart(path)).toBe(waits);
});

describe("a plugin", () => {
  const flip = (name: string, enabled: boolean) =>
    run((terminal) => switchPlugin(enabled, name, {}, terminal));

  test("is switched off and on; on leaves nothing in config", async () => {
    expect((await flip("context-handover", false)).out).toBe("context-handover is off.");
    expect(await kept()).toEqual({ plugins: { "context-handover": { enabled: false } } });
    expect((await flip("context-handover", true)).out).toBe("context-handover is on.");
    expect(await kept()).toEqual({});
  });

  test("that is in no slot says how to put it there", async () => {
    expect((await flip("hybrid", true)).out).toContain(
      "memoir config set slots.observation hybrid",
    );
  });

  test("that has to be there is not switched off, and one that is not there is not switched", async () => {
    await expect(flip("sqlite", false)).rejects.toMatchObject({ code: "plugin_slot" });
    await expect(flip("context-handovr", false)).rejects.toThrow("did you mean context-handover?");
  });
});

test("no password of an address is printed, whatever asks for it", async () => {
  const address = "https://ada:rosebud77@models.example/v1";
  const said = [
    await set("plugins.semantic-search.baseURL", JSON.stringify(address)),
    await run((terminal) => showConfig({}, terminal)),
    await run((terminal) => showConfig({ json: true, all: true }, terminal)),
    await run((terminal) => getConfig("plugins.semantic-search.baseURL", {}, terminal)),
    await run(async (terminal) =>
      reportError(new MemoirError("usage", `${address} does not answer.`), terminal, true),
    ),
  ];
  for (const { out, err } of said) {
    expect(out).toContain("https://ada:[redacted:password]@models.example/v1");
    expect(out + err).not.toContain("rosebud77");
  }
  expect((await kept()).plugins["semantic-search"].baseURL).toBe(address);
});

test.each([
  ["set", (path: string) => set(path, "5")],
  ["got", (path: string) => run((terminal) => getConfig(path, {}, terminal))],
])(
  "a key that is no longer a choice cannot be %s, and nobody is sent to take it out",
  async (_, ask) => {
    await expect(ask("worker.maxToolUses")).rejects.toMatchObject({
      message: "worker.maxToolUses is no longer a choice since 0.1.0; 200 holds.",
      fix: "Nothing to set there.",
    });
  },
);
