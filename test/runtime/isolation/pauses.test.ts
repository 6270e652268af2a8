// What is known of failing plugins over restarts: pauses, suspects of an unclean end, and what somebody lifted.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { liftPauses, openPauses, type Pauses } from "../../../src/runtime/isolation/pauses.ts";
import { memoryLog } from "../../support/hooks.ts";

let folder: string;
let path: string;
let now: number;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "memoir-pauses-"));
  path = join(folder, "paused.json");
  now = 1_000;
});
afterEach(() => rm(folder, { recursive: true, force: true }));
const open = (log = memoryLog()) => openPauses(path, log, () => now);
const fail = (pauses: Pauses, times: number, plugin = "mine", part = "Stop") => {
  for (let i = 0; i < times; i++)
    pauses.failed({ plugin, part, hook: "Stop", kind: "late", error: `fault ${i}` });
};

test("a part is passed over, with its reason; other parts and plugins are not", async () => {
  const log = memoryLog();
  const pauses = await open(log);
  fail(pauses, 3);
  expect(pauses.why("mine", "Stop")).toMatchObject({
    code: "plugin_paused",
    plugin: "mine",
    hook: "Stop",
    retryAfterMs: 60_000,
    message: "plugin mine is paused for another 60 s: fault 2",
  });
  expect(pauses.why("mine", "stored")).toBeUndefined();
  expect(pauses.why("other", "Stop")).toBeUndefined();
  expect(pauses.of("mine")).toEqual([
    { part: "Stop", hook: "Stop", error: "fault 2", at: 1_000, until: 61_000 },
  ]);
  expect(log.lines.map(({ message }) => message)).toEqual(["a plugin is paused"]);
  now = 61_000;
  expect(pauses.why("mine", "Stop")).toBeUndefined();
  expect(pauses.of("mine")).toEqual([]);
});

test("a restart forgets no pause", async () => {
  const pauses = await open();
  fail(pauses, 3);
  await pauses.flush();
  expect((await open()).of("mine")).toHaveLength(1);
});

test("a file that cannot be read counts as empty", async () => {
  for (const text of ["{", '{"mine":{"parts":{"Stop":{}}}}', "[]", '"x"']) {
    await writeFile(path, text);
    expect((await open()).of("mine")).toEqual([]);
  }
});

test.each(["__proto__", "constructor", "toString"])(
  "a plugin called %s is one like any other",
  async (name) => {
    const pauses = await open();
    expect(pauses.why(name, name)).toBeUndefined();
    pauses.worked(name, name);
    expect(pauses.of(name)).toEqual([]);
  },
);

test("what somebody lifts is over at the next look, and only that", async () => {
  const pauses = await open();
  fail(pauses, 3);
  fail(pauses, 3, "other");
  await pauses.flush();
  expect(await liftPauses(path, "mine")).toBe(true);
  expect(await liftPauses(path, "mine")).toBe(false);
  await pauses.reread();
  expect(pauses.why("mine", "Stop")).toBeUndefined();
  expect(pauses.why("other", "Stop")).toBeDefined();
  await pauses.flush();
  expect(Object.keys(JSON.parse(await readFile(path, "utf8")))).toEqual(["other"]);
});

describe("an unclean end", () => {
  test("is forgiven once; what was being worked on is not given again", async () => {
    const pauses = await open();
    pauses.killed("mine", "Stop", "k1", false);
    expect(pauses.why("mine", "Stop")).toBeUndefined();
    expect(pauses.isPoison("mine", "k1")).toBe(true);
    expect(pauses.isPoison("mine", "k2")).toBe(false);
    await pauses.flush();
    expect((await open()).isPoison("mine", "k1")).toBe(true);
  });

  test("the second pauses all of it", async () => {
    const pauses = await open();
    pauses.killed("mine", "Stop", "k1", false);
    pauses.killed("mine", "stored", "", false);
    expect(pauses.why("mine", "capture")?.message).toContain(
      "the server ended while it was in stored",
    );
    expect(pauses.of("mine")).toMatchObject([{ part: "everything" }]);
  });

  test("that the plugin brought about itself pauses it at once", async () => {
    const pauses = await open();
    pauses.killed("mine", "Stop", "k1", true);
    expect(pauses.why("mine", "Stop")?.message).toContain("it ended the server in Stop");
  });

  test("is forgotten after many calls that worked", async () => {
    const pauses = await open();
    pauses.killed("mine", "Stop", "", false);
    for (let i = 0; i < 200; i++) pauses.worked("mine", "Stop");
    pauses.killed("mine", "Stop", "", false);
    expect(pauses.why("mine", "Stop")).toBeUndefined();
  });

  test("calls that worked before it do not count towards forgetting it", async () => {
    const pauses = await open();
    pauses.killed("mine", "Stop", "", false);
    for (let i = 0; i < 199; i++) pauses.worked("mine", "Stop");
    pauses.killed("mine", "Stop", "", false);
    now += 3_600_000;
    pauses.worked("mine", "Stop");
    pauses.killed("mine", "Stop", "", false);
    expect(pauses.why("mine", "Stop")).toBeDefined();
  });

  test("keeps the last of what was being worked on, each once", async () => {
    const pauses = await open();
    for (let i = 0; i < 25; i++) pauses.killed("mine", "Stop", `k${i}`, false);
    pauses.killed("mine", "Stop", "k24", false);
    expect([4, 5, 24].map((i) => pauses.isPoison("mine", `k${i}`))).toEqual([false, true, true]);
  });
});
