// Which transcript is meant, counts, a transcript one to one, and those of other clients.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFile, mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { transcriptContext } from "../../../../src/cli/history/transcript/context.ts";
import {
  findTranscript,
  findTranscripts,
  listTranscripts,
} from "../../../../src/cli/history/transcript/find.ts";
import {
  dumpTranscript,
  transcriptMarkdown,
} from "../../../../src/cli/history/transcript/print.ts";
import {
  transcriptStats,
  validateTranscripts,
} from "../../../../src/cli/history/transcript/stats.ts";
import type { Terminal } from "../../../../src/cli/terminal/terminal.ts";
import { plainTerminal } from "../../../support/plain-terminal.ts";
import { recordedSession } from "../../../support/recorded-session.ts";

const start = Date.parse("2026-01-01T10:00:00Z");
const hour = 3_600_000;
let folder: string;
let projects: string;
const paths: Record<string, string> = {};
const thought =
  "The exporter writes no header, because the list of columns is empty when it begins.";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "memoir-transcripts-"));
  projects = join(folder, ".claude/projects");
  for (const [at, name] of ["aaaa-1", "aaaa-2", "bbbb-3"].entries()) {
    const session = recordedSession(name, `/gone/shop-${at}`);
    session.prompt("Why does the export fail?", start);
    session.say(thought, start + 500);
    session.run("bun test", "2 pass", start + 1_000);
    const path = await session.write(projects);
    await utimes(path, new Date(start + at * hour), new Date(start + at * hour));
    paths[name] = path;
  }
  const agent = recordedSession("bbbb-3", "/gone/shop-2", "a7");
  agent.run("ls", "a.ts", start);
  paths.agent = await agent.write(projects);
  await utimes(paths.agent, new Date(start), new Date(start));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const terminalOf = (more: Partial<Terminal> = {}) =>
  plainTerminal({ env: { HOME: folder }, cwd: folder, now: () => start + 4 * hour, ...more });
type Command = (which: string | undefined, options: never, terminal: Terminal) => Promise<number>;
async function shown(command: Command, which: string | undefined, options: object = {}) {
  const terminal = terminalOf();
  const code = await command(which, options as never, terminal);
  return { code, out: terminal.out.join("\n") };
}
const json = async (command: Command, which: string | undefined, options: object = {}) =>
  JSON.parse((await shown(command, which, { ...options, json: true })).out);

describe("which is meant", () => {
  const find = async (which: string | undefined, last = false) =>
    (await findTranscripts(which, { last }, terminalOf())).map(({ session }) => session);

  test("a whole id, or the beginning of one; a path; the last", async () => {
    expect(await find("aaaa-1")).toEqual(["aaaa-1"]);
    expect(await find("bb")).toEqual(["bbbb-3"]);
    expect(await find(undefined, true)).toEqual(["bbbb-3"]);
    expect(await find(paths["aaaa-2"])).toEqual(["aaaa-2"]);
    expect((await find(".claude/projects")).sort()).toEqual(["aaaa-1", "aaaa-2", "bbbb-3"]);
  });

  test("none, several and nothing named are each told as what they are", async () => {
    await expect(find("aaaa")).rejects.toThrow("2 sessions begin with “aaaa”.");
    await expect(find("cccc")).rejects.toThrow("No transcript belongs to “cccc”.");
    await expect(find(undefined)).rejects.toThrow("No transcript is named.");
    await mkdir(join(folder, "empty"), { recursive: true });
    await expect(find("empty")).rejects.toThrow(
      `There is no transcript at ${join(folder, "empty")}.`,
    );
    const codeOf = (which: string | undefined) => find(which).catch(({ code }) => code);
    expect(await Promise.all(["aaaa", "cccc", undefined, "empty"].map(codeOf))).toEqual([
      ...["session_ambiguous", "transcript_unreadable", "usage", "transcript_unreadable"],
    ]);
    const nowhere = terminalOf({ env: { HOME: join(folder, "empty") } });
    await expect(findTranscripts(undefined, { last: true }, nowhere)).rejects.toThrow(
      "There is no transcript yet.",
    );
  });

  test("a file is one session's own, or the subagent's that is named; a folder of several is none", async () => {
    const file = (which: string) => findTranscript(which, {}, terminalOf());
    expect(await file("bbbb-3")).toMatchObject({ session: "bbbb-3", path: paths["bbbb-3"] });
    expect((await file(paths.agent as string)).path).toBe(paths.agent as string);
    await expect(file(".claude/projects")).rejects.toThrow(".claude/projects holds 3 sessions.");
  });
});

describe("counts", () => {
  test("of one file: entries, tools with their failures, results, tokens, times, broken lines", async () => {
    const lines = recordedSession("counted", "/gone/counted");
    lines.prompt("Count it", start);
    lines.run("bun test", "1 fail", start + 1_000, true);
    lines.edit("a.ts", "a", "b", start + 3_000);
    lines.run("bun test", "open", start + 5_000);
    lines.lines.pop();
    const path = await lines.write(join(folder, "counted"));
    await writeFile(path, `${await Bun.file(path).text()}{broken\n`);
    const { files } = await json(transcriptStats, path);
    expect(files).toEqual([
      {
        ...{ path, bytes: Bun.file(path).size, lines: 7, prompts: 1, messages: 3 },
        entries: { user: 3, assistant: 3 },
        tools: { Bash: { uses: 2, failed: 1 }, Edit: { uses: 1, failed: 0 } },
        toolUses: { uses: 3, matched: 2, repeated: 0 },
        usage: { input: 30, output: 120, cacheRead: 3_000, cacheWrite: 150 },
        usageByModel: {
          "claude-test": { input: 30, output: 120, cacheRead: 3_000, cacheWrite: 150 },
        },
        costByModel: {},
        ...{ from: start, to: start + 5_000 },
        broken: [{ line: 7, reason: "malformed" }],
      },
    ]);
  });

  test("as JSON say of each file what a program wants to know", async () => {
    const stats = await json(transcriptStats, "aaaa-1");
    expect(Object.keys(stats)).toEqual(["files", "usage", "cacheHits", "byModel"]);
    expect(stats.byModel).toEqual([{ model: "claude-test", usage: stats.usage, cost: null }]);
    expect(stats.cacheHits).toBeCloseTo(2_000 / 2_120);
    expect(await json(validateTranscripts, "aaaa-1")).toEqual({
      valid: true,
      files: [
        {
          ...{ path: paths["aaaa-1"], lines: 4, broken: [] },
          toolUses: { uses: 1, matched: 1, repeated: 0 },
        },
      ],
    });
  });
});

describe("one to one", () => {
  test("every line with its number, type, time and fields; blocks by their type", async () => {
    const { out } = await shown(transcriptMarkdown, "aaaa-1");
    expect(out).toStartWith(
      `# aaaa-1\n\n${paths["aaaa-1"]}\n\n## 1 · user · 2026-01-01 10:00:00\n`,
    );
    expect([...(out.match(/^## \d · \w+ · /gm) ?? [])]).toEqual([
      ...["## 1 · user · ", "## 2 · assistant · ", "## 3 · assistant · ", "## 4 · user · "],
    ]);
    expect(out).toContain("Why does the export fail?");
    expect(out).toContain(`**text**\n\n${thought}`);
    expect(out).toContain("**thinking**\n\n> Now I use Bash.");
    expect(out).toMatch(
      /\*\*tool_use\*\*\n\n```json\n\{\n {2}"id": "toolu_[^`]*"name": "Bash"\n\}\n```\n\n```json\n\{\n {2}"command": "bun test"/,
    );
    expect(out).toContain('"gitBranch": "then"');
  });

  test("also what is broken, and what has no type; as JSON with its place in the file", async () => {
    const path = join(folder, "odd.jsonl");
    const odd = ['{"a":1}', '{"type":"user","message":"only text"}', "{half"];
    await writeFile(path, odd.map((line) => `${line}\n`).join(""));
    const { out } = await shown(transcriptMarkdown, path);
    expect(out).toContain('## 1 · (no type) · ?\n\n```json\n{\n  "a": 1\n}\n```');
    expect(out).toContain("```\nonly text\n```");
    expect(out).toContain("## 3 · malformed\n\n```\n{half\n```");
    const lines = (await shown(transcriptMarkdown, path, { json: true })).out.split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { line: 1, offset: 0, bytes: 7, entry: { a: 1 } },
      { line: 2, offset: 8, bytes: 37, entry: { type: "user", message: "only text" } },
      { line: 3, offset: 46, bytes: 5, broken: "malformed" },
    ]);
  });
});

describe("a dump", () => {
  test("says what a subagent did, and shows a tool by the first field that tells of it", async () => {
    const { out } = await shown(dumpTranscript, paths.agent);
    expect(out).toContain("- subagent: **Bash** `ls`\n\n```\na.ts\n```");
    const path = join(folder, "tools.jsonl");
    const use = (input: unknown) =>
      JSON.stringify({
        ...{ type: "assistant", uuid: crypto.randomUUID(), isSidechain: false },
        message: {
          role: "assistant",
          content: [{ type: "tool_use", id: crypto.randomUUID(), name: "X", input }],
        },
      });
    const inputs = [
      { b: 1 },
      { prompt: "p", url: "u" },
      { pattern: "a`b", path: "src" },
      { command: `${"x".repeat(300)}` },
    ];
    await writeFile(path, inputs.map((input) => `${use(input)}\n`).join(""));
    const order = "command file_path path pattern query url description prompt".split(" ");
    const fields = order.map((_, at) =>
      Object.fromEntries(order.slice(at).map((name) => [name, `the ${name}`])),
    );
    const second = join(folder, "order.jsonl");
    await writeFile(second, fields.map((input) => `${use(input)}\n`).join(""));
    const told = (await shown(dumpTranscript, second)).out.match(/^- \*\*X\*\* `.*`$/gm) ?? [];
    expect([...told]).toEqual(order.map((name) => `- **X** \`the ${name}\``));
    const targets = (await shown(dumpTranscript, path)).out.match(/^- \*\*X\*\* `.*`$/gm);
    expect(targets?.slice(0, 3)).toEqual(['- **X** `{"b":1}`', "- **X** `u`", "- **X** `src`"]);
    expect(targets?.[3]).toHaveLength("- **X** ``".length + 160);
  });
});

describe("another client's", () => {
  const pi = join(import.meta.dirname, "../../../clients/pi/sessions/0.87.1.jsonl");
  const id = "01a2057a-1be0";
  let home: string;
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "memoir-transcripts-"));
    const own = join(home, ".pi/agent/sessions/--home-dev-project--");
    await mkdir(own, { recursive: true });
    await copyFile(pi, join(own, `2026-11-22T22-56-58-337Z_${id}.jsonl`));
    const claude = recordedSession("aaaa-1", "/gone/shop");
    claude.prompt("Why does the export fail?", start);
    const path = await claude.write(join(home, ".claude/projects"));
    await utimes(path, new Date(start), new Date(start));
  });
  afterAll(() => rm(home, { recursive: true, force: true }));
  const run = async (command: Command, which: string | undefined, options: object = {}) => {
    const terminal = terminalOf({ env: { HOME: home }, cwd: home, now: Date.now });
    expect(await command(which, options as never, terminal)).toBe(0);
    return terminal.out.join("\n");
  };

  test("is listed beside Claude Code's, with its name and its folder", async () => {
    const out = await run(listTranscripts, undefined, { limit: 9 });
    expect(out.split("\n")).toEqual([
      expect.stringMatching(new RegExp(`^${id} .* pi +/home/dev/project$`)),
      expect.stringMatching(/^aaaa-1 .* \/gone\/shop$/),
    ]);
    const told = JSON.parse(await run(listTranscripts, undefined, { limit: 9, json: true }));
    expect(told.sessions.map(({ client }: { client: string }) => client)).toEqual([
      ...["pi", "claude-code"],
    ]);
    expect(await run(listTranscripts, ".pi/agent/sessions", { limit: 9 })).toStartWith(id);
  });

  test.each([
    ["dump", dumpTranscript],
    ["markdown", transcriptMarkdown],
    ["context", transcriptContext],
  ] as const)("is read in its own form by %s", async (_, command) => {
    for (const which of [
      id,
      `.pi/agent/sessions/--home-dev-project--/2026-11-22T22-56-58-337Z_${id}.jsonl`,
    ])
      expect(await run(command as Command, which)).toContain("mcp__memoir__search");
  });

  test("is counted", async () => {
    const { files } = JSON.parse(await run(transcriptStats, undefined, { last: true, json: true }));
    expect(files).toEqual([
      expect.objectContaining({
        prompts: 2,
        toolUses: { uses: 12, matched: 12, repeated: 0 },
        broken: [],
      }),
    ]);
    expect(await run(validateTranscripts, id)).toContain("valid: 1 file");
  });
});
