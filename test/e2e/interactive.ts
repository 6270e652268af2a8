// The real client as a person has it: in a terminal of tmux's, keys in, the screen out. Nothing waits for a time, all for what the screen shows.
import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type Script, startMessagesApi, type WireRequest } from "./messages-api.ts";
import { until } from "./until.ts";
import type { Project, World } from "./world.ts";

/** What a window is opened with. */
export interface WindowOptions {
  script: Script;
  /** Arguments of the client, `--continue` for one. */
  args?: string[];
}

/** One window with a client in it. */
export interface ClientWindow {
  /** Requests of the main conversation so far. */
  main(): WireRequest[];
  /** Waits until the screen shows this, and gives the screen. */
  shows(text: string | RegExp): Promise<string>;
  /** Presses keys by tmux's names: `Escape`, `Enter`, `Down`. */
  press(...keys: string[]): Promise<void>;
  /** Presses a key until the screen shows its effect: a dialog takes no answer in its first moment. */
  pressUntil(key: string, text: string | RegExp): Promise<void>;
  /** Types text, without Enter, until the screen shows it. */
  type(text: string): Promise<void>;
  /** Types a prompt or a command into the empty input and sends it. */
  send(text: string): Promise<void>;
  /** Sends a prompt and waits until its answer, which ends with this, is over. */
  ask(prompt: string, answer: string): Promise<void>;
  /** Refuses the tool use that the client asks about, with a reason. */
  refuse(reason: string): Promise<void>;
  /** Leaves by `/exit` and waits for the client's end. */
  exit(): Promise<void>;
}

const actAgainMs = 2_000;

/** The input's mark with nothing behind it but the client's example. */
const emptyInput = /^❯\s*(?:Try ".*)?$/m;
/** The answer is over, also for the hooks. */
const answered = /✻ \S+ for \d+/;

type Shown = string | RegExp | ((screen: string) => boolean);

/** A terminal of its own: keys in, the screen out. */
export interface Terminal {
  tmux(...command: string[]): Promise<{ code: number; out: string }>;
  /** Presses keys by tmux's names. */
  press(...keys: string[]): Promise<void>;
  /** Waits until the screen shows this, and gives the screen; `meanwhile` sees each that does not. */
  shows(what: Shown, meanwhile?: (screen: string) => Promise<void>): Promise<string>;
  /** Acts until the screen shows this: once more whenever a while has passed without effect or, if so asked, the screen changed. */
  again(act: () => Promise<void>, what: Shown, when?: { changed: boolean }): Promise<void>;
  /** Types text, without Enter, in place of what stands there, until the screen shows it. */
  type(text: string, what?: Shown): Promise<void>;
}

/** A server of tmux's own for one window: its environment is the window's, and nothing of a user's is touched. */
export function terminal(socket: string, cwd: string, env: Record<string, string>): Terminal {
  async function tmux(...command: string[]): Promise<{ code: number; out: string }> {
    const child = Bun.spawn(["tmux", "-S", socket, "-f", "/dev/null", "-u", ...command], {
      ...{ cwd, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" },
    });
    const [out, errors] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    const code = await child.exited;
    return { code, out: code === 0 ? out : errors };
  }

  async function press(...keys: string[]): Promise<void> {
    const { code, out } = await tmux("send-keys", ...keys);
    assert.equal(code, 0, `the window takes no keys: ${out}`);
  }

  const shows: Terminal["shows"] = async (what, meanwhile) => {
    let now = "";
    const holds = () => {
      if (typeof what === "string") return now.includes(what);
      return typeof what === "function" ? what(now) : what.test(now);
    };
    const look = async () => {
      now = (await tmux("capture-pane", "-p")).out.trimEnd();
      if (holds()) return true;
      await meanwhile?.(now);
      return false;
    };
    await until(`the screen shows ${what}`, look, () => now);
    return now;
  };

  const again: Terminal["again"] = async (act, what, { changed } = { changed: false }) => {
    let next = 0;
    let before = "";
    await shows(what, async (now) => {
      if (Date.now() < next && !(changed && now !== before)) return;
      before = now;
      next = Date.now() + actAgainMs;
      await act();
    });
  };

  const type: Terminal["type"] = (text, what = text) =>
    again(() => press("C-u", ";", "send-keys", "-l", text), what);

  return { tmux, press, shows, again, type };
}

/** Opens a window in a project, hands it to `use`, and takes it down whatever is in it. */
export async function inWindow<Result>(
  world: World,
  project: Project,
  { script, args = [] }: WindowOptions,
  use: (window: ClientWindow) => Promise<Result>,
): Promise<Result> {
  const api = startMessagesApi(() => script);
  const socket = join(world.home, "tmp", `tmux-${crypto.randomUUID().slice(0, 8)}`);
  const env = { ...world.env, TERM: "xterm-256color", ANTHROPIC_BASE_URL: api.url };
  const { tmux, press, shows, again, type } = terminal(socket, project.root, env);

  const window: ClientWindow = {
    main: api.main,
    shows: (text) => shows(text),
    press,
    pressUntil: (key, text) => again(() => press(key), text),
    type: (text) => type(text),
    async send(text) {
      await shows(emptyInput);
      // Keys that come in one read are a paste, in which Enter is a new line; one that follows Escape at once is lost.
      await type(text, new RegExp(`^❯\\s${RegExp.escape(text)}`, "m"));
      await press("Enter");
    },
    async ask(prompt, answer) {
      await window.send(prompt);
      await shows(new RegExp(`${RegExp.escape(answer)}[^❯]*${answered.source}`));
    },
    async refuse(reason) {
      await shows(/^ *❯ 1\. Yes/m);
      await window.pressUntil("Up", /❯ \d\. No/);
      await window.pressUntil("Tab", /❯ \d\. No, and tell/);
      await type(reason, reason.slice(-20));
      await window.pressUntil("Enter", /rejected/i);
    },
    async exit() {
      await window.send("/exit");
      await until("the client ends", async () => (await tmux("has-session")).code !== 0);
    },
  };

  try {
    const model = ["--model", "claude-opus-4-8", "--permission-mode", "default"];
    const size = ["-x", "200", "-y", "60"];
    const begun = await tmux("new-session", "-d", ...size, world.client, ...model, ...args);
    assert.equal(begun.code, 0, `tmux opened no window: ${begun.out}`);
    return await use(window);
  } finally {
    await tmux("kill-server");
    await rm(socket, { force: true });
    await api.stop();
  }
}
