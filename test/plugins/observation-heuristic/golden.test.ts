// Whole batches against their expected observations, one folder each. `GOLDEN=write` rewrites the expectations, to be read before they are committed.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { observe } from "../../../plugins/observation-heuristic/observe.ts";
import type { ObservationBatch } from "../../../src/sdk/work.ts";
import { batchBreaks, breaksOf } from "../../replay/rules.ts";

const folder = join(import.meta.dirname, "golden");

for (const name of readdirSync(folder).sort()) {
  test(name, () => {
    const batch = JSON.parse(
      readFileSync(join(folder, name, "batch.json"), "utf8"),
    ) as ObservationBatch;
    const result = observe(batch);
    const file = join(folder, name, "expected.json");
    if (process.env.GOLDEN === "write") writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`);
    expect(result).toEqual(JSON.parse(readFileSync(file, "utf8")));
    expect([...result.observations.flatMap(breaksOf), ...batchBreaks(result.observations)]).toEqual(
      [],
    );
  });
}
