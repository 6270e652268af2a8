// config.json: what is accepted, how mistakes are explained, how it is written.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { lstat, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import {
  parseConfig,
  problemText,
  readConfig,
  setConfigValue,
  unsetConfigValue,
} from "../../../src/runtime/config/config.ts";
import { configJsonSchema } from "../../../src/runtime/config/json-schema.ts";
import { nearest } from "../../../src/runtime/config/problems.ts";
import { fakePlugin } from "../../support/hooks.ts";

const parse = (text: string) => parseConfig("/home/config.json", text);
const said = (text: string) => parse(text).problems.map(problemText);

describe("what is wrong is said exactly", () => {
  test.each<[string, string, string[]]>([
    ["nothing there", "", []],
    ["an empty object", "{}", []],
    ["a schema for editors", '{"$schema":"x"}', []],
    ["a byte order mark", '\uFEFF{"listeners":["./a.ts"]}', []],
    ["a key", '{"slot":{}}', ['slot: unknown key; did you mean "slots"?']],
    [
      "a key inside",
      '{"slots":{"storag":"x"}}',
      ['slots.storag: unknown key; did you mean "slots.storage"?'],
    ],
    ["a key far from any", '{"log":{"colour":1}}', ["log.colour: unknown key; there is level"]],
    ["a type", '{"slots":{"storage":3}}', ["slots.storage: must be a string, but is 3"]],
    ["an item", '{"listeners":["a",3]}', ["listeners.1: must be a string, but is 3"]],
    ["a range", '{"worker":{"concurrency":0}}', ["worker.concurrency: must be >=1, but is 0"]],
    [
      "a choice",
      '{"log":{"level":"loud"}}',
      ['log.level: must be "error" or "warn" or "info" or "debug", but is "loud"'],
    ],
    [
      "a plugin's entry",
      '{"plugins":{"a":{"enabled":"no"}}}',
      ['plugins.a.enabled: must be true or false, but is "no"'],
    ],
    // A schema leaves these out without a word: the rule would never hold.
    [
      "a rule with a name that cannot be one",
      '{"privacy":{"redact":{"rules":{"constructor":"EMP-1"}}}}',
      ['privacy.redact.rules.constructor: "constructor" cannot be a name here; take another'],
    ],
    [
      "an option with such a name",
      '{"plugins":{"a":{"deep":[{"__proto__":1}]}}}',
      ['plugins.a.deep.0.__proto__: "__proto__" cannot be a name here; take another'],
    ],
    [
      "several at once",
      '{"slot":1,"backup":{"keepDays":0}}',
      ["backup.keepDays: must be >=1, but is 0", 'slot: unknown key; did you mean "slots"?'],
    ],
    [
      "a missing comma",
      '{\n  "a": 1\n  "b": 2\n}',
      ['line 3, column 3: there is "\\"" where "," or a closing bracket is wanted'],
    ],
    [
      "a comma too many",
      '{"a": [1,]}',
      ['line 1, column 10: there is "]" where a value is wanted'],
    ],
    [
      "a comment",
      "{} // mine",
      ['line 1, column 4: there is "/" where JSON, which has no comments, is wanted'],
    ],
    ["a torn file", '{"a": {"b"', ['line 1, column 11: the file ends where ":" is wanted']],
    ["a list", "[]", ["line 1, column 1: it must hold one object, {…}"]],
  ])("%s", (_, text, expected) => {
    expect(said(text)).toEqual(expected);
  });
});

describe("one typo does not switch everything else off", () => {
  test("what is right stays in force", () => {
    const { config, broken, set } = parse(
      '{"slots":{"storag":"x","storage":"mine"},"worker":{"concurrency":"2"},"log":{"level":"debug"}}',
    );
    expect(broken).toBe(false);
    expect(config.slots).toEqual({ storage: "mine" });
    expect(config.worker.concurrency).toBe(4);
    expect(config.log.level).toBe("debug");
    expect(set.slots).toEqual({ storag: "x", storage: "mine" });
  });

  test("several wrong items are taken out of one list, and no right one", () => {
    expect(parse('{"listeners":[1,"a",2,"b",3]}').config.listeners).toEqual(["a", "b"]);
  });

  test.each([
    ['{"slots":"~/redact.ts"}', true],
    ['{"slots":{"capture":["a",3]}}', true],
    ['{"slots":{"capture":"mine"}}', true],
    ['{"slots":{"captur":["mine"]}}', false],
    ['{"slots":{"storage":3}}', false],
  ])("%s leaves capture unclear: %p", (text, unclear) => {
    expect(parse(text).captureUnclear).toBe(unclear);
  });

  test("a file that is not valid JSON gives the defaults", () => {
    const { config, broken } = parse("{");
    expect(broken).toBe(true);
    expect(config).toEqual(parse("{}").config);
  });
});

test.each([
  ["storag", "storage"],
  ["STORAGE", "storage"],
  ["sorage", "storage"],
  ["xyz", undefined],
  ["stor", "storage"],
  ["st", undefined],
])("nearest(%s) is %s", (word, expected) => {
  expect(nearest(word, ["slots", "storage", "server"])).toBe(expected as string);
});

describe("writing", () => {
  let home: string;
  const file = () => join(home, "config.json");
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), "memoir-config-"));
  });
  afterEach(() => rm(home, { recursive: true, force: true }));

  test("keeps only what the user set, readable by its owner only, with nothing left over", async () => {
    await setConfigValue(home, "log.level", "debug");
    await setConfigValue(home, "plugins.context-handover.enabled", false);
    await setConfigValue(home, ["plugins", "a.b", "x"], [1]);
    expect(JSON.parse(await readFile(file(), "utf8"))).toEqual({
      log: { level: "debug" },
      plugins: { "context-handover": { enabled: false }, "a.b": { x: [1] } },
    });
    expect((await stat(file())).mode & 0o777).toBe(0o600);
    expect((await readdir(home)).sort()).toEqual(["config.json", "logs", "plugins", "spool"]);
    expect((await readConfig(home)).config.log.level).toBe("debug");
  });

  test("a home that is not there yet is made", async () => {
    const later = join(home, "later");
    await setConfigValue(later, "log.level", "debug");
    expect((await readConfig(later)).config.log.level).toBe("debug");
    expect((await stat(later)).mode & 0o777).toBe(0o700);
  });

  test("a linked file stays a link", async () => {
    const target = join(home, "dotfiles.json");
    await writeFile(target, "{}");
    await symlink(target, file());
    await setConfigValue(home, "log.level", "debug");
    expect((await lstat(file())).isSymbolicLink()).toBe(true);
    expect(JSON.parse(await readFile(target, "utf8"))).toEqual({ log: { level: "debug" } });
  });

  test("unset takes out what it leaves empty", async () => {
    await setConfigValue(home, "log.level", "debug");
    await setConfigValue(home, "server.port", 4000);
    expect(await unsetConfigValue(home, "log.level")).toBe(true);
    expect(await unsetConfigValue(home, "log.level")).toBe(false);
    expect(JSON.parse(await readFile(file(), "utf8"))).toEqual({ server: { port: 4000 } });
  });

  test.each<[string, unknown, string]>([
    ["log.level", "loud", "log.level: must be"],
    ["log.levle", "info", 'did you mean "log.level"'],
    ["slots.storage", 3, "slots.storage: must be a string, but is 3"],
  ])("%s = %p is refused and nothing is written", async (path, value, message) => {
    const refused = setConfigValue(home, path, value);
    expect(refused).rejects.toMatchObject({
      code: "config_invalid",
      message: expect.stringContaining(message),
    });
    await refused.catch(() => {});
    expect(await readdir(home)).toEqual([]);
  });

  test.each(["", "log..level", "__proto__.x"])("%p is no path", async (path) => {
    expect(() => setConfigValue(home, path, 1)).toThrow(expect.objectContaining({ code: "usage" }));
  });

  test("a check may object", async () => {
    const said = [
      { path: "plugins.a.x", message: "unknown key" },
      { path: "listeners", message: "no such file", fix: "Correct the path." },
    ];
    const check = async (set: object) => ("plugins" in set ? said : []);
    const refused = setConfigValue(home, "plugins.a.x", 1, check);
    await expect(refused).rejects.toMatchObject({
      code: "config_invalid",
      message: "plugins.a.x: unknown key; listeners: no such file",
      fix: "Correct the path.",
    });
  });

  test("a broken file is left alone", async () => {
    await writeFile(file(), "{ mine");
    expect(setConfigValue(home, "log.level", "debug")).rejects.toMatchObject({
      code: "config_unreadable",
    });
    expect(unsetConfigValue(home, "log.level")).rejects.toMatchObject({
      code: "config_unreadable",
    });
    expect(await readFile(file(), "utf8")).toBe("{ mine");
  });

  test("a mistake that was there before does not stop another change, and can be taken out", async () => {
    await writeFile(file(), '{"slot":1}');
    await setConfigValue(home, "log.level", "debug");
    expect(JSON.parse(await readFile(file(), "utf8"))).toEqual({
      slot: 1,
      log: { level: "debug" },
    });
    await unsetConfigValue(home, "slot");
    expect((await readConfig(home)).problems).toEqual([]);
  });
});

test("the JSON schema has our keys, and each plugin's with its description", async () => {
  const schema = await configJsonSchema({
    demo: async () => ({
      default: fakePlugin("demo", {
        hooks: {},
        config: v.strictObject({
          size: v.optional(v.pipe(v.number(), v.description("How large.")), 3),
        }),
      }),
    }),
    plain: async () => ({ default: fakePlugin("plain", { hooks: {} }) }),
  });
  expect(schema.additionalProperties).toBe(false);
  expect(Object.keys(schema.properties ?? {})).toEqual([
    "$schema",
    "slots",
    "plugins",
    "listeners",
    "server",
    "journal",
    "worker",
    "budget",
    "watch",
    "endless",
    "isolation",
    "upgrade",
    "backup",
    "retention",
    "privacy",
    "log",
  ]);
  const plugins = schema.properties?.plugins?.properties ?? {};
  expect(plugins.demo).toMatchObject({
    description: "The test plugin demo.",
    additionalProperties: false,
    properties: {
      enabled: { type: "boolean" },
      size: { type: "number", description: "How large.", default: 3 },
    },
  });
  expect(Object.keys(plugins.plain?.properties ?? {})).toEqual(["enabled"]);
  expect(JSON.stringify(schema)).not.toContain("undefined");
});
