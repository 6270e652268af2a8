// A folder as a hub on its bad days: a full disk, one that is read-only, and git as what carries it.
import { afterAll, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import plugin from "../../../plugins/hub-folder/index.ts";
import { exchange } from "../../../src/sync/exchange.ts";
import { createSpace, invite, join as joinSpace, remove } from "../../../src/sync/spaces.ts";
import { testHost } from "../../../src/testing/test-host.ts";
import { sampleObservation } from "../../support/sample-records.ts";
import { syncedHome } from "../../support/synced-home.ts";

const root = mkdtempSync(join(tmpdir(), "memoir-folder-bad-"));
const disk = join(root, "disk");
mkdirSync(disk);
const mount = (...args: string[]) =>
  Bun.which("mount") !== null && Bun.spawnSync(["mount", ...args, disk]).success;
const isMounted = mount("-t", "tmpfs", "-o", "size=192k,mode=0700", "tmpfs");
if (!isMounted) console.log("a full disk is not tried: mounting a tmpfs takes root on Linux");
afterAll(() => {
  if (isMounted) Bun.spawnSync(["umount", "-l", disk]);
  rmSync(root, { recursive: true, force: true });
});

const place = { type: "plugin", name: "hub-folder" } as const;
const guest = { role: "writer", isKey: false, label: "guest" } as const;
type Home = Awaited<ReturnType<typeof syncedHome>>;

async function say(one: Home, session: string, title: string): Promise<void> {
  const project = { id: "github.com/acme/shop", name: "shop", root: "/h" };
  const records = {
    session: { ...{ id: session, client: "claude-code", startedAt: 1, status: "active" }, project },
    observations: [sampleObservation({ title, session, facts: [title.repeat(20)] })],
  };
  await one.records.put({ key: title, records: records as never });
}
const said = async (one: Home) =>
  (await one.records.observations({ limit: 1_000 })).map(({ title }) => title).sort();

/** Two homes in a space of one's own, each with a folder that shows the hub. */
async function pair(mine: string, theirs = mine) {
  const [ada, bo] = [await syncedHome(root, mine), await syncedHome(root, theirs)];
  const { id } = await createSpace(ada.deps, "mine", { person: "Ada", machine: "desk" });
  const invitation = await invite(ada.deps, id, guest, place);
  const stop = async () => {
    for (const one of [ada, bo]) await one.stop();
  };
  return { ada, bo, id, invitation, stop };
}

test.skipIf(!isMounted)(
  "a full disk is said, nothing half is shown, and all goes on once there is room",
  async () => {
    const host = await testHost(plugin, {
      home: mkdtempSync(join(root, "h-")),
      config: { folder: disk },
    });
    const at = { space: "a".repeat(32), stream: "b".repeat(32) };
    const push = (number: number) =>
      host.call("hub.push", { ...at, number, bytes: new Uint8Array(40_000).fill(number) });
    let stored = 0;
    const full = await (async () => {
      for (;;) {
        const failed = await push(stored + 1).then(
          () => undefined,
          (error: unknown) => error,
        );
        if (failed) return failed;
        stored += 1;
      }
    })();
    expect(stored).toBeGreaterThan(1);
    expect(full).toMatchObject({
      code: "hub_away",
      message: "The hub's folder has no room left.",
      fix: expect.stringContaining("Make room there"),
    });
    const write = { space: at.space, name: "charter/000001", bytes: new Uint8Array(90_000) };
    await expect(host.call("hub.write", write)).rejects.toThrow("has no room left");
    const page = await host.call("hub.pull", { space: at.space, after: {}, bytes: 1e6 });
    expect(page?.batches.map(({ bytes }) => bytes.length)).toEqual(Array(stored).fill(40_000));
    expect((await host.call("hub.files", { space: at.space, prefix: "" }))?.files).toEqual([]);
    // Nothing is left behind of what had no room.
    const names = readdirSync(disk, { recursive: true }).map(String);
    expect(names.filter((name) => name.endsWith(".tmp"))).toEqual([]);
    mount("-o", "remount,size=2m");
    expect(await push(stored + 1)).toMatchObject({ state: "stored" });
    mount("-o", "remount,ro");
    await expect(push(stored + 2)).rejects.toThrow("is read-only now");
    expect(await host.call("hub.health", {})).toMatchObject({
      ok: false,
      trouble: expect.stringContaining("Make it writable again"),
    });
    mount("-o", "remount,rw");
    expect(await push(stored + 2)).toMatchObject({ state: "stored" });
    await host.stop();
  },
  180_000,
);

test.skipIf(!isMounted)(
  "two homes over a disk that is full for a while: each record on both once",
  async () => {
    const { ada, bo, id, invitation, stop } = await pair(disk);
    await joinSpace(bo.deps, invitation, { person: "Ada", machine: "lap" });
    await exchange(ada.deps, id);
    const filler = join(disk, "filler");
    const fill = () => {
      for (let at = 0; ; at += 1) writeFileSync(`${filler}${at}`, new Uint8Array(4_096));
    };
    expect(fill).toThrow("ENOSPC");
    for (const [at, one] of [ada, bo].entries()) {
      await say(one, `session-${at}`, `said${at}`);
      await expect(exchange(one.deps, id)).rejects.toThrow("no room left");
    }
    for (const name of readdirSync(disk)) if (name.startsWith("filler")) rmSync(join(disk, name));
    for (const one of [ada, bo, ada]) await exchange(one.deps, id);
    for (const one of [ada, bo]) expect(await said(one)).toEqual(["said0", "said1"]);
    await stop();
  },
  180_000,
);

test.skipIf(!Bun.which("git"))(
  "git as what carries the folder: both write between merges, and all of it is on both once",
  async () => {
    const bare = mkdtempSync(join(root, "bare-"));
    const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
    const git = (cwd: string, ...args: string[]) =>
      execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@y", ...args], {
        ...{ cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] },
      });
    git(bare, "init", "-q", "--bare", "-b", "main");
    const clone = () => {
      const folder = mkdtempSync(join(root, "clone-"));
      git(folder, "clone", "-q", bare, ".");
      return folder;
    };
    const [mine, theirs] = [clone(), clone()];
    let merges = 0;
    /** As a person's script would: what is new, with what others pushed. */
    const carry = (folder: string) => {
      git(folder, "add", "-A");
      git(folder, "commit", "-q", "--allow-empty", "-m", "memory");
      if (git(bare, "branch").trim())
        git(folder, "pull", "-q", "--no-rebase", "--no-edit", "origin", "main");
      git(folder, "push", "-q", "origin", "HEAD:main");
      merges += 1;
    };
    git(mine, "checkout", "-q", "-b", "main");
    const { ada, bo, id, invitation, stop } = await pair(mine, theirs);
    carry(mine);
    git(theirs, "pull", "-q", "origin", "main");
    await joinSpace(bo.deps, invitation, { person: "Ada", machine: "lap" });
    const titles: string[] = [];
    for (let round = 0; round < 5; round += 1) {
      for (const [at, one] of [ada, bo].entries()) {
        titles.push(`said${at}x${round}`);
        await say(one, `session-${at}`, `said${at}x${round}`);
        await exchange(one.deps, id);
      }
      for (const folder of [theirs, mine, theirs]) carry(folder);
    }
    for (const one of [ada, bo]) await exchange(one.deps, id);
    for (const one of [ada, bo]) expect(await said(one)).toEqual([...titles].sort());
    // A member goes out through it, too.
    const [{ member } = { member: "" }] = ada.state.streams(id);
    await remove(ada.deps, id, member);
    for (const folder of [mine, theirs]) carry(folder);
    await exchange(bo.deps, id);
    expect(bo.state.space(id)?.lost).toContain("removed");
    expect(merges).toBe(18);
    await stop();
  },
  180_000,
);
