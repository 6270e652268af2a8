// Loads a user's plugin without importing it here: a worker, or what one said earlier, tells what it is.

import type { Thread } from "../../host/spawn-worker.ts";
import { spawnWorker } from "../../host/spawn-worker.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { AnyPlugin } from "../../sdk/plugin.ts";
import { type Kept, readKept, stateOf, writeKept } from "./describe-cache.ts";
import { proxyPlugin } from "./proxy-plugin.ts";
import type { Checked, Described, FromWorker, ToWorker } from "./wire.ts";
import { unpackError, WorkerFault } from "./wire.ts";

interface LoadIsolatedOptions extends Subject {
  /** Bytes that its worker may hold. */
  maxBytes: number;
}

/** What a plugin is. Rejects with plugin_invalid, plugin_sdk_version or plugin_deadline. */
export async function describeIsolated(subject: Subject): Promise<Described> {
  return (await answersOf(subject, {})).described;
}

/** A stand-in for the plugin, whose handlers call its worker. Rejects as `describeIsolated`. */
export async function loadIsolated(options: LoadIsolatedOptions): Promise<AnyPlugin> {
  const { source, maxBytes } = options;
  const { described } = await answersOf(options, {});
  const check = async (own: Readonly<Record<string, unknown>>) =>
    (await answersOf(options, own)).checked;
  return proxyPlugin({ source, described, check, maxBytes });
}

async function answersOf(
  subject: Subject,
  options: Readonly<Record<string, unknown>>,
): Promise<{ described: Described; checked: Checked }> {
  const { home, source } = subject;
  const text = JSON.stringify(options);
  const key = await stateOf(source);
  const kept = await readKept(home, source, key);
  const known = kept?.checks[text];
  if (kept && known) return { described: kept.described, checked: known };
  const asked = await askThrowAway(subject, options);
  const entry: Kept = {
    key,
    described: asked.described,
    checks: { ...kept?.checks, [text]: asked.checked },
  };
  await writeKept(home, source, entry);
  return asked;
}

// A worker for one question: it describes a plugin or checks options, and is thrown away. A few at a time.

/** Where a plugin is, and how long its modules may take to load. */
interface Subject {
  source: string;
  home: string;
  deadlineMs: number;
  spawn?: () => Thread;
}

/** A plugin's answers. */
interface Answers {
  described: Described;
  checked: Checked;
}

/** On a busy machine a new worker takes its time, which is not its plugin's fault. */
const spawnMs = 30_000;
/** Each costs a thread and the SDK's modules: more at once would only be slower. */
const atOnce = 4;
let running = 0;
const waiting: Array<() => void> = [];

/** Imports a plugin and asks it. Rejects with plugin_invalid, plugin_sdk_version or plugin_deadline. */
export async function askThrowAway(
  subject: Subject,
  options: Readonly<Record<string, unknown>>,
): Promise<Answers> {
  if (running >= atOnce) await new Promise<void>((go) => waiting.push(go));
  running++;
  try {
    return await run(subject, options);
  } finally {
    running--;
    waiting.shift()?.();
  }
}

function run(
  { source, home, deadlineMs, spawn = spawnWorker }: Subject,
  options: Readonly<Record<string, unknown>>,
): Promise<Answers> {
  return new Promise((resolve, reject) => {
    const thread = spawn();
    const token = crypto.randomUUID();
    let described: Described | undefined;
    let checked: Checked | undefined;
    let stray: string | undefined;
    let timer = setTimeout(() => gone("its worker did not start"), spawnMs);

    function over(): void {
      clearTimeout(timer);
      thread.terminate();
    }
    function fail(error: Error): void {
      over();
      reject(error);
    }
    const gone = (why: string) =>
      fail(
        new MemoirError("plugin_invalid", `${source} cannot be loaded: ${stray ?? why}`, {
          fix: "A plugin's module only says what the plugin is; take out what ends the program.",
        }),
      );
    thread.onError = (message) => gone(message.split("\n")[0] ?? "its worker broke");
    thread.onClose = (code) => gone(`it ended its worker (code ${code})`);
    thread.onMessage = (data) => {
      const { token: given, said } = (data ?? {}) as Partial<FromWorker>;
      if (given !== token || !said) return;
      if (said.type === "done") {
        if (said.id === 1) described = said.value as Described;
        else checked = said.value as Checked;
        if (!described || !checked) return;
        over();
        resolve({ described, checked });
      } else if (said.type === "failed") fail(asMemoirError(unpackError(said.error), source));
      else if (said.type === "pong") {
        clearTimeout(timer);
        timer = setTimeout(() => fail(late(source, deadlineMs)), deadlineMs);
      } else if (said.type === "exit")
        gone(`it called exit(${said.code})${said.place ? ` (${said.place})` : ""}`);
      else if (said.type === "stray")
        stray = `${said.error.message}${said.error.place ? ` (${said.error.place})` : ""}`;
    };
    const ask = (message: ToWorker) => thread.post(message);
    ask({ type: "setup", token, source, home, clockMs: 0 });
    // Answered before the plugin is imported: from then on the time is the plugin's.
    ask({ type: "ping", id: 0 });
    ask({ type: "describe", id: 1 });
    ask({ type: "check", id: 2, options });
  });
}

function late(source: string, deadlineMs: number): MemoirError {
  return new MemoirError("plugin_deadline", `${source} was not loaded within ${deadlineMs} ms`, {
    fix: "Let the plugin's module wait for nothing; `start` is the place to open and to connect.",
  });
}

function asMemoirError(error: Error, source: string): MemoirError {
  if (error instanceof MemoirError) return error;
  const place = error instanceof WorkerFault ? error.place : undefined;
  const at = place === undefined ? "" : ` (${place})`;
  return new MemoirError("plugin_invalid", `${source} cannot be described: ${error.message}${at}`);
}
