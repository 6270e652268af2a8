// What search finds, and how fast: LoCoMo's questions beside plain full text, and synthetic turns by the ten and hundred thousand.
import type { Figure } from "./figures.ts";
import { latencyFigures } from "./retrieval/latency.ts";
import { locomoFigures } from "./retrieval/locomo.ts";

/** A million turns take an hour to make: only where `MEMOIR_BENCH_MILLION` is set. */
const sizes = [10_000, 100_000, ...(process.env.MEMOIR_BENCH_MILLION ? [1_000_000] : [])];

/** All figures of retrieval. */
export async function benchRetrieval(): Promise<Figure[]> {
  const figures = await locomoFigures();
  for (const size of sizes) figures.push(...(await latencyFigures(size)));
  return figures;
}
