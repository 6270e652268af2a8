// Reading recorded sessions into memory: sessions and megabytes a second, what a turn takes on disk, and the server's memory at its highest.
import { existsSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { busySession } from "../support/recorded-session.ts";
import type { Figure } from "./figures.ts";
import { binary, type ServedHome, withHome } from "./served-home.ts";

const part = "backfill";
const recordings = resolve(import.meta.dirname, "../../../shared/data/transcripts");

/** Real recordings where they lie beside the repository, else made ones. */
export function benchBackfill(): Promise<Figure[]> {
  return withHome(async (served) => {
    const real = existsSync(recordings);
    const folder = real ? recordings : await makeSessions(served.home);
    return measure(served, folder, real ? "real sessions" : "made sessions");
  });
}

async function makeSessions(home: string): Promise<string> {
  const projects = join(home, "projects");
  const start = Date.parse("2026-01-01T10:00:00Z");
  for (let at = 0; at < 60; at++)
    await busySession(`made-${at}`, `/gone/project-${at % 5}`, start + at * 3_600_000, 40).write(
      projects,
    );
  return projects;
}

async function measure(served: ServedHome, folder: string, what: string): Promise<Figure[]> {
  const pid = await served.start();
  const before = residentMb(pid, "VmRSS");
  const run = async (...args: string[]) => {
    const child = Bun.spawn([binary, ...args, "--json"], {
      env: served.env,
      stdout: "pipe",
      stderr: "inherit",
    });
    const printed = JSON.parse(await new Response(child.stdout).text());
    if ((await child.exited) !== 0) throw new Error(`${args[0]} failed`);
    return printed;
  };
  const { result } = await run("backfill", folder, "--provider", "none", "--yes");
  if (result.unsettled > 0) throw new Error("the backfill failed");
  const { storage } = await run("status");
  const seconds = (result.endedAt - result.startedAt) / 1_000;
  const megabytes = result.bytes.done / 1_000_000;
  const highest = residentMb(pid, "VmHWM");
  // The log beside the database is written back at the end.
  await run("stop");
  const { size } = statSync(join(served.home, "memory.db"));
  return [
    {
      part,
      name: `${result.sessions.done} ${what}`,
      value: result.sessions.done / seconds,
      unit: "/s",
    },
    {
      part,
      name: `${megabytes.toFixed(0)} MB of ${what}`,
      value: megabytes / seconds,
      unit: "MB/s",
    },
    {
      part,
      name: "memory a turn, notes and index included",
      value: size / storage.turns / 1_000,
      unit: "KB",
    },
    { part, name: "server's memory before", value: before, unit: "MB" },
    { part, name: "server's memory at its highest", value: highest, unit: "MB" },
  ];
}

function residentMb(pid: number, field: string): number {
  const line = readFileSync(`/proc/${pid}/status`, "utf8")
    .split("\n")
    .find((one) => one.startsWith(`${field}:`));
  return Number(/\d+/.exec(line ?? "")?.[0] ?? Number.NaN) / 1_024;
}
