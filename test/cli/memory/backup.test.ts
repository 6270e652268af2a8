// `memoir memory backup`: what it makes, shows and checks.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { backup } from "../../../src/cli/memory/backup.ts";
import { listBackups, readFailure } from "../../../src/home/backups/read-backups.ts";
import { memoirPaths, type Paths } from "../../../src/home/paths.ts";
import { openRecords } from "../../../src/records/record-store.ts";
import { sampleObservation } from "../../../src/testing/samples.ts";
import { ownHome } from "../../support/own-home.ts";
import { plainTerminal } from "../../support/plain-terminal.ts";

type BackupOptions = Parameters<typeof backup>[0];

const noon = Date.UTC(2026, 10, 22, 12);
const hour = 3_600_000;
let place: Awaited<ReturnType<typeof ownHome>>;
let paths: Paths;
beforeAll(async () => {
  place = await ownHome();
  paths = memoirPaths(place.home);
});
afterAll(() => place.end());

const run = async (options: BackupOptions, now = noon) => {
  const terminal = plainTerminal({ now: () => now, cwd: place.root });
  const code = await backup(options, terminal);
  return { code, lines: terminal.out.join("\n").split("\n") };
};

test("an empty home has nothing to be backed up, and no backup", async () => {
  await expect(run({})).rejects.toMatchObject({ code: "backup_failed" });
  expect((await run({ list: true })).lines[0]).toStartWith("There is no backup in ");
  expect((await run({ verify: true })).lines).toEqual(["There is no backup to check."]);
});

test("what is made says what it holds and how to go back; the list has it, a check finds it whole", async () => {
  const records = await openRecords(paths.memory, () => noon);
  await records.put({ key: "one", records: { observations: [sampleObservation()] } });
  records.close();
  const made = await run({});
  expect(made.code).toBe(0);
  expect(made.lines[0]).toMatch(
    /^✓ .*20261122T120000Z-manual: \d+ kB, 1 observation, 0 turns, 1 session\.$/,
  );
  expect(made.lines[1]).toBe("`memoir memory restore 20261122T120000Z-manual` goes back to it.");
  const listed = await run({ list: true }, noon + 2 * hour);
  expect(listed.lines[0]).toMatch(
    /^20261122T120000Z-manual {2}2h ago {2}\d+ kB {2}1 observation, /,
  );
  expect((await run({ verify: true })).lines).toEqual(["✓ 20261122T120000Z-manual is whole"]);
});

test("an address is no folder, and is not repeated", async () => {
  const made = run({ to: "https://ada:rosebud@h.example/" });
  await expect(made).rejects.toMatchObject({
    ...{ code: "usage", message: "A backup is made in a folder; this is an address." },
  });
});

test("a folder of one's own is used, and not pruned", async () => {
  await run({ to: "stick" });
  expect(await readdir(join(place.root, "stick"))).toEqual(["20261122T120000Z-manual"]);
});

test("config says where the storage's file is", async () => {
  await mkdir(join(place.home, "other"));
  (await openRecords(join(place.home, "other", "mine.db"), () => noon)).close();
  await writeFile(paths.config, '{"plugins":{"sqlite":{"path":"other/mine.db"}}}');
  const { lines } = await run({ json: true }, noon + hour);
  expect(JSON.parse(lines[0] ?? "").files).toContainEqual(
    expect.objectContaining({
      name: "memory.db",
      counts: expect.objectContaining({ observations: 0 }),
    }),
  );
  await writeFile(paths.config, "{}");
});

test("the day's backup that fails is noted until one succeeds", async () => {
  await writeFile(paths.usage, "damaged".repeat(1_000));
  await expect(run({ daily: true })).rejects.toThrow("usage.db could not be copied");
  expect(await readFailure(paths)).toMatchObject({
    time: noon,
    message: expect.stringContaining("usage.db"),
  });
  const damaged = await run({ verify: true });
  expect([damaged.code, damaged.lines.join()]).toEqual([
    1,
    expect.stringContaining("usage.db was left out"),
  ]);
  expect((await run({})).code).toBe(1);
  await writeFile(paths.usage, "");
  await run({ daily: true }, noon + 2 * hour);
  expect(await readFailure(paths)).toBeUndefined();
  expect((await listBackups(paths)).map(({ reason }) => reason)).toContain("daily");
});
