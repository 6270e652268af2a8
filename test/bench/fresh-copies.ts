// Fresh copies of the compared binaries: where a file happens to lie in the page cache moves a start by a quarter, so luck is averaged out.
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Copies both files `rounds` times over, hands each pair of copies to `use`, and removes them. Gives all results. */
export async function overFreshCopies<Value>(
  files: readonly [a: string, b: string],
  rounds: number,
  use: (a: string, b: string) => Value,
): Promise<Value[]> {
  const folder = await mkdtemp(join(tmpdir(), "memoir-bench-copies-"));
  const results: Value[] = [];
  try {
    for (let round = 0; round < rounds; round++) {
      const [a, b] = [join(folder, `a-${round}`), join(folder, `b-${round}`)];
      await copyFile(files[0], a);
      await copyFile(files[1], b);
      results.push(use(a, b));
      await rm(a);
      await rm(b);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return results;
}
