// Every file of the home, damaged in every way, then started: what is physically there comes back, what is gone is named, and
// it goes on. An intact twin of the home says what there was.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { type Draw, torture, tortureMs } from "../seeds.ts";
import { audit } from "./audit.ts";
import { bytesOf, damage, filesOf, kinds } from "./damage.ts";
import { type FilledHome, fillHome } from "./filled-home.ts";
import { left, type Places, placesOf } from "./physical.ts";

interface Twin {
  home: string;
  files: string[];
  bytes: Map<string, Buffer>;
  places: Places;
}

let folder = "";
let filled: FilledHome;
let texts: string[];
const twins: Record<string, Twin> = {};
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "memoir-damages-"));
  filled = await fillHome(folder);
  const originals = [...filled.kept.values()].map((text) => text.slice(0, 30));
  texts = [
    ...filled.said.flatMap(({ prompt, closing }) => (closing ? [prompt, closing] : [prompt])),
    ...originals,
  ];
  for (const home of [filled.killed, filled.stopped]) {
    const bytes = await bytesOf(home);
    const places = await placesOf(texts, bytes, folder);
    twins[home] = { home, files: await filesOf(home), bytes, places };
  }
}, 60_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

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
  const twin = twins[draw.chance(0.5) ? filled.killed : filled.stopped] as Twin;
  const file = fileFor(draw, twin);
  const kind = draw.pick(kinds);
  const home = join(folder, `case-${draw.seed}`);
  const faults: string[] = [];
  let lost: string[] = [];
  let gone = 0;
  let named = false;
  try {
    await mkdir(home, { mode: 0o700 });
    await cp(twin.home, home, { recursive: true });
    const harmed = await damage(home, file, kind, draw);
    const there = left(twin.places, twin.bytes, await bytesOf(home));
    gone = texts.length - there.size;
    const first = await audit(home, [...filled.kept.keys()], 9_000);
    lost = texts.filter((text) => !first.remembered.includes(text));
    named = harmed.some((name) => first.told.includes(basename(name).replace(/-(wal|shm)$/, "")));
    const needless = lost.filter((text) => there.has(text));
    if (needless.length > 0)
      faults.push(
        `lost though it is there: ${needless.length}, ${needless.slice(0, 2).join(" | ")}`,
      );
    if (lost.length > 0 && !named) faults.push("lost, and not named");
    if (first.aside.length > 0 && !named) faults.push("set aside, and not named");
    if (first.context.length < 100 && lost.length < texts.length / 2)
      faults.push(`a new session is told nothing: ${first.context}`);
    if (!first.goesOn) faults.push("what came after is not remembered");
    const second = await audit(home, [...filled.kept.keys()], 9_001);
    if (second.aside.length > first.aside.length)
      faults.push(`damaged again at the next start: ${second.aside.join(" ")}`);
    if (lost.length < texts.filter((text) => !second.remembered.includes(text)).length)
      faults.push("more was lost at the next start");
  } catch (error) {
    faults.push(String(error).slice(0, 300));
  } finally {
    await rm(home, { recursive: true, force: true });
  }
  note(`${file.replace(/^(spool|memory)\/.*/, "$1/*")} | ${kind}`, { lost, gone, named, faults });
  const which = twin.home === filled.killed ? "killed" : "stopped";
  expect(faults, `${which} home, ${file}, ${kind}`).toEqual([]);
}

function note(
  key: string,
  { lost, gone, named, faults }: { lost: string[]; gone: number; named: boolean; faults: string[] },
): void {
  const row = table.get(key) ?? { cases: 0, lost: 0, gone: 0, named: 0, faults: new Set() };
  row.cases++;
  row.lost += lost.length;
  row.gone += gone;
  row.named += named ? 1 : 0;
  for (const fault of faults) row.faults.add(fault.split(":")[0] ?? "");
  table.set(key, row);
}

test("the twin remembers all, and each text has a place of its own", async () => {
  for (const { home, bytes, places } of Object.values(twins)) {
    expect([...places].filter(([, list]) => list.length === 0)).toEqual([]);
    expect(left(places, bytes, bytes).size).toBe(texts.length);
    const copy = join(folder, "copy");
    await cp(home, copy, { recursive: true });
    const { remembered, goesOn, aside } = await audit(copy, [...filled.kept.keys()], 9_000);
    await rm(copy, { recursive: true });
    expect(texts.filter((text) => !remembered.includes(text))).toEqual([]);
    expect([goesOn, aside]).toEqual([true, []]);
  }
}, 60_000);

// Recovery from damage is under way: until it is in, the suite leaves this to longer runs.
test.skipIf(!process.env.TORTURE)(
  "what is there comes back, what is gone is named",
  async () => {
    try {
      await torture("test/torture/damages/damages.test.ts", 12, damagedCase);
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
