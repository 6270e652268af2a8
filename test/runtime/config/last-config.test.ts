// A config that broke does not open what the one before had closed.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keepConfig, readConfig, readConfigOrLast } from "../../../src/runtime/config/config.ts";
import { configNotice } from "../../../src/runtime/events/event-way.ts";

let home = "";
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "memoir-last-config-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));
const write = (text: string) => writeFile(join(home, "config.json"), text);
const skipSecrets = '{"plugins":{"capture-skip-tools":{"tools":["mcp__vault__read"]}}}';

test("what was in force stays in force, with the problem beside it", async () => {
  await write(skipSecrets);
  await keepConfig(home, await readConfigOrLast(home));
  await write(`${skipSecrets}}`);
  const file = await readConfigOrLast(home);
  expect(file.config.plugins["capture-skip-tools"]).toEqual({ tools: ["mcp__vault__read"] });
  expect(file).toMatchObject({ broken: true, captureUnclear: false });
  expect(configNotice(file)).toContain("The previous settings stay in effect");
});

test("a file that broke is not kept in place of the one before", async () => {
  await write(skipSecrets);
  await keepConfig(home, await readConfig(home));
  await write("{");
  await keepConfig(home, await readConfig(home));
  const { config } = await readConfigOrLast(home);
  expect(config.plugins["capture-skip-tools"]).toEqual({ tools: ["mcp__vault__read"] });
});

test("without one that could be read, all text is withheld and the person hears why", async () => {
  await write("{");
  await keepConfig(home, await readConfig(home));
  const file = await readConfigOrLast(home);
  expect(file).toMatchObject({ broken: true, captureUnclear: true });
  expect(configNotice(file)).toContain("it stores no text");
});

test("a wrong key leaves the rest in force; a right file says nothing", async () => {
  await write('{"log":{"levle":"debug"}}');
  expect(configNotice(await readConfig(home))).toContain("The rest of it is in effect.");
  await write("{}");
  expect(configNotice(await readConfig(home))).toBeUndefined();
});
