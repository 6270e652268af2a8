// Watches over calls of plugins that are not built in: notes who is at work, counts faults, passes over who is paused.

import { Buffer } from "node:buffer";
import { closeSync, openSync, readSync, writeSync } from "node:fs";
import process from "node:process";
import type { Log } from "../../home/log.ts";
import type { Paths } from "../../home/paths.ts";
import { type ErrorCode, MemoirError } from "../../sdk/errors.ts";
import type { HookName } from "../../sdk/hooks.ts";
import type { PauseInfo } from "../ports.ts";
import type { FaultKind } from "./pauses.ts";
import { openPauses } from "./pauses.ts";

/** What the hooks ask about one plugin. */
export interface Guard {
  /** Why this call is passed over; undefined when it may be made. `part` is the slot or hook it belongs to. */
  refuses(part: string, input: unknown): MemoirError | undefined;
  /** Notes a call; gives what to call at its end. */
  begin(hook: HookName, part: string, input: unknown): (end: CallEnd) => void;
}

/** How a call ended: well, with the plugin's own error, or with somebody else's that it let pass. */
type CallEnd = { worked: true } | { error: MemoirError; own: boolean };

/** Errors that say that the plugin is at fault; others tell of a provider, a full disk, a record. */
const faults: Partial<Record<ErrorCode, FaultKind>> = {
  plugin_failed: "threw",
  plugin_invalid: "threw",
  plugin_deadline: "late",
  plugin_ended: "late",
  plugin_memory: "late",
};

export interface Oversight {
  guard(plugin: string): Guard;
  /** Notes that a plugin is being started; gives what takes the note back. */
  starts(plugin: string): () => void;
  pauses(plugin: string): PauseInfo[];
  /** Looks whether somebody lifted a pause. */
  reread(): Promise<void>;
  close(): Promise<void>;
}

/** Opens it for the one server of a home, and draws the conclusions from how the last one ended. */
export async function openOversight(
  paths: Pick<Paths, "pauses" | "inFlight">,
  log: Log,
  now: () => number,
): Promise<Oversight> {
  const pauses = await openPauses(paths.pauses, log, now);
  const leftOver = readLeftOver(paths.inFlight);
  const suspects = new Map(leftOver.map((call) => [call.plugin, call]));
  for (const { plugin, hook, key, certain } of suspects.values())
    pauses.killed(plugin, hook, key, certain);
  await pauses.flush();
  const inFlight = openInFlight(paths.inFlight);
  /** Causes that were counted already: one end of a worker fails many calls. */
  const counted = new WeakSet<object>();

  function isNew(cause: unknown): boolean {
    if (typeof cause !== "object" || cause === null) return true;
    if (counted.has(cause)) return false;
    counted.add(cause);
    return true;
  }

  return {
    guard: (plugin) => ({
      refuses(part, input) {
        const why = pauses.why(plugin, part);
        if (why) return why;
        const key = keyOf(input);
        return key && pauses.isPoison(plugin, key) ? poisoned(plugin) : undefined;
      },
      begin(hook, part, input) {
        const done = inFlight.note(plugin, hook, keyOf(input));
        return (end) => {
          done();
          if ("worked" in end) {
            pauses.worked(plugin, part);
            return;
          }
          const { error, own } = end;
          const kind = faults[error.code];
          if (own && kind && isNew(error.cause))
            pauses.failed({ plugin, part, hook, kind, error: error.message });
        };
      },
    }),
    starts: (plugin) => inFlight.note(plugin, "start", ""),
    pauses: pauses.of,
    reread: pauses.reread,
    async close() {
      inFlight.close();
      await pauses.flush();
    },
  };
}

/** What tells one piece of input from another, where it has that. */
function keyOf(input: unknown): string {
  const { key, batch } = (input ?? {}) as { key?: unknown; batch?: { key?: unknown } };
  const own = key ?? batch?.key;
  return typeof own === "string" ? own.slice(0, maxKey).replaceAll(/[\t\n]/g, " ") : "";
}

const maxKey = 96;

function poisoned(plugin: string): MemoirError {
  return new MemoirError(
    "plugin_paused",
    `plugin ${plugin} is not given this again: the server ended while it had it`,
    { plugin },
  );
}

// Who is at work right now, in a file of fixed size: what is left in it after an unclean end names the suspects.

/** Somebody who was at work when the process ended. */
interface LeftOver {
  plugin: string;
  hook: string;
  /** What it was given; empty where that has no key. */
  key: string;
  /** The process was ended from inside while it alone was at work. */
  certain: boolean;
}

interface InFlight {
  /** Notes a call; gives what takes the note back. Costs a few microseconds; nothing is flushed, since the system outlives the process. */
  note(plugin: string, hook: string, key: string): () => void;
  /** The end is wanted; what is still noted blames nobody. */
  close(): void;
}

const slots = 32;
const slotBytes = 192;
const blank = Buffer.alloc(slotBytes, " ");

/** Reads what an earlier process left. */
export function readLeftOver(path: string): LeftOver[] {
  const all = Buffer.alloc(slots * slotBytes);
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    return [];
  }
  let length = 0;
  try {
    length = readSync(file, all, 0, all.length, 0);
  } finally {
    closeSync(file);
  }
  const found: LeftOver[] = [];
  for (let at = 0; at < length; at += slotBytes) {
    const [plugin = "", hook = "", key = "", mark = ""] = all
      .toString("utf8", at, Math.min(at + slotBytes, length))
      .trimEnd()
      .split("\t");
    if (plugin && hook) found.push({ plugin, hook, key, certain: mark === "exit" });
  }
  return found;
}

/** Opens the file anew, empty. Without one (a full disk) nothing is noted. */
export function openInFlight(path: string): InFlight {
  let file: number | undefined;
  try {
    file = openSync(path, "w", 0o600);
    writeSync(file, Buffer.alloc(slots * slotBytes, " "), 0, slots * slotBytes, 0);
  } catch {
    file = undefined;
  }
  const free = Array.from({ length: slots }, (_, at) => slots - 1 - at);
  const noted = new Map<number, string>();

  function put(slot: number, bytes: Buffer): void {
    if (file === undefined) return;
    try {
      writeSync(file, bytes, 0, slotBytes, slot * slotBytes);
    } catch {
      // A disk without room: the next note may fit.
    }
  }

  function padded(text: string): Buffer {
    const bytes = Buffer.alloc(slotBytes, " ");
    bytes.write(text, 0, slotBytes, "utf8");
    return bytes;
  }

  /** `process.exit` by a plugin runs this; a kill does not. */
  function onExit(): void {
    const [only] = noted;
    if (noted.size !== 1 || !only) return;
    put(only[0], padded(`${only[1]}\texit`));
  }
  process.on("exit", onExit);

  return {
    note(plugin, hook, key) {
      const slot = free.pop();
      if (slot === undefined) return () => {};
      const text = `${plugin}\t${hook}\t${key.slice(0, 96)}`;
      noted.set(slot, text);
      put(slot, padded(text));
      return () => {
        if (!noted.delete(slot)) return;
        put(slot, blank);
        free.push(slot);
      };
    },
    close() {
      process.off("exit", onExit);
      for (const slot of noted.keys()) put(slot, blank);
      noted.clear();
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}
