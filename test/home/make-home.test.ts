// The home's folders and their modes.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { homeFault, prepareHome } from "../../src/home/make-home.ts";
import { memoirPaths } from "../../src/home/paths.ts";
import { mcpPlacesPath, skillRecordPath } from "../../src/install/agent-tools.ts";
import { ledgerPath } from "../../src/install/file-change.ts";
import { gatewayRecordPath } from "../../src/install/gateway-settings.ts";
import { openSessionsFile } from "../../src/server/gateway/open-sessions.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "memoir-home-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));
const mode = async (path: string) => (await stat(path)).mode & 0o7777;

test("a new home is its owner's, with all that others rely on", async () => {
  const paths = memoirPaths(join(folder, "deep", "home"));
  await prepareHome(paths);
  await prepareHome(paths);
  for (const path of [paths.home, paths.logs, paths.spool, paths.plugins])
    expect(await mode(path)).toBe(0o700);
});

test("a home that others could read is closed to them", async () => {
  const home = join(folder, "open");
  await mkdir(home);
  await chmod(home, 0o755);
  await prepareHome(memoirPaths(home));
  expect(await mode(home)).toBe(0o700);
});

test.each([[["ssl"]], [["logs", "ssl"]]])(
  "a folder of other things that others can read, here %j, is refused and keeps its mode",
  async (things) => {
    const etc = join(folder, "etc");
    for (const name of things) await mkdir(join(etc, name), { recursive: true });
    await chmod(etc, 0o755);
    await expect(prepareHome(memoirPaths(etc))).rejects.toMatchObject({
      code: "home_unusable",
      message: expect.stringContaining("it holds other things than memoir's"),
    });
    expect([await mode(etc), (await readdir(etc)).sort()]).toEqual([0o755, things]);
  },
);

test.each([
  ["config.json", "home"],
  ["journal.db", "home"],
  ["notes.txt", ".memoir"],
])("one with %s in %s is memoir's, and closed", async (file, name) => {
  const home = join(folder, name);
  await mkdir(home);
  await writeFile(join(home, file), "{}");
  await chmod(home, 0o755);
  await prepareHome(memoirPaths(home));
  expect(await mode(home)).toBe(0o700);
});

test("one that an install wrote to before a server ever ran is memoir's, and closed", async () => {
  const home = join(folder, "chosen");
  for (const name of ["bin", "backups"]) await mkdir(join(home, name), { recursive: true });
  for (const name of ["install", "install-mcp", "install-skill", "gateway"])
    await writeFile(join(home, `${name}.json`), "{}");
  await chmod(home, 0o755);
  await prepareHome(memoirPaths(home));
  expect(await mode(home)).toBe(0o700);
});

test.each([0o700, 0o740, 0o750, 0o704, 0o777])(
  "a folder of somebody else's with mode %o",
  async (mode) => {
    const other = join(folder, "other");
    await mkdir(other);
    await writeFile(join(other, "thesis.txt"), "");
    await chmod(other, mode);
    expect(await homeFault(memoirPaths(other))).toBe(mode === 0o700 ? undefined : "others");
  },
);

test("whatever an install leaves in a home is known for memoir's", async () => {
  const home = join(folder, "chosen");
  await mkdir(home);
  await chmod(home, 0o755);
  const left = [ledgerPath, mcpPlacesPath, skillRecordPath, gatewayRecordPath, openSessionsFile];
  for (const path of left) {
    await writeFile(path(home), "{}");
    expect([path(home), await homeFault(memoirPaths(home))]).toEqual([path(home), undefined]);
  }
});

test("a folder that everybody may write to is refused and keeps its mode", async () => {
  const shared = join(folder, "shared");
  await mkdir(shared);
  await chmod(shared, 0o1777);
  const refused = prepareHome(memoirPaths(shared));
  await expect(refused).rejects.toMatchObject({ code: "home_unusable" });
  await refused.catch(() => {});
  expect(await mode(shared)).toBe(0o1777);
});

test("the user's whole home keeps its mode", async () => {
  await chmod(folder, 0o755);
  await prepareHome(memoirPaths(`${folder}/`), { HOME: folder });
  expect(await mode(folder)).toBe(0o755);
  expect(await mode(join(folder, "logs"))).toBe(0o700);
});

test("a file where the home should be is named", async () => {
  const path = join(folder, "file");
  await writeFile(path, "");
  expect(prepareHome(memoirPaths(path))).rejects.toMatchObject({
    code: "home_unusable",
    message: expect.stringContaining(path),
    fix: expect.stringContaining("MEMOIR_HOME"),
  });
});
