// The demo plays the main job; then every command that looks into memory is asked about what it left behind.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { readServerInfo } from "../../../src/server/life/server-info.ts";
import { expectGolden } from "../../support/golden.ts";
import { entry, runMemoir } from "../../support/run-memoir.ts";

interface DemoReport {
  home: string;
  session: string;
  events: number;
  hookMs: { first: number; median: number };
  observations: Array<{ id: string; title: string; agent?: unknown }>;
  context: string;
}

let root: string;
let report: DemoReport;
let env: Record<string, string>;

const memoir = (...args: string[]) => runMemoir(args, env, join(dirname(report.home), "shop"));
const json = async (...args: string[]) => {
  const { code, out, err } = await memoir(...args, "--json");
  expect([code, err]).toEqual([0, ""]);
  return JSON.parse(out);
};

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "memoir-cli-"));
  const { code, out, err } = await runMemoir(
    ["demo", "--keep", "--json"],
    { HOME: root, TMPDIR: root },
    root,
  );
  expect([code, err]).toEqual([0, ""]);
  report = JSON.parse(out);
  env = { HOME: root, MEMOIR_HOME: report.home };
});
afterAll(async () => {
  await memoir("server", "stop");
  await rm(root, { recursive: true, force: true });
});

describe("memory commands", () => {
  test("the demo leaves observations, one of them a subagent's, and a context", () => {
    expect(report.events).toBeGreaterThanOrEqual(20);
    expect(report.observations.length).toBeGreaterThanOrEqual(3);
    expect(report.observations.some(({ agent }) => agent)).toBe(true);
    expect(report.context).toContain("token.ts");
    expect(report.hookMs.first).toBeGreaterThan(0);
    expect(report.hookMs.median).toBeGreaterThan(0);
  });

  test("search finds by any word in any inflection, best first, in the documented form", async () => {
    const { results } = await json("search", "expiring", "zebra", "token");
    expect(results.length).toBeGreaterThan(0);
    expect(results[0]).toMatchObject({ session: report.session, project: "example.com/acme/shop" });
    const keys = ["id", "kind", "session", "project", "type", "title", "subtitle", "score"];
    expect(Object.keys(results[0])).toEqual(expect.arrayContaining([...keys, "createdAt"]));
    const scores = results.map(({ score }: { score: number }) => score);
    expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a));
  });

  test("search narrows by file, type, kind, project, session, time and level", async () => {
    const narrow = async (...args: string[]) => (await json("search", ...args)).results;
    const inToken = await narrow("--file", "token.ts", "--kind", "observation");
    expect(inToken.length).toBeGreaterThan(0);
    expect(await narrow("--file", "nowhere.ts")).toEqual([]);
    for (const { type } of await narrow("--type", "bugfix")) expect(type).toBe("bugfix");
    expect((await narrow("token", "--project", ".")).length).toBeGreaterThan(0);
    expect((await narrow("token", "--session", report.session.slice(0, 8))).length).toBeGreaterThan(
      0,
    );
    const other = await memoir("search", "token", "--project", "another");
    expect(other).toMatchObject({ code: 2, out: "" });
    expect(other.err).toContain("There is no project another.");
    expect(await narrow("token", "--until", "yesterday")).toEqual([]);
    expect((await narrow("token", "--since", "1h", "--limit", "1")).length).toBe(1);
    for (const { facts } of await narrow("token", "--level", "facts"))
      expect(facts.length).toBeGreaterThan(0);
  });

  test("`--project .` is not the project of a folder whose name begins alike", async () => {
    const beside = join(dirname(report.home), "shop-of-others");
    await mkdir(beside);
    const elsewhere = await runMemoir(["search", "token", "--project", "."], env, beside);
    expect(elsewhere).toMatchObject({ code: 0, out: expect.stringContaining("No session of ") });
  });

  test("search takes other phrasings, and says why a result is there", async () => {
    const { results } = await json(
      "search",
      "xylophone",
      "--also",
      "zebra, expiring",
      "--also",
      "token",
    );
    expect(results.length).toBeGreaterThan(0);
    expect(results[0]?.why).toBeUndefined();
    const explained = await memoir("search", "tokens", "--explain");
    expect(explained.out).toContain("because of tokens");
  });

  test("the command, HTTP and MCP give the same hits in the same order", async () => {
    const info = await readServerInfo(join(report.home, "server.json"));
    const token = (await readFile(join(report.home, "token"), "utf8")).trim();
    const agent = new Client({ name: "test", version: "1" });
    await agent.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [entry, "mcp"],
        env: { PATH: process.env.PATH ?? "", TZ: "UTC", ...env },
        cwd: join(dirname(report.home), "shop"),
      }),
    );
    try {
      const filters: Array<[also: string[], filter: Record<string, string>]> = [
        [[], {}],
        [["refresh expired", "token.ts"], {}],
        [["authentcation"], { type: "bugfix" }],
        [[], { file: "token.ts" }],
        [["session"], { project: "shop", client: "claude-code" }],
      ];
      for (const [also, filter] of filters) {
        const options = Object.entries(filter).map(([name, value]) => `--${name}=${value}`);
        const { results } = await json(
          "search",
          "why do tokens fail today",
          ...options,
          "--limit=10",
          ...also.flatMap((words) => ["--also", words]),
        );
        const ids = results.map(({ id }: { id: string }) => id);
        expect(ids.length).toBeGreaterThan(0);
        const asked = new URLSearchParams({
          text: "why do tokens fail today",
          limit: "10",
          ...filter,
          ...(also.length > 0 ? { also: also.join(",") } : {}),
        });
        const answer = await fetch(`http://127.0.0.1:${info?.port}/api/search?${asked}`, {
          headers: { authorization: `Bearer ${token}` },
        });
        const { results: overHttp } = (await answer.json()) as { results: Array<{ id: string }> };
        expect(overHttp.map(({ id }) => id)).toEqual(ids);
        const { content } = await agent.callTool({
          name: "search",
          arguments: { queries: ["why do tokens fail today", ...also], ...filter },
        });
        const [{ text = "" } = {}] = content as Array<{ text?: string }>;
        const overMcp = [...text.matchAll(/^(\S+) \d{4}-\d\d-\d\d \S+: /gm)].map(([, id]) => id);
        expect(overMcp).toEqual(ids);
      }
    } finally {
      await agent.close();
    }
  });

  test("sessions and the timeline are narrowed to a client", async () => {
    expect((await json("sessions", "--client", "claude-code")).sessions).toHaveLength(1);
    const { items } = await json("memory", "timeline", "--client", "claude-code");
    expect(items.length).toBeGreaterThan(0);
    expect((await json("memory", "timeline", "--client", "codex")).items).toEqual([]);
    expect((await memoir("sessions", "--client", "codex")).out).toContain(
      "No session of client codex.",
    );
    expect((await memoir("sessions", "--client", "another")).code).toBe(2);
  });

  test("context is what the next session gets; a strange folder gets nothing", async () => {
    const { context, characters } = await json("context");
    expect(context).toContain("token.ts");
    expect(characters).toBe(context.length);
    const { omitted } = await json("context", "--why");
    const left = omitted.flatMap(({ why, records }: { why: string; records: object[] }) =>
      records.map((record) => [why, record]),
    );
    const { out } = await memoir("context", "--why");
    for (const [why, { id }] of left) expect(out).toMatch(new RegExp(`Left out: ${why}[^]*${id} `));
    expect(out.startsWith(context)).toBe(true);
    expect((await memoir("context", "--why", "--prompt", "x")).code).toBe(2);
    const strange = await memoir("context", "--cwd", root);
    expect([strange.code, strange.out.includes("would get no context")]).toEqual([0, true]);
    const { context: forPrompt } = await json(
      "context",
      "--prompt",
      "why does tokenExpiry in src/auth/token.ts lose an hour?",
    );
    expect(forPrompt).toContain("token");
  });

  test("what is forgotten is gone, and the index can be made anew", async () => {
    const { results } = await json("search", "token", "--kind", "prompt,turn", "--limit", "1");
    const { id } = results[0];
    const unasked = await memoir("memory", "forget", id);
    expect(unasked.code).toBe(2);
    expect(unasked.err).toContain("--yes");
    expect((await json("memory", "forget", id, "--yes")).deleted).toContain(id);
    expect((await memoir("show", id)).code).toBe(1);
    expect((await memoir("memory", "forget", id, "--yes")).err).toContain("There is no record");
    const { isWhole, indexed, records } = await json("memory", "reindex");
    expect([isWhole, indexed]).toEqual([true, records]);
    expect((await json("search", "token")).results.length).toBeGreaterThan(0);
    expect((await memoir("status")).out).not.toContain("made anew");
    const whole = report.session.slice(0, 8);
    const { deleted } = await json("memory", "forget", whole, "--yes");
    expect(deleted).toContain(report.session);
    expect((await json("sessions")).sessions).toEqual([]);
    expect((await json("search", "token")).results).toEqual([]);
    expect((await memoir("memory", "forget", whole, "--yes")).err).toContain("There is no record");
  });
});

test("the demo cleans up after itself", async () => {
  const folder = await mkdtemp(join(tmpdir(), "memoir-demo-test-"));
  try {
    const { code, out } = await runMemoir(["demo"], { HOME: folder, TMPDIR: folder }, folder);
    expect(code).toBe(0);
    const place = /in (\S*memoir-demo-\w+)\./.exec(out)?.[1] ?? "";
    expect(place).toStartWith(folder);
    expect(existsSync(place)).toBe(false);
    // Its first chapter word for word, but for where and how fast it was; then the frame of the others.
    const told = out
      .replaceAll(place, "FOLDER")
      .replace(/\b[\d.]+ ms/g, "N ms")
      .replace(/ +N ms/g, " N ms");
    const [first = "", ...rest] = told.split(/\n(?=[2-4]\. )/);
    await expectGolden(join(import.meta.dir, "demo.txt"), first);
    expect(rest.map((chapter) => chapter.split("\n")[0])).toEqual([
      "2. What memoir made of it: 4 observations and a summary, without any model",
      "3. Searching for it: memoir search expired tokens",
      "4. The context that the next session in this folder starts with",
    ]);
    const [made = "", asked = "", given = ""] = rest;
    expect(made).toMatch(
      /\n {2}o\d bugfix {2}tokenExpiry in src\/auth\/token\.ts added up local hours since midnight, so on .* lost an hour\n/,
    );
    expect(made).toMatch(/\n {5}· tokenExpiry in .*\n {7}clock change a token lost an hour\.\n/);
    expect(made.match(/\(a subagent's\)\n/g)).toHaveLength(1);
    expect(asked.split("\n").filter((line) => /^ {2}\w\d+ /.test(line))).toHaveLength(4);
    expect(given).toStartWith(
      `${rest[2]?.split("\n")[0]}\n  │ <memoir-context source="startup">\n`,
    );
    expect(given).toMatch(/\n {2}\d+ characters, in N ms\.\n/);
    expect(given).toMatch(
      /\n✓ That is what memoir does\. \S+ install sets it up for your own sessions\.\n\nThe server is stopped and the temporary home is removed\.\n$/,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
