// The commands around recorded sessions, as a user runs them.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { busySession, recordedSession } from "../../support/recorded-session.ts";
import { runMemoir } from "../../support/run-memoir.ts";

const start = Date.parse("2026-01-01T10:00:00Z");
let root: string;
let projects: string;
let env: Record<string, string>;
let newest: string;

const memoir = (...args: string[]) => runMemoir(args, env, root);
const json = async (...args: string[]) => {
  const { code, out, err } = await memoir(...args, "--json");
  expect([code, err]).toEqual([0, ""]);
  return JSON.parse(out);
};

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "memoir-history-"));
  env = { HOME: root, MEMOIR_HOME: join(root, "home"), CLAUDE_CONFIG_DIR: join(root, "claude") };
  projects = join(root, "claude", "projects");
  await busySession("aaaa-1", "/gone/shop", start, 2).write(projects);
  await busySession("aaaa-2", "/gone/till", start + 86_400_000, 1).write(projects);
  const agent = recordedSession("aaaa-2", "/gone/till", "a7");
  agent.prompt("Find the callers", start + 86_402_000);
  agent.run("grep -r header", "a.ts", start + 86_403_000);
  agent.say("Only a.ts calls it.", start + 86_404_000);
  await agent.write(projects);
  newest = await busySession("bbbb-3", "/gone/shop", start + 2 * 86_400_000, 1).write(projects);
  const later = new Date(Date.now() + 5_000);
  await utimes(newest, later, later);
});
afterAll(async () => {
  await memoir("server", "stop");
  await rm(root, { recursive: true, force: true });
});

describe("session", () => {
  test("alone lists every session of the client; --last is the one that changed last", async () => {
    expect((await memoir("session")).out).toContain("/gone/till");
    const { files } = await json("session", "stats", "--last");
    expect(files).toMatchObject([{ path: newest, toolUses: { uses: 4, matched: 4 } }]);
  });

  test("a folder of several is refused in words", async () => {
    const { code, err } = await memoir("session", "markdown", "claude");
    expect(code).toBeGreaterThan(0);
    expect(err).toContain("holds 3 sessions");
    expect(err).toContain("fix: ");
  });
});

describe("backfill", () => {
  test("--dry-run shows the plan and reads nothing", async () => {
    const { plan, result } = await json("backfill", "--dry-run");
    expect(result).toBeNull();
    expect(plan).toMatchObject({
      prompts: 4,
      toolUses: 17,
      alreadyRead: 0,
      model: { provider: null, tokens: { input: 0, output: 0 }, cost: 0 },
    });
    const ids = plan.sessions.map(({ session }: { session: string }) => session);
    expect(ids).toEqual(["bbbb-3", "aaaa-2", "aaaa-1"]);
    expect((await json("sessions")).sessions).toEqual([]);
  });

  test("nobody to ask: it wants a yes, and says how", async () => {
    const { code, err } = await memoir("backfill");
    expect(code).toBe(2);
    expect(err).toContain("--yes");
    expect((await memoir("backfill", "--provider", "anthropic", "--yes")).err).toContain(
      "The provider anthropic is not in use.",
    );
    expect((await memoir("backfill", "nowhere", "--yes")).err).toContain("no transcript at");
  });

  test("one folder, then all: everything is searchable when it returns", async () => {
    const first = await json("backfill", "--project", "till", "--provider", "none", "--yes");
    expect(first.result).toMatchObject({ state: "done", sessions: { done: 1, total: 1 } });
    const { out } = await memoir("backfill", "--provider", "none", "--yes");
    expect(out).toContain("(1 read before)");
    expect(out).toContain("2 sessions imported");
    const { results } = await json("search", "bbbb-3", "exporter", "headers");
    expect(results[0]).toMatchObject({ session: "bbbb-3", project: "/gone/shop" });
    const { sessions } = await json("sessions");
    expect(sessions.map(({ id }: { id: string }) => id)).toEqual(["bbbb-3", "aaaa-2", "aaaa-1"]);
    expect((await memoir("backfill", "--yes")).out).toContain(
      "No sessions to import (3 read before)",
    );
  });

  test("stats tell what it took to find out, and what is given costs", async () => {
    const hook = {
      session_id: "next",
      cwd: "/gone/shop",
      hook_event_name: "SessionStart",
      source: "startup",
    };
    const answer = await fetch("http://localhost/hook/claude-code", {
      unix: join(env.MEMOIR_HOME ?? "", "memoir.sock"),
      method: "POST",
      body: JSON.stringify(hook),
    });
    const context = (await answer.json()).hookSpecificOutput.additionalContext as string;
    const { total, byProject } = await json("memory", "stats", "--since", "2025-12-01");
    expect(total).toMatchObject({ sessions: 3, prompts: 4, injections: 1, used: 0 });
    expect(total.discovery).toBeGreaterThan(0);
    expect(total.injected).toBeGreaterThan(context.length / 5);
    expect(total.carried).toBe(total.injected);
    expect(byProject.map(({ key }: { key: string }) => key).sort()).toEqual([
      "/gone/shop",
      "/gone/till",
    ]);
    expect(await memoir("memory", "stats", "--project", "nope")).toMatchObject({
      ...{ code: 2, out: "" },
      err: expect.stringContaining("There is no project nope."),
    });
    expect((await memoir("memory", "stats", "--since", "2025-12-01")).out).toContain(
      "shown    1 context",
    );
  });
});
