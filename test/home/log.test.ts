// The log file: lines, levels, rotation, and that it never throws.
import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { createLog } from "../../src/home/log.ts";
import { MemoirError } from "../../src/sdk/errors.ts";

type LogOptions = Parameters<typeof createLog>[0];

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "memoir-log-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const path = () => join(folder, "logs", "memoir.log");
const open = (options: Partial<LogOptions> = {}) =>
  createLog({ path: path(), now: () => 0, ...options });
const lines = async (file = path()) =>
  (await readFile(file, "utf8"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

test("a line has time, level, scope, message and fields; no field replaces them", async () => {
  const log = open();
  log.child("worker").child("s1").info("done", { n: 1, message: "other", level: "x" });
  await log.flush();
  expect(await lines()).toEqual([
    { time: "1970-01-01T00:00:00.000Z", level: "info", scope: "worker.s1", message: "done", n: 1 },
  ]);
  expect((await stat(path())).mode & 0o777).toBe(0o600);
});

test("an error tells code, plugin, hook and causes; its stack at debug only", async () => {
  const error = new MemoirError("plugin_failed", "it broke", {
    plugin: "p",
    hook: "capture",
    cause: new Error("inner", { cause: "root" }),
  });
  const log = open();
  log.warn("w", { error });
  log.setLevel("debug");
  log.debug("d", { error });
  await log.flush();
  const [quiet, loud] = await lines();
  expect(quiet.error).toEqual({
    code: "plugin_failed",
    plugin: "p",
    hook: "capture",
    message: "it broke",
    causes: ["inner", "root"],
  });
  expect(loud.error.stack).toContain("log.test.ts");
});

test.each(["warn", "error"] as const)(
  "what is logged as %s needs no timer",
  async (level) => {
    const timer = spyOn(globalThis, "setTimeout").mockImplementation((() => ({})) as never);
    try {
      const log = open();
      log.info("before");
      for (let n = 0; n < 3; n++) log[level](`refused ${n}`);
      while (!existsSync(path()) || (await lines()).length < 4) await setImmediate();
      expect((await lines()).map(({ message }) => message)).toEqual([
        ...["before", "refused 0", "refused 1", "refused 2"],
      ]);
    } finally {
      timer.mockRestore();
    }
  },
  2_000,
);

test("levels below the chosen one are left out", async () => {
  const log = open({ level: "warn" });
  log.debug("d");
  log.info("i");
  log.warn("w");
  log.error("e");
  await log.flush();
  expect((await lines()).map(({ message }) => message)).toEqual(["w", "e"]);
});

test("the level can be changed while it is at work, up and down", async () => {
  const log = open({ level: "info" });
  for (const level of ["debug", "error", "info"] as const) {
    log.setLevel(level);
    for (const name of ["debug", "info", "warn", "error"] as const)
      log[name](`${name} at ${level}`);
  }
  await log.flush();
  expect((await lines()).map(({ message }) => message)).toEqual([
    ...["debug at debug", "info at debug", "warn at debug", "error at debug"],
    ...["error at error", "info at info", "warn at info", "error at info"],
  ]);
});

test("files rotate by size, and only so many are kept", async () => {
  const log = open({ maxBytes: 200, files: 3 });
  for (let n = 0; n < 8; n++) {
    log.info(`line ${n}`, { pad: "x".repeat(80) });
    await log.flush();
  }
  expect((await readdir(join(folder, "logs"))).sort()).toEqual([
    "memoir.log",
    "memoir.log.1",
    "memoir.log.2",
  ]);
  expect((await lines()).at(-1).message).toBe("line 7");
  expect((await lines(`${path()}.1`)).at(0).message).toBe("line 6");
});

test("what comes after a rotation goes into the new file until that is full", async () => {
  const log = open({ maxBytes: 400, files: 5 });
  for (let n = 0; n < 4; n++) {
    log.info(`line ${n}`, { pad: "x".repeat(80) });
    await log.flush();
  }
  const told = async (file?: string) => (await lines(file)).map(({ message }) => message);
  expect(await told(`${path()}.1`)).toEqual(["line 0", "line 1"]);
  expect(await told()).toEqual(["line 2", "line 3"]);
});

test("an earlier file is continued", async () => {
  const first = open();
  first.info("one");
  await first.flush();
  const second = open();
  second.info("two");
  await second.flush();
  expect((await lines()).map(({ message }) => message)).toEqual(["one", "two"]);
});

test("a line that was cut short spoils no other", async () => {
  await mkdir(join(folder, "logs"));
  await writeFile(path(), '{"message":"whole"}\n{"message":"cut sho');
  const log = open();
  log.info("next");
  await log.flush();
  log.info("last");
  await log.flush();
  const texts = (await readFile(path(), "utf8")).split("\n");
  expect(texts.slice(0, 2)).toEqual(['{"message":"whole"}', '{"message":"cut sho']);
  expect(texts.slice(2, 4).map((text) => JSON.parse(text).message)).toEqual(["next", "last"]);
  expect(texts).toHaveLength(5);
});

test("secrets are taken out; a line that cannot be cleaned says nothing", async () => {
  const log = open({
    redact: (record) => {
      const text = JSON.stringify(record);
      if (text.includes("poison")) throw new Error("cannot");
      return JSON.parse(text.replaceAll("secret", "[redacted]"));
    },
  });
  log.info("a secret", { deep: { key: "secret" } });
  log.info("poison");
  await log.flush();
  const text = await readFile(path(), "utf8");
  expect(text).not.toContain("secret");
  expect(text).not.toContain("poison");
  expect(await lines()).toHaveLength(2);
});

test("what cannot be written, or is far too long, harms nobody", async () => {
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  const log = open();
  log.info("circle", { circle, big: 1n });
  log.info("long", { text: "x".repeat(100_000) });
  await log.flush();
  expect((await stat(path())).size).toBeLessThan(1_000);
  expect(await lines()).toHaveLength(2);

  await writeFile(join(folder, "file"), "");
  const nowhere = createLog({ path: join(folder, "file", "memoir.log") });
  nowhere.error("lost");
  await nowhere.flush();
});
