// Rewriting a transcript of 1, 10 and 100 MB, from looking it through to the new file in its place, beside a plain copy of it.
import { copyFile, mkdtemp, open, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { largeTranscript } from "../support/large-transcript.ts";
import { rewriteOnce } from "../support/rewrite-lines.ts";
import { type Figure, median } from "./figures.ts";

const part = "rewrite";
const megabyte = 1_000_000;

/** As durable as the rewrite: flushed to disk. */
async function copied(from: string, to: string): Promise<number> {
  const begin = performance.now();
  await copyFile(from, to);
  const file = await open(to, "r+");
  await file.sync();
  await file.close();
  return performance.now() - begin;
}

async function measure(folder: string, megabytes: number, rounds: number): Promise<Figure[]> {
  const source = join(folder, "source.jsonl");
  const path = join(folder, "s1.jsonl");
  const undo = join(folder, "undo");
  await writeFile(source, largeTranscript(megabytes * megabyte, 4_000));
  const { size } = await stat(source);
  const copies: number[] = [];
  const rewrites: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await rm(undo, { recursive: true, force: true });
    copies.push(await copied(source, path));
    const begin = performance.now();
    const done = await rewriteOnce(path, undo);
    if (!done.done) throw new Error(`not rewritten: ${done.reason}`);
    rewrites.push(performance.now() - begin);
  }
  const [copy, rewrite] = [median(copies), median(rewrites)];
  const what = `${megabytes} MB`;
  return [
    { part, name: `plain copy of ${what}, flushed`, value: copy, unit: "ms" },
    { part, name: `rewriting ${what}, every large input cleared`, value: rewrite, unit: "ms" },
    { part, name: `${what}: rewriting to copying`, value: rewrite / copy, unit: "×" },
    { part, name: `${what} a second`, value: size / megabyte / (rewrite / 1_000), unit: "MB/s" },
  ];
}

/** Without the drain that follows a rewrite, which waits a quarter of a second for a client's last words. */
export async function benchRewrite(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), "memoir-bench-rewrite-"));
  try {
    const figures: Figure[] = [];
    for (const [megabytes, rounds] of [
      [1, 15],
      [10, 7],
      [100, 3],
    ] as const)
      figures.push(...(await measure(folder, megabytes, rounds)));
    return figures;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
