// What the commands about plugins ask, show, write into config and exit with, in this process.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { addPlugin, removePlugin, switchPlugin } from "../../../src/cli/plugins/change.ts";
import { listPlugins, showPlugin } from "../../../src/cli/plugins/list.ts";
import { findOwn, folderOf } from "../../../src/cli/plugins/own-plugin.ts";
import { trustProject } from "../../../src/cli/plugins/trust.ts";
import type { Terminal } from "../../../src/cli/terminal/terminal.ts";
import { setConfigValue } from "../../../src/runtime/config/config.ts";
import { readTrust } from "../../../src/runtime/plugins/project-plugins.ts";
import { type CannedAnswers, cannedServer } from "../../support/canned-server.ts";
import { ownHome } from "../../support/own-home.ts";
import { plainTerminal } from "../../support/plain-terminal.ts";

let place: Awaited<ReturnType<typeof ownHome>>;
beforeEach(async () => {
  place = await ownHome();
  await mkdir(place.home);
});
afterEach(() => place.end());

type More = Partial<Terminal> & { answers?: CannedAnswers };
async function run(
  command: (terminal: Terminal) => Promise<number>,
  { answers, ...more }: More = {},
) {
  const server = answers && (await cannedServer(place.home, answers));
  const env = { HOME: place.root, MEMOIR_HOME: place.home };
  const terminal = plainTerminal({ now: () => 100_000, cwd: place.root, env, ...more });
  try {
    const code = await command(terminal);
    const asked = (server?.asked ?? []).map(({ method, path }) => `${method} ${path}`);
    return { code, asked, lines: terminal.out.join("\n").split("\n"), err: terminal.err };
  } finally {
    await server?.stop();
  }
}
const config = async () =>
  JSON.parse(await readFile(join(place.home, "config.json"), "utf8").catch(() => "{}"));
const listener = (name = "mine") =>
  `export default { name: "${name}", description: "Says hello.", sdk: 1, hooks: { Stop() {} } };\n`;
const observer =
  'export default { name: "mine", description: "Sees.", sdk: 1, slot: "observation", hooks: { observe: () => ({ observations: [] }) } };\n';
async function file(name: string, text: string, below = place.root): Promise<string> {
  const path = join(below, name);
  await mkdir(join(path, ".."), { recursive: true });
  await writeFile(path, text);
  return path;
}
const reload: CannedAnswers = { "/api/reload": {} };

describe("enable and disable", () => {
  const turn = (name: string, on: boolean, options: object = {}, more: More = {}) =>
    run((terminal) => switchPlugin(on, name, options, terminal), more);

  test("config holds only what differs, and a running server hears of it at once", async () => {
    const off = await turn("context-moments", false, {}, { answers: reload });
    expect(off).toEqual({
      ...{ code: 0, lines: ["context-moments is off."], err: [] },
      asked: ["POST /api/reload"],
    });
    expect(await config()).toEqual({ plugins: { "context-moments": { enabled: false } } });
    expect((await turn("context-moments", true)).lines[0]).toBe("context-moments is on.");
    expect(await config()).toEqual({});
    expect((await turn("context-moments", false, { json: true })).lines).toEqual([
      '{"plugin":"context-moments","enabled":false,"settings":[]}',
    ]);
  });

  test("switching redaction off says what is kept from then on", async () => {
    const off = await turn("capture-privacy", false);
    expect(off.lines).toEqual(["capture-privacy is off."]);
    expect(off.err.join()).toContain("Secrets and private parts are kept from now on");
    expect((await turn("capture-privacy", true)).err).toEqual([]);
  });

  test("one that cannot start says so when it is switched on", async () => {
    await file("mine.ts", 'throw new Error("it lacks a file");', join(place.home, "plugins"));
    const { code, lines, err } = await turn("mine", true);
    expect([code, lines[0]]).toEqual([1, "mine is switched on, but does not run."]);
    expect(err.join("\n")).toContain("it lacks a file");
    expect((await turn("mine", false)).err).toEqual([]);
    await rm(join(place.home, "plugins"), { recursive: true });
    await rm(join(place.home, "config.json"), { force: true });
  });

  test("what is paused is tried again", async () => {
    const source = "built-in";
    const pause = {
      plugin: "context-moments",
      source,
      hash: "",
      hook: "Stop",
      until: 9e15,
      reason: "",
    };
    await file("paused.json", JSON.stringify([pause]), place.home);
    expect((await turn("context-moments", true)).lines[0]).toMatch(
      /^context-moments is on(, and no longer paused)?\.$/,
    );
  });

  test("the last of a slot that cannot be empty stays, and a name that nobody bears is met with the nearest", async () => {
    await expect(turn("sqlite", false)).rejects.toThrow(
      "sqlite fills storage, which cannot be empty.",
    );
    expect((await turn("sqlite", true)).code).toBe(0);
    await expect(turn("context-momnts", false)).rejects.toThrow(
      "There is no plugin context-momnts; did you mean context-moments?",
    );
    await expect(turn("zzzzzzzz", false)).rejects.toThrow("There is no plugin zzzzzzzz.");
    expect(await config()).toEqual({});
  });

  test("one that is on and whose slot is another's says how it gets in force", async () => {
    const { lines } = await turn("hybrid", true);
    expect(lines).toEqual(
      [
        "hybrid is on.",
        "It is not in the slot observation yet: `memoir config set slots.observation hybrid`.",
        expect.stringContaining("It is not in the slot summarization yet:"),
      ].slice(0, lines.length),
    );
    expect(lines.length).toBeGreaterThan(1);
  });
});

describe("info", () => {
  const look = (width: number | undefined, name = "mine") =>
    run((terminal) => showPlugin(name, {}, terminal), {
      width,
      answers: {
        "/api/plugins": {
          plugins: [
            {
              ...{
                name: "mine",
                description: "Sees what is done and says so in words.",
                slots: ["observation"],
              },
              ...{
                fills: [],
                origin: "file",
                state: "failed",
                error: "line 3",
                source: join(place.home, "plugins/mine.ts"),
              },
            },
            {
              name: "sqlite",
              description: "Keeps.",
              slots: ["storage"],
              fills: ["storage"],
              origin: "built-in",
              state: "running",
            },
            {
              name: "hear",
              description: "",
              slots: [],
              fills: [],
              origin: "package",
              state: "running",
              projects: ["acme/shop"],
            },
          ],
          subscriptions: [
            {
              ...{
                plugin: "hear",
                hook: "PostToolUse",
                kind: "sequence",
                order: "post",
                deadlineMs: 500,
              },
              ...{
                calls: 1,
                failures: 1,
                p50: 1.25,
                p99: null,
                filter: { tool: ["Bash", "Read"] },
              },
              lastError: "boom",
            },
            {
              plugin: "hear",
              hook: "Stop",
              kind: "sequence",
              order: "normal",
              deadlineMs: 90,
              calls: 0,
              failures: 0,
              p50: null,
              p99: null,
            },
          ],
        },
      },
    });

  test("tells state, slots, place and how it gets in force", async () => {
    await file("plugins/mine.ts", observer, place.home);
    const { lines, code } = await look(80);
    expect(code).toBe(0);
    expect(lines).toEqual([
      "mine",
      "  Sees what is done and says so in words.",
      "",
      "  state     failed",
      "  slots     observation",
      "  fills     none",
      "  from      ./plugins/mine.ts",
      expect.stringMatching(/^ {2}changed {3}\d{4}-\d\d-\d\d \d\d:\d\d, content \w+$/),
      "  reach     It declares no hosts and files: it can reach whatever you can.",
      "  in force  memoir config set slots.observation mine",
      "  error     line 3",
    ]);
  });

  test("tells what it hears, for which tools, how long it may take and what became of it", async () => {
    expect((await look(80, "hear")).lines).toEqual([
      ...["hear", "", ""],
      "  state     running, only in acme/shop",
      "  slots     none: a listener",
      "  fills     none",
      "  from      package",
      "  trust     runs a copy of what you allowed",
      ...["", "listens to", "  PostToolUse"],
      "    sequence, order post, at most 500 ms",
      "    tool: Bash Read",
      "    1 call, 1 failed; p50 1.25 ms, p99 1.25 ms",
      "    last error: boom",
      "  Stop",
      "    sequence, order normal, at most 90 ms",
      "    0 calls, 0 failed",
    ]);
  });

  test("options stand in a table where there is room, else below each other; what is set beside what is usual", async () => {
    await setConfigValue(place.home, ["plugins", "memory-files", "path"], "notes");
    const show = async (width?: number) =>
      (await run((terminal) => showPlugin("memory-files", {}, terminal), { width })).lines;
    const wide = await show();
    const at = wide.indexOf("options");
    expect(wide.slice(at).find((line) => line.startsWith("  path "))).toMatch(
      /^ {2}path +"notes" +\S/,
    );
    expect(wide.at(-1)).toBe("  memoir config set plugins.memory-files.<option> <value>");
    expect(wide.some((line) => line.includes("(default)"))).toBe(true);
    const narrow = await show(60);
    expect(narrow).toContain('  path "notes"');
    expect(narrow.filter((line) => line.length > 60)).toEqual([]);
  });
});

describe("options in groups", () => {
  test.each([
    [undefined, { default: "subagents" }],
    [{ sources: "everyone" }, { default: "subagents", set: "everyone" }],
    ["no group", { default: "subagents" }],
  ])("config says %j", async (set, shown) => {
    if (set) await setConfigValue(place.home, ["plugins", "live", "read"], set);
    const { lines } = await run((terminal) => showPlugin("live", { json: true }, terminal));
    const { options } = JSON.parse(lines.join(""));
    const { description: _, ...option } = options.at(-1);
    expect(option).toEqual({ key: "read.sources", ...shown });
  });
});

describe("add and remove", () => {
  const add = (what: string, options: object = { yes: true }, more: More = {}) =>
    run((terminal) => addPlugin(what, options, terminal), more);
  const remove = (name: string, options: object = {}, more: More = {}) =>
    run((terminal) => removePlugin(name, options, terminal), more);

  test("a listener of a file is on, and config names it; gone, config is as it was", async () => {
    const path = await file("mine.ts", listener());
    const added = await add("mine.ts", { yes: true }, { answers: reload });
    expect(added).toEqual({
      ...{ code: 0, asked: ["POST /api/reload"], err: [] },
      lines: [
        "It declares no hooks: which texts it gets can't be known before its code runs.",
        "It declares no hosts and files: it can reach whatever you can.",
        "mine: Says hello.",
        "  slots   none: a listener",
        "  hears   Stop",
        "  events  Stop",
        "Added; it is on.",
      ],
    });
    expect(await config()).toEqual({ listeners: [path] });
    await expect(add("mine.ts")).rejects.toThrow(`${path} is in your config already.`);
    const removed = await remove(
      "mine",
      {},
      { answers: { ...reload, "/api/plugins": { plugins: [], subscriptions: [] } } },
    ).catch((error: Error) => error);
    expect(String(removed)).toContain("There is no plugin mine.");
    expect((await remove("mine", { json: true })).lines).toEqual([
      JSON.stringify({
        removed: "mine",
        config: ["listeners"],
        packages: [],
        kept: path,
        settings: [],
      }),
    ]);
    expect(await config()).toEqual({});
    expect(existsSync(path)).toBe(true);
  });

  test("what has to be chosen says how, and is not in effect before", async () => {
    const path = await file("mine.ts", observer);
    const { lines } = await add(path);
    expect(lines.slice(-2)).toEqual([
      "Added.",
      `Enabled with: memoir config set slots.observation ${path}`,
    ]);
    expect(await config()).toEqual({});
  });

  test("one that lies in the plugins folder is named nowhere, and only its owner takes it away", async () => {
    const path = await file("plugins/mine.ts", listener(), place.home);
    expect((await add(path)).lines.at(-1)).toBe("Added; it is on.");
    expect(await config()).toEqual({});
    await expect(remove("mine")).rejects.toThrow(`${path} is a file of yours; memoir leaves it.`);
  });

  test("a no, and nobody to say yes, add nothing", async () => {
    const path = await file("mine.ts", listener());
    const no = await add(path, {}, { interactive: true, confirm: async () => false });
    expect([no.code, no.lines.at(-1)]).toEqual([1, "Nothing was added."]);
    await expect(add(path, {})).rejects.toThrow("Can't ask for confirmation without a terminal.");
    const yes = await add(path, {}, { interactive: true, confirm: async () => true });
    expect(yes.code).toBe(0);
  });

  test("a path at which nothing is, and a built-in's name, are refused", async () => {
    await expect(add("./none.ts")).rejects.toThrow(
      `There is nothing at ${join(place.root, "none.ts")}.`,
    );
    await file("again.ts", listener("sqlite"));
    await expect(add("./again.ts")).rejects.toThrow("A built-in plugin is called sqlite already.");
    await expect(remove("sqlite")).rejects.toThrow("sqlite is built in.");
  });
});

describe("the plugin that is meant", () => {
  const find = (name?: string) =>
    findOwn(
      name,
      plainTerminal({ cwd: place.root, env: { HOME: place.root, MEMOIR_HOME: place.home } }),
    );

  test("is the only one, one by its name, or one by a path", async () => {
    await expect(find()).rejects.toThrow("You have no plugin yet.");
    const one = await file("plugins/one.ts", listener("one"), place.home);
    expect((await find()).path).toBe(one);
    const two = await file("plugins/two/index.ts", listener("second"), place.home);
    await expect(find()).rejects.toThrow("Which plugin: one, two?");
    const found = await find("two");
    expect([found.path, folderOf(found)]).toEqual([two, join(place.home, "plugins/two")]);
    const path = await file("apart.ts", listener("apart"));
    expect(await find("./apart.ts")).toEqual({ name: "apart", path });
    expect((await find("~/apart.ts")).path).toBe(path);
    expect(folderOf(await find("./apart.ts"))).toBe(place.root);
    expect((await find(join(place.home, "plugins/two"))).name).toBe("two");
  });

  test("is none that is built in, mistyped, or no plugin at all", async () => {
    await file("plugins/mine.ts", listener(), place.home);
    await expect(find("sqlite")).rejects.toThrow("sqlite is built in; there are no files of yours");
    await expect(find("mime")).rejects.toThrow("There is no plugin mime; did you mean mine?");
    await file("plugins/notes.txt", "x", place.home);
    await file("plugins/odd.tsx", "x", place.home);
    await expect(find("odd")).rejects.toThrow(/^odd\.tsx is no plugin: /);
  });
});

describe("trust", () => {
  const project = {
    "/api/endless/project": { project: { id: "acme/shop", name: "shop", root: "/" } },
  };
  const trust = (options: object, more: More = {}) =>
    run((terminal) => trustProject("shop", options, terminal), {
      answers: { ...project, ...reload },
      ...more,
    });
  const folder = () => join(place.root, "shop/.memoir/plugins");
  beforeEach(() => file("shop/.memoir/plugins/hear.ts", listener("hear")));

  test("shows what would run, for whom, and asks; a no changes nothing", async () => {
    const no = await trust({}, { interactive: true, confirm: async () => false });
    expect(no.code).toBe(1);
    expect(no.lines).toEqual([
      `${folder()}, for the project acme/shop:`,
      `  hear.ts  ${listener("hear").length} B`,
      "Plugins: hear. They run with your rights, as you do.",
      "hear:",
      "  It declares no hooks: which texts it gets can't be known before its code runs.",
      "  It declares no hosts and files: it can reach whatever you can.",
      "Nothing was changed; they do not run.",
    ]);
    expect((await readTrust(place.home)).folders).toEqual({});
    await expect(trust({})).rejects.toThrow("Can't ask for confirmation without a terminal.");
  });

  test("a person's yes lets it run, and they are not asked again of the same", async () => {
    const questions: string[] = [];
    const confirm = async (question: string) => questions.push(question) > 0;
    const yes = await trust({}, { interactive: true, confirm });
    expect([yes.code, yes.lines.at(-1)]).toEqual([
      0,
      "Trusted. Any change to a file there stops them until you say so again.",
    ]);
    expect(Object.keys((await readTrust(place.home)).folders)).toEqual([folder()]);
    await trust({}, { interactive: true, confirm });
    expect(questions).toEqual(["Did you read them, and shall they run?"]);
  });

  test("a yes lets exactly that run; asked again nothing is asked, changed again it is", async () => {
    const { code, lines, asked } = await trust({ yes: true });
    expect([code, lines.at(-1)]).toEqual([
      0,
      "Trusted. Any change to a file there stops them until you say so again.",
    ]);
    expect(asked).toEqual(["GET /api/endless/project", "POST /api/reload"]);
    const kept = (await readTrust(place.home)).folders[folder()];
    expect(kept?.project).toBe("acme/shop");
    expect((await trust({})).code).toBe(0);
    await file("shop/.memoir/plugins/hear.ts", `${listener("hear")}\n`);
    await expect(trust({})).rejects.toThrow("Can't ask for confirmation without a terminal.");
    expect((await trust({ yes: true })).lines).toContain(
      "They were allowed before, with other content.",
    );
    const { hash } = JSON.parse((await trust({ yes: true, json: true })).lines.join(""));
    expect([hash === kept?.hash, typeof hash]).toEqual([false, "string"]);
  });

  test("is taken back, once; where there is nothing it says so", async () => {
    await trust({ yes: true });
    const back = await trust({ revoke: true });
    expect([back.lines, back.asked]).toEqual([
      [`${folder()} is trusted no longer.`],
      ["POST /api/reload"],
    ]);
    const again = await trust({ revoke: true });
    expect([again.lines, again.asked]).toEqual([
      [`${folder()} was not trusted; nothing changed.`],
      [],
    ]);
    await rm(folder(), { recursive: true });
    await expect(trust({ yes: true })).rejects.toThrow("No project brings plugins at or above");
  });
});

test("a list as JSON is what is there, without a server as config has it", async () => {
  const { code, lines } = await run((terminal) => listPlugins({ json: true }, terminal));
  const list = JSON.parse(lines.join(""));
  expect([code, Object.keys(list)]).toEqual([
    0,
    ["plugins", "subscriptions", "contributions", "local", "overlooked"],
  ]);
  expect(list.plugins.some(({ name }: { name: string }) => name === "sqlite")).toBe(true);
});
