// Order: what waits in the spool goes before an event that was long on its way, and before nothing else once the server has settled.
import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog } from "../../../src/home/log.ts";
import { createSpoolLoop, type SpoolLoop, writeSpool } from "../../../src/runtime/events/spool.ts";
import type { ClientEvent } from "../../../src/sdk/events.ts";
import { keptLog } from "../../support/kept-log.ts";

const started = 1_000_000;
let folder: string;
let now: number;
let handled: string[];
let loop: SpoolLoop;

const event = (id: string, time: number): ClientEvent => ({
  name: "Stop",
  id,
  key: id,
  client: "claude-code",
  session: "s",
  time,
  cwd: "/p",
  stopHookActive: false,
});

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "memoir-spool-"));
  now = started;
  handled = [];
  loop = createSpoolLoop({
    folder,
    handle: async ({ id }) => handled.push(id),
    log: silentLog,
    now: () => now,
    everyMs: 3_600_000,
  });
});

afterEach(async () => {
  await loop.stop();
  await rm(folder, { recursive: true, force: true });
});

const cases = [
  { name: "just started", after: 1_000, age: 0, goesFirst: true },
  { name: "settled, a fresh event", after: 60_000, age: 20, goesFirst: false },
  { name: "settled, an event that hung", after: 60_000, age: 4_000, goesFirst: true },
];

test.each(cases)("before: $name", async ({ after, age, goesFirst }) => {
  now = started + after;
  await writeSpool(folder, event("older", now - 10_000));
  await writeSpool(folder, event("younger", now - 9_000));
  await loop.before(now - age);
  expect(handled).toEqual(goesFirst ? ["older", "younger"] : []);
});

test("a stop waits for the pass under way, and no other begins", async () => {
  const begun = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  let ended = 0;
  let looks = 0;
  await writeSpool(folder, event("one", now));
  const slow = createSpoolLoop({
    folder,
    async handle() {
      begun.resolve();
      await go.promise;
      ended++;
    },
    ...{ log: silentLog, now: () => now, everyMs: 1 },
  });
  slow.start(async () => void looks++);
  await begun.promise;
  const stopped = slow.stop().then(() => ended);
  await Bun.sleep(0);
  go.resolve();
  expect(await stopped).toBe(1);
  const before = looks;
  await writeSpool(folder, event("two", now));
  await Bun.sleep(20);
  expect([ended, await slow.waiting()]).toEqual([1, 1]);
  expect(looks - before).toBeLessThanOrEqual(1);
});

test("passes that are asked for at once are one, and what comes later is taken by the next", async () => {
  await writeSpool(folder, event("one", now));
  await Promise.all([loop.drain(), loop.drain()]);
  expect(handled).toEqual(["one"]);
  await writeSpool(folder, event("two", now));
  expect(await loop.waiting()).toBe(1);
  await loop.drain();
  expect(handled).toEqual(["one", "two"]);
});

/** A loop of its own that notes what it is told, and fails with what \`fails\` names. */
function noted(fails = new Set<string>()) {
  const told: string[] = [];
  const own = createSpoolLoop({
    folder,
    handle: async ({ id }) => {
      if (fails.has(id)) throw new Error("storage is away");
      told.push(id);
    },
    emptied: async () => void told.push("emptied"),
    rejected: (name) => told.push(`rejected ${name}`),
    ...{ log: silentLog, now: () => now, everyMs: 3_600_000 },
  });
  return { own, told };
}

test("that all was taken is told once for each pass that took some, and not where one is left", async () => {
  const fails = new Set<string>();
  const { own, told } = noted(fails);
  await own.drain();
  expect(told).toEqual([]);
  await writeSpool(folder, event("one", now));
  await own.drain();
  expect(told).toEqual(["one", "emptied"]);
  fails.add("two");
  await writeSpool(folder, event("two", now));
  await own.drain();
  expect([told.length, await own.waiting()]).toEqual([2, 1]);
  fails.clear();
  await own.drain();
  expect(told.slice(2)).toEqual(["two", "emptied"]);
  await own.stop();
});

test("a file that is no event is told by its name, and is no event that was taken", async () => {
  const { own, told } = noted();
  await writeFile(join(folder, "1000-x.json"), "{");
  await own.drain();
  expect(told).toEqual(["rejected 1000-x.json"]);
  await own.stop();
});

test("while hooks may still be spooling live events go behind the spool: after a start, a full pass, and for one that probes", async () => {
  const first = async (id: string, age = 0, probes = false) => {
    await writeSpool(folder, event(id, now - 10_000));
    await loop.before(now - age, probes);
    return handled.includes(id);
  };
  now = started + 10_000;
  expect(await first("a")).toBe(true);
  // That pass was full, so the time begins anew.
  now += 10_000;
  expect(await first("b")).toBe(true);
  now += 10_001;
  expect(await first("c")).toBe(false);
  expect(await first("d", 1_000)).toBe(false);
  expect(await first("e", 1_001)).toBe(true);
  now += 60_000;
  expect(await first("f", 0, true)).toBe(true);
});

test("a folder that cannot be read is looked at again, and nobody is told that all was taken", async () => {
  const { own, told } = noted();
  await rm(folder, { recursive: true });
  await writeFile(folder, "no folder");
  await own.drain();
  expect(told).toEqual([]);
  await rm(folder);
  await own.stop();
});

/** Timers that go off when the test says so; `waits` are their times in ms, `cleared` those that were taken back. */
async function withTimers(
  work: (timers: { waits: number[]; cleared: unknown[]; next(): Promise<void> }) => Promise<void>,
) {
  const waits: number[] = [];
  const cleared: unknown[] = [];
  const works: Array<() => unknown> = [];
  const setting = spyOn(globalThis, "setTimeout").mockImplementation(((
    then: () => unknown,
    ms: number,
  ) => {
    waits.push(ms);
    return works.push(then);
  }) as never);
  const clearing = spyOn(globalThis, "clearTimeout").mockImplementation(
    ((timer: unknown) => void cleared.push(timer)) as never,
  );
  try {
    await work({ waits, cleared, next: async () => void (await works.at(-1)?.()) });
  } finally {
    setting.mockRestore();
    clearing.mockRestore();
  }
}

test("looks grow apart while something cannot be taken in, up to a minute, and are as before once it can", () =>
  withTimers(async ({ waits, cleared, next }) => {
    let fails = true;
    let looks = 0;
    const log = keptLog();
    const own = createSpoolLoop({
      folder,
      async handle() {
        if (fails) throw new Error("storage is away");
      },
      ...{ log, now: () => now },
    });
    own.start(async () => void looks++);
    await writeSpool(folder, event("one", now));
    for (let look = 0; look < 6; look++) await next();
    expect(waits).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
    expect(log.lines.filter(({ message }) => message === "spool drained")).toEqual([]);
    fails = false;
    await next();
    expect([waits.at(-1), looks]).toEqual([2_000, 7]);
    expect(log.lines.filter(({ message }) => message === "spool drained")).toMatchObject([
      { level: "info", fields: { drained: 1, rejected: 0, failed: 0 } },
    ]);
    await own.stop();
    expect(cleared, "no look comes after the stop").toContain(8);
  }));

test("a folder that cannot be read is looked at ever more seldom too", () =>
  withTimers(async ({ waits, next }) => {
    const log = keptLog();
    const own = createSpoolLoop({
      ...{ folder: join(folder, "file"), handle: async () => undefined, log, now: () => now },
    });
    own.start(async () => undefined);
    await writeFile(join(folder, "file"), "no folder");
    for (let look = 0; look < 6; look++) await next();
    expect(waits).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
    expect(log.lines.map(({ message }) => message)).toEqual(Array(6).fill("spool not readable"));
    await own.stop();
  }));

test("where one of several fails nobody is told that all was taken", async () => {
  const { own, told } = noted(new Set(["two"]));
  for (const [at, id] of ["one", "two", "three"].entries())
    await writeSpool(folder, event(id, now + at));
  await own.drain();
  expect(told).not.toContain("emptied");
  expect(told).toContain("one");
  await own.stop();
});

test("an event that was long on its way waits longer for the spool than one that just came", async () => {
  const begun = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  await writeSpool(folder, event("one", now));
  const own = createSpoolLoop({
    folder,
    async handle() {
      begun.resolve();
      await go.promise;
    },
    ...{ log: silentLog, now: () => now, everyMs: 3_600_000 },
  });
  void own.drain();
  await begun.promise;
  await withTimers(async ({ waits }) => {
    const both = [own.before(now), own.before(now - 2_000), own.before(now, true)];
    expect(waits).toEqual([250, 5_000, 5_000]);
    go.resolve();
    await Promise.all(both);
  });
  await own.stop();
});
