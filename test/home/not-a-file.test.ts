// A folder, a link to nothing, or another database where one of the home's belongs: set aside, named, and everything goes on.
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdir, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findingText, openFindings } from "../../src/home/findings.ts";
import { silentLog } from "../../src/home/log.ts";
import { drainSpool } from "../../src/runtime/events/spool.ts";
import { createRuntime } from "../../src/runtime/runtime.ts";
import { clientEvent } from "../support/client-events.ts";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "memoir-places-"));
  await said("one");
});
afterEach(() => rm(home, { recursive: true, force: true }));

async function said(prompt: string): Promise<string[]> {
  const runtime = await createRuntime({ home, log: silentLog });
  try {
    await runtime.handle(clientEvent("UserPromptSubmit", { prompt, key: prompt, id: prompt }));
    await runtime.drain({ timeoutMs: 10_000, flush: true });
    const found = await runtime.hooks.first("storage.prompts", { limit: 9, order: "oldest" });
    return (found?.result ?? []).map(({ text }) => text);
  } finally {
    await runtime.stop();
  }
}

const told = () => openFindings(home).map(findingText).join("\n");
const asideOf = async (name: string) =>
  (await readdir(home)).filter((one) => one.startsWith(`${name}.damaged-`));

for (const name of ["memory.db-shm", "memory.db-wal", "journal.db-shm", "journal.db-wal"])
  for (const kind of ["folder", "link"])
    test(`${name}: a ${kind}`, async () => {
      const place = join(home, name);
      await rm(place, { force: true });
      if (kind === "folder") await mkdir(join(place, "inside"), { recursive: true });
      else await symlink(place, place);
      expect(await said("two")).toEqual(["one", "two"]);
      expect(told()).toContain(
        kind === "folder"
          ? `${name} was a folder, where a file belongs.`
          : `${name} was a link to nothing.`,
      );
      expect(await asideOf(name)).toHaveLength(1);
    });

for (const name of ["memory.db", "journal.db", "memory.db-wal"])
  test(`${name}: a pipe, for whose other end nobody waits`, async () => {
    await rm(join(home, name), { force: true });
    expect(Bun.spawnSync(["mkfifo", join(home, name)]).exitCode).toBe(0);
    expect(await said("two")).toContain("two");
    expect(told()).toContain(`${name} was a pipe, a socket or a device`);
    expect(await asideOf(name)).toHaveLength(1);
  });

for (const name of ["memory.db", "journal.db", "usage.db", "endless.db"])
  test(`${name}: another database`, async () => {
    for (const ending of ["", "-wal", "-shm"]) await rm(join(home, name + ending), { force: true });
    const other = new Database(join(home, name));
    other.exec("CREATE TABLE films (title); INSERT INTO films VALUES ('Alien')");
    other.exec("PRAGMA user_version = 1");
    other.close();
    expect(await said("two")).toContain("two");
    // Endless Mode's is opened when it is needed.
    if (name === "endless.db") return;
    expect(told()).toContain(`${name} was another database;`);
    const [aside = ""] = await asideOf(name);
    const kept = new Database(join(home, aside));
    expect(kept.query("SELECT title FROM films").all()).toEqual([{ title: "Alien" }]);
    kept.close();
  });

test("an event of the spool that is a link to itself", async () => {
  const spool = join(home, "spool");
  await mkdir(spool, { recursive: true });
  const path = join(spool, "000000000000001-a.json");
  await symlink(path, path);
  const rejected: string[] = [];
  const drained = await drainSpool(
    spool,
    async () => {},
    silentLog,
    (name) => rejected.push(name),
  );
  expect(drained).toEqual({ drained: 0, rejected: 1, failed: 0 });
  expect(rejected).toEqual(["000000000000001-a.json"]);
  expect(await readdir(join(spool, "rejected"))).toEqual(rejected);
});
