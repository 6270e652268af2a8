// `memoir endless restore`: gives main and agent files back, refuses while a client has the session open, says what is wrong.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { restoreSession } from "../../../src/cli/endless/restore.ts";
import { undoFolder } from "../../../src/transcript/undo-log.ts";
import { keepRequest, openEndlessRoom } from "../../support/endless-room.ts";
import { largeTranscript } from "../../support/large-transcript.ts";
import { plainTerminal } from "../../support/plain-terminal.ts";
import { rewriteOnce } from "../../support/rewrite-lines.ts";

const text = largeTranscript(10_000, 2_000);
let root: string;
let path: string;
let agent: string;
let registered: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "memoir-restore-"));
  path = join(root, "claude/projects/-shop/s1.jsonl");
  agent = join(root, "claude/projects/-shop/s1/subagents/agent-a1.jsonl");
  registered = join(root, "claude/sessions/1.json");
  await mkdir(join(root, "claude/projects/-shop/s1/subagents"), { recursive: true });
  await mkdir(join(root, "claude/sessions"));
  const undo = undoFolder(join(root, "memoir"));
  for (const file of [path, agent]) {
    await writeFile(file, text);
    expect((await rewriteOnce(file, undo)).done).toBeTrue();
  }
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** Epoch seconds at which the commands run. */
const clock = Math.floor(Date.now() / 1_000);
async function restore(session: string, options = {}) {
  const terminal = plainTerminal({
    now: () => clock * 1_000,
    env: { HOME: root, MEMOIR_HOME: join(root, "memoir") },
  });
  const code = await restoreSession(session, options, terminal);
  return { code, out: terminal.out.join("\n") };
}
const read = (file: string) => readFile(file, "utf8");

describe("memoir endless restore", () => {
  test("gives both files back, then has nothing left to do", async () => {
    const { code, out } = await restore("s1");
    expect([code, await read(path), await read(agent)]).toEqual([0, text, text]);
    expect(out).toContain(`${path}: given back (1 rewrite, `);
    expect(out).toContain(`${agent}: given back (1 rewrite, `);
    expect(out).toContain("`memoir endless off transcript`");
    await expect(restore("s1")).rejects.toMatchObject({ code: "restore_nothing" });
  });

  test("the books count nothing of it any more, and what is taken out again counts", async () => {
    const database = join(root, "memoir", "endless.db");
    const room = await openEndlessRoom({ path: database });
    const keep = (strategy: string, session = "s1") =>
      room.endless.client(strategy).keep(keepRequest({ session, part: "input", value: { a: 1 } }));
    const counted = async () => {
      const { tools } = await room.endless.metrics({ since: 0 });
      return tools.map(({ strategy, reduced }) => [strategy, reduced]);
    };
    await keep("transcript");
    await keep("transcript", "s2");
    await keep("live");
    await room.endless.client("transcript").note({ kind: "rewrote", session: "s1", ms: 3 });
    await restore("s1", { dryRun: true });
    expect(await counted()).toEqual([
      ["transcript", 2],
      ["live", 1],
    ]);
    await restore("s1");
    expect((await counted()).toSorted()).toEqual([
      ["live", 1],
      ["transcript", 1],
    ]);
    expect((await room.endless.metrics({ since: 0, session: "s1" })).notes).toEqual([]);
    await keep("transcript");
    expect((await counted()).toSorted()).toEqual([
      ["live", 1],
      ["transcript", 2],
    ]);
    await room.close();
  });

  test("--dry-run changes nothing; --json prints the same as data", async () => {
    const rewritten = await read(path);
    const dry = await restore("s", { dryRun: true, json: true });
    expect(await read(path)).toBe(rewritten);
    const { session, dryRun, files } = JSON.parse(dry.out);
    expect([session, dryRun, files.length]).toEqual(["s1", true, 2]);
    expect(files[1]).toMatchObject({ path, state: "restored", rewrites: 1 });
  });

  test("refuses while a client has it open, and says how to go on", async () => {
    const rewritten = await read(path);
    await writeFile(registered, JSON.stringify({ pid: process.pid, sessionId: "s1" }));
    await expect(restore("s1")).rejects.toMatchObject({
      code: "restore_open",
      fix: expect.stringContaining("End the session"),
    });
    expect(await read(path)).toBe(rewritten);
  });

  test("where nobody knows who has it open, only files that rest are given back", async () => {
    const rewritten = await read(path);
    await rm(join(root, "claude/sessions"), { recursive: true });
    for (const file of [path, agent]) await utimes(file, clock - 59, clock - 59);
    await expect(restore("s1")).rejects.toMatchObject({ code: "restore_open" });
    expect(await read(path)).toBe(rewritten);
    for (const file of [path, agent]) await utimes(file, clock - 61, clock - 61);
    expect((await restore("s1")).code).toBe(0);
    expect([await read(path), await read(agent)]).toEqual([text, text]);
  });

  test("leaves a file that was changed otherwise, gives back the other, exits with 1", async () => {
    await writeFile(path, `${text}{"type":"x"}\n`.replace("Turn 0", "Turn X"));
    const { code, out } = await restore("s1");
    expect(code).toBe(1);
    expect(await read(agent)).toBe(text);
    expect(out).toContain("left as it is, the file was changed by something else since");
  });

  test("a session that nobody rewrote, and several that begin alike", async () => {
    await expect(restore("zzz")).rejects.toMatchObject({ code: "restore_nothing" });
    await expect(restore("")).rejects.toMatchObject({ code: "restore_nothing" });
    await expect(restore("../..")).rejects.toMatchObject({ code: "restore_nothing" });
    await mkdir(join(undoFolder(join(root, "memoir")), "s2"));
    await expect(restore("s")).rejects.toMatchObject({ code: "session_ambiguous" });
  });
});
