// The server: events per second into the journal, memory and processor time when idle.
import process from "node:process";
import { type Figure, median, quantile } from "./figures.ts";
import { promptPayload, readPayload } from "./payloads.ts";
import { cpuMs, memoryMb } from "./process-cost.ts";
import { type ServedHome, withHome } from "./served-home.ts";

const part = "server";
/** Tool uses in each load. */
const count = 5_000;

/** Tool uses in each session; a real prompt seldom has more. */
const perSession = 50;

/** Posts `total` different tool uses with `lanes` requests under way at once; gives each one's time in ms and the rate. */
async function load(
  home: ServedHome,
  lanes: number,
  total: number,
): Promise<{ perSecond: number; times: number[] }> {
  const times: number[] = [];
  let next = 0;
  const post = (body: string) => home.ask("/hook/claude-code", body);
  async function lane(): Promise<void> {
    while (next < total) {
      const serial = next++;
      const session = `load-${lanes}-${Math.floor(serial / perSession)}`;
      if (serial % perSession === 0) await post(promptPayload(session, "Read the routes"));
      const begin = performance.now();
      await post(readPayload(session, serial));
      times.push(performance.now() - begin);
    }
  }
  const begin = performance.now();
  await Promise.all(Array.from({ length: lanes }, lane));
  return { perSecond: (total / (performance.now() - begin)) * 1000, times };
}

async function idle(pid: number, name: string): Promise<Figure[]> {
  // What is done once when it goes quiet, as giving memory back, is no idling.
  await Bun.sleep(5_000);
  const seconds = 5;
  const before = cpuMs(pid);
  await Bun.sleep(seconds * 1_000);
  const after = cpuMs(pid);
  const rss = memoryMb(pid, "VmRSS");
  if (before === undefined || after === undefined || rss === undefined) return [];
  const share = ((after - before) / (seconds * 1_000)) * 100;
  return [
    { part, name: `resident memory ${name}`, value: rss, unit: "MB" },
    {
      part,
      name: `idle CPU ${name}`,
      value: share,
      unit: "%",
      target: { limit: 1, better: "lower" },
    },
  ];
}

/** All figures of the server. */
export async function benchServer(): Promise<Figure[]> {
  return withHome(async (home) => {
    const pid = await home.start();
    const figures = await idle(pid, "after start");
    const before = cpuMs(pid);
    for (const lanes of [1, 16]) {
      const begun = { server: cpuMs(pid), own: process.cpuUsage() };
      const { perSecond, times } = await load(home, lanes, count);
      const own = process.cpuUsage(begun.own);
      const spent = (cpuMs(pid) ?? Number.NaN) - (begun.server ?? Number.NaN);
      const name = `tool uses, ${lanes} at once`;
      figures.push(
        { part, name, value: perSecond, unit: "/s" },
        { part, name: `${name}: median`, value: median(times), unit: "ms" },
        { part, name: `${name}: p99`, value: quantile(times, 0.99), unit: "ms" },
        { part, name: `${name}: the server's CPU`, value: spent / count, unit: "ms" },
        {
          ...{ part, name: `${name}: CPU of who posts, on the same cores`, unit: "ms" as const },
          value: (own.user + own.system) / 1000 / count,
        },
      );
    }
    await home.ask("/api/drain", JSON.stringify({ timeoutMs: 60_000 }));
    const after = cpuMs(pid);
    if (before !== undefined && after !== undefined) {
      const value = (after - before) / (2 * count);
      figures.push({ part, name: "CPU per tool use, captured and observed", value, unit: "ms" });
    }
    return [...figures, ...(await idle(pid, "after 10,000 tool uses"))];
  });
}
