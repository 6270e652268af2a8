// What a live reduction costs on top of the hook: the same tool uses in a session with the strategy and in one without, by turns.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { decide } from "../../plugins/endless-live/decide.ts";
import { createSeen } from "../../plugins/endless-live/seen.ts";
import { type Case, defaultPolicy, readCases } from "../plugins/endless-live/cases.ts";
import { type Figure, median, quantile } from "./figures.ts";
import { type ServedHome, withHome } from "./served-home.ts";

const part = "endless";
const rounds = 30;
const warmUp = 10;
const target = { limit: 5, better: "lower" } as const;

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
  for (let round = 0; round < warmUp + rounds; round++) {
    for (const one of cases) {
      const begin = performance.now();
      reduce(one);
      if (round >= warmUp) times.push(performance.now() - begin);
    }
  }
  return [
    { part, name: "reducer alone: median", value: median(times), unit: "ms" },
    { part, name: "reducer alone: p99", value: quantile(times, 0.99), unit: "ms" },
  ];
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
  const both = [
    ["median", 0.5],
    ["p99", 0.99],
  ] as const;
  return both.flatMap(([name, share]): Figure[] => [
    { part, name: `tool use, whole: ${name}`, value: quantile(whole, share), unit: "ms" },
    { part, name: `tool use, reduced: ${name}`, value: quantile(live, share), unit: "ms" },
    {
      part,
      name: `live reduction on top: ${name}`,
      value: quantile(live, share) - quantile(whole, share),
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
  const alone = inProcess(cases);
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
