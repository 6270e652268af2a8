// What a live reduction costs on top of the hook: the same tool uses in a session with the strategy and in one without, by turns.
import { open, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { decide } from "../../plugins/endless-live/index.ts";
import { createSeen } from "../../plugins/endless-live/seen.ts";
import { type Case, defaultPolicy, readCases } from "../plugins/endless-live/cases.ts";
import { type Figure, median, quantile } from "./figures.ts";
import { benchAsked, benchLook } from "./look.ts";
import { type ServedHome, withHome } from "./served-home.ts";

const part = "endless";
const rounds = 30;
const warmUp = 10;

/**
 * Of what a live reduction adds, at most 2 ms is its work. The rest is one more flush: what is left out must be on disk
 * before it is left out. At the 99th percentile that flush is the disk's and the machine's (4.2 ms beside other work, where
 * the whole was 6.1), so it is measured in the same run and taken off.
 */
const target = { limit: 5, better: "lower" } as const;
const dearest = { limit: 2, better: "lower" } as const;

const on = "bench-live";
const off = "bench-whole";

/** The tool use as a hook would tell it, different from every other: what is kept is not there yet. */
function payload({ arrived }: Case, session: string, serial: number): string {
  const fresh = (value: unknown): unknown => {
    if (typeof value === "string")
      return value.length > 1_000 && !/^[[{]/.test(value) ? `${value}\nrun ${serial}` : value;
    if (Array.isArray(value)) return value.map(fresh);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fresh(one)]));
  };
  return JSON.stringify({
    session_id: session,
    cwd: "/home/ada/shop",
    permission_mode: "default",
    hook_event_name: "PostToolUse",
    tool_name: arrived.tool,
    tool_input: arrived.input,
    tool_response: fresh(arrived.response),
    tool_use_id: `toolu_${session}_${serial}`,
    duration_ms: 12,
  });
}

const reduce = ({ arrived }: Case) =>
  decide(arrived, createSeen().of(on, undefined), defaultPolicy);

/** The reducers alone, in this process. */
function inProcess(cases: readonly Case[]): Figure[] {
  const times: number[] = [];
  const quickest = cases.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < warmUp + rounds; round++) {
    for (const [at, one] of cases.entries()) {
      const begin = performance.now();
      reduce(one);
      const took = performance.now() - begin;
      if (round >= warmUp) times.push(took);
      quickest[at] = Math.min(quickest[at] ?? took, took);
    }
  }
  const most = Math.max(...quickest);
  return [
    { part, name: "dearest reducer, at its quickest", value: most, unit: "ms", target: dearest },
    { part, name: "reducer alone: median", value: median(times), unit: "ms" },
    { part, name: "reducer alone: p99", value: quantile(times, 0.99), unit: "ms" },
  ];
}

/** How long this disk takes to have what a reduction keeps, as often as reductions are measured. */
async function flushTimes(folder: string, times: number): Promise<number[]> {
  const path = join(folder, "flushed");
  const file = await open(path, "w");
  const kept = Buffer.alloc(12_000, 1);
  const took: number[] = [];
  try {
    for (let time = 0; time < times; time++) {
      const begin = performance.now();
      await file.write(kept);
      await file.datasync();
      took.push(performance.now() - begin);
    }
  } finally {
    await file.close();
    await rm(path);
  }
  return took;
}

async function throughServer(home: ServedHome, cases: readonly Case[]): Promise<Figure[]> {
  const times: Record<string, number[]> = { [on]: [], [off]: [] };
  let serial = 0;
  let reduced = 0;
  const post = async (one: Case, session: string, counts: boolean): Promise<void> => {
    const body = payload(one, session, serial++);
    const begin = performance.now();
    const answer = await home.ask("/hook/claude-code", body);
    const took = performance.now() - begin;
    if (counts) times[session]?.push(took);
    if (counts && answer.includes("updatedToolOutput")) reduced++;
  };
  for (let round = 0; round < warmUp + rounds; round++) {
    for (const [at, one] of cases.entries()) {
      const counts = round >= warmUp;
      // Whoever goes second finds warm caches: they take turns.
      const order = (round + at) % 2 === 0 ? [on, off] : [off, on];
      for (const session of order) await post(one, session, counts);
    }
  }
  const [live, whole] = [times[on] ?? [], times[off] ?? []];
  if (reduced < live.length * 0.9) throw new Error(`${reduced} of ${live.length} were reduced`);
  const flushes = await flushTimes(home.home, live.length);
  const both = [
    ["median", 0.5],
    ["p99", 0.99],
  ] as const;
  return both.flatMap(([name, share]): Figure[] => [
    { part, name: `tool use, whole: ${name}`, value: quantile(whole, share), unit: "ms" },
    { part, name: `tool use, reduced: ${name}`, value: quantile(live, share), unit: "ms" },
    { part, name: `a flush: ${name}`, value: quantile(flushes, share), unit: "ms" },
    {
      part,
      name: `live reduction on top: ${name}`,
      value: quantile(live, share) - quantile(whole, share),
      unit: "ms",
    },
    {
      part,
      name: `live reduction on top, without a flush: ${name}`,
      value: quantile(live, share) - quantile(whole, share) - quantile(flushes, share),
      unit: "ms",
      target,
    },
    {
      part,
      name: `reduced ÷ whole: ${name}`,
      value: quantile(live, share) / quantile(whole, share),
      unit: "×",
    },
  ]);
}

/** All figures of live reductions. */
export async function benchEndless(): Promise<Figure[]> {
  const cases = (await readCases()).filter((one) => reduce(one));
  const alone = [...inProcess(cases), ...benchLook(part), ...benchAsked(part)];
  return withHome(async (home) => {
    const config = {
      slots: { "endless-mode": ["live"] },
      endless: { sessions: { [on]: ["live"], [off]: [] } },
    };
    await writeFile(join(home.home, "config.json"), JSON.stringify(config));
    await home.start();
    return [...alone, ...(await throughServer(home, cases))];
  });
}
