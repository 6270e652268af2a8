// The watcher takes what hooks did not tell, in folders where hooks fire, once it went quiet, and nothing older.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startWatch } from "../../src/backfill/fill-in.ts";
import { parseClaudeCode } from "../../src/clients/normal/payload.ts";
import { silentLog } from "../../src/home/log.ts";
import { createRuntime, type Runtime } from "../../src/runtime/runtime.ts";
import type { Prompt } from "../../src/sdk/model.ts";
import { busySession } from "../support/recorded-session.ts";

type Watch = ReturnType<typeof startWatch>;

const hour = 3_600_000;
let root: string;
let projects: string;
let now: number;
let runtime: Runtime;
let watch: Watch;
let timers: number[];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "memoir-watch-"));
  projects = join(root, "projects");
  now = Date.parse("2026-05-01T10:00:00Z");
  const home = join(root, "home");
  runtime = await createRuntime({ home, log: silentLog, now: () => now });
  timers = [];
  watch = startWatch({
    runtime: runtime.transcripts,
    home,
    log: silentLog,
    now: () => now,
    everyMs: 300_000,
    timer: (_, ms) => {
      timers.push(ms);
      return () => {};
    },
  });
});
afterEach(async () => {
  await watch.stop();
  await runtime.stop();
  await rm(root, { recursive: true, force: true });
});

/** Writes a recorded session as if the client had just closed the file. */
async function record(session: string, cwd: string, start: number): Promise<string> {
  const path = await busySession(session, cwd, start, 1).write(projects);
  const changed = new Date(start + 60_000);
  await utimes(path, changed, changed);
  return path;
}

async function heard(session: string, transcriptPath: string, cwd = "/gone/shop"): Promise<void> {
  const payload = {
    session_id: session,
    cwd,
    transcript_path: transcriptPath,
    hook_event_name: "SessionStart",
    source: "startup",
  };
  await runtime.handle(parseClaudeCode(payload, { id: `hook-${session}-${now}`, time: now }));
}

async function sessions(): Promise<string[]> {
  const answer = await runtime.hooks.first("storage.prompts", { limit: 100 });
  return ((answer?.result ?? []) as Prompt[]).map(({ session }) => session).sort();
}

test("a session without hooks in a folder where hooks fire is taken, once", async () => {
  const told = await record("told", "/gone/shop", now - hour);
  await heard("told", told);
  await record("untold", "/gone/shop", now + hour);
  now += 2 * hour;
  await watch.look();
  expect(await sessions()).toEqual(["untold"]);
  await watch.look();
  expect(await sessions()).toEqual(["untold"]);
});

test("what happened before a hook first fired there is left to a backfill", async () => {
  await record("before", "/gone/shop", now - 5 * hour);
  await heard("told", await record("told", "/gone/shop", now - hour));
  now += hour;
  await watch.look();
  expect(await sessions()).toEqual([]);
});

test("a folder counts from the first hook that fired in it, whichever fired last", async () => {
  await heard("first", await record("first", "/gone/shop", now - hour));
  await record("untold", "/gone/shop", now + hour);
  now += 3 * hour;
  await heard("last", await record("last", "/gone/shop", now - hour));
  now += hour;
  await watch.look();
  expect(await sessions()).toContain("untold");
});

test("a folder where no hook ever fired stays out", async () => {
  await heard("told", await record("told", "/gone/shop", now - hour));
  await record("elsewhere", "/gone/private", now + 60_000);
  now += hour;
  await watch.look();
  expect(await sessions()).toEqual([]);
});

test("what is still being written waits", async () => {
  await heard("told", await record("told", "/gone/shop", now - hour));
  await record("untold", "/gone/shop", now + 60_000);
  now += 5 * 60_000;
  await watch.look();
  expect(await sessions()).toEqual([]);
  now += 10 * 60_000;
  await watch.look();
  expect(await sessions()).toEqual(["untold"]);
});

test("between two looks there is one timer and nothing else", async () => {
  expect(timers).toEqual([300_000]);
  await watch.look();
  await Promise.resolve();
  expect(timers).toEqual([300_000, 300_000]);
});
