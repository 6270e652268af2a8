// What the doctor says of a home: the folder, what the user gave, what is kept and what waits.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { checked } from "../../src/health/check.ts";
import { folderChecks, keptChecks, settingsChecks } from "../../src/health/home-checks.ts";
import { makeBackup } from "../../src/home/backups/make-backup.ts";
import { noteFailure } from "../../src/home/backups/read-backups.ts";
import { memoirPaths } from "../../src/home/paths.ts";
import { openRecords } from "../../src/records/record-store.ts";
import { writeSpool } from "../../src/runtime/events/spool.ts";
import type { ClientEvent } from "../../src/sdk/events.ts";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "memoir-doctor-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

/** What one check of all finds. */
async function check(name: string, { now = 0, platform = "linux", served = true, at = home } = {}) {
  const all = await checked(
    { ...folderChecks, ...settingsChecks, ...keptChecks },
    {
      ...{ paths: memoirPaths(at), platform, env: {}, now },
      ...{ served: async () => served, toGo: async () => undefined },
    },
  );
  return all.filter((one) => one.name === name);
}

const spooledAt = 1_000_000;
const cases: Array<[string, number, boolean, object]> = [
  ["waits without a server", 600_000, false, { state: "warn", fix: /memoir server start/ }],
  ["waits a moment", 2_000, true, { state: "warn", fix: /within seconds/ }],
  ["waits although a server runs", 600_000, true, { state: "fail", fix: /memoir\.log say why/ }],
];
test.each(cases)("an event that %s", async (_, waited, served, expected) => {
  const paths = memoirPaths(home);
  const event = { name: "Stop", time: spooledAt } as ClientEvent;
  await writeSpool(paths.spool, event);
  const { state, fix } = expected as { state: string; fix: RegExp };
  const checks = await check("spool", { served, now: spooledAt + waited });
  expect(checks).toHaveLength(1);
  expect(checks[0]).toMatchObject({ name: "spool", state });
  expect(checks[0]?.message).toContain("1 event waits");
  expect(checks[0]?.fix).toMatch(fix);
});

test("of several that wait the oldest counts", async () => {
  const paths = memoirPaths(home);
  for (const time of [spooledAt, spooledAt + 599_000])
    await writeSpool(paths.spool, { name: "Stop", time } as ClientEvent);
  const [only] = await check("spool", { now: spooledAt + 600_000 });
  expect(only).toMatchObject({ state: "fail" });
  expect(only?.message).toMatch(/2 events wait .* the oldest since 10m ago/);
});

test("a folder that everybody may write to is not to be closed", async () => {
  await chmod(home, 0o1777);
  const [first] = await check("home");
  expect(first).toMatchObject({ name: "home", state: "fail" });
  expect(first?.fix).toMatch(/MEMOIR_HOME/);
  expect(first?.fix).not.toContain("chmod");
});

test("what was not looked at is not said: on Windows modes tell nothing", async () => {
  const said = async (platform: string) => (await check("home", { platform }))[0]?.message;
  await chmod(home, 0o700);
  expect(await said("linux")).toContain("yours alone");
  expect(await said("win32")).toContain("who may read it is not checked on Windows");
  expect(await said("win32")).not.toContain("yours alone");
});

test("what is no folder of memoir's is not to be closed either", async () => {
  const file = join(home, "passwd");
  await writeFile(file, "root");
  await chmod(file, 0o644);
  const ofFile = await check("home", { at: file });
  expect(ofFile).toMatchObject([{ state: "fail", message: `${file} is no folder` }]);
  await chmod(home, 0o755);
  const ofOthers = await check("home");
  expect(ofOthers).toMatchObject([{ state: "fail" }]);
  for (const { fix } of [...ofFile, ...ofOthers])
    expect(fix).toBe("Set `MEMOIR_HOME` to a folder of its own.");
});

test("an empty spool is well", async () => {
  expect(await check("spool")).toMatchObject([{ state: "ok" }]);
});

test("what could not be read as events is kept, and said", async () => {
  const { spool } = memoirPaths(home);
  await mkdir(join(spool, "rejected"), { recursive: true });
  await writeFile(join(spool, "rejected", "a.json"), "{");
  const [only] = await check("spool");
  expect(only).toMatchObject({ state: "warn", message: "1 file could not be read as events" });
});

test("a home is there, and its owner's alone", async () => {
  const gone = await check("home", { at: join(home, "gone") });
  expect(gone).toMatchObject([{ state: "fail", message: `${join(home, "gone")} does not exist` }]);
  await chmod(home, 0o755);
  const open = await check("home");
  expect(open[0]).toMatchObject({ state: "warn", message: `${home} can be read by other users` });
  await chmod(home, 0o700);
  expect((await check("home"))[0]?.message).not.toContain("other users");
});

test("of the hook's troubles those of the last day count, and the last is told", async () => {
  const paths = memoirPaths(home);
  const now = Date.UTC(2026, 10, 21, 12);
  const line = (hours: number, event: string) =>
    JSON.stringify({
      time: new Date(now - hours * 3_600_000).toISOString(),
      event,
      reason: "away",
    });
  await mkdir(dirname(paths.hookLog), { recursive: true });
  await writeFile(paths.hookLog, `${line(25, "Stop")}\n`);
  expect(await check("hook log", { now })).toMatchObject([{ state: "ok" }]);
  await writeFile(
    paths.hookLog,
    [line(25, "Stop"), line(23, "Stop"), "no json", line(2, "PostToolUse"), ""].join("\n"),
  );
  expect(await check("hook log", { now })).toMatchObject([
    { state: "warn", message: "2 in 24 hours; the last 2h ago: PostToolUse: away" },
  ]);
});

test.each([
  ["keys.json", "keys"],
  ["trust.json", "trust"],
])("%s that makes no sense is a fault of its own, and of nothing else", async (file, name) => {
  expect(await check(name)).toEqual([]);
  await writeFile(join(home, file), "no json", { mode: 0o600 });
  expect(await check(name)).toMatchObject([
    {
      state: "fail",
      message: expect.stringMatching(/is not a JSON object|is not what memoir wrote/),
    },
  ]);
});

const noon = Date.UTC(2026, 10, 22, 12);
const day = 86_400_000;

test("none yet, the newest, one that is late, one that could not be made, and one that cannot be gone back to", async () => {
  const paths = memoirPaths(home);
  const said = async (now: number) => {
    const [found] = await check("backups", { now });
    return `${found?.state}: ${found?.message}`;
  };
  expect(await said(noon)).toBe("ok: nothing to be backed up yet");
  (await openRecords(paths.memory, () => noon)).close();
  expect(await said(noon)).toBe("ok: none yet");
  const { folder, name } = await makeBackup(paths, { reason: "daily", now: () => noon });
  expect(await said(noon + day)).toMatch(/^ok: the newest was made 1d ago; 1 backup, \d+ kB$/);
  expect(await said(noon + 5 * day)).toStartWith("warn: the newest was made 5d ago");
  await writeFile(paths.config, '{"backup":{"daily":false}}');
  expect(await said(noon + 5 * day)).toStartWith("ok: ");
  await noteFailure(paths, new Error("the disk is full"), noon);
  expect(await said(noon + day)).toBe("warn: no backup could be made 1d ago: the disk is full");
  await noteFailure(paths, new Error("other"), noon);
  await writeFile(join(home, "backups", "failed.json"), "{");
  await writeFile(join(folder, "manifest.json"), "{");
  expect(await said(noon)).toStartWith(`warn: ${name} cannot be gone back to: `);
});

test("a link to nothing in their place", async () => {
  await symlink(join(home, "disk"), join(home, "backups"));
  const [away] = await check("backups", { now: noon });
  expect(away).toMatchObject({ state: "warn" });
  expect(away?.message).toBe(`${home}/backups is a link to nothing: no backup can be made`);
  await mkdir(join(home, "disk"));
  expect(await check("backups", { now: noon })).toMatchObject([{ state: "ok" }]);
});
