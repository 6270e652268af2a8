// `bun run replay --endless`: what Endless Mode keeps out of all recorded sessions, and what later turns miss. `--policy key=value…` changes `live`, `--curve` sweeps it, `--show N [--of K]` prints the worst cases of the K-th strategy (default 1, `live`), `--json`.
import process from "node:process";
import type { Policy } from "../../plugins/endless-live/policy.ts";
import { defaultPolicy } from "../plugins/endless-live/cases.ts";
import { curvePolicies } from "./endless-curve.ts";
import { type MarkedThread, markThread } from "./endless-marks.ts";
import { type Outcome, replayThread, type Strategy } from "./endless-replay.ts";
import {
  curve,
  definition,
  kindTable,
  type Row,
  strategyTable,
  toolTable,
  verdicts,
} from "./endless-report.ts";
import { bluntCap, cleared, live, retiring } from "./endless-strategies.ts";
import { sumOutcomes } from "./endless-sums.ts";
import { readThreads } from "./endless-threads.ts";

/** Runs with the command line's arguments. */
export async function replayEndless(root: string, args: readonly string[]): Promise<void> {
  const threads = (await readThreads(root)).map(markThread);
  const { read, ...changed } = parsePolicy(args) as Partial<Policy>;
  const policy: Policy = {
    ...{ ...defaultPolicy, ...changed },
    read: { ...defaultPolicy.read, ...read },
  };
  if (Object.keys(policy).length > Object.keys(defaultPolicy).length) {
    console.error(`There is no such policy: ${Object.keys(changed).join(", ")}`);
    process.exit(2);
  }
  const own = live(policy);
  const strategies: Strategy[] = [bluntCap(2_000), own, cleared(own), retiring(cleared(own))];
  const outcomes = strategies.map((strategy) => measure(threads, strategy));
  const rows = outcomes.map(rowOf);
  const baseline = rowOf(measure(threads, { name: "as it was" })).all;
  const points = args.includes("--curve")
    ? curvePolicies(policy).map(({ strategy, isDefault }) => ({
        ...rowOf(measure(threads, strategy)),
        isDefault,
      }))
    : [];
  if (args.includes("--json")) {
    console.log(JSON.stringify({ baseline, strategies: rows, curve: points }, null, 2));
    return;
  }
  console.log(`${definition}\n`);
  console.log(`${strategyTable(rows, baseline)}\n`);
  console.log(`${verdicts(rows)}\n`);
  console.log(`${toolTable(rows)}\n`);
  console.log(kindTable(rows));
  if (points.length > 0) console.log(`\n  policy, kept out, missed of results\n${curve(points)}`);
  if (args.includes("--show")) {
    const at = count(args, "--of", 1);
    showWorst(outcomes[at]?.outcomes ?? [], count(args, "--show", 10));
  }
}

/** The number behind an option. */
function count(args: readonly string[], option: string, fallback: number): number {
  const at = args.indexOf(option);
  const value = Number(args[at + 1]);
  return at !== -1 && Number.isInteger(value) ? value : fallback;
}

interface Measured {
  name: string;
  outcomes: Outcome[];
}

function measure(threads: readonly MarkedThread[], strategy: Strategy): Measured {
  return {
    name: strategy.name,
    outcomes: threads.map((thread) => replayThread(thread, strategy)),
  };
}

function rowOf({ name, outcomes }: Measured): Row {
  const half = (which: 0 | 1) => outcomes.filter(({ thread }) => thread.half === which);
  return {
    name,
    all: sumOutcomes(outcomes),
    halves: [sumOutcomes(half(0)), sumOutcomes(half(1))],
  };
}

/** `--policy read.outline=4000 headLines=20` as an object; numbers, true and false are taken for what they are. */
export function parsePolicy(args: readonly string[]): Record<string, unknown> {
  const from = args.indexOf("--policy");
  const policy: Record<string, unknown> = {};
  if (from === -1) return policy;
  for (const pair of args.slice(from + 1)) {
    const [key = "", value] = pair.split("=");
    if (pair.startsWith("--") || value === undefined) break;
    const path = key.split(".");
    const last = path.pop() ?? "";
    let place = policy;
    for (const part of path) {
      place[part] ??= {};
      place = place[part] as Record<string, unknown>;
    }
    place[last] = /^(?:true|false|-?[\d.]+)$/.test(value) ? (JSON.parse(value) as unknown) : value;
  }
  return policy;
}

/** The removals that were missed most, with what missed them. */
function showWorst(outcomes: readonly Outcome[], count: number): void {
  const worst = outcomes
    .flatMap(({ thread, removals }) => removals.map((removal) => ({ thread, removal })))
    .filter(({ removal }) => removal.harms.length > 0)
    .sort((one, other) => other.removal.harms.length - one.removal.harms.length);
  console.log(`\n${worst.length} removals were missed`);
  for (const { thread, removal } of worst.slice(0, count)) {
    console.log(
      `\n# ${thread.name}, half ${thread.half}, step ${removal.step}: ${removal.tool}, ${removal.how}, ${removal.out} characters out`,
    );
    const step = thread.steps[removal.step];
    const id = step?.kind === "result" || step?.kind === "use" ? step.id : "";
    const use = thread.steps.find((one) => one.kind === "use" && one.id === id);
    if (use?.kind === "use") console.log(`  input: ${use.text.slice(0, 200)}`);
    for (const harm of removal.harms.slice(0, 6)) {
      const by = thread.steps[harm.step];
      const where = by?.kind === "use" ? `${by.tool} ${by.text.slice(0, 120)}` : "said";
      console.log(
        `  ${harm.kind} "${harm.text.slice(0, 100)}", ${harm.step - removal.step} steps later: ${where}`,
      );
    }
  }
}
