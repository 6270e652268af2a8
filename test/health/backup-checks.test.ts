// What doctor says of backups.
import { expect, test } from "bun:test";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { checkBackups } from "../../src/health/home-and-work.ts";
import { makeBackup, noteFailure } from "../../src/home/backups.ts";
import { memoirPaths } from "../../src/home/paths.ts";
import { openRecords } from "../../src/records/open.ts";
import { inFolder } from "../support/in-folder.ts";

const noon = Date.UTC(2026, 10, 22, 12);
const day = 86_400_000;

test("none yet, the newest, one that is late, one that could not be made, and one that cannot be gone back to", () =>
  inFolder(async (home) => {
    const paths = memoirPaths(home);
    const said = async (now: number) => {
      const [check] = await checkBackups(paths, now);
      return `${check?.state}: ${check?.message}`;
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
  }));

test("a link to nothing in their place", () =>
  inFolder(async (home) => {
    const paths = memoirPaths(home);
    await symlink(join(home, "disk"), join(home, "backups"));
    const [away] = await checkBackups(paths, noon);
    expect(away).toMatchObject({ state: "warn" });
    expect(away?.message).toBe(`${home}/backups is a link to nothing: no backup can be made`);
    await mkdir(join(home, "disk"));
    expect(await checkBackups(paths, noon)).toMatchObject([{ state: "ok" }]);
  }));
