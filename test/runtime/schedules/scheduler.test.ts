// What is due is run once: after a sleep, after a restart, and never beside itself.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createScheduler,
  type Job,
  type Scheduler,
} from "../../../src/runtime/schedules/scheduler.ts";
import { memoryLog } from "../../support/hooks.ts";

const minute = 60_000;
let folder = "";
let time = 0;
let requests = 0;
let open: Scheduler[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "memoir-schedules-"));
  time = Date.UTC(2026, 10, 2, 12);
  requests = 0;
});
afterEach(async () => {
  for (const one of open) await one.stop();
  open = [];
  await rm(folder, { recursive: true, force: true });
});

function begin(...jobs: Job[]) {
  const log = memoryLog();
  const scheduler = createScheduler({
    path: join(folder, "schedules.json"),
    now: () => time,
    served: () => requests,
    jobs: () => jobs,
    log,
  });
  open.push(scheduler);
  return { scheduler, log };
}

/** A job that notes when it ran, and takes as long as it is told. */
function noting(when: Job["when"], work: () => Promise<unknown> = async () => {}) {
  const ran: number[] = [];
  const run = (at: number) => {
    ran.push(at);
    return work();
  };
  return { id: "p/one", when, run, ran };
}

/** Looks each minute for so many minutes. */
async function pass(scheduler: Scheduler, minutes: number): Promise<void> {
  for (let at = 0; at < minutes; at++) {
    time += minute;
    await scheduler.look();
    await Bun.sleep(0);
  }
}

test("what is new waits for its first time, then runs again and again", async () => {
  const job = noting({ every: "10 min" });
  const { scheduler } = begin(job);
  await scheduler.look();
  expect(job.ran).toEqual([]);
  await pass(scheduler, 35);
  expect(job.ran).toHaveLength(3);
});

test("once after a sleep, not as often as it was missed", async () => {
  const job = noting({ every: "10 min" });
  const { scheduler } = begin(job);
  await scheduler.look();
  time += 12 * 60 * minute;
  await pass(scheduler, 9);
  expect(job.ran).toHaveLength(1);
});

test("a restart runs nothing twice, and what was missed meanwhile once", async () => {
  const job = noting({ every: "1 hour" });
  const first = begin(job);
  await first.scheduler.look();
  await pass(first.scheduler, 61);
  expect(job.ran).toHaveLength(1);
  await first.scheduler.stop();
  const second = begin(job);
  await pass(second.scheduler, 10);
  expect(job.ran).toHaveLength(1);
  time += 3 * 60 * minute;
  await pass(second.scheduler, 5);
  expect(job.ran).toHaveLength(2);
});

test("a run that takes longer than its interval is not joined by another", async () => {
  const held = Promise.withResolvers<void>();
  const job = noting({ every: "1 min" }, () => held.promise);
  const { scheduler } = begin(job);
  await scheduler.look();
  await pass(scheduler, 20);
  expect(job.ran).toHaveLength(1);
  held.resolve();
  await pass(scheduler, 2);
  expect(job.ran.length).toBeGreaterThan(1);
});

test("one that hangs or throws keeps no other from its time", async () => {
  const hangs = { ...noting({ every: "1 min" }, () => new Promise(() => {})), id: "p/hangs" };
  const throws = {
    ...noting({ every: "1 min" }, () => Promise.reject(new Error("boom"))),
    id: "p/throws",
  };
  const fine = { ...noting({ every: "1 min" }), id: "p/fine" };
  const { scheduler } = begin(hangs, throws, fine);
  await scheduler.look();
  await pass(scheduler, 5);
  expect([hangs.ran.length, throws.ran.length, fine.ran.length]).toEqual([1, 5, 5]);
  open = [];
});

test("with other words it begins anew", async () => {
  const job = noting({ every: "1 hour" });
  const first = begin(job);
  await first.scheduler.look();
  await pass(first.scheduler, 59);
  const changed = { ...job, when: { every: "30 min" } };
  const second = begin(changed);
  await pass(second.scheduler, 2);
  expect(job.ran).toEqual([]);
  await pass(second.scheduler, 30);
  expect(job.ran).toHaveLength(1);
});

test("idle: once in each quiet while", async () => {
  const job = noting({ idle: "5 min" });
  const { scheduler } = begin(job);
  await scheduler.look();
  for (let at = 0; at < 10; at++) {
    requests++;
    await pass(scheduler, 1);
  }
  expect(job.ran).toEqual([]);
  await pass(scheduler, 20);
  expect(job.ran).toHaveLength(1);
  requests++;
  await pass(scheduler, 6);
  expect(job.ran).toHaveLength(2);
});

const files: ReadonlyArray<readonly [what: string, text: string]> = [
  ["no JSON", "{"],
  ["another form", '{"p/one": 5}'],
  ["empty", ""],
];
test.each([...files])("a file that is %s counts as none", async (_what, text) => {
  await writeFile(join(folder, "schedules.json"), text);
  const job = noting({ every: "10 min" });
  const { scheduler } = begin(job);
  await pass(scheduler, 5);
  expect(job.ran).toEqual([]);
  await pass(scheduler, 8);
  expect(job.ran).toHaveLength(1);
  expect(JSON.parse(await readFile(join(folder, "schedules.json"), "utf8"))).toMatchObject({
    "p/one": { when: "every 10 min" },
  });
});

test("where nothing can be written down nothing runs, and it says so", async () => {
  const job = noting({ every: "1 min" });
  const { scheduler, log } = begin(job);
  await rm(folder, { recursive: true, force: true });
  await pass(scheduler, 3);
  expect(job.ran).toEqual([]);
  expect(JSON.stringify(log.lines)).toContain("schedules do not run");
});
