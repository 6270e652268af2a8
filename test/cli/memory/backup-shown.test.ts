// `memoir memory backup` and `restore` as typed: lists and checks as programs get them, copies that hold no memory, and what is said of what is missing.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { heldText } from "../../../src/cli/memory/backup.ts";
import { keepDefaults } from "../../../src/home/backups/make-backup.ts";
import type { Backup } from "../../../src/home/backups/read-backups.ts";
import { memoirPaths, type Paths } from "../../../src/home/paths.ts";
import { openRecords } from "../../../src/records/record-store.ts";
import { backupPlaces } from "../../../src/runtime/config/backup-places.ts";
import { sampleMemory, sampleObservation } from "../../../src/testing/samples.ts";
import { ownHome } from "../../support/own-home.ts";
import { typed } from "../../support/typed.ts";

const noon = Date.UTC(2026, 10, 22, 12);
const hour = 3_600_000;
let place: Awaited<ReturnType<typeof ownHome>>;
let paths: Paths;
beforeEach(async () => {
  place = await ownHome();
  paths = memoirPaths(place.home);
  const records = await openRecords(paths.memory, () => noon);
  await records.put({
    key: "k",
    records: { observations: [sampleObservation()], memory: [sampleMemory()] },
  });
  records.close();
});
afterEach(() => place.end());
const run = (words: string, at = noon) => typed(words.split(" "), undefined, { now: () => at });
const json = async (words: string, at = noon) => JSON.parse((await run(words, at)).out.join(""));
const name = "20261122T120000Z-manual";

test("as JSON a backup, the list of them and a check say what is where and what it holds", async () => {
  const made = await json("memory backup --json");
  expect(made).toMatchObject({
    ...{ name, folder: join(place.home, "backups", name), reason: "manual", time: noon },
    missing: [],
  });
  expect(made).not.toHaveProperty("fault");
  expect(made.bytes).toBeGreaterThan(0);
  expect((await json("memory backup --list --json")).backups).toEqual([made]);
  expect(await json("memory backup --verify --json")).toEqual({ backups: [{ name, faults: [] }] });
});

test("a list ends with how many there are, how large and where; one that cannot be read says why", async () => {
  await run("memory backup");
  await run("memory backup", noon + hour);
  const folder = join(place.home, "backups");
  const { out } = await run("memory backup --list", noon + 2 * hour);
  expect(out.map((line) => line.split("  ").slice(0, 2))).toEqual([
    ["20261122T130000Z-manual", "1h ago"],
    [name, "2h ago"],
    [expect.stringMatching(/^2 backups, \d+ kB, in /)],
  ]);
  await writeFile(join(folder, name, "manifest.json"), "{");
  const broken = (await run("memory backup --list", noon + 2 * hour)).out[1] ?? "";
  expect(broken).not.toContain("observation");
  expect(broken.split("  ").length).toBeGreaterThan(3);
  const checked = await run("memory backup --verify");
  expect([checked.code, checked.out[0], checked.out.length > 2]).toEqual([
    1,
    "✓ 20261122T130000Z-manual is whole",
    true,
  ]);
  expect(checked.out[1]).toBe(`✗ ${name}`);
  expect(checked.out[2]).toStartWith("    ");
});

test("what a copy holds is counted where it has memory, named where it has none, and left out where nobody knows", () => {
  const of = (files?: object[]) => heldText({ manifest: files && { files } } as unknown as Backup);
  expect(of([{ name: "usage.db" }, { name: "memory.db", counts: { turns: 1, sessions: 2 } }])).toBe(
    ", 0 observations, 1 turn, 2 sessions",
  );
  expect(of([{ name: "usage.db" }, { name: "journal.db" }])).toBe(", usage.db, journal.db");
  expect([of([]), of(undefined)]).toEqual(["", ""]);
});

test("config says where memory lies and how long copies are kept; what it says of no place is the usual", async () => {
  const places = async (config: object) => {
    await writeFile(paths.config, JSON.stringify(config));
    return backupPlaces(paths);
  };
  const usual = { memory: paths.memory, memoryFiles: join(place.home, "memory") };
  expect(await places({})).toMatchObject({ ...usual, isDaily: true });
  expect(Object.keys((await places({})).rule).sort()).toEqual(Object.keys(keepDefaults).sort());
  expect(
    await places({ plugins: { sqlite: { path: "" }, "memory-files": { path: 7 } } }),
  ).toMatchObject(usual);
  const set = await places({
    plugins: { sqlite: { path: "/data/m.db" }, "memory-files": { path: "files" } },
    backup: { daily: false, keepDays: 2, keepWeeks: 1, maxBytes: 99_000_000 },
  });
  expect(set).toMatchObject({
    ...{ memory: "/data/m.db", memoryFiles: join(place.home, "files"), isDaily: false },
    rule: { days: 2, weeks: 1, maxBytes: 99_000_000 },
  });
});

test("a restore as JSON says what would change and what it did; without a yes it asks nobody", async () => {
  await run("memory backup");
  const records = await openRecords(paths.memory, () => noon);
  await records.put({
    key: "two",
    records: { observations: [sampleObservation({ title: "Two" })] },
  });
  records.close();
  const dry = await json("memory restore --dry-run --json", noon + hour);
  expect([dry.backup, dry.restored]).toEqual([name, false]);
  expect(JSON.stringify(dry.changes)).toContain(
    '{"file":"memory.db","what":"observations","now":2,"then":1}',
  );
  expect(dry.changes.map(({ what }: { what: string }) => what)).toEqual([
    ...["sessions", "turns", "observations", "summaries", "memory items"],
  ]);
  const refused = await run("memory restore --json", noon + hour);
  expect([refused.code, JSON.parse(refused.out.join("")).error.code]).toEqual([2, "usage"]);
  const done = await json("memory restore --yes --json", noon + hour);
  expect(done).toMatchObject({ restored: true, aside: [], before: "20261122T130000Z-restore" });
  expect(await readdir(join(place.home, "backups"))).toContain("20261122T130000Z-restore");
});

test("without a backup that holds memory the way to one is said; of two with one beginning none is meant", async () => {
  const none = await run("memory restore --yes");
  expect(none.err).toEqual([
    "error: There is no backup that holds memory.",
    "fix: `memoir memory backup` makes one; what your client recorded comes back with `memoir backfill`.",
  ]);
  await run("memory backup");
  await run("memory backup", noon + hour);
  const both = await run("memory restore 20261122 --yes");
  expect(both.err[0]).toBe("error: No single backup is called 20261122.");
  await rm(join(place.home, "backups", name, "memory.db"));
  await mkdir(join(place.home, "backups", name, "memory.db"));
  const broken = await run(`memory restore ${name} --yes`);
  expect([broken.code, broken.err[0]?.includes(name)]).toEqual([1, true]);
});

test("what was gone back to says how that is taken back, and what of the time since comes again", async () => {
  await run("memory backup");
  expect((await run("memory restore --yes", noon + hour)).out.slice(-3)).toEqual([
    "✓ Memory is as it was 1h ago.",
    "`memoir memory restore 20261122T130000Z-restore` takes this back.",
    "What the journal and your client's transcripts have of the time since comes back while the server runs.",
  ]);
});
