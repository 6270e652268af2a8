// Recorded sessions to be read: what is left out, how much is shown of what is long, and what stands where something is missing.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { appendFile, mkdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ownHome } from "../../../support/own-home.ts";
import { recordedSession } from "../../../support/recorded-session.ts";
import { typed } from "../../../support/typed.ts";

let place: Awaited<ReturnType<typeof ownHome>>;
let projects: string;
beforeEach(async () => {
  place = await ownHome();
  projects = join(place.root, "projects");
  await mkdir(projects);
});
afterEach(() => place.end());

const noon = Date.UTC(2026, 0, 1, 12);
const transcript = (words: string, more = {}) =>
  typed(["session", ...words.split(" ")], undefined, { now: () => noon + 3_600_000, ...more });
const one = () => recordedSession("s1", "/gone/shop");
const assistant = (session: ReturnType<typeof one>, content: unknown[], model = "claude-x") =>
  session.lines.push({
    ...{ type: "assistant", uuid: `u${session.lines.length}`, sessionId: "s1", cwd: "/gone/shop" },
    timestamp: new Date(noon).toISOString(),
    message: { id: `m${session.lines.length}`, role: "assistant", model, content },
  });

describe("a list", () => {
  test("has so many of the newest, and says how many more there are", async () => {
    for (let at = 0; at < 3; at++) {
      const session = recordedSession(`s${at}`, "/gone/shop");
      session.prompt("Go", noon);
      const path = await session.write(projects);
      await utimes(path, noon / 1_000 + at, noon / 1_000 + at);
    }
    const { out, code } = await transcript(`list ${projects} --limit 2`);
    expect([code, out.map((line) => line.slice(0, 2)), out[2]]).toEqual([
      0,
      ["s2", "s1", "an"],
      "and 1 more; --limit shows them",
    ]);
    expect((await transcript(`list ${projects} --limit 3`)).out).toHaveLength(3);
    const json = JSON.parse((await transcript(`list ${projects} --limit 1 --json`)).out.join(""));
    expect(json).toMatchObject({
      total: 3,
      sessions: [{ session: "s2", cwd: "/gone/shop", agents: 0 }],
    });
  });

  test("names the folder that the first line with one names, else where the file lies; a subagent alone too", async () => {
    const session = one();
    session.prompt("Go", noon);
    session.lines.unshift({ type: "summary", summary: "x" });
    const path = await session.write(projects);
    const lines = session.lines.map((line) => JSON.stringify(line)).join("\n");
    await writeFile(path, `{broken\n${lines}\n`);
    expect((await transcript(`list ${projects}`)).out[0]).toEndWith("  /gone/shop");
    await writeFile(path, '{"type":"summary","summary":"x"}\n');
    expect((await transcript(`list ${projects}`)).out[0]).toContain("-gone-shop");
    const agent = recordedSession("s2", "/gone/till", "a1");
    agent.run("ls", "x", noon);
    await agent.write(projects);
    const { sessions } = JSON.parse((await transcript(`list ${projects} --json`)).out.join(""));
    expect(sessions.find(({ session }: { session: string }) => session === "s2")).toMatchObject({
      ...{ cwd: "/gone/till", path: null, agents: 1 },
    });
  });

  test("keeps to the screen: of a long folder its end is shown", async () => {
    const long = `/gone/${"deep/".repeat(20)}shop`;
    const session = recordedSession("s-long", long);
    session.prompt("Go on", noon);
    await session.write(projects);
    expect((await transcript(`list ${projects}`)).out[0]).toEndWith(long);
    const [narrow = ""] = (await transcript(`list ${projects}`, { width: 60 })).out;
    expect(narrow).toMatch(/^s-long .* …(\/deep)+\/shop$/);
    expect(narrow.length).toBeLessThanOrEqual(60);
  });

  test("of nothing names the place", async () => {
    const { out, code } = await transcript(`list ${projects}`);
    expect([code, out]).toEqual([0, [`No session in ${projects}.`]]);
  });
});

describe("a dump", () => {
  const dump = async (session: ReturnType<typeof one>, flags = "") =>
    (await transcript(`dump ${await session.write(projects)}${flags}`)).out.join("\n");

  test("leaves out what nobody said: the client's own answers, blanks, and thoughts that were not asked for", async () => {
    const session = one();
    session.prompt("Why?", noon);
    assistant(session, [{ type: "text", text: "API Error" }], "<synthetic>");
    assistant(session, [
      { type: "thinking", thinking: "Hm.\n\nSo." },
      { type: "thinking", thinking: " " },
      { type: "text", text: " \n" },
      { type: "text", text: "Because." },
    ]);
    expect(await dump(session)).toBe(
      "# Session s1\n\n## 2026-01-01 12:00:00 · user\n\nWhy?\n\n### 2026-01-01 12:00:00 · assistant\n\nBecause.",
    );
    expect(await dump(session, " --thinking")).toContain("\n> Hm.\n>\n> So.\n");
    const kinds = (await dump(session, " --json")).split("\n").map((line) => JSON.parse(line).kind);
    expect(kinds).toEqual(["user", "assistant"]);
  });

  test("shows a tool by what tells most, one that failed, and one that never answered at the end", async () => {
    const session = one();
    const use = (id: string, input: unknown) =>
      assistant(session, [{ type: "tool_use", id, name: "Tool", input }]);
    use("t0", { url: "http://x", pattern: "a`b" });
    session.run("make", "boom", noon, true);
    use("t1", { url: "http://x", path: "/p", file_path: "/f" });
    use("t2", { other: 1 });
    use("t3", "text");
    const lines = (await dump(session))
      .split("\n")
      .filter((line) => /^- |^failed|^\(no/.test(line));
    expect(lines).toEqual([
      "- **Bash** `make`",
      "failed: boom",
      "- **Tool** `a'b`",
      "(no result)",
      "- **Tool** `/f`",
      "(no result)",
      '- **Tool** `{"other":1}`',
      "(no result)",
      '- **Tool** `"text"`',
      "(no result)",
    ]);
  });

  test("a result has twelve lines and a thousand characters, and says how much more there was", async () => {
    const shown = async (output: string) => {
      const session = one();
      session.run("make", output, noon);
      return JSON.parse(await dump(session, " --json")).text;
    };
    const twelve = Array.from({ length: 12 }, (_, at) => `l${at}`).join("\n");
    expect(await shown(`\n${twelve}\n`)).toBe(twelve);
    expect(await shown(`${twelve}\nmore`)).toBe(`${twelve}\n… 5 characters more`);
    expect(await shown("x".repeat(1_000))).toBe("x".repeat(1_000));
    expect(await shown("x".repeat(1_001))).toBe(`${"x".repeat(1_000)}\n… 1 character more`);
  });
});

describe("examples", () => {
  const request = "x".repeat(20);
  const reasoning = "y".repeat(80);
  function asked(name: string, text: string, thought: string) {
    const session = recordedSession(name, "/gone/shop");
    session.prompt(text, noon);
    session.lines.push({
      ...{ type: "assistant", uuid: `${name}-u`, sessionId: name, cwd: "/gone/shop" },
      timestamp: new Date(noon).toISOString(),
      message: {
        ...{ id: `${name}-m`, role: "assistant", model: "claude-x" },
        content: [
          { type: "thinking", thinking: thought },
          { type: "tool_use", id: `${name}-t`, name: "Read", input: {} },
        ],
      },
    });
    return session;
  }

  test("are as many as were asked for, over all sessions, and of each the reasoning before its first tool", async () => {
    for (const name of ["s1", "s2", "s3"]) {
      const session = asked(name, request, reasoning);
      session.run("later", "x", noon + 9);
      await session.write(projects);
    }
    const found = async (limit: number) =>
      JSON.parse((await transcript(`examples ${projects} --limit ${limit} --json`)).out.join(""))
        .examples;
    expect([(await found(2)).length, (await found(9)).length]).toEqual([2, 3]);
    expect((await found(1))[0]).toMatchObject({ request, reasoning, tool: "Read", time: noon });
  });

  test("have no secrets in them, and long ones are cut", async () => {
    const secret = `sk-ant-api03-${"a1B2c3D4".repeat(10)}`;
    await asked("s1", `Use ${secret}: ${"long words ".repeat(300)}`, reasoning).write(projects);
    const { out } = await transcript(`examples ${projects} --limit 5 --json`);
    const { examples } = JSON.parse(out.join(""));
    expect(examples).toHaveLength(1);
    expect(examples[0].request).not.toContain("a1B2c3D4");
    expect(examples[0].request.length).toBeWithin(1_300, 1_501);
  });

  test("never are a subagent's, nor a request with the reasoning about an earlier one", async () => {
    const agent = recordedSession("s2", "/gone/shop", "a8");
    agent.prompt("Why does the export of the list fail?", noon);
    agent.say(reasoning, noon);
    agent.run("bun test", "2 pass", noon);
    await agent.write(projects);
    const session = asked("s1", request, reasoning);
    session.lines.push(...asked("s1", `${request}2`, "z".repeat(80)).lines);
    await session.write(projects);
    const { out } = await transcript(`examples ${projects} --limit 5 --json`);
    const found = JSON.parse(out.join("")).examples as Array<{ reasoning: string }>;
    expect(found.map((one) => one.reasoning)).toEqual([reasoning, "z".repeat(80)]);
  });

  test("need a request of twenty characters and a reasoning of eighty, blanks not counted; none is exit code 1", async () => {
    const code = async (text: string, thought: string) => {
      await asked("s1", text, thought).write(projects);
      return (await transcript(`examples ${projects} --limit 5`)).code;
    };
    expect(await code(request, reasoning)).toBe(0);
    expect(await code(request.slice(1), reasoning)).toBe(1);
    expect(await code(request, reasoning.slice(1))).toBe(1);
    expect(await code(request, `${reasoning.slice(1)}   `)).toBe(1);
    expect((await transcript(`examples ${projects} --limit 5`)).out).toEqual([
      "No request with reasoning after it.",
    ]);
  });
});

test("foreign text cannot end its fence; a value that is no text is JSON", async () => {
  const session = one();
  assistant(session, [
    { type: "tool_use", id: "t0", name: "Tool", input: "```` b" },
    { type: "tool_result", content: null },
  ]);
  const path = await session.write(projects);
  const { out } = await transcript(`markdown ${path}`);
  expect(out.join("\n")).toContain("`````\n```` b\n`````");
  expect(out.join("\n")).toContain("**tool_result**\n\n```json\nnull\n```");
});

test("context is that of the tool use that is named", async () => {
  const session = one();
  session.prompt("Why does the export fail?", noon);
  session.run("bun test", "1 fail", noon, true);
  session.edit("a.ts", "a", "b", noon);
  const path = await session.write(projects);
  const shown = (await transcript(`context ${path} --tool toolu_s1_main_1`)).out.join("\n");
  expect(shown).toStartWith("# Bash toolu_s1_main_1\n");
  expect(shown).toContain("## Result\n\n> 1 fail");
  const { code, err } = await transcript(`context ${path} --tool toolu_none`);
  expect([code, err[0]]).toEqual([1, "error: There is no tool use toolu_none."]);
});

test("validate counts tool uses without a result; a broken line is exit code 1", async () => {
  const session = one();
  session.run("bun test", "2 pass", noon);
  session.lines.pop();
  const path = await session.write(projects);
  const { code, out } = await transcript(`validate ${path}`);
  expect([code, out]).toEqual([
    0,
    ["valid: 1 file, 1 line, 0 broken lines, 1 tool use without a result"],
  ]);
  await appendFile(path, "{broken\n".repeat(60));
  const broken = await transcript(`validate ${path}`);
  expect([broken.code, broken.out[0], broken.out.at(-1)]).toEqual([
    1,
    "broken: 1 file, 61 lines, 60 broken lines, 1 tool use without a result",
    "  and 10 more",
  ]);
});
