// What the commands about models and plugins ask, show, refuse and exit with.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { listProviders, providerKey, testProviders } from "../../../src/cli/models/provider.ts";
import { removePlugin } from "../../../src/cli/plugins/change.ts";
import { showPlugin } from "../../../src/cli/plugins/list.ts";
import type { Terminal } from "../../../src/cli/terminal/terminal.ts";
import { setConfigValue } from "../../../src/runtime/config/config.ts";
import { type CannedAnswers, cannedServer } from "../../support/canned-server.ts";
import { ownHome } from "../../support/own-home.ts";
import { plainTerminal } from "../../support/plain-terminal.ts";
import { quietStatus } from "../../support/quiet-status.ts";

let place: Awaited<ReturnType<typeof ownHome>>;
beforeEach(async () => {
  place = await ownHome();
  await mkdir(place.home);
});
afterEach(() => place.end());

const now = 100_000;
async function run(
  command: (terminal: Terminal) => Promise<number>,
  { answers, env, ...more }: Partial<Terminal> & { answers?: CannedAnswers } = {},
) {
  const server = answers && (await cannedServer(place.home, answers));
  const terminal = plainTerminal({
    ...{ now: () => now, cwd: place.root, ...more },
    env: { HOME: place.root, MEMOIR_HOME: place.home, ...env },
  });
  try {
    const code = await command(terminal);
    return { code, lines: terminal.out.join("\n").split("\n"), asked: server?.asked ?? [] };
  } finally {
    await server?.stop();
  }
}

describe("provider test", () => {
  const good = { provider: "anthropic", ok: true, model: "m", ms: 1_234, tokens: 1 };
  const bad = {
    provider: "mine",
    ok: false,
    error: { message: "mine (m) did not answer", fix: "Wait." },
  };
  const ask = (tests: object[], name?: string, json = false) =>
    run((terminal) => testProviders(name, { json }, terminal), {
      answers: { "/api/provider/test": { tests } },
    });

  test("says of each how it did, and gives 1 when one failed", async () => {
    const { code, lines, asked } = await ask([good, bad]);
    expect([code, asked[0]?.body]).toEqual([1, {}]);
    expect(lines).toEqual([
      "✓ anthropic: m answered (1.2 s, 1 token).",
      "✗ mine: it did not answer",
      "  fix: Wait.",
    ]);
    const one = await ask([good], "anthropic");
    expect([one.code, one.asked[0]?.body]).toEqual([0, { provider: "anthropic" }]);
    expect((await ask([bad], undefined, true)).code).toBe(1);
  });

  test("of none is an error", async () => {
    await expect(ask([])).rejects.toMatchObject({ code: "provider_none" });
  });
});

describe("provider list", () => {
  const list = async (more: Parameters<typeof run>[1] = {}) => {
    const { lines } = await run((terminal) => listProviders({ json: true }, terminal), more);
    const { providers } = JSON.parse(lines.join("")) as {
      providers: Array<Record<string, unknown>>;
    };
    return providers.map(({ name, place: at, key, state, model }) => ({
      name,
      at,
      key,
      state,
      model,
    }));
  };

  test("says where a key comes from, and how each fares as the server knows", async () => {
    await setConfigValue(place.home, ["slots", "provider"], ["anthropic"]);
    await setConfigValue(place.home, ["plugins", "anthropic", "keyEnv"], "MY_KEY");
    const models = {
      ...quietStatus.models,
      providers: [{ name: "anthropic", state: "failing", at: now - 60_000, model: "m" }],
    };
    const [own] = await list({
      answers: { "/api/status": { ...quietStatus, models } },
      env: { MY_KEY: "x" },
    });
    expect(own).toMatchObject({ key: "environment", state: "failed 1m ago", model: "m" });
    expect((await list())[0]).toMatchObject({ key: null, state: "" });
  });

  test("of nobody in use says how to change that", async () => {
    const { lines } = await run((terminal) => listProviders({}, terminal));
    expect(lines.at(-1)).toContain("No model is used. `memoir config set slots.provider <name>`");
  });
});

describe("provider key", () => {
  const key = (name: string, typed: string, options: object = {}) =>
    run((terminal) => providerKey(name, options, terminal), { secret: async () => typed });

  test("is stored without blanks around it, and taken out again", async () => {
    const { lines } = await key("anthropic", " sk-1 \n");
    expect(lines[1]).toBe("Try it with   memoir provider test anthropic");
    const stored = await readFile(join(place.home, "keys.json"), "utf8");
    expect(stored).toContain('"sk-1"');
    const remove = () => key("anthropic", "", { remove: true });
    expect((await remove()).lines[0]).toBe("The key of anthropic is removed.");
    expect((await remove()).lines[0]).toBe("No key of anthropic was stored.");
  });

  test("is told to a server that runs, which asks with it from then on; a program gets no word of it", async () => {
    const stored = await run((terminal) => providerKey("anthropic", { json: true }, terminal), {
      ...{ secret: async () => "x".repeat(4_096), answers: { "/api/reload": {} } },
    });
    expect(stored.asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /api/reload",
    ]);
    expect(stored.lines).toEqual(['{"provider":"anthropic","stored":true}']);
  });

  test.each([
    ["a name that is none", "Anthropic!", "sk-1", "is no provider's name"],
    ["a provider that is none", "antropic", "sk-1", 'There is no provider "antropic"'],
    ["nothing", "anthropic", " ", "No key was given."],
    ["two words", "anthropic", "sk 1", "That is no key"],
    ["a provider that takes none", "claude-cli", "sk-1", "claude-cli needs no key."],
    ["an odd character", "anthropic", "sk–1", "That is no key"],
    ["a whole file", "anthropic", "x".repeat(5_000), "That is no key"],
  ])("%s is refused", async (_, name, typed, message) => {
    await expect(key(name, typed)).rejects.toThrow(message);
  });
});

describe("a plugin of one's own", () => {
  test("is taken out of every list that names it; its file and what others wrote stay", async () => {
    const file = join(place.root, "mine.ts");
    await writeFile(
      file,
      'export default { name: "mine", description: "d", sdk: 1, hooks: { Stop() {} } };\n',
    );
    await setConfigValue(place.home, ["listeners"], [file]);
    await setConfigValue(place.home, ["slots", "capture"], ["...", file]);
    await setConfigValue(place.home, ["plugins", "mine", "a"], 1);
    await setConfigValue(place.home, ["log", "level"], "debug");
    const { code, lines } = await run((terminal) => removePlugin("mine", {}, terminal));
    expect(code).toBe(0);
    expect(lines[0]).toMatch(
      /^Removed mine; no longer in config: (?:slots\.capture, listeners|listeners, slots\.capture), plugins\.mine\.$/,
    );
    expect(lines[1]).toBe(`Its file stays: ${file}`);
    expect(JSON.parse(await readFile(join(place.home, "config.json"), "utf8"))).toEqual({
      log: { level: "debug" },
    });
    await expect(run((terminal) => removePlugin("mine", {}, terminal))).rejects.toMatchObject({
      code: "plugin_not_found",
    });
    await expect(run((terminal) => removePlugin("sqlite", {}, terminal))).rejects.toThrow(
      "is built in",
    );
  });

  test("is told with its options: what is usual and what is set", async () => {
    await setConfigValue(place.home, ["plugins", "context-handover", "maxCharacters"], 4_000);
    const { lines } = await run((terminal) =>
      showPlugin("context-handover", { json: true }, terminal),
    );
    const about = JSON.parse(lines.join(""));
    expect(about.plugin).toMatchObject({ name: "context-handover", fills: ["context-injection"] });
    const set = about.options.filter((one: object) => "set" in one);
    expect(set.map(({ key, set: value }: { key: string; set: unknown }) => [key, value])).toEqual([
      ["maxCharacters", 4_000],
    ]);
    expect(set[0].default).toBeGreaterThan(0);
    await expect(run((terminal) => showPlugin("context-handovr", {}, terminal))).rejects.toThrow(
      "did you mean context-handover?",
    );
  });
});
