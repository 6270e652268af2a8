// The days that `memoir memory prune` names are the reader's own, as everywhere on the command line.
import { expect, test } from "bun:test";
import type { Plan } from "../../../src/cli/memory/correct.ts";
import { saidOf } from "../../../src/health/sizes.ts";
import { inZone } from "../../support/in-zone.ts";

const plan = (lastActiveAt: number) =>
  ({ sessions: [{ lastActiveAt, prompts: 2 }], bytes: 2_000, freed: 1_000 }) as Plan;

test.each([
  ["UTC", "2026-11-21"],
  ["Asia/Tokyo", "2026-11-22"],
])("the first day that stays, in %s", (zone, day) => {
  const said = inZone(zone, () => saidOf(plan(Date.UTC(2026, 10, 20, 22, 30))));
  expect(said).toBe(`1 session with 2 prompts, last active before ${day}, about 1.0 kB of 2.0 kB`);
});
