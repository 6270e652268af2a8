// Keys on disk: for their owner only, each on its own, never lost by another one's change.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoirPaths } from "../../../src/home/paths.ts";
import { readKey, readKeys } from "../../../src/provider/keys.ts";
import { storeKey } from "../../../src/runtime/config/config.ts";

let home: string;
beforeEach(async () => {
  home = join(await mkdtemp(join(tmpdir(), "memoir-key-")), "home");
});
afterEach(async () => {
  delete process.env.MEMOIR_TEST_KEY;
  await rm(join(home, ".."), { recursive: true });
});

test("are stored, replaced and removed", async () => {
  const paths = memoirPaths(home);
  expect(await readKey("anthropic", home, undefined)).toBeUndefined();
  await storeKey(paths, "anthropic", "one");
  await storeKey(paths, "openai-compatible", "two");
  await storeKey(paths, "anthropic", "three");
  expect(await readKeys(home)).toEqual({ anthropic: "three", "openai-compatible": "two" });
  expect((await stat(paths.keys)).mode & 0o777).toBe(0o600);
  await storeKey(paths, "anthropic", undefined);
  expect(await readKeys(home)).toEqual({ "openai-compatible": "two" });
});

test("behind a byte order mark are read, and stay when another is stored", async () => {
  const paths = memoirPaths(home);
  await storeKey(paths, "anthropic", "one");
  await writeFile(paths.keys, '\ufeff{"anthropic":"one"}');
  expect(await readKey("anthropic", home, undefined)).toBe("one");
  await storeKey(paths, "openai-compatible", "two");
  expect(await readKeys(home)).toEqual({ anthropic: "one", "openai-compatible": "two" });
});

test("storing and removing tell whether there was one before; removing none writes no file", async () => {
  const paths = memoirPaths(home);
  expect(await storeKey(paths, "anthropic", undefined)).toBe(false);
  expect(await Bun.file(paths.keys).exists()).toBe(false);
  expect(await storeKey(paths, "anthropic", "one")).toBe(false);
  expect(await storeKey(paths, "anthropic", "two")).toBe(true);
  expect(await storeKey(paths, "anthropic", undefined)).toBe(true);
});

test("the variable that config names comes first, where it is set", async () => {
  await storeKey(memoirPaths(home), "anthropic", "stored");
  expect(await readKey("anthropic", home, "MEMOIR_TEST_KEY")).toBe("stored");
  process.env.MEMOIR_TEST_KEY = " from-environment\n";
  expect(await readKey("anthropic", home, "MEMOIR_TEST_KEY")).toBe("from-environment");
  expect(await readKey("anthropic", home, undefined)).toBe("stored");
});

test.each(['{"anthropic": "sk-secret"', '["sk-secret"]', '{"anthropic": 3}'])(
  "a file like %s is left as it is, and not quoted",
  async (text) => {
    const paths = memoirPaths(home);
    await storeKey(paths, "anthropic", "one");
    await writeFile(paths.keys, text);
    const error = await storeKey(paths, "anthropic", "two").catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "keys_unreadable" });
    expect(String(error)).not.toContain("sk-secret");
    expect(await Bun.file(paths.keys).text()).toBe(text);
  },
);
