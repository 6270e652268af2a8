// What the second look costs: at its quickest, against twice the text, and the first time in a process.
import { join } from "node:path";
import { lookAgain } from "../../plugins/endless-live/look/look.ts";
import { type Figure, median, quantile } from "./figures.ts";
import { leftOutputs } from "./left-out.ts";

/** Characters of an output. */
const size = 30_000;
const rounds = 10;
const quick = { limit: 5, better: "lower" } as const;
/** Twice the text may take at most so many times as long. */
const linear = { limit: 3, better: "lower" } as const;

/** Of each output at its quickest: what other work costs is no part of it. */
function quickest(characters: number): number[] {
  const outputs = leftOutputs(characters);
  const best = outputs.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < rounds; round++)
    for (const [at, { text, short }] of outputs.entries()) {
      const begin = performance.now();
      lookAgain(text, short);
      best[at] = Math.min(best[at] ?? 0, performance.now() - begin);
    }
  return best;
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
