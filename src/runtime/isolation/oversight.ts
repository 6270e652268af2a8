// Watches over plugins that are not built in: counts their faults, and passes over for a while the part that keeps failing.
// What is known of them is kept in a file, so that a restart forgets nothing.

import { Buffer } from "node:buffer";
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import process from "node:process";
import * as v from "valibot";
import type { Log } from "../../home/log.ts";
import type { Paths } from "../../home/paths.ts";
import { atomicWrite, readFileText } from "../../home/read-file.ts";
import { type ErrorCode, MemoirError } from "../../sdk/errors.ts";
import type { HookName } from "../../sdk/hooks.ts";
import type { PauseInfo } from "../ports.ts";

/** What the hooks ask about one plugin. */
export interface Guard {
  /** Why this call is passed over; undefined when it may be made. `part` is the slot or hook it belongs to. */
  refuses(part: string, input: unknown): MemoirError | undefined;
  /** Notes a call; gives what to call at its end. */
  begin(hook: HookName, part: string, input: unknown): (end: CallEnd) => void;
}

/** How a call ended: well, with the plugin's own error, or with somebody else's that it let pass. */
type CallEnd = { worked: true } | { error: MemoirError; own: boolean };

export interface Oversight {
  guard(plugin: string): Guard;
  /** Notes that a plugin is being started; gives what takes the note back. */
  starts(plugin: string): () => void;
  pauses(plugin: string): PauseInfo[];
  /** Looks whether somebody lifted a pause. */
  reread(): Promise<void>;
  close(): Promise<void>;
}

// When a plugin is passed over, and for how long: a pure policy over what is known of one part of it.

/** How one part of a plugin (a slot's work, or one hook) fares. */
const HealthSchema = v.object({
  /** Faults since the last call that worked: it threw, a deadline passed or its worker ended. */
  threw: v.number(),
  late: v.number(),
  /** Pauses so far; each is longer than the one before. */
  pauses: v.number(),
  /** Epoch ms until which it is passed over; 0: it is not. */
  until: v.number(),
  /** Calls that worked since the last fault. */
  worked: v.number(),
  /** The last fault. */
  hook: v.string(),
  error: v.string(),
  at: v.number(),
});
type Health = v.InferOutput<typeof HealthSchema>;

/** Errors that say that the plugin is at fault; others tell of a provider, a full disk, a record. */
const faults: Partial<Record<ErrorCode, "threw" | "late">> = {
  plugin_failed: "threw",
  plugin_invalid: "threw",
  plugin_deadline: "late",
  plugin_ended: "late",
  plugin_memory: "late",
};
const tolerated = { threw: 5, late: 3 };
/** So many good calls in a row, and the next pause is a short one again. */
const trustedAfter = 20;
const pauseMs: readonly number[] = [60_000, 10 * 60_000, 60 * 60_000];

const healthy: Health = {
  threw: 0,
  late: 0,
  pauses: 0,
  until: 0,
  worked: 0,
  hook: "",
  error: "",
  at: 0,
};

/** Undefined once its past is forgotten. */
function afterSuccess(health: Health): Health | undefined {
  const worked = health.worked + 1;
  if (health.pauses === 0 || worked >= trustedAfter) return undefined;
  return { ...health, threw: 0, late: 0, until: 0, worked };
}

function afterFault(health: Health, kind: "threw" | "late", now: number): Health {
  const next = { ...health, [kind]: health[kind] + 1, worked: 0 };
  // Calls that were under way when the pause began end in it; they say nothing new.
  if (health.until > now) return next;
  // It was paused and is tried again: one fault is enough.
  const isBack = health.until > 0;
  const isTolerated = next.threw < tolerated.threw && next.late < tolerated.late;
  return !isBack && isTolerated ? next : paused(next, now);
}

/** Passed over from now on, as long as the policy says. */
function paused(health: Health, now: number): Health {
  const ms = pauseMs[Math.min(health.pauses, pauseMs.length - 1)] ?? 0;
  return { ...health, threw: 0, late: 0, pauses: health.pauses + 1, until: now + ms };
}

// What is known of all plugins, in its file.

/** The part that stands for a plugin as a whole. */
const everything = "everything";

const KnownSchema = v.object({
  parts: v.record(v.string(), HealthSchema),
  /** Ends of the process that it was at work at, in a row. */
  kills: v.number(),
  /** What it was given then. */
  poison: v.array(v.string()),
});
type Known = v.InferOutput<typeof KnownSchema>;
const FileSchema = v.record(v.string(), KnownSchema);

const toleratedKills = 2;
const maxPoison = 20;
/** So many good calls after it was at work at an end of the process, and that is forgotten. */
const forgivenAfter = 200;

/** A file that cannot be read counts as empty. */
async function readPauses(path: string): Promise<Map<string, Known>> {
  try {
    const parsed = v.safeParse(FileSchema, JSON.parse(await readFileText(path)));
    return new Map(parsed.success ? Object.entries(parsed.output) : []);
  } catch {
    return new Map();
  }
}

async function writePauses(path: string, known: ReadonlyMap<string, Known>): Promise<void> {
  await atomicWrite(path, `${JSON.stringify(Object.fromEntries(known), null, 2)}\n`);
}

/** Takes a plugin's pauses out of the file; a running server follows at its next reload. True when there were some. */
export async function liftPauses(path: string, plugin: string): Promise<boolean> {
  const known = await readPauses(path);
  if (!known.delete(plugin)) return false;
  await writePauses(path, known);
  return true;
}

/** What is known of all plugins, written down as it changes. */
async function openKnown(path: string, log: Log) {
  const known = await readPauses(path);
  let writing = Promise.resolve();
  let isDirty = false;

  function write(): void {
    if (isDirty) return;
    isDirty = true;
    writing = writing.then(async () => {
      isDirty = false;
      await writePauses(path, known).catch((error) =>
        log.warn("pauses of plugins were not written down", { error }),
      );
    });
  }

  function of(name: string): Known {
    const found = known.get(name) ?? { parts: {}, kills: 0, poison: [] };
    known.set(name, found);
    return found;
  }

  return {
    find: (name: string) => known.get(name),
    of,
    write,
    written: () => writing,
    /** Only what is more than a stray fault is worth a write. */
    put(name: string, part: string, after: Health | undefined): void {
      const { parts } = of(name);
      const before = parts[part] ?? healthy;
      if (after) parts[part] = after;
      else delete parts[part];
      const { until, pauses, hook, error } = after ?? healthy;
      if (before.until !== until || before.pauses !== pauses) write();
      if (pauses > before.pauses) {
        const at = new Date(until).toISOString();
        log.warn("a plugin is paused", { plugin: name, part, hook, error, until: at });
      }
    },
    /** Follows what somebody else did to the file. */
    async reread(): Promise<void> {
      await writing;
      const inFile = await readPauses(path);
      for (const name of known.keys()) if (!inFile.has(name)) known.delete(name);
      for (const [name, plugin] of inFile) if (!known.has(name)) known.set(name, plugin);
    },
  };
}

function pausedError(plugin: string, { hook, error }: Health, retryAfterMs: number): MemoirError {
  const seconds = Math.ceil(retryAfterMs / 1_000);
  const message = `plugin ${plugin} is paused for another ${seconds} s: ${error}`;
  const fix = `Nothing to do: it is tried again after the pause, or at once after \`memoir plugin enable ${plugin}\`.`;
  return new MemoirError("plugin_paused", message, { plugin, hook, retryAfterMs, fix });
}

/** Opens it for the one server of a home, and draws the conclusions from how the last one ended. */
export async function openOversight(
  { pauses: path, inFlight: inFlightPath }: Pick<Paths, "pauses" | "inFlight">,
  log: Log,
  now: () => number,
): Promise<Oversight> {
  const known = await openKnown(path, log);
  /** Good calls of plugins that were at work at an end of the process. */
  const worked = new Map<string, number>();
  /** Causes that were counted already: one end of a worker fails many calls. */
  const counted = new WeakSet<object>();

  function refuses(plugin: string, part: string, input: unknown): MemoirError | undefined {
    const own = known.find(plugin);
    if (!own) return undefined;
    const isPaused = (health: Health | undefined) => health && health.until > now();
    const whole = own.parts[everything];
    const health = isPaused(whole) ? whole : own.parts[part];
    if (health && isPaused(health)) return pausedError(plugin, health, health.until - now());
    const key = keyOf(input);
    if (key === "" || !own.poison.includes(key)) return undefined;
    const message = `plugin ${plugin} is not given this again: the server ended while it had it`;
    return new MemoirError("plugin_paused", message, { plugin });
  }

  function hasWorked(name: string, part: string): void {
    const own = known.find(name);
    if (!own) return;
    for (const one of [part, everything]) {
      const before = own.parts[one];
      if (before) known.put(name, one, afterSuccess(before));
    }
    if (own.kills === 0) return;
    const count = (worked.get(name) ?? 0) + 1;
    worked.set(name, count);
    if (count < forgivenAfter) return;
    worked.delete(name);
    own.kills = 0;
    known.write();
  }

  function hasFailed(name: string, part: string, hook: string, failure: MemoirError): void {
    const kind = faults[failure.code];
    const { cause, message: error } = failure;
    const isObject = typeof cause === "object" && cause !== null;
    if (!kind || (isObject && counted.has(cause))) return;
    if (isObject) counted.add(cause);
    const before = known.find(name)?.parts[part] ?? healthy;
    known.put(name, part, afterFault({ ...before, hook, error, at: now() }, kind, now()));
  }

  suspect(readLeftOver(inFlightPath), known, log, now());
  await known.written();
  const inFlight = openInFlight(inFlightPath);

  return {
    guard: (plugin) => ({
      refuses: (part, input) => refuses(plugin, part, input),
      begin(hook, part, input) {
        const done = inFlight.note(plugin, hook, keyOf(input));
        return (end) => {
          done();
          if ("worked" in end) hasWorked(plugin, part);
          else if (end.own) hasFailed(plugin, part, hook, end.error);
        };
      },
    }),
    starts: (plugin) => inFlight.note(plugin, "start", ""),
    pauses: (plugin) =>
      Object.entries(known.find(plugin)?.parts ?? {})
        .filter(([, { until }]) => until > now())
        .map(([part, { hook, error, at, until }]) => ({ part, hook, error, at, until })),
    reread: known.reread,
    async close() {
      inFlight.close();
      await known.written();
    },
  };
}

/** Draws the conclusions from what an unclean end left. */
function suspect(
  leftOver: readonly LeftOver[],
  known: Awaited<ReturnType<typeof openKnown>>,
  log: Log,
  now: number,
): void {
  for (const { plugin: name, hook, key, certain } of lastOfEach(leftOver)) {
    const plugin = known.of(name);
    plugin.kills += certain ? toleratedKills : 1;
    if (key) plugin.poison = [...new Set([...plugin.poison, key])].slice(-maxPoison);
    const error = certain
      ? `it ended the server in ${hook}`
      : `the server ended while it was in ${hook}`;
    const before = plugin.parts[everything] ?? healthy;
    if (plugin.kills >= toleratedKills)
      known.put(name, everything, paused({ ...before, hook, error, at: now }, now));
    else log.warn("the server ended while a plugin was at work", { plugin: name, hook });
    known.write();
  }
}

/** A plugin at work on several things is a suspect once. */
function lastOfEach<One extends { plugin: string }>(all: readonly One[]): Iterable<One> {
  return new Map(all.map((one) => [one.plugin, one])).values();
}

const maxKey = 96;

/** What tells one piece of input from another, where it has that. */
function keyOf(input: unknown): string {
  const { key, batch } = (input ?? {}) as { key?: unknown; batch?: { key?: unknown } };
  const own = key ?? batch?.key;
  return typeof own === "string" ? own.slice(0, maxKey).replaceAll(/[\t\n]/g, " ") : "";
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

/** Reads what an earlier process left. */
function readLeftOver(path: string): LeftOver[] {
  let all: Buffer;
  try {
    all = readFileSync(path);
  } catch {
    return [];
  }
  const found: LeftOver[] = [];
  for (let at = 0; at < all.length; at += slotBytes) {
    const text = all.toString("utf8", at, at + slotBytes).trimEnd();
    const [plugin = "", hook = "", key = "", mark = ""] = text.split("\t");
    if (plugin && hook) found.push({ plugin, hook, key, certain: mark === "exit" });
  }
  return found;
}

/** Opens the file anew, empty. Without one (a full disk) nothing is noted. */
function openInFlight(path: string): InFlight {
  let file: number | undefined;
  try {
    file = openSync(path, "w", 0o600);
    writeSync(file, Buffer.alloc(slots * slotBytes, " "), 0, slots * slotBytes, 0);
  } catch {
    file = undefined;
  }
  const free = Array.from({ length: slots }, (_, at) => slots - 1 - at);
  const noted = new Map<number, string>();

  function put(slot: number, text: string): void {
    if (file === undefined) return;
    const bytes = Buffer.alloc(slotBytes, " ");
    bytes.write(text);
    try {
      writeSync(file, bytes, 0, slotBytes, slot * slotBytes);
    } catch {
      // A disk without room: the next note may fit.
    }
  }

  /** `process.exit` by a plugin runs this; a kill does not. */
  function onExit(): void {
    const [only] = noted;
    if (noted.size !== 1 || !only) return;
    put(only[0], `${only[1]}\texit`);
  }
  process.on("exit", onExit);

  return {
    note(plugin, hook, key) {
      const slot = free.pop();
      if (slot === undefined) return () => {};
      const text = `${plugin}\t${hook}\t${key}`;
      noted.set(slot, text);
      put(slot, text);
      return () => {
        if (!noted.delete(slot)) return;
        put(slot, "");
        free.push(slot);
      };
    },
    close() {
      process.off("exit", onExit);
      for (const slot of noted.keys()) put(slot, "");
      noted.clear();
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}

// Errors that nobody caught, from a plugin's timer or a promise it left alone: written down, not the server's end.

/** Logs stray errors of this process instead of ending it. Gives the function that undoes it. */
export function catchStrayErrors(log: Log): () => void {
  const onError = (error: unknown) => log.error("an error that nobody caught", { error });
  process.on("uncaughtException", onError);
  process.on("unhandledRejection", onError);
  return () => {
    process.off("uncaughtException", onError);
    process.off("unhandledRejection", onError);
  };
}
