// The process's own terminal: its home, and what a key at a question means.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { processTerminal, screenOf } from "../../../src/cli/terminal/terminal.ts";
import { memoirHome } from "../../../src/home/paths.ts";
import { inFolder } from "../../support/in-folder.ts";

const own = process.env.MEMOIR_HOME;
const ownHome = process.env.HOME;
const restore = (name: string, value: string | undefined) => {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
};
beforeEach(() => {
  process.env.HOME = "/home/ada";
});
afterEach(() => {
  restore("MEMOIR_HOME", own);
  restore("HOME", ownHome);
});

test.each(["relative", "./relative", "~/relative", "/absolute/"])(
  "MEMOIR_HOME=%s is the folder that the hook means",
  (chosen) => {
    const hooks = memoirHome({ HOME: "/home/ada", MEMOIR_HOME: chosen });
    process.env.MEMOIR_HOME = chosen;
    expect(processTerminal().env.MEMOIR_HOME).toBe(hooks);
  },
);

const [tty, pipe] = [{ isTTY: true }, {}];
test.each<[string, Parameters<typeof screenOf>, ReturnType<typeof screenOf>]>([
  ["a pipe", [{}, pipe, tty], { colored: false, columns: undefined, interactive: false }],
  ["a screen", [{}, tty, tty], { colored: true, columns: 80, interactive: true }],
  ["answers piped in", [{}, tty, pipe], { colored: true, columns: 80, interactive: false }],
  ["NO_COLOR", [{ NO_COLOR: "1" }, tty, tty], { colored: false, columns: 80, interactive: true }],
  ["NO_COLOR=", [{ NO_COLOR: "" }, tty, tty], { colored: true, columns: 80, interactive: true }],
  ["TERM=dumb", [{ TERM: "dumb" }, tty, tty], { colored: false, columns: 80, interactive: true }],
  [
    "a pipe and FORCE_COLOR",
    [{ FORCE_COLOR: "" }, pipe, pipe],
    { colored: true, columns: undefined, interactive: false },
  ],
  [
    "a pipe and FORCE_COLOR=0",
    [{ FORCE_COLOR: "0" }, pipe, pipe],
    { colored: false, columns: undefined, interactive: false },
  ],
  [
    "both wishes",
    [{ FORCE_COLOR: "1", NO_COLOR: "1" }, tty, tty],
    { colored: true, columns: 80, interactive: true },
  ],
  [
    "a width",
    [{}, { isTTY: true, columns: 120 }, tty],
    { colored: true, columns: 120, interactive: true },
  ],
  [
    "a sliver",
    [{}, { isTTY: true, columns: 7 }, tty],
    { colored: true, columns: 40, interactive: true },
  ],
  [
    "no known width",
    [{}, { isTTY: true, columns: 0 }, tty],
    { colored: true, columns: 80, interactive: true },
  ],
])("%s: colours, columns, and whether somebody can answer", (_, given, seen) => {
  expect(screenOf(...given)).toEqual(seen);
});

test("what is printed is broken for the screen; what goes into a file instead stays as it is", () =>
  inFolder(async (folder) => {
    const module = join(import.meta.dir, "../../../src/cli/terminal/terminal.ts");
    const script = `import { processTerminal } from ${JSON.stringify(module)};
      const terminal = processTerminal();
      terminal.print("word ".repeat(20).trim());
      terminal.warn("word ".repeat(20).trim());`;
    let shown = "";
    const command = ["sh", "-c", 'exec "$0" -e "$1" 2> "$2"'];
    const child = Bun.spawn([...command, process.execPath, script, join(folder, "err")], {
      timeout: 45_000,
      terminal: {
        cols: 50,
        data: (_, bytes) => {
          shown += new TextDecoder().decode(bytes);
        },
      },
    });
    expect(await child.exited).toBe(0);
    const lines = shown.trim().split("\r\n");
    expect(lines.map((line) => line.length <= 50)).toEqual([true, true, true]);
    expect(await readFile(join(folder, "err"), "utf8")).toBe(`${"word ".repeat(20).trim()}\n`);
  }));

test.each([
  ["Enter", "\r", "true"],
  ["n", "n\r", "false"],
  ["Ctrl-C", "\u0003", "false"],
  ["Ctrl-D", "\u0004", "false"],
])("%s at a question", async (_, keys, answer) => {
  const module = join(import.meta.dir, "../../../src/cli/terminal/terminal.ts");
  const script = `import { processTerminal, screenOf } from ${JSON.stringify(module)};
    console.log("answered", String(await processTerminal().confirm("Go on?")));`;
  let shown = "";
  let asked = false;
  const asking = Bun.spawn([process.execPath, "-e", script], {
    timeout: 45_000,
    terminal: {
      data(terminal, bytes) {
        shown += new TextDecoder().decode(bytes);
        if (asked || !shown.includes("[Y/n]")) return;
        asked = true;
        // The keys of a person come once the question can be read.
        setTimeout(() => terminal.write(keys), 50);
      },
    },
  });
  expect(await asking.exited).toBe(0);
  expect(shown).toContain(`answered ${answer}`);
});
