// What the second look costs: at its quickest, against twice the text, and the first time in a process.
import { join } from "node:path";
import { decide } from "../../plugins/endless-live/index.ts";
import { lookAgain } from "../../plugins/endless-live/look/look.ts";
import { createSeen } from "../../plugins/endless-live/seen.ts";
import { defaultPolicy } from "../plugins/endless-live/cases.ts";
import { readAskedCases } from "../quality/endless/cases.ts";
import { shapeFor } from "../quality/endless/shape.ts";
import { type Figure, median, quantile } from "./figures.ts";
import { grown, leftOutputs } from "./left-out.ts";

/** Characters of an output. */
const size = 30_000;
const rounds = 10;
const quick = { limit: 5, better: "lower" } as const;
/** Twice the text may take at most so many times as long. */
const linear = { limit: 3, better: "lower" } as const;

/** Ten times the text may take at most so many times as long. */
const tenfold = { limit: 15, better: "lower" } as const;
/** Long outputs that are measured: one in so many. */
const oneIn = 16;

/** Of each piece of work at its quickest: what other work costs is no part of it. */
function quickestOf(work: readonly (() => unknown)[], times: number): number[] {
  const best = work.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < times; round++)
    for (const [at, run] of work.entries()) {
      const begin = performance.now();
      run();
      best[at] = Math.min(best[at] ?? 0, performance.now() - begin);
    }
  return best;
}

const quickest = (characters: number): number[] =>
  quickestOf(
    leftOutputs(characters).map(
      ({ text, short }) =>
        () =>
          lookAgain(text, short),
    ),
    rounds,
  );

/** Whole reductions of outputs that a prompt asked something of, as in life. */
function asked(characters: number, every = 1): (() => unknown)[] {
  const cases = readAskedCases().filter((_, at) => at % every === 0);
  return cases.map((one) => {
    const seen = createSeen();
    if (one.prompt !== undefined) seen.addPrompt("s1", one.prompt);
    const { tool, input } = one;
    const response = shapeFor({ ...one, output: grown(one.output, characters) });
    const arrived = { id: "t", tool, input, response, recall: "memoir recall t" };
    return () => decide(arrived, seen.of("s1", undefined), defaultPolicy);
  });
}

/** Of ten outputs, each in a process of its own: nothing of the code was run before. */
function firstTimes(): number[] {
  const script = join(import.meta.dirname, "first-look.ts");
  return Array.from({ length: rounds }, (_, at) => {
    const { stdout } = Bun.spawnSync([process.execPath, script, String(size), String(at * 11)]);
    const took = Number(stdout.toString());
    if (!(took > 0)) throw new Error(`${script} told no time: ${stdout.toString()}`);
    return took;
  });
}

/** The figures of whole reductions with a prompt. */
export function benchAsked(part: string): Figure[] {
  const times = quickestOf(asked(size), rounds);
  const [long, longest] = [100_000, 1_000_000].map((size) =>
    median(quickestOf(asked(size, oneIn), 4)),
  ) as [number, number];
  const name = "reduction with a prompt";
  return [
    { part, name: `${name} at 30 kB: median`, value: median(times), unit: "ms" },
    {
      part,
      name: `${name} at 30 kB: p99`,
      value: quantile(times, 0.99),
      unit: "ms",
      target: quick,
    },
    { part, name: `${name} at 1 MB: median`, value: longest, unit: "ms" },
    {
      part,
      name: `${name}, 1 MB ÷ 100 kB`,
      value: longest / long,
      unit: "×",
      target: tenfold,
    },
  ];
}

/** The figures of the second look. */
export function benchLook(part: string): Figure[] {
  const [once, twice] = [quickest(size), quickest(2 * size)];
  const name = "second look at 30 kB";
  return [
    { part, name: `${name}: median`, value: median(once), unit: "ms" },
    { part, name: `${name}: p99`, value: quantile(once, 0.99), unit: "ms", target: quick },
    { part, name: `${name}, the first of a process`, value: median(firstTimes()), unit: "ms" },
    {
      part,
      name: "second look, 60 kB ÷ 30 kB",
      value: median(twice) / median(once),
      unit: "×",
      target: linear,
    },
  ];
}
