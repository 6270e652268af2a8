// The commands around recorded sessions, as a user runs them.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { appendFile, mkdtemp, rm, utimes } from "node:fs/promises";
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

describe("transcript", () => {
  test("list names every session of the client, newest first", async () => {
    const { total, sessions } = await json("session", "list");
    expect(total).toBe(3);
    const found = sessions.map(({ session, agents }: { session: string; agents: number }) => [
      session,
      agents,
    ]);
    expect(found).toContainEqual(["aaaa-2", 1]);
    expect((await memoir("session")).out).toContain("/gone/till");
  });

  test("dump is to be read: no noise, results shortened; thinking when asked", async () => {
    const { out } = await memoir("session", "dump", "aaaa-1");
    expect(out).toStartWith("# Session aaaa-1");
    expect(out).toContain("## 2026-01-01 10:00:00 · user\n\nMake the aaaa-1 exporter");
    expect(out).toContain("- **Bash** `bun test`\n\n```\nfailed: 1 fail");
    expect(out).not.toContain("Now I use");
    expect((await memoir("session", "dump", "aaaa-1", "--thinking")).out).toContain(
      "> Now I use Edit.",
    );
    const lines = (await memoir("session", "dump", "aaaa-1", "--json")).out.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).kind)).toContain("tool");
  });

  test("markdown leaves nothing out", async () => {
    const { out } = await memoir("session", "markdown", newest);
    expect(out).toContain("**thinking**\n\n> Now I use Edit.");
    expect(out).toContain('"gitBranch": "then"');
    expect(out).toContain('"structuredPatch"');
    const lines = (await memoir("session", "markdown", newest, "--json")).out.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).entry.uuid)).toContain("bbbb-3-main-1");
  });

  test("context is what an observation is given", async () => {
    const { toolUse, context } = await json("session", "context", "bbbb-3");
    expect(toolUse.name).toBe("Bash");
    expect(context).toMatchObject({
      userIntent: "Make the bbbb-3 exporter number 0 write headers",
      reasoning: "Now I use Bash.",
      branch: "then",
      usage: { input: 10, output: 40, cacheRead: 1_000, cacheWrite: 50 },
    });
    const missing = await memoir("session", "context", "bbbb-3", "--tool", "toolu_none");
    expect(missing).toMatchObject({ code: 1, out: "" });
  });

  test("stats count entries, tools, failures and each message's tokens once", async () => {
    const { files, usage, cacheHits } = await json("session", "stats", "aaaa-1");
    expect(files).toMatchObject([
      {
        entries: { user: 10, assistant: 10 },
        prompts: 2,
        tools: { Edit: { uses: 4, failed: 0 }, Bash: { uses: 4, failed: 2 } },
        toolUses: { uses: 8, matched: 8, repeated: 0 },
        messages: 10,
      },
    ]);
    expect(usage).toEqual({ input: 100, output: 400, cacheRead: 10_000, cacheWrite: 500 });
    expect(cacheHits).toBeCloseTo(10_000 / 10_600, 5);
    const { files: all } = await json("session", "stats", projects);
    expect(all).toHaveLength(4);
  });

  test("examples pair a request with the reasoning after it", async () => {
    const path = join(root, "thought.jsonl");
    const recorded = recordedSession("thought", "/gone/shop");
    recorded.prompt("Why does the login expire so early?", start);
    const assistant = busySession("x", "/gone/shop", start, 1).lines[1] ?? {};
    const thinking =
      "The token's clock seems to be in seconds where milliseconds are wanted. ".repeat(2);
    const content = [
      { type: "thinking", thinking },
      { type: "tool_use", id: "t1", name: "Read", input: {} },
    ];
    recorded.lines.push({ ...assistant, message: { role: "assistant", content } });
    await appendFile(path, recorded.lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const { examples } = await json("session", "examples", path);
    expect(examples).toMatchObject([
      { request: "Why does the login expire so early?", reasoning: thinking.trim(), tool: "Read" },
    ]);
  });

  test("examples give no request the reasoning about an earlier one", async () => {
    const path = join(root, "thought-twice.jsonl");
    const recorded = recordedSession("thought-twice", "/gone/shop");
    const assistant = busySession("x", "/gone/shop", start, 1).lines[1] ?? {};
    const thoughts = ["seconds", "minutes"].map((unit) =>
      `The clock counts in ${unit}. `.repeat(4),
    );
    for (const [at, thinking] of thoughts.entries()) {
      recorded.prompt(`Why does login number ${at} expire so early?`, start + at);
      const content = [
        { type: "thinking", thinking },
        { type: "tool_use", id: `t${at}`, name: "Read", input: {} },
      ];
      recorded.lines.push({ ...assistant, message: { role: "assistant", content } });
    }
    await appendFile(path, recorded.lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const { examples } = await json("session", "examples", path);
    expect(examples.map(({ reasoning }: { reasoning: string }) => reasoning)).toEqual(
      thoughts.map((thinking) => thinking.trim()),
    );
  });

  test("validate exits with 1 and names broken lines", async () => {
    expect((await memoir("session", "validate", projects)).code).toBe(0);
    const path = join(root, "broken.jsonl");
    await appendFile(path, '{"type":"user"}\n{"type":\n[1]\n');
    const { code, out } = await memoir("session", "validate", path, "--json");
    expect(code).toBe(1);
    expect(JSON.parse(out).files[0].broken).toEqual([
      { line: 2, reason: "malformed" },
      { line: 3, reason: "not an object" },
    ]);
  });

  test.each([
    [["dump", "aaaa"], "sessions begin with"],
    [["dump", "zzzz"], "No transcript belongs to"],
    [["dump"], "No transcript is named"],
    [["markdown", "claude"], "holds 3 sessions"],
  ])("%p is refused in words", async (args, words) => {
    const { code, err } = await memoir("session", ...args);
    expect(code).toBeGreaterThan(0);
    expect(err).toContain(words);
    expect(err).toContain("fix: ");
  });

  test("--last is the session that changed last", async () => {
    expect((await memoir("session", "dump", "--last")).out).toStartWith("# Session bbbb-3");
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
      "The provider anthropic is not in force.",
    );
    expect((await memoir("backfill", "nowhere", "--yes")).err).toContain("no transcript at");
  });

  test("one folder, then all: everything is searchable when it returns", async () => {
    const first = await json("backfill", "--project", "till", "--provider", "none", "--yes");
    expect(first.result).toMatchObject({ state: "done", sessions: { done: 1, total: 1 } });
    const { out } = await memoir("backfill", "--provider", "none", "--yes");
    expect(out).toContain("(1 read before)");
    expect(out).toContain("2 sessions read into memory");
    const { results } = await json("search", "bbbb-3", "exporter", "headers");
    expect(results[0]).toMatchObject({ session: "bbbb-3", project: "/gone/shop" });
    const { sessions } = await json("sessions");
    expect(sessions.map(({ id }: { id: string }) => id)).toEqual(["bbbb-3", "aaaa-2", "aaaa-1"]);
    expect((await memoir("backfill", "--yes")).out).toContain("No session to read (3 read before)");
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
    expect((await memoir("memory", "stats", "--project", "nope")).out).toContain(
      "Nothing is remembered of project nope;",
    );
    expect((await memoir("memory", "stats", "--since", "2025-12-01")).out).toContain(
      "given to sessions  1 context",
    );
  });
});
