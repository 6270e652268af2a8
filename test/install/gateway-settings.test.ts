import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  gatewayRecordPath,
  leadBack,
  leadThrough,
  readGatewayRecord,
  settingsVariables,
} from "../../src/install/gateway-settings.ts";
import {
  applyRegistration,
  applyRestoration,
  planRegistration,
  planRestoration,
  registration,
} from "../../src/install/settings.ts";

const url = "http://127.0.0.1:47811";
let root: string;
let home: string;
let settings: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "memoir-base-url-"));
  home = join(root, "home");
  settings = join(root, "claude", "settings.json");
  await mkdir(home);
  await mkdir(join(root, "claude"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const read = () => readFile(settings, "utf8");

const files: Array<[name: string, text: string]> = [
  ["nothing but braces", "{}"],
  ["an empty file", ""],
  ["a line feed at the end", "{}\n"],
  ["other keys", '{\n  "model": "opus"\n}\n'],
  ["tabs and CRLF", '{\r\n\t"model": "opus"\r\n}\r\n'],
  ["one line", '{"model":"opus","env":{"A":"b"}}'],
  ["an env", '{\n    "env": {\n        "A": "b"\n    },\n    "model": "opus"\n}'],
  ["an empty env", '{ "env": {} }'],
  ["comments and trailing commas", '{\n  // mine\n  "env": {\n    "A": "b", // why\n  },\n}\n'],
  ["a byte order mark", '\ufeff{"a":1}'],
  ["an address", '{"env":{"ANTHROPIC_BASE_URL":"https://llm.corp.test/v1"}}'],
  [
    "an escaped address",
    '{"env": {"ANTHROPIC_BASE_URL" : "https:\\/\\/llm.corp.test\\/\\u0061"} }',
  ],
  ["a key", '{"env":{"ANTHROPIC_API_KEY":"sk-secret"}}'],
];

describe.each(files)("settings with %s", (_name, text) => {
  beforeEach(() => writeFile(settings, text));

  test("lead through the gateway, and come back byte for byte", async () => {
    await leadThrough(home, settings, url, false);
    expect(await read()).toContain(`"${url}"`);
    expect(await leadBack(home, true)).toBe("restored");
    expect(await leadBack(home)).toBe("restored");
    expect(await read()).toBe(text);
    expect(existsSync(gatewayRecordPath(home))).toBe(false);
  });

  test("come back byte for byte with further variables, also where those change", async () => {
    const more = { NO_PROXY: "127.0.0.1", A: "c", ANTHROPIC_API_KEY: "mine" };
    await leadThrough(home, settings, url, false, { NO_PROXY: "a" });
    await leadThrough(home, settings, url, false, more);
    expect(await settingsVariables(settings)).toMatchObject({ ...more, ANTHROPIC_BASE_URL: url });
    expect(await leadBack(home)).toBe("restored");
    expect(await read()).toBe(text);
  });

  test("come back with what somebody changed since", async () => {
    await leadThrough(home, settings, url, false);
    await writeFile(settings, (await read()).replace("{", '{"since":1,'));
    expect(await leadBack(home)).toBe("cleaned");
    const after = await read();
    expect(after).not.toContain(url);
    expect(after).toContain('"since":1');
    if (text.includes("corp"))
      expect(after.replaceAll("\\u0061", "a").replaceAll("\\", "")).toContain(
        "https://llm.corp.test/",
      );
  });

  test("twice on is once on", async () => {
    await leadThrough(home, settings, url, false);
    const once = await read();
    await leadThrough(home, settings, url, false);
    expect(await read()).toBe(once);
    await leadBack(home);
    expect(await read()).toBe(text);
  });

  test("come back through install, gateway and uninstall, in any order", async () => {
    const wanted = registration(["Stop"], "'/h/bin/memoir' hook claude-code");
    const install = async () =>
      applyRegistration(home, "user", await planRegistration(settings, wanted));
    const uninstall = async () => applyRestoration(home, await planRestoration(home, settings));
    await install();
    await leadThrough(home, settings, url, false);
    await install();
    await leadBack(home);
    await uninstall();
    expect(await read()).toBe(text);
    await leadThrough(home, settings, url, false);
    await install();
    await uninstall();
    await leadBack(home);
    expect(await read()).toBe(text);
  });
});

test("what was not there is not there afterwards", async () => {
  await rm(join(root, "claude"), { recursive: true });
  await leadThrough(home, settings, url, false);
  expect(JSON.parse(await read())).toEqual({ env: { ANTHROPIC_BASE_URL: url } });
  expect(await leadBack(home)).toBe("removed");
  expect(existsSync(join(root, "claude"))).toBe(false);
});

test("another address that somebody set since stays", async () => {
  await leadThrough(home, settings, url, false);
  await writeFile(settings, '{"env":{"ANTHROPIC_BASE_URL":"https://other.test"}}');
  expect(await leadBack(home)).toBe("left");
  expect(await read()).toContain("https://other.test");
  expect(await leadBack(home)).toBeUndefined();
});

test("further variables are given back where somebody changed the rest, or them", async () => {
  await writeFile(settings, '{"env":{"NO_PROXY":"corp.test","A":"b"}}');
  await leadThrough(home, settings, url, false, { NO_PROXY: "corp.test,::1", no_proxy: "::1" });
  await writeFile(settings, (await read()).replace('"b"', '"c"'));
  expect(await leadBack(home)).toBe("cleaned");
  expect(await read()).toBe('{"env":{"NO_PROXY":"corp.test","A":"c"}}');
  await leadThrough(home, settings, url, false, { NO_PROXY: "corp.test,::1", no_proxy: "::1" });
  await writeFile(settings, (await read()).replace('"corp.test,::1"', '"own"').replace(url, "x"));
  expect(await leadBack(home)).toBe("left");
  expect(JSON.parse(await read()).env).toEqual({
    ...{ NO_PROXY: "own", A: "c", ANTHROPIC_BASE_URL: "x" },
  });
});

const refused: Array<[name: string, text: string]> = [
  ["no JSON", '{"env":'],
  ["a list", "[]"],
  ["an env of another form", '{"env":[]}'],
  ["the address twice", '{"env":{"ANTHROPIC_BASE_URL":"a","ANTHROPIC_BASE_URL":"b"}}'],
];
test.each(refused)("settings with %s stay as they are", async (_name, text) => {
  await writeFile(settings, text);
  const error = await leadThrough(home, settings, url, false).catch((caught: unknown) => caught);
  expect(error).toMatchObject({ code: "settings_unreadable" });
  expect(await read()).toBe(text);
  expect(await readGatewayRecord(home)).toBeUndefined();
});

test("no key of the settings gets into the home", async () => {
  await writeFile(settings, '{"env":{"ANTHROPIC_API_KEY":"sk-secret","B":"c"}}');
  await leadThrough(home, settings, url, false);
  expect(await readFile(gatewayRecordPath(home), "utf8")).not.toContain("secret");
});

test("on again after the record was lost still leads back", async () => {
  await writeFile(settings, '{\n  "model": "opus"\n}\n');
  await leadThrough(home, settings, url, false);
  await rm(gatewayRecordPath(home));
  await leadThrough(home, settings, url, false);
  expect(await leadBack(home)).toBe("cleaned");
  expect(JSON.parse(await read())).toEqual({ model: "opus", env: {} });
});
