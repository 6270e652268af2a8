// One server per home, whatever happens to it.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { acquireLock } from "../../../src/server/life/lock.ts";
import { ensureToken, readToken } from "../../../src/server/life/server-info.ts";
import { claimStart } from "../../../src/server/life/start-server.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "memoir-lock-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test("the lock is held by one at a time", async () => {
  const path = join(folder, "server.lock");
  const held = await acquireLock(path);
  expect(held).toBeDefined();
  expect(await acquireLock(path)).toBeUndefined();
  held?.release();
  const again = await acquireLock(path);
  expect(again).toBeDefined();
  again?.release();
});

test("a killed holder lets go", async () => {
  const path = join(folder, "server.lock");
  const script = join(folder, "hold.ts");
  const lockModule = join(import.meta.dir, "../../../src/server/life/lock.ts");
  await writeFile(
    script,
    `import { acquireLock } from ${JSON.stringify(lockModule)};
     // Held by a name: a lock that nobody refers to would go with the next garbage collection.
     globalThis.lock = await acquireLock(${JSON.stringify(path)});
     console.log("held");
     setInterval(() => {}, 1000);`,
  );
  const holder = Bun.spawn([process.execPath, script], { stdout: "pipe" });
  try {
    for await (const _ of holder.stdout) break;
    expect(await acquireLock(path)).toBeUndefined();
  } finally {
    holder.kill("SIGKILL");
    await holder.exited;
  }
  const lock = await acquireLock(path);
  expect(lock).toBeDefined();
  lock?.release();
});

test("looking at a home that was never served makes nothing", async () => {
  const path = join(folder, "server.lock");
  await expect(acquireLock(path, { create: false })).rejects.toMatchObject({ code: "ENOENT" });
});

test("of many who want to start a server one does", async () => {
  const marker = join(folder, "server.starting");
  const claims = await Promise.all(
    Array.from({ length: 50 }, () => claimStart(marker, Date.now(), 10_000)),
  );
  expect(claims.filter(Boolean)).toHaveLength(1);
});

test("of many who find an old start one tries again", async () => {
  const longAgo = new Date(Date.now() - 60_000);
  // A late one that takes the newer claim for the old one is caught in about one round of ten.
  for (let round = 0; round < 50; round++) {
    const marker = join(folder, `server.starting.${round}`);
    await writeFile(marker, "1");
    await utimes(marker, longAgo, longAgo);
    const claims = await Promise.all(
      Array.from({ length: 50 }, () => claimStart(marker, Date.now(), 10_000)),
    );
    expect(claims.filter(Boolean)).toHaveLength(1);
  }
});

test("the token is made once, private, and made anew when it is damaged", async () => {
  const path = join(folder, "token");
  expect(await readToken(path)).toBeUndefined();
  const token = await ensureToken(path);
  expect(token).toMatch(/^[0-9a-f]{64}$/);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await ensureToken(path)).toBe(token);
  await writeFile(path, "short");
  expect(await ensureToken(path)).not.toBe("short");
  expect(await readToken(path)).toMatch(/^[0-9a-f]{64}$/);
});
