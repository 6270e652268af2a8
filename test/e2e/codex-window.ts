// Codex as a person has it: in a terminal of tmux's, with the background server that it starts by itself. Nothing waits for a time, all for what the screen shows.
import assert from "node:assert/strict";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { codexClient } from "./clients/codex.ts";
import { fetchClient } from "./clients/other-client.ts";
import { terminal } from "./interactive.ts";
import { until } from "./until.ts";
import type { World } from "./world.ts";

/** Asks for nothing in between: what its sandbox can do depends on the machine. */
const allowed = ["--sandbox", "danger-full-access", "--ask-for-approval", "never"];

const emptyInput = "› Ask Codex to do anything";

/** A window with Codex in it, at its question about hooks that nobody reviewed. */
export interface CodexWindow {
  /** Answers that question with the choice that reads so. */
  choose(choice: string): Promise<void>;
  /** Types a prompt, sends it, and waits until the screen shows its answer. */
  ask(prompt: string, answer: string): Promise<void>;
}

/** Puts `codex` on the world's PATH, where memoir's doctor looks for it. */
export async function putOnPath(world: World): Promise<void> {
  const fetched = await fetchClient(codexClient);
  assert.ok("folder" in fetched, "missing" in fetched ? fetched.missing : "");
  const bin = join(world.dir, "bin");
  await mkdir(bin);
  const words = codexClient.command(fetched.folder).map((word) => `'${word}'`);
  const script = `#!/bin/sh\nexec ${words.join(" ")} "$@"\n`;
  await writeFile(join(bin, "codex"), script, { mode: 0o755 });
  world.env.PATH = `${bin}:${world.env.PATH}`;
}

/** Opens Codex in a folder, hands the window to `use`, and ends whatever Codex left running. */
export async function inCodexWindow(
  world: World,
  cwd: string,
  api: string,
  use: (window: CodexWindow) => Promise<void>,
): Promise<void> {
  const socket = join(world.home, "tmp", "tmux-codex");
  const env = { ...world.env, ...codexClient.env(api), TERM: "xterm-256color" };
  const { tmux, press, shows, again, type } = terminal(socket, cwd, env);
  const pressUntil = (key: string, holds: RegExp | ((screen: string) => boolean)) =>
    again(() => press(key), holds, { changed: true });

  const window: CodexWindow = {
    async choose(choice) {
      await shows(choice);
      await pressUntil("Down", new RegExp(`› \\d\\. ${RegExp.escape(choice)}`));
      await pressUntil("Enter", (now) => !now.includes(choice));
    },
    async ask(prompt, answer) {
      await shows(emptyInput);
      await type(prompt, `› ${prompt}`);
      // One that follows other keys at once is a line of a paste.
      await pressUntil("Enter", (now) => now.includes(emptyInput));
      await shows(answer);
    },
  };

  try {
    const begun = await tmux("new-session", "-d", "-x", "140", "-y", "45", "codex", ...allowed);
    assert.equal(begun.code, 0, `tmux opened no window: ${begun.out}`);
    await use(window);
  } finally {
    await tmux("kill-server");
    await rm(socket, { force: true });
    await endServers(world);
  }
}

/** Its background servers outlive every window: those whose program lies in this world's home. */
async function endServers({ home }: World): Promise<void> {
  const program = join(home, ".codex/packages");
  async function running(): Promise<number[]> {
    const found: number[] = [];
    for (const name of await readdir("/proc").catch(() => [])) {
      if (!/^\d+$/.test(name)) continue;
      const line = await readFile(`/proc/${name}/cmdline`, "utf8").catch(() => "");
      if (line.startsWith(program)) found.push(Number(name));
    }
    return found;
  }
  await until("Codex's servers end", async () => {
    const left = await running();
    for (const pid of left) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It ended by itself.
      }
    }
    return left.length === 0;
  });
}
