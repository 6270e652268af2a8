// A home on a small disk of its own that is full, and one that is read-only: what was not kept is counted and said, and all goes on once there is room.
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openFindings } from "../../src/home/findings.ts";
import { payload } from "../cli/hook/run-hook.ts";
import { type CompiledHome, compiledHome } from "../support/compiled.ts";

const parsed = (text: string) => JSON.parse(text) as object;
const use = (id: string) =>
  parsed(
    payload("PostToolUse", {
      tool_name: "Bash",
      tool_input: { command: "ls" },
      tool_use_id: id,
      tool_response: { stdout: "x".repeat(20_000) },
    }),
  );
const prompt = parsed(payload("UserPromptSubmit", { prompt: "go on" }));
const silent = { code: 0, out: "", err: "" };

function run(...command: string[]): boolean {
  return Bun.which(command[0] ?? "") !== null && Bun.spawnSync(command).success;
}

/** A disk of 6 MB; undefined where this user may not make one. */
function smallDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), "memoir-disk-"));
  if (run("mount", "-t", "tmpfs", "-o", "size=6m,mode=0700", "tmpfs", folder)) return folder;
  rmSync(folder, { recursive: true });
  return undefined;
}

const disks = [smallDisk(), smallDisk()];
const [fullDisk, closedDisk] = disks;
if (!fullDisk || !closedDisk)
  console.log("full and read-only disks are not tried: mounting a tmpfs takes root on Linux");
afterAll(() => {
  for (const disk of disks)
    if (disk) {
      // A server that was killed just now may hold it for a moment.
      run("umount", "-l", disk);
      rmSync(disk, { recursive: true, force: true });
    }
});

function fill(disk: string): void {
  for (const size of [200_000, 1_000])
    try {
      for (let at = 0; ; at++) writeFileSync(join(disk, `filler-${size}-${at}`), "x".repeat(size));
    } catch {
      // That is what was wanted.
    }
}

function empty(disk: string): void {
  for (const name of readdirSync(disk)) if (name.startsWith("filler-")) rmSync(join(disk, name));
}

/** Tool uses that were taken. */
function taken(home: string): string[] {
  const db = new Database(join(home, "journal.db"), { readonly: true });
  const rows = db
    .query<{ tool_use: string }, []>(
      "SELECT tool_use FROM events WHERE tool_use NOTNULL ORDER BY seq",
    )
    .all();
  db.close();
  return rows.map(({ tool_use }) => tool_use);
}

describe.skipIf(!fullDisk)("a full disk", () => {
  let room: CompiledHome;
  beforeAll(async () => {
    room = await compiledHome(fullDisk);
  }, 180_000);
  afterAll(() => room.end());

  test("what is not kept is counted, said, and said again after a restart and once there is room", async () => {
    await room.hook(parsed(payload("SessionStart", { source: "startup" })));
    await room.run(["server", "start"]);
    await room.patience();
    expect(await room.hook(use("toolu_before"))).toEqual(silent);
    fill(room.home);
    const known = taken(room.home);
    for (let at = 0; at < 12; at++) expect(await room.hook(use(`toolu_${at}`))).toEqual(silent);
    const kept = taken(room.home).filter((id) => !known.includes(id));
    // What found a free page in the journal was kept; all else is counted.
    const lost = 12 - kept.length;
    expect(lost).toBeGreaterThan(0);
    const told = await room.hook(prompt);
    expect([told.code, told.err]).toEqual([0, ""]);
    const { systemMessage } = JSON.parse(told.out) as { systemMessage: string };
    expect(systemMessage).toContain("no space is left on the disk");
    expect(systemMessage).toMatch(
      new RegExp(`\\b(${lost}|${lost + 1}) events so far were not kept`),
    );

    const { notKept } = JSON.parse((await room.run(["status", "--json"])).out) as {
      notKept: { count: number };
    };
    expect([lost, lost + 1]).toContain(notKept.count);
    expect((await room.run(["status"])).out).toContain(`not kept  ${notKept.count} events`);
    const doctor = await room.run(["doctor"]);
    expect(doctor.code).toBe(1);
    expect(doctor.out).toContain("events cannot be kept");
    expect(doctor.out).toContain(`not kept: ${notKept.count} events`);
    await room.run(["server", "stop"]);
    expect((await room.run(["status"])).out).toContain(`not kept  ${notKept.count} events`);

    empty(room.home);
    expect(await room.hook(use("toolu_after"))).toEqual(silent);
    await room.run(["server", "start"]);
    while (openFindings(room.home).length === 0) await Bun.sleep(50);
    expect(openFindings(room.home)[0]?.what).toContain(`could not take ${notKept.count} events`);
    while (!taken(room.home).includes("toolu_after")) await Bun.sleep(50);
    expect(taken(room.home)).toEqual([...known, ...kept, "toolu_after"]);
    expect((await room.run(["status"])).out).not.toContain("not kept  ");
  }, 180_000);
});

describe.skipIf(!closedDisk)("a read-only home", () => {
  let room: CompiledHome;
  beforeAll(async () => {
    room = await compiledHome(closedDisk);
  }, 180_000);
  afterAll(() => room.end());

  test("is said in words where nothing can be counted, and all goes on by itself", async () => {
    await room.hook(use("toolu_before"));
    await room.run(["server", "start"]);
    await room.run(["server", "stop"]);
    const remount = (how: string) => run("mount", "-o", `remount,${how}`, room.home);
    expect(remount("ro")).toBe(true);
    expect(await room.hook(use("toolu_lost"))).toEqual(silent);
    const told = await room.hook(prompt);
    expect(told.code).toBe(0);
    const { systemMessage } = JSON.parse(told.out) as { systemMessage: string };
    expect(systemMessage).toContain("the disk is read-only");
    expect(systemMessage).toContain("cannot be counted either");
    const doctor = await room.run(["doctor"]);
    expect([doctor.code, doctor.err]).toEqual([1, ""]);
    expect(doctor.out).toContain(`nothing can be written to ${room.home}`);
    expect((await room.run(["status"])).out).toContain("the disk is read-only");

    expect(remount("rw")).toBe(true);
    expect(await room.hook(use("toolu_after"))).toEqual(silent);
    await room.run(["server", "start"]);
    while (!taken(room.home).includes("toolu_after")) await Bun.sleep(50);
    expect(taken(room.home)).toEqual(["toolu_before", "toolu_after"]);
    expect((await room.run(["status"])).out).not.toContain("read-only");
  }, 180_000);
});
