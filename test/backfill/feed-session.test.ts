// Recorded sessions become memory: once, with their own times, whatever hooks told of them and however often it is interrupted.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { appendFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Counts } from "../../src/backfill/backfill-types.ts";
import { feedSession, isRead } from "../../src/backfill/feed-session.ts";
import { parseClaudeCode } from "../../src/clients/claude-code/parse.ts";
import { silentLog } from "../../src/home/log.ts";
import { builtins } from "../../src/runtime/builtins.ts";
import { createRuntime, type Runtime } from "../../src/runtime/runtime.ts";
import { MemoirError } from "../../src/sdk/errors.ts";
import type { Observation, Prompt, Session, Summary } from "../../src/sdk/model.ts";
import { definePlugin } from "../../src/sdk/plugin.ts";
import { discoverTranscripts } from "../../src/transcript/discover.ts";
import { memoryContent } from "../support/memory-content.ts";
import { busySession, type RecordedLines, recordedSession } from "../support/recorded-session.ts";

const start = Date.parse("2025-03-01T10:00:00Z");
let root: string;
let home: string;
let projects: string;
let runtime: Runtime;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "memoir-feed-"));
  home = join(root, "home");
  projects = join(root, "projects");
  runtime = await createRuntime({ home, log: silentLog });
});
afterEach(async () => {
  await runtime.stop();
  await rm(root, { recursive: true, force: true });
});

async function feed(
  path = projects,
  more: { since?: number; now?: number; modelFree?: boolean } = {},
) {
  const { sessions } = await discoverTranscripts(path);
  const counts: Counts[] = [];
  for (const files of sessions) {
    const fed = await feedSession(files, {
      runtime: runtime.transcripts,
      reader: "backfill",
      modelFree: more.modelFree ?? true,
      now: () => more.now ?? Date.now(),
      home,
      ...(more.since !== undefined && { since: more.since }),
    });
    if (more.modelFree !== false) expect(fed.settled).toBe(true);
    counts.push(fed.counts);
  }
  return counts;
}

async function stored() {
  const ask = async <Name extends "prompts" | "observations" | "summaries" | "sessions">(
    name: Name,
  ) =>
    (await runtime.hooks.first(`storage.${name}`, { limit: 200, order: "oldest" }))?.result ?? [];
  return {
    sessions: (await ask("sessions")) as Session[],
    prompts: (await ask("prompts")) as Prompt[],
    observations: (await ask("observations")) as Observation[],
    summaries: (await ask("summaries")) as Summary[],
  };
}

/** What hooks would have told live of this recording, from line `from` on. */
async function live(
  recorded: RecordedLines,
  from = 0,
  to = recorded.lines.length,
  transcriptPath?: string,
): Promise<void> {
  const uses = new Map<string, Record<string, unknown>>();
  let told = 0;
  for (const [at, line] of recorded.lines.entries()) {
    // The client tells neither its summary nor an interruption as anybody's words.
    if (line.isCompactSummary) continue;
    const message = line.message as { content: string | Array<Record<string, unknown>> };
    const time = Date.parse(String(line.timestamp));
    const tell = (hook: string, fields: object) => {
      if (at < from || at >= to) return;
      const payload = {
        session_id: line.sessionId,
        cwd: line.cwd,
        hook_event_name: hook,
        ...(transcriptPath !== undefined && { transcript_path: transcriptPath }),
        ...fields,
      };
      told++;
      // Hooks run a little after the line's own time.
      return runtime.handle(
        parseClaudeCode(payload, { id: `hook-${line.sessionId}-${told}`, time: time + 40 }),
      );
    };
    if (typeof message.content === "string") {
      await tell("UserPromptSubmit", { prompt: message.content });
      continue;
    }
    for (const block of message.content) {
      if (block.type === "tool_use") uses.set(String(block.id), block);
      if (block.type === "text" && line.type === "assistant")
        await tell("Stop", { last_assistant_message: block.text });
      if (block.type !== "tool_result") continue;
      const use = uses.get(String(block.tool_use_id));
      const shared = {
        tool_name: use?.name,
        tool_input: use?.input,
        tool_use_id: block.tool_use_id,
      };
      if (block.is_error)
        await tell("PostToolUseFailure", { ...shared, error: String(block.content) });
      else await tell("PostToolUse", { ...shared, tool_response: line.toolUseResult });
    }
  }
  await runtime.drain({
    session: String(recorded.lines[0]?.sessionId),
    timeoutMs: 10_000,
    flush: true,
  });
}

/** Every kind of thing that a transcript tells of a turn, over two prompts. */
function eventfulSession(): RecordedLines {
  const recorded = recordedSession("s1", "/gone/shop");
  const { lines } = recorded;
  const user = (time: number, content: unknown, more: object = {}) =>
    lines.push({
      ...lines[0],
      uuid: `u-${lines.length}`,
      timestamp: new Date(time).toISOString(),
      message: { role: "user", content },
      ...more,
    });
  recorded.prompt("Make the exporter write headers", start);
  recorded.run("npm test", "Exit code 1\n1 fail", start + 1_000, true);
  recorded.edit("src/a.ts", "const a = 1;", "export function header() {}", start + 3_000);
  recorded.run("npm test", "3 pass", start + 5_000);
  const refused = recorded.run("npm install", "", start + 7_000, true);
  const reason =
    "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nuse npm ci";
  const last = lines.at(-1);
  if (last)
    last.message = {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: refused, is_error: true, content: reason }],
    };
  recorded.run('git commit -m "Write headers"', "[main 1a2b3c4] Write headers", start + 9_000);
  recorded.say("Headers are written, with `npm ci`.", start + 11_000);
  user(start + 12_000, "The conversation is summarized below:\nHeaders.", {
    isCompactSummary: true,
  });
  recorded.prompt("Now the footers", start + 60_000);
  recorded.edit("src/b.ts", "const b = 1;", "export function footer() {}", start + 61_000);
  user(start + 63_000, [{ type: "text", text: "[Request interrupted by user]" }]);
  recorded.prompt("Leave the footers", start + 70_000);
  recorded.say("They stay as they were.", start + 71_000);
  return recorded;
}

/** Turns without what differs between then and now: their ids and the branch. */
async function turns(of: Runtime) {
  await of.drain({ timeoutMs: 10_000, flush: true });
  const answer = await of.hooks.first("storage.turns", { order: "oldest" });
  return (answer?.result ?? []).map(({ id: _, branch: __, project: ___, ...turn }) => turn);
}

describe("turns", () => {
  test("are the same whether hooks told of a session or its transcript afterwards", async () => {
    const recorded = eventfulSession();
    const path = await recorded.write(projects);
    await live(recorded, 0, recorded.lines.length, path);
    const told = await turns(runtime);
    const other = await createRuntime({ home: join(root, "other"), log: silentLog });
    try {
      const { sessions } = await discoverTranscripts(projects);
      for (const files of sessions)
        await feedSession(files, {
          runtime: other.transcripts,
          reader: "backfill",
          modelFree: true,
          now: Date.now,
          home: join(root, "other"),
        });
      const recovered = await turns(other);
      expect(recovered.map(({ promptNumber, end, gaps }) => [promptNumber, end, gaps])).toEqual([
        [1, "closed", undefined],
        [2, "interrupted", undefined],
        [3, "closed", undefined],
      ]);
      expect(
        recovered[0]?.pieces.map(({ kind, about, text }) => `${kind}|${about ?? ""}|${text}`),
      ).toEqual([
        "prompt||Make the exporter write headers",
        "failure|npm test|Exit code 1\n1 fail",
        "repair|npm test|Exit code 1\n1 fail\n\n→ src/a.ts",
        "passed|npm test|3 pass",
        "refusal|npm install|use npm ci",
        "commit|1a2b3c4 (main)|Write headers",
        'passed|git commit -m "…"|[main 1a2b3c4] Write headers',
        "closing||Headers are written, with `npm ci`.",
        "compaction||The conversation is summarized below:\nHeaders.",
      ]);
      expect(told).toEqual(recovered);
    } finally {
      await other.stop();
    }
  });

  test("read again after their texts left the journal stay as they are", async () => {
    await eventfulSession().write(projects);
    await feed();
    const before = await turns(runtime);
    runtime.transcripts.mark("backfill", []);
    await feed();
    expect(await turns(runtime)).toEqual(before);
    expect(before).toHaveLength(3);
  });
});

describe("a recorded session", () => {
  test("is remembered with its own id, times, branch and folder, and is over", async () => {
    await busySession("s1", "/gone/shop", start, 2).write(projects);
    const [counts] = await feed();
    expect(counts).toEqual({ committed: 14, recovered: 0, delivered: 0, dropped: 0 });
    const { sessions, prompts, observations, summaries } = await stored();
    expect(sessions).toMatchObject([
      {
        id: "s1",
        status: "ended",
        startedAt: start,
        endedAt: start + 69_000,
        prompts: 2,
        project: { id: "/gone/shop", name: "shop", branch: "then" },
      },
    ]);
    expect(prompts.map(({ promptNumber, time }) => [promptNumber, time - start])).toEqual([
      [1, 0],
      [2, 60_000],
    ]);
    expect(observations.length).toBeGreaterThanOrEqual(2);
    for (const { time, branch, discoveryTokens } of observations) {
      expect(time).toBeGreaterThan(start);
      expect(time).toBeLessThan(start + 70_000);
      expect(branch).toBe("then");
      expect(discoveryTokens).toBeGreaterThan(0);
    }
    expect(summaries.map(({ scope }) => scope).sort()).toEqual(["prompt", "prompt", "session"]);
    for (const { time } of summaries) expect(time).toBeLessThan(start + 70_000);
  });

  test("read again brings nothing, also when its texts were dropped from the journal", async () => {
    await busySession("s1", "/gone/shop", start, 2).write(projects);
    await feed();
    const before = memoryContent(home);
    const { sessions } = await discoverTranscripts(projects);
    const [files] = sessions;
    if (!files) throw new Error("no session");
    expect(isRead(files, runtime.transcripts.marks("backfill"))).toBe(true);
    expect(isRead(files, new Map())).toBe(false);
    runtime.transcripts.mark("backfill", [
      { path: files.main?.path ?? "", bytes: 0, changedAt: 0, offset: 0, lines: 0 },
    ]);
    const [again] = await feed();
    expect(again).toMatchObject({ committed: 0, recovered: 14 });
    expect(memoryContent(home)).toEqual(before);
  });

  test("that grew goes on from its last prompt", async () => {
    const recorded = busySession("s1", "/gone/shop", start, 2);
    const path = await recorded.write(projects);
    await feed();
    const whole = busySession("s1", "/gone/shop", start, 3);
    const added = whole.lines.slice(recorded.lines.length);
    await appendFile(path, added.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const [counts] = await feed();
    // The second prompt is read again, the first is not.
    expect(counts).toMatchObject({ committed: 7, recovered: 6 });
    const { prompts, sessions } = await stored();
    expect(prompts.map(({ promptNumber }) => promptNumber)).toEqual([1, 2, 3]);
    expect(sessions[0]).toMatchObject({ prompts: 3, endedAt: start + 129_000 });
  });

  test("that may still go on is not ended, and is when it was silent for ten minutes", async () => {
    await busySession("s1", "/gone/shop", start, 1).write(projects);
    await feed(projects, { now: start + 60_000 });
    expect((await stored()).sessions[0]).toMatchObject({ status: "active" });
    runtime.transcripts.mark("backfill", []);
    const { sessions } = await discoverTranscripts(projects);
    runtime.transcripts.mark("backfill", [
      { path: sessions[0]?.main?.path ?? "", bytes: 1, changedAt: 0, offset: 0, lines: 0 },
    ]);
    await feed();
    const { sessions: after, summaries } = await stored();
    expect(after[0]).toMatchObject({ status: "ended" });
    expect(summaries.map(({ scope }) => scope).sort()).toEqual(["prompt", "session"]);
  });

  test("brings its subagents along, from files of their own", async () => {
    const main = busySession("s1", "/gone/shop", start, 1);
    const agent = recordedSession("s1", "/gone/shop", "a7");
    agent.prompt("Look for callers", start + 2_000);
    agent.run("grep -r header src", "src/a.ts: header()", start + 2_500);
    agent.say("Only src/a.ts calls header; nothing else needs to change.", start + 2_900);
    await main.write(projects);
    await agent.write(projects);
    const [counts] = await feed();
    expect(counts).toMatchObject({ committed: 10 });
    const { prompts } = await stored();
    expect(prompts).toHaveLength(1);
  });

  test("of which only subagents' files are left is remembered, and over", async () => {
    for (const [at, id] of ["a1", "a2"].entries()) {
      const agent = recordedSession("s1", "/gone/shop", id);
      agent.edit("src/a.ts", "const a = 1;", "export function header() {}", start + at * 60_000);
      agent.say("The header function is exported now.", start + at * 60_000 + 2_000);
      await agent.write(projects);
    }
    await feed();
    expect((await stored()).sessions).toMatchObject([{ id: "s1", status: "ended" }]);
  });

  test("below a folder that is gone stands under the first folder; one that is there keeps its own", async () => {
    const gone = recordedSession("s1", "/gone/shop");
    gone.prompt("Fix the exporter in the sub folder", start);
    gone.lines.push({
      ...gone.lines[0],
      cwd: "/gone/shop/sub",
      uuid: "u2",
      timestamp: new Date(start + 9_000).toISOString(),
      message: { role: "user", content: "And now its header too" },
    });
    await gone.write(projects);
    await feed();
    const { sessions, prompts } = await stored();
    expect(sessions[0]?.project.id).toBe("/gone/shop");
    expect(prompts.map(({ project }) => project)).toEqual(["/gone/shop", "/gone/shop"]);
  });

  test("of memoir's own is left alone", async () => {
    await busySession("s1", join(home, "scratch"), start, 1).write(projects);
    const [counts] = await feed();
    expect(counts).toMatchObject({ committed: 0 });
  });

  test("does not come before newer ones in what a session is told", async () => {
    const cwd = join(root, "shop");
    await mkdir(cwd);
    const recent = busySession("new", cwd, Date.now() - 3_600_000, 1);
    await live(recent);
    await busySession("old", cwd, start, 1).write(projects);
    await feed();
    const event = parseClaudeCode(
      { session_id: "next", cwd, hook_event_name: "SessionStart", source: "startup" },
      { id: "hook-next", time: Date.now() },
    );
    const { context = "" } = await runtime.reply(event);
    expect(context).toContain("new");
    expect(context.indexOf("new exporter")).toBeLessThan(context.indexOf("old exporter"));
  });
});

describe("a session that hooks told of", () => {
  test("is not doubled", async () => {
    const recorded = busySession("s1", "/gone/shop", start, 2);
    await live(recorded);
    const before = memoryContent(home);
    await recorded.write(projects);
    const [counts] = await feed();
    expect(counts).toMatchObject({ committed: 0, delivered: 11, recovered: 0 });
    expect(memoryContent(home)).toEqual(before);
  });

  test("from its second prompt on gets its first, and no prompt twice", async () => {
    const recorded = busySession("s1", "/gone/shop", start, 3);
    const second = recorded.lines.findIndex(({ uuid }) => uuid === "s1-main-11");
    await live(recorded, second);
    expect((await stored()).prompts).toHaveLength(2);
    await recorded.write(projects);
    await feed();
    const { prompts, observations } = await stored();
    expect(prompts.map(({ time }) => Math.floor((time - start) / 60_000)).sort()).toEqual([
      0, 1, 2,
    ]);
    const uses = observations.flatMap(({ toolUseIds }) => toolUseIds);
    expect(new Set(uses).size).toBe(uses.length);
  });

  test("goes on with its own prompt number while its past is read", async () => {
    const recorded = busySession("s1", "/gone/shop", start, 2);
    const second = recorded.lines.findIndex(({ uuid }) => uuid === "s1-main-11");
    await live(recorded, second, second + 3);
    await recorded.write(projects);
    await feed(projects, { now: start + 61_000 });
    await live(recorded, second + 3);
    const { prompts, observations } = await stored();
    expect(prompts).toHaveLength(2);
    const late = observations.filter(({ time }) => time >= start + 60_000);
    const own = prompts.find(({ time }) => time >= start + 60_000)?.promptNumber;
    expect(late.length).toBeGreaterThan(0);
    expect(new Set(late.map(({ promptNumber }) => promptNumber))).toEqual(new Set([own ?? 0]));
  });

  test("and was resumed under a new id, whose file begins with a copy, is not doubled", async () => {
    const recorded = busySession("s1", "/gone/shop", start, 1);
    await recorded.write(projects);
    const copy = recordedSession("s2", "/gone/shop");
    copy.lines.push(...recorded.lines.map((line) => ({ ...line, sessionId: "s2" })));
    copy.prompt("Now the footers of the exporter", start + 600_000);
    copy.say("Footers are written as well.", start + 601_000);
    await copy.write(projects);
    await feed();
    const { prompts, observations } = await stored();
    expect(prompts).toHaveLength(2);
    const uses = observations.flatMap(({ toolUseIds }) => toolUseIds);
    expect(new Set(uses).size).toBe(uses.length);
  });
});

test("what is older than asked for is passed over", async () => {
  await busySession("s1", "/gone/shop", start, 2).write(projects);
  await feed(projects, { since: start + 30_000 });
  expect((await stored()).prompts.map(({ text }) => text)).toEqual([
    "Make the s1 exporter number 1 write headers",
  ]);
});

test.each([
  [true, 0],
  [false, 1],
])(
  "with a provider in force and modelFree %p, it is asked at least %i times",
  async (modelFree, least) => {
    await runtime.stop();
    await writeFile(join(home, "config.json"), JSON.stringify({ slots: { provider: "counting" } }));
    let calls = 0;
    const counting = definePlugin({
      name: "counting",
      description: "Counts.",
      sdk: 1,
      slot: "provider",
      hooks: {
        complete: () => {
          calls++;
          throw new MemoirError("provider_connection", "it only counts");
        },
      },
    });
    runtime = await createRuntime({
      home,
      log: silentLog,
      builtins: { ...builtins, counting: async () => ({ default: counting }) },
    });
    await busySession("s1", "/gone/shop", start, 2).write(projects);
    await feed(projects, { modelFree });
    if (modelFree) expect(calls).toBe(0);
    expect(calls).toBeGreaterThanOrEqual(least);
    expect((await stored()).observations.length).toBeGreaterThan(modelFree ? 0 : -1);
  },
);

test("no model is asked about it, until a hook tells of the session again", async () => {
  await busySession("s1", "/gone/shop", start, 1).write(projects);
  await feed();
  const journaled = await import("../../src/runtime/journal/journal.ts");
  await runtime.stop();
  const journal = await journaled.createJournal(join(home, "journal.db"), {
    now: Date.now,
    log: silentLog,
  });
  expect(journal.isModelFree("s1")).toBe(true);
  await journal.append(
    parseClaudeCode(
      { session_id: "s1", cwd: "/gone/shop", hook_event_name: "UserPromptSubmit", prompt: "Hi" },
      { id: "hook-again", time: Date.now() },
    ),
  );
  expect(journal.isModelFree("s1")).toBe(false);
  await journal.close();
});
