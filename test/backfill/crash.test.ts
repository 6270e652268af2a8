// A backfill whose server is killed again and again leaves the memory that an undisturbed one leaves.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryContent } from "../support/memory-content.ts";
import { busySession } from "../support/recorded-session.ts";
import { runMemoir } from "../support/run-memoir.ts";

const sessions = 12;
const kills = 6;
let root: string;
let projects: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "memoir-backfill-"));
  projects = join(root, "projects");
  const start = Date.parse("2025-03-01T10:00:00Z");
  for (let at = 0; at < sessions; at++)
    await busySession(`s${at}`, `/gone/shop${at % 3}`, start + at * 3_600_000, 8).write(projects);
});
afterAll(async () => {
  await rm(root, { recursive: true, force: true });
});

async function pidOf(home: string): Promise<number | undefined> {
  try {
    return JSON.parse(await readFile(join(home, "server.json"), "utf8")).pid;
  } catch {
    return undefined;
  }
}

async function progressOf(home: string): Promise<number> {
  try {
    const answer = await fetch("http://localhost/api/backfill", {
      unix: join(home, "memoir.sock"),
    });
    const { progress } = (await answer.json()) as {
      progress: { events: { committed: number; recovered: number } } | null;
    };
    return progress ? progress.events.committed + progress.events.recovered : 0;
  } catch {
    return 0;
  }
}

/** Runs a backfill and kills its server each time it has come a little further; how often it did. */
async function backfill(home: string, times: number): Promise<number> {
  const env = { HOME: root, MEMOIR_HOME: home };
  const run = runMemoir(["backfill", projects, "--provider", "none", "--yes", "--json"], env, root);
  let over = false;
  const ended = run.finally(() => {
    over = true;
  });
  let killed = 0;
  let last: number | undefined;
  while (!over && killed < times) {
    const pid = await pidOf(home);
    // Of this server's own run: somewhere else in a session each time.
    const wanted = 40 + killed * 7;
    if (pid !== undefined && pid !== last && (await progressOf(home)) >= wanted) {
      process.kill(pid, "SIGKILL");
      last = pid;
      killed++;
    }
    await Bun.sleep(1);
  }
  const { code, out, err } = await ended;
  expect([code, err]).toEqual([0, ""]);
  expect(JSON.parse(out).result).toMatchObject({ state: "done", unsettled: 0, failures: [] });
  await runMemoir(["server", "stop"], env, root);
  return killed;
}

test("killed in the middle, again and again, it ends with the same memory", async () => {
  const homes = await mkdtemp(join(root, "homes-"));
  const calm = join(homes, "calm");
  const rough = join(homes, "rough");
  await backfill(calm, 0);
  expect(await backfill(rough, kills)).toBeGreaterThan(3);
  const expected = memoryContent(calm);
  expect(expected.length).toBeGreaterThan(sessions * 16);
  expect(memoryContent(rough)).toEqual(expected);
}, 180_000);
