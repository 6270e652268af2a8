// Changes of plugin files are seen, once they are whole.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type PluginWatch, watchPlugins } from "../../../src/runtime/plugins/generations.ts";

type WatchOptions = Parameters<typeof watchPlugins>[0];

let folder: string;
let watch: PluginWatch | undefined;
let heard: Array<() => void> = [];
let seen = 0;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "memoir-watch-"));
  heard = [];
  seen = 0;
});
afterEach(async () => {
  await watch?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function begin(options: Partial<WatchOptions> = {}): Promise<void> {
  watch = await watchPlugins({
    roots: async () => [folder],
    changed: async () => {
      seen += 1;
      for (const go of heard.splice(0)) go();
    },
    failed: (error) => {
      throw error;
    },
    quietMs: 5,
    ...options,
  });
}
const next = () => new Promise<void>((resolve) => heard.push(resolve));
const put = (name: string, text: string) => writeFile(join(folder, name), text);

test("the system's notice: a new file, a change in a new folder, a removal", async () => {
  await begin({ lookMs: 60_000 });
  let change = next();
  await put("a.ts", "1");
  await change;
  change = next();
  await mkdir(join(folder, "b"));
  await change;
  change = next();
  await put("b/index.ts", "1");
  await change;
  change = next();
  await rm(join(folder, "a.ts"));
  await change;
  expect(seen).toBeGreaterThanOrEqual(4);
});

test("where the system tells nothing, a look now and then sees it", async () => {
  await begin({
    pollMs: 5,
    notice: () => {
      throw new Error("no watches left");
    },
  });
  const change = next();
  await put("a.ts", "1");
  await change;
  expect(seen).toBe(1);
});

test("what is not there yet is seen when it comes", async () => {
  const later = join(folder, "later");
  await begin({ roots: async () => [later], lookMs: 60_000 });
  const change = next();
  await mkdir(later);
  await change;
  expect(seen).toBe(1);
});

test("many writes are few changes, and the last one counts", async () => {
  let text = "";
  const read: string[] = [];
  await begin({
    ...{ lookMs: 20, quietMs: 200 },
    async changed() {
      read.push(await readFile(join(folder, "a.ts"), "utf8"));
    },
  });
  for (let at = 0; at < 50; at++) {
    text = `${at}`;
    await put("a.ts", text);
  }
  while (read.at(-1) !== text) await Bun.sleep(5);
  expect(read.length).toBeLessThan(10);
});

test("packages, hidden files and what stays the same are no change; after a stop nothing is", async () => {
  await mkdir(join(folder, "node_modules"));
  await put("a.ts", "1");
  await begin({ lookMs: 60_000 });
  await writeFile(join(folder, "node_modules/x.js"), "1");
  await put(".hidden", "1");
  const change = next();
  await put("b.ts", "1");
  await change;
  expect(seen).toBe(1);
  await watch?.stop();
  await put("c.ts", "1");
  expect(seen).toBe(1);
});

test("a plugin that writes its own file all the time is told of, and not loaded anew each time", async () => {
  const told: string[] = [];
  let tell = () => {};
  const restless = new Promise<void>((go) => {
    tell = go;
  });
  await begin({
    ...{ lookMs: 5, atOnce: 2, restMs: 60_000 },
    changed: async () => {
      seen += 1;
      await put("state.json", `${seen}`);
    },
    restless(path) {
      told.push(path);
      tell();
    },
  });
  await put("state.json", "begun");
  await restless;
  await put("state.json", "again");
  await new Promise((go) => setTimeout(go, 40));
  expect(seen).toBe(2);
  expect(told).toEqual([join(folder, "state.json")]);
});

test("a file that never stands still does not keep another's change waiting for ever", async () => {
  let size = 0;
  // It is another at each look.
  const busy = async () => {
    await put("busy.log", "x".repeat(++size % 1_000));
    return [folder];
  };
  await begin({ roots: busy, quietMs: 1, lookMs: 5, atOnce: 1, restMs: 60_000 });
  const change = next();
  await put("a.ts", "1");
  await change;
  expect(seen).toBe(1);
});
