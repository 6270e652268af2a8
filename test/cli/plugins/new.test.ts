// Every scaffold works as it is written: its types hold, it keeps its slot's promises, and its own tests pass.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkOne, testPlugin } from "../../../src/cli/plugins/check.ts";
import { kinds, newPlugin, tsconfig } from "../../../src/cli/plugins/new.ts";
import { runTool } from "../../../src/cli/plugins/own-plugin.ts";
import { unpack } from "../../../src/runtime/plugins/packed.ts";
import { runSuite } from "../../../src/testing/suites.ts";
import { plainTerminal } from "../../support/plain-terminal.ts";

let home: string;
const usual = process.env.MEMOIR_HOME;
beforeAll(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), "memoir-new-")));
  // A server is looked for where the process says.
  process.env.MEMOIR_HOME = home;
});
afterAll(async () => {
  if (usual === undefined) delete process.env.MEMOIR_HOME;
  else process.env.MEMOIR_HOME = usual;
  await rm(home, { recursive: true, force: true });
});
const terminal = () => plainTerminal({ env: { MEMOIR_HOME: home, HOME: home }, cwd: home });

/** Runs a command in JSON; gives its exit code and what it said. */
async function json(
  command: (options: { json: true }, terminal: ReturnType<typeof plainTerminal>) => Promise<number>,
) {
  const screen = terminal();
  const code = await command({ json: true }, screen);
  return { code, ...JSON.parse(screen.out.join("\n")) };
}

test("there is a scaffold for each slot, and for what fills none", async () => {
  const { templates } = await unpack();
  expect(Object.keys(templates).sort()).toEqual(
    [...kinds].flatMap((kind) => [`${kind}.ts.txt`, `${kind}.test.ts.txt`]).sort(),
  );
});

describe("every scaffold", () => {
  const folderOf = (kind: string) => join(home, "plugins", `my-${kind}`);
  beforeAll(async () => {
    for (const kind of kinds) {
      const made = await json((options, screen) => newPlugin(kind, `my-${kind}`, options, screen));
      expect(made).toMatchObject({ code: 0, name: `my-${kind}`, folder: folderOf(kind) });
      expect(made.next).toHaveLength(3);
    }
  });

  test.each(kinds)("%s is written, in the language of its author's editor", async (kind) => {
    expect((await readdir(folderOf(kind))).sort()).toEqual([
      "index.test.ts",
      "index.ts",
      "tsconfig.json",
    ]);
    const text = await readFile(join(folderOf(kind), "index.ts"), "utf8");
    expect(text).not.toContain("__NAME__");
    expect(text.split("\n").length).toBeLessThan(80);
  });

  /** What fills no slot: whose promises were tried, and how many. */
  const beside: Record<string, [of: string[], passed: number]> = {
    extractor: [["an extractor"], 4],
    listener: [[], 0],
    schedule: [["schedules"], 3],
    data: [["data"], 3],
    redaction: [["redactions"], 3],
    exporter: [["export"], 3],
    rank: [["rank"], 3],
  };

  test.each(kinds)("%s keeps the promises of its slot", async (kind) => {
    const source = join(folderOf(kind), "index.ts");
    const { default: plugin } = await import(source);
    const report = await runSuite(plugin, { source });
    expect(report.failures).toEqual([]);
    const { of, passed } = report;
    const wanted = beside[kind];
    if (wanted) expect([of, passed]).toEqual(wanted);
  });

  test("holds its types, and passes its tests", async () => {
    const cwd = join(home, "plugins");
    const config = { ...tsconfig, include: ["*/*.ts"] };
    await writeFile(join(cwd, "tsconfig.json"), JSON.stringify(config));
    const types = await runTool(["check", "--no-script", "-p", "tsconfig.json"], { cwd });
    expect([types.code, types.out]).toEqual([0, ""]);
    await rm(join(cwd, "tsconfig.json"));
    const { code, err } = await runTool(["test", "--timeout", "30000"], { cwd });
    expect([code, err]).toEqual([0, expect.stringContaining(" 0 fail")]);
  }, 180_000);

  test("is well by the commands, too", async () => {
    const name = "my-observation";
    const { findings, code } = await json((options, screen) => checkOne(name, options, screen));
    expect(findings.filter(({ state }: { state: string }) => state === "fail")).toEqual([]);
    const tested = await json((options, screen) => testPlugin(name, options, screen));
    expect([code, tested.code, tested.suite.failures]).toEqual([0, 0, []]);
    expect(tested.tests.output).toContain(" 0 fail");
  }, 180_000);

  test.each([
    ["my-extractor", "✓ promises of an extractor: 4 kept", 1],
    ["my-listener", "A listener promises nothing; `memoir plugin dev` tries it on a recording.", 1],
    ["my-redaction", "✓ promises of redactions: 3 kept", 2],
  ] as const)(
    "%s, which fills no slot",
    async (name, promises, tests) => {
      const screen = terminal();
      expect(await testPlugin(name, {}, screen)).toBe(0);
      expect(screen.out).toEqual([promises, `✓ its own tests: ${tests} pass, 0 fail`]);
    },
    180_000,
  );
});

describe("what is wrong", () => {
  const refused = (work: Promise<unknown>) => expect(work).rejects;

  test("a wrong hook and a wrong type are found, each with its place", async () => {
    await json((options, screen) => newPlugin("listener", "wrong", options, screen));
    const path = join(home, "plugins/wrong/index.ts");
    const text = await readFile(path, "utf8");
    await writeFile(path, text.replace("async stored(", "async storedd("));
    const { findings, code } = await json((options, screen) => checkOne("wrong", options, screen));
    const said = Object.fromEntries(
      findings.map(({ what, lines }: { what: string; lines: string[] }) => [
        what,
        lines.join("\n"),
      ]),
    );
    expect(code).toBe(1);
    expect(said.types).toMatch(/index\.ts\(\d+,\d+\): error TS\d+.*storedd/);
    expect(said.contract).toContain('did you mean "stored"');
    await refused(testPlugin("wrong", {}, terminal())).toThrow("is no plugin");
  }, 180_000);

  test("a broken promise and a failing test are told, with exit code 1", async () => {
    await json((options, screen) => newPlugin("context-injection", "liar", options, screen));
    const path = join(home, "plugins/liar/index.ts");
    const text = await readFile(path, "utf8");
    await writeFile(path, text.replace('wrapContext(lines.join("\\n"))', '"x".repeat(20_000)'));
    const screen = terminal();
    expect(await testPlugin("liar", {}, screen)).toBe(1);
    const said = screen.out.join("\n");
    expect(said).toMatch(/✗ promises of context-injection: \d+ kept, \d+ broken/);
    expect(said).toMatch(/✗ its own tests: 1 pass, 1 fail/);
  }, 180_000);

  test("an extractor that breaks a promise is told which", async () => {
    await json((options, screen) => newPlugin("extractor", "greedy", options, screen));
    const path = join(home, "plugins/greedy/index.ts");
    const text = await readFile(path, "utf8");
    await writeFile(
      path,
      text.replace("return { batch,", "return { batch: { ...batch, toolUses: [] },"),
    );
    const screen = terminal();
    expect(await testPlugin("greedy", {}, screen)).toBe(1);
    expect(screen.out.join("\n")).toMatch(/✗ promises of an extractor: \d kept, \d broken/);
    expect(screen.out.join("\n")).toContain("`batch` must come back as it was");
  }, 180_000);

  test("a plugin in a folder whose name has quotes in it is tried as any other", async () => {
    const folder = join(home, 'plugins/the "quoted" one');
    await mkdir(folder, { recursive: true });
    const path = join(folder, "calm.ts");
    await writeFile(
      path,
      'export default { name: "calm", description: "Listens.", sdk: 1, hooks: { stored() {} } };\n',
    );
    const screen = terminal();
    expect(await testPlugin(path, {}, screen)).toBe(0);
    expect(screen.out.join("\n")).toContain("A listener promises nothing");
    await rm(folder, { recursive: true });
  }, 180_000);

  test("what a promise warns of is told, though it is kept", async () => {
    await mkdir(join(home, "plugins"), { recursive: true });
    await writeFile(
      join(home, "plugins/silent.ts"),
      'export default { name: "silent", description: "Says nothing.", sdk: 1, slot: "summarization", hooks: { summarize: () => ({}) } };\n',
    );
    const screen = terminal();
    expect(await testPlugin("silent", {}, screen)).toBe(0);
    const lines = screen.out.join("\n").split("\n");
    expect(lines.filter((line) => line.startsWith("  !"))).toEqual([
      "  ! sums up a prompt in which something was done: a prompt with a request, an edit and a test led to no summary",
    ]);
  }, 180_000);

  test("a plugin that never ends its import, or ends the process, is said to", async () => {
    const put = (text: string) => writeFile(join(home, "plugins/odd.ts"), text);
    await put("process.exit(3); export default {};");
    const { findings, code } = await json((options, screen) => checkOne("odd", options, screen));
    expect(code).toBe(1);
    expect(findings.find(({ what }: { what: string }) => what === "loading").state).toBe("fail");
    await rm(join(home, "plugins/odd.ts"));
  }, 180_000);

  test("an unknown name is met with the nearest", async () => {
    await refused(checkOne("my-observaton", {}, terminal())).toThrow("did you mean my-observation");
    await refused(checkOne("heuristic", {}, terminal())).toThrow("is built in");
    await refused(checkOne(undefined, {}, terminal())).toThrow("Which plugin");
  });
});
