// The host's end of one worker thread: told what to run, heard with suspicion, and ended once.
import { setTimeout as pause } from "node:timers/promises";
import * as v from "valibot";
import { spawnWorker, type Thread } from "../../host/spawn-worker.ts";
import type { PluginContext } from "../../sdk/context.ts";
import { type ErrorCode, MemoirError } from "../../sdk/errors.ts";
import { within } from "../../sdk/within.ts";
import type { standStill } from "../hooks/hooks.ts";
import { createAllowance } from "./allowance.ts";
import { type Ask, type FromWorker, type Said, SaidSchema, type ToWorker } from "./messages.ts";
import { createPeer, type Peer } from "./peer.ts";
import type { PackedError } from "./thrown.ts";

/** What one call of a handler was given in the host. */
export interface CallContext {
  signal: AbortSignal;
  next?(input?: unknown): Promise<unknown>;
  [standStill]?(work: () => Promise<unknown>): Promise<unknown>;
}

interface ThreadOptions {
  /** How errors call the plugin. */
  plugin: string;
  /** Absolute path of its module. */
  source: string;
  home: string;
  /** What the host offers the plugin; absent while it only says what it is. */
  context?: PluginContext;
  /** An error that nobody caught. */
  stray(error: PackedError, before: number): void;
  /** Called once; `why` is absent where the end was wanted, `during` is what was asked and not answered. */
  ended(end: { why?: string; place?: string | undefined; during: string[] }): void;
  spawn?: (() => Thread) | undefined;
}

export interface WorkerThread {
  ask: Peer<CallContext | PluginContext>["ask"];
  isBusy(): boolean;
  /** Bytes of the worker's heap; undefined when it did not answer within `ms`. */
  ping(ms: number): Promise<number | undefined>;
  /** Something is wrong: ends the thread and fails all its calls. `late` was asked and is not waited for any more. */
  fail(code: ErrorCode, why: string, late?: readonly string[]): void;
  /** Ends it because it is not wanted any more; calls under way fail all the same. */
  end(): void;
}

/** How long a worker may take to answer a ping before it counts as stuck. */
const pingMs = 400;
/** So many messages that memoir's part of the worker did not send, and it is ended. */
const maxStrange = 16;

/**
 * Spawns the thread. Nothing that it says is thrown here.
 * Long because its short steps share whether the thread is over.
 */
export function openThread(options: ThreadOptions): WorkerThread {
  const { plugin, source, home, context, spawn = spawnWorker } = options;
  const thread = spawn();
  const token = crypto.randomUUID();
  // A flood of lines is held back in the worker already; this is for one that got around that.
  const logLines = createAllowance(1_000, 1_000);
  const asks = createAllowance(1_000, 500);
  let isOver = false;
  let strange = 0;

  const send = (message: ToWorker) => {
    if (!isOver) thread.post(message);
  };
  const peer = createPeer<CallContext | PluginContext>({
    post: send,
    answer,
    async takenBack(what) {
      if ((await ping(pingMs)) === undefined)
        fail("plugin_ended", "its worker was stuck, in an endless loop or in waiting", [what]);
    },
  });
  const waiting = () => peer.waiting().filter((what) => what !== "ping");

  async function answer(ask: Ask): Promise<unknown> {
    // The rest of a hook is bounded by the calls; what a plugin asks beyond that may be a flood.
    const ms = ask.what === "next" ? 0 : asks.borrow();
    if (ms > 0) await pause(ms, undefined, { ref: false });
    return isOver ? undefined : await answerAsk(ask, peer.contextOf(ask.during) ?? context);
  }

  function ping(ms: number): Promise<number | undefined> {
    const bytes = peer.ask("ping", []).then(Number, () => undefined);
    return within(ms, bytes, undefined);
  }

  function end(code: ErrorCode, why: string, told: Parameters<ThreadOptions["ended"]>[0]): void {
    isOver = true;
    thread.terminate();
    options.ended(told);
    const cause = new Error(why);
    peer.end((hook) => {
      const message = `plugin ${plugin} failed in ${hook}: ${why}`;
      return new MemoirError(code, message, { plugin, hook, cause });
    });
  }

  function fail(code: ErrorCode, why: string, late: readonly string[] = [], place?: string): void {
    if (isOver) return;
    const during = [...new Set([...late, ...waiting()])];
    end(code, place === undefined ? why : `${why} (${place})`, { why, place, during });
  }

  function take(said: Said): void {
    switch (said.type) {
      case "log":
        if (logLines.take()) context?.log[said.level](said.message, said.fields);
        return;
      case "stray":
        options.stray(said.error, said.before);
        return;
      case "exit":
        // Deno tells no end of a worker; this is the last word in any case.
        fail("plugin_ended", `it ended its worker with exit(${said.code})`, [], said.place);
        return;
      default:
        peer.hear(said);
    }
  }

  thread.onMessage = (data) => {
    if (isOver) return;
    const { token: given, said } = (data ?? {}) as Partial<FromWorker>;
    if (given === token && v.is(SaidSchema, said)) take(said);
    else if (++strange >= maxStrange)
      fail("plugin_ended", "it flooded the server with messages of its own");
  };
  thread.onError = (message) => fail("plugin_ended", `its worker broke: ${firstLine(message)}`);
  thread.onClose = () => fail("plugin_ended", "its worker ended by itself");
  send({ type: "setup", token, source, home, clockMs: clockAhead(context) });
  return {
    ask: peer.ask,
    isBusy: () => waiting().length > 0,
    ping,
    fail,
    end() {
      if (!isOver) end("plugin_failed", "it has been stopped", { during: [] });
    },
  };
}

/** Asks what the plugin wanted asked, in the name of the call it came from: the rest of a hook, storage, a model, Endless Mode. */
async function answerAsk(
  { what, input }: Ask,
  ctx: CallContext | PluginContext | undefined,
): Promise<unknown> {
  const [area = "", name = area] = what.split(".");
  const isOffered = ["next", "complete", "storage", "endless"].includes(area);
  const holder: unknown = what === area ? ctx : Reflect.get(ctx ?? {}, area);
  if (isOffered && typeof holder === "object" && holder !== null && Object.hasOwn(holder, name)) {
    const method: unknown = Reflect.get(holder, name);
    if (typeof method === "function") return Reflect.apply(method, holder, input);
  }
  throw new MemoirError("plugin_failed", `there is no ${what} to be asked here`);
}

/** What the host's clock, which tests set, is ahead of the system's; nothing where they are the same. */
function clockAhead(context: PluginContext | undefined): number {
  const ahead = context ? context.now() - Date.now() : 0;
  return Math.abs(ahead) < 1_000 ? 0 : ahead;
}

function firstLine(text: string): string {
  // Bun puts the source around an error's own line.
  const lines = text.split("\n").map((line) => line.trim());
  return (lines.find((line) => /^\w*error\b/i.test(line)) ?? lines[0] ?? "").slice(0, 500);
}
