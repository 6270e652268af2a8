// The work of mending, copying and going back, killed -9 on its way, up to three times: the next start finds what the first
// would have found, and no half of a copy passes for one.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import process from "node:process";
import { makeBackup } from "../../../src/home/backups/make-backup.ts";
import { listBackups, verifyBackup } from "../../../src/home/backups/read-backups.ts";
import { memoirPaths } from "../../../src/home/paths.ts";
import { entry } from "../../support/run-memoir.ts";
import { type Draw, torture, tortureMs } from "../seeds.ts";
import { damage, kinds } from "./damage.ts";
import { startsAt } from "./filled-home.ts";
import { type Harm, judge, openTwins, type Twin, type Twins } from "./judge.ts";

let twins: Twins;
beforeAll(async () => {
  twins = await openTwins();
}, 180_000);
afterAll(() => twins.close());

/** Runs a command of memoir's and kills it, with all that it started, up to so many ms after it began its work. */
async function killOnTheWay(
  home: string,
  args: readonly string[],
  draw: Draw,
  withinMs: number,
): Promise<void> {
  const child = Bun.spawn([process.execPath, entry, ...args], {
    ...{ cwd: home, stdin: "ignore", stdout: "ignore", stderr: "ignore", detached: true },
    env: { PATH: process.env.PATH ?? "", HOME: home, MEMOIR_HOME: home },
  });
  await Promise.race([child.exited, Bun.sleep(150 + draw.below(withinMs))]);
  try {
    // Negative: its whole group.
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // It was done.
  }
  await child.exited;
}

/** A server that finds the damage is killed while it mends it. */
function mending(draw: Draw, { files }: Twin): Harm & { what: string } {
  const file = draw.pick(files.filter((name) => /^(memory|journal)\.db$/.test(name)));
  const kind = draw.pick(kinds.slice(0, 12));
  return {
    what: `${file}, ${kind}`,
    harm: (home) => damage(home, file, kind, draw),
    async before(home) {
      for (let kills = 1 + draw.below(3); kills > 0; kills--)
        await killOnTheWay(home, ["serve", "--json"], draw, 700);
    },
  };
}

/** A backup is begun and killed; what is listed afterwards is whole. */
function copying(draw: Draw): Harm & { what: string } {
  return {
    what: "a backup",
    harm: async () => [],
    async before(home) {
      await killOnTheWay(home, ["backup"], draw, 500);
      for (const backup of await listBackups(memoirPaths(home)))
        expect([backup.fault, await verifyBackup(backup)]).toEqual([undefined, []]);
    },
  };
}

/** The way back to a backup, killed: every file is as it was or as in the backup. */
function goingBack(draw: Draw): Harm & { what: string } {
  const all = draw.chance(0.5) ? ["--all"] : [];
  return {
    what: ["a restore", ...all].join(" "),
    harm: async () => [],
    async before(home) {
      await makeBackup(memoirPaths(home), { reason: "manual", now: () => startsAt });
      for (let kills = 1 + draw.below(2); kills > 0; kills--)
        await killOnTheWay(home, ["restore", "--yes", ...all], draw, 900);
    },
  };
}

async function killedCase(draw: Draw): Promise<void> {
  const twin = draw.chance(0.5) ? twins.killed : twins.stopped;
  const work = draw.pick([mending, mending, copying, goingBack])(draw, twin);
  const verdict = await judge(twins, twin, join(`killed-${draw.seed}`), work);
  expect(verdict.faults, `${twin.name} home, ${work.what}`).toEqual([]);
}

test(
  "nothing is lost by a kill on the way",
  () => torture("test/torture/damages/killed-work.test.ts", 3, killedCase),
  tortureMs,
);
