// What the doctor says of a home's spool.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Terminal } from "../../src/cli/terminal/terminal.ts";
import { checkGiven, checkHome, checkHookLog, checkSpool } from "../../src/health/home-and-work.ts";
import { memoirPaths } from "../../src/home/paths.ts";
import { writeSpool } from "../../src/runtime/events/spool.ts";
import type { ClientEvent } from "../../src/sdk/events.ts";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "memoir-doctor-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

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
  const checks = await checkSpool(paths, served, spooledAt + waited);
  expect(checks).toHaveLength(1);
  expect(checks[0]).toMatchObject({ name: "spool", state });
  expect(checks[0]?.message).toContain("1 event waits");
  expect(checks[0]?.fix).toMatch(fix);
});

test("of several that wait the oldest counts", async () => {
  const paths = memoirPaths(home);
  for (const time of [spooledAt, spooledAt + 599_000])
    await writeSpool(paths.spool, { name: "Stop", time } as ClientEvent);
  const [only] = await checkSpool(paths, true, spooledAt + 600_000);
  expect(only).toMatchObject({ state: "fail" });
  expect(only?.message).toMatch(/2 events wait .* the oldest since 10m ago/);
});

test("a folder that everybody may write to is not to be closed", async () => {
  await chmod(home, 0o1777);
  const [first] = await checkHome(memoirPaths(home), { platform: "linux" } as Terminal);
  expect(first).toMatchObject({ name: "home", state: "fail" });
  expect(first?.fix).toMatch(/MEMOIR_HOME/);
  expect(first?.fix).not.toContain("chmod");
});

test("what was not looked at is not said: on Windows modes tell nothing", async () => {
  const said = async (platform: string) =>
    (await checkHome(memoirPaths(home), { platform } as Terminal))[0]?.message;
  await chmod(home, 0o700);
  expect(await said("linux")).toContain("yours alone");
  expect(await said("win32")).toContain("who may read it is not checked on Windows");
  expect(await said("win32")).not.toContain("yours alone");
});

test("what is no folder of memoir's is not to be closed either", async () => {
  const terminal = { platform: "linux" } as Terminal;
  const file = join(home, "passwd");
  await writeFile(file, "root");
  await chmod(file, 0o644);
  const ofFile = await checkHome(memoirPaths(file), terminal);
  expect(ofFile).toMatchObject([{ state: "fail", message: `${file} is no folder` }]);
  await chmod(home, 0o755);
  const ofOthers = await checkHome(memoirPaths(home), terminal);
  expect(ofOthers).toMatchObject([{ state: "fail" }]);
  for (const { fix } of [...ofFile, ...ofOthers])
    expect(fix).toBe("Set `MEMOIR_HOME` to a folder of its own.");
});

test("an empty spool is well", async () => {
  expect(await checkSpool(memoirPaths(home), true, 0)).toMatchObject([{ state: "ok" }]);
});

test("what could not be read as events is kept, and said", async () => {
  const { spool } = memoirPaths(home);
  await mkdir(join(spool, "rejected"), { recursive: true });
  await writeFile(join(spool, "rejected", "a.json"), "{");
  const [only] = await checkSpool(memoirPaths(home), true, 0);
  expect(only).toMatchObject({ state: "warn", message: "1 file could not be read as events" });
});

test("a home is there, and its owner's alone", async () => {
  const terminal = { platform: "linux" } as Terminal;
  const gone = await checkHome(memoirPaths(join(home, "gone")), terminal);
  expect(gone).toMatchObject([{ state: "fail", message: `${join(home, "gone")} does not exist` }]);
  await chmod(home, 0o755);
  const open = await checkHome(memoirPaths(home), terminal);
  expect(open[0]).toMatchObject({ state: "warn", message: `${home} can be read by other users` });
  await chmod(home, 0o700);
  expect((await checkHome(memoirPaths(home), terminal))[0]?.message).not.toContain("other users");
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
  expect(await checkHookLog(paths, now)).toMatchObject([{ state: "ok" }]);
  await writeFile(
    paths.hookLog,
    [line(25, "Stop"), line(23, "Stop"), "no json", line(2, "PostToolUse"), ""].join("\n"),
  );
  expect(await checkHookLog(paths, now)).toMatchObject([
    { state: "warn", message: "2 in 24 hours; the last 2h ago: PostToolUse: away" },
  ]);
});

test.each([
  ["keys.json", "keys"],
  ["trust.json", "trust"],
])("%s that makes no sense is a fault of its own, and of nothing else", async (file, name) => {
  expect(await checkGiven(memoirPaths(home))).toEqual([]);
  await writeFile(join(home, file), "no json", { mode: 0o600 });
  const found = await checkGiven(memoirPaths(home));
  expect(found.map((check) => [check.name, check.state])).toEqual([[name, "fail"]]);
  expect(found[0]?.message).toMatch(/is no JSON object|is not what memoir wrote/);
});
