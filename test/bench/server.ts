// The server: events per second into the journal, memory and processor time when idle.
import { type Figure, median, quantile } from "./figures.ts";
import { promptPayload, readPayload } from "./payloads.ts";
import { memoryMb } from "./process-cost.ts";
import { type ServedHome, withHome } from "./served-home.ts";

const part = "server";

/** Posts `count` different tool uses with `lanes` requests under way at once; gives each one's time in ms and the rate. */
async function load(
  home: ServedHome,
  lanes: number,
  count: number,
): Promise<{ perSecond: number; times: number[] }> {
  const times: number[] = [];
  let next = 0;
  const session = `load-${lanes}`;
  await home.ask("/hook/claude-code", promptPayload(session, "Read the routes"));
  async function lane(): Promise<void> {
    while (next < count) {
      const begin = performance.now();
      await home.ask("/hook/claude-code", readPayload(session, next++));
      times.push(performance.now() - begin);
    }
  }
  const begin = performance.now();
  await Promise.all(Array.from({ length: lanes }, lane));
  return { perSecond: (count / (performance.now() - begin)) * 1000, times };
}

/** Processor time that a process used so far, in ms; undefined without /proc. */
async function cpuMs(pid: number): Promise<number | undefined> {
  const file = Bun.file(`/proc/${pid}/stat`);
  if (!(await file.exists())) return undefined;
  // After the name in parentheses: utime and stime are fields 14 and 15, in ticks of 10 ms.
  const fields = (await file.text()).split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function idle(pid: number, name: string): Promise<Figure[]> {
  await Bun.sleep(1_000);
  const seconds = 5;
  const before = await cpuMs(pid);
  await Bun.sleep(seconds * 1_000);
  const after = await cpuMs(pid);
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
    for (const lanes of [1, 16]) {
      const { perSecond, times } = await load(home, lanes, 5_000);
      const name = `tool uses, ${lanes} at once`;
      figures.push(
        { part, name, value: perSecond, unit: "/s" },
        { part, name: `${name}: median`, value: median(times), unit: "ms" },
        { part, name: `${name}: p99`, value: quantile(times, 0.99), unit: "ms" },
      );
    }
    await home.ask("/api/drain", JSON.stringify({ timeoutMs: 60_000 }));
    return [...figures, ...(await idle(pid, "after 10,000 tool uses"))];
  });
}
