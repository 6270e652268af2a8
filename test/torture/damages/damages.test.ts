// Every file of the home, damaged in every way, then started: what is physically there comes back, what is gone is named, and
// it goes on. An intact twin of the home says what there was.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { type Draw, torture, tortureMs } from "../seeds.ts";
import { audit } from "./audit.ts";
import { damage, kinds, outOfReach } from "./damage.ts";
import { judge, openTwins, type Twin, type Twins, type Verdict } from "./judge.ts";
import { left } from "./physical.ts";

let twins: Twins;
beforeAll(async () => {
  twins = await openTwins();
}, 180_000);
afterAll(() => twins.close());

/** A row of the table that a long run prints. */
interface Row {
  cases: number;
  lost: number;
  gone: number;
  named: number;
  faults: Set<string>;
}
const table = new Map<string, Row>();

/** More of the files that hold most, and of all others now and then. */
function fileFor(draw: Draw, { files }: Twin): string {
  const databases = files.filter((name) => /^(memory|journal)\.db/.test(name));
  return draw.chance(0.5) ? draw.pick(databases) : draw.pick(files);
}

async function damagedCase(draw: Draw): Promise<void> {
  const twin = draw.chance(0.5) ? twins.killed : twins.stopped;
  const file = fileFor(draw, twin);
  const kind = draw.pick(kinds);
  const verdict = await judge(twins, twin, `case-${draw.seed}`, {
    harm: (home) => damage(home, file, kind, draw),
    isOutOfReach: outOfReach.includes(kind),
    // An event that only its own file in the spool told of.
    isUnknowable: file.startsWith("spool/") && kind === "gone",
  });
  note(`${file.replace(/^(spool|memory)\/.*/, "$1/*")} | ${kind}`, verdict);
  expect(verdict.faults, `${twin.name} home, ${file}, ${kind}`).toEqual([]);
}

function note(key: string, { lost, gone, named, faults }: Verdict): void {
  const row = table.get(key) ?? { cases: 0, lost: 0, gone: 0, named: 0, faults: new Set() };
  row.cases++;
  row.lost += lost.length;
  row.gone += gone;
  row.named += named ? 1 : 0;
  for (const fault of faults) row.faults.add(fault.split(":")[0] ?? "");
  table.set(key, row);
}

test("the twin remembers all, and each text has a place of its own", async () => {
  const { texts, kept, folder, killed, stopped } = twins;
  for (const { home, bytes, places } of [killed, stopped]) {
    expect([...places].filter(([, list]) => list.length === 0)).toEqual([]);
    expect(left(places, bytes, bytes).size).toBe(texts.length);
    const copy = join(folder, "copy");
    await cp(home, copy, { recursive: true });
    const { remembered, goesOn, aside } = await audit(copy, kept, 9_000);
    await rm(copy, { recursive: true });
    expect(texts.filter((text) => !remembered.includes(text))).toEqual([]);
    expect([goesOn, aside]).toEqual([true, []]);
  }
}, 180_000);

test(
  "what is there comes back, what is gone is named",
  async () => {
    try {
      await torture("test/torture/damages/damages.test.ts", 8, damagedCase);
    } finally {
      if (process.env.TORTURE)
        for (const [key, { cases, lost, gone, named, faults }] of [...table].sort())
          console.log(
            `${key} | ${cases} | ${lost} | ${gone} | ${named} | ${[...faults].join("; ")}`,
          );
    }
  },
  tortureMs,
);
