// The process's own terminal: its home, and what a key at a question means.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import process from "node:process";
import { processTerminal } from "../../../src/cli/terminal/terminal.ts";
import { memoirHome } from "../../../src/home/paths.ts";

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

test.each([
  ["Enter", "\r", "true"],
  ["n", "n\r", "false"],
  ["Ctrl-C", "\u0003", "false"],
  ["Ctrl-D", "\u0004", "false"],
])("%s at a question", async (_, keys, answer) => {
  const module = join(import.meta.dir, "../../../src/cli/terminal/terminal.ts");
  const script = `import { processTerminal } from ${JSON.stringify(module)};
    console.log("answered", String(await processTerminal().confirm("Go on?")));`;
  let shown = "";
  let asked = false;
  const asking = Bun.spawn([process.execPath, "-e", script], {
    timeout: 20_000,
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
