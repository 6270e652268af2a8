// Questions at a real terminal, and a secret from one or from a pipe: what is shown, what a key means, what comes back.
import { expect, test } from "bun:test";
import { join } from "node:path";

const module = JSON.stringify(join(import.meta.dir, "../../../src/cli/terminal/terminal.ts"));

/** Runs questions in a terminal; each pair is what to wait for and what to type then. Gives all that was shown. */
async function typing(script: string, keys: ReadonlyArray<readonly [string, string]>) {
  const program = `import { processTerminal } from ${module};
    const terminal = processTerminal();
    const said = (answer) => console.log("<" + JSON.stringify(answer) + ">");
    ${script}
    process.exit(0);`;
  let shown = "";
  let seen = 0;
  const waiting = [...keys];
  const asking = Bun.spawn([process.execPath, "-e", program], {
    timeout: 45_000,
    env: { ...process.env, NO_COLOR: "1" },
    terminal: {
      data(terminal, bytes) {
        shown += new TextDecoder().decode(bytes);
        const next = waiting[0];
        if (!next || !shown.slice(seen).includes(next[0])) return;
        seen = shown.length;
        waiting.shift();
        setTimeout(() => terminal.write(next[1]), 50);
      },
    },
  });
  expect(await asking.exited).toBe(0);
  return {
    shown,
    answers: [...shown.matchAll(/<(.*?)>/g)].map(([, text = ""]) => JSON.parse(text)),
  };
}

test("Enter means what the question says it does; yes and y in any case are a yes, all else a no", async () => {
  const words = ["", " YES ", "y", "yess", "n"];
  const { answers, shown } = await typing(
    `said(await terminal.confirm("First line\\nSure?", false));
     for (let at = 1; at < 5; at++) said(await terminal.confirm("Again " + at + "?"));`,
    [
      ["[y/N] ", "\r"],
      ...words.slice(1).map((word, at) => [`Again ${at + 1}? [Y/n] `, `${word}\r`] as const),
    ],
  );
  expect(answers).toEqual([false, true, true, false, false]);
  expect(shown).toContain("First line\r\n");
});

test("a line is given without the blanks around it, nothing for Enter and for Ctrl-C", async () => {
  const { answers, shown } = await typing(
    `said(await terminal.ask("One\\nWhich? "));
     said(await terminal.ask("Or:"));
     said(await terminal.ask("Last: "));`,
    [
      ["Which? ", "  two words \r"],
      ["Or:", "\r"],
      ["Last: ", "x\u0003"],
    ],
  );
  expect(answers).toEqual(["two words", "", ""]);
  expect(shown).toContain("One\r\n");
});

test("a secret is never shown; backspace takes back, Ctrl-C gives nothing, Ctrl-D ends it", async () => {
  const { answers, shown } = await typing(
    `said((await terminal.secret("Key: ")).split("").reverse().join(""));
     said(await terminal.secret("Next: "));
     said((await terminal.secret("Third: ")).length);`,
    [
      ["Key: ", "hunx\u007fter\bR\r"],
      ["Next: ", "typed\u0003"],
      ["Third: ", "abc\u0004"],
    ],
  );
  expect(answers).toEqual(["Retnuh", "", 3]);
  expect(shown).not.toContain("hun");
  expect(shown, "what comes next has a line of its own").toContain("Key: \r\n");
  expect(shown).not.toContain("typed");
});

test("after a secret the terminal is as it was: keys are shown, nobody listens, and the process may end", async () => {
  const { answers } = await typing(
    `const { stdin } = process;
     await terminal.secret("Key: ");
     said([stdin.isRaw, stdin.listenerCount("data"), stdin.isPaused()]);`,
    [["Key: ", "key\r"]],
  );
  expect(answers).toEqual([[false, 0, true]]);
});

test("where nobody types a secret is all of stdin, without the blanks around it and without a question", async () => {
  const program = `import { processTerminal } from ${module};
    const terminal = processTerminal();
    console.log(JSON.stringify([await terminal.secret("Key: "), terminal.width ?? null, terminal.interactive]));`;
  const asking = Bun.spawn([process.execPath, "-e", program], {
    stdin: new TextEncoder().encode("  sk-one\n\n"),
    stdout: "pipe",
    stderr: "pipe",
  });
  expect(JSON.parse(await new Response(asking.stdout).text())).toEqual(["sk-one", null, false]);
  expect(await new Response(asking.stderr).text()).toBe("");
});
