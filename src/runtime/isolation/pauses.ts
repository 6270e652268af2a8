// Plugins that are passed over for a while, by the part of them that failed; kept in a file, so that a restart forgets nothing.
import * as v from "valibot";
import { atomicWrite } from "../../home/atomic-write.ts";
import type { Log } from "../../home/log.ts";
import { readFileText } from "../../home/read-file.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { PauseInfo } from "../ports.ts";

// When a plugin that keeps failing is passed over, and for how long: a pure policy over what is known of one part of it.

/** What went wrong. `late`: a deadline passed or the worker ended; that costs more than a throw. */
export type FaultKind = "threw" | "late";

/** How one part of a plugin (a slot's work, or one hook) fares. */
export interface Health {
  /** Faults since the last call that worked. */
  threw: number;
  late: number;
  /** Pauses so far; each is longer than the one before. */
  pauses: number;
  /** Epoch ms until which it is passed over; 0: it is not. */
  until: number;
  /** Calls that worked since the last fault. */
  worked: number;
  /** The last fault. */
  hook: string;
  error: string;
  at: number;
}

const toleratedThrows = 5;
const toleratedLates = 3;
/** So many good calls in a row, and the next pause is a short one again. */
const trustedAfter = 20;
const pauseMs: readonly number[] = [60_000, 10 * 60_000, 60 * 60_000];

export const healthy: Health = {
  threw: 0,
  late: 0,
  pauses: 0,
  until: 0,
  worked: 0,
  hook: "",
  error: "",
  at: 0,
};

/** After a call that worked. Gives the same object when nothing changes. */
export function afterSuccess(health: Health): Health {
  if (health.pauses === 0 && health.threw === 0 && health.late === 0) return health;
  const worked = health.worked + 1;
  if (worked >= trustedAfter) return healthy;
  return { ...health, threw: 0, late: 0, until: 0, worked };
}

/** After a call that failed. */
export function afterFault(
  health: Health,
  fault: { kind: FaultKind; hook: string; error: string },
  now: number,
): Health {
  const { kind, hook, error } = fault;
  const threw = health.threw + (kind === "threw" ? 1 : 0);
  const late = health.late + (kind === "late" ? 1 : 0);
  const next = { ...health, threw, late, worked: 0, hook, error, at: now };
  // Calls that were under way when the pause began end in it; they say nothing new.
  if (health.until > now) return next;
  // It was paused and is tried again: one fault is enough.
  const isBack = health.until > 0;
  if (!isBack && threw < toleratedThrows && late < toleratedLates) return next;
  return paused(next, now);
}

/** Passed over from now on, as long as the policy says. */
function paused(health: Health, now: number): Health {
  const ms = pauseMs[Math.min(health.pauses, pauseMs.length - 1)] ?? 0;
  return { ...health, threw: 0, late: 0, pauses: health.pauses + 1, until: now + ms };
}

/** A fault as the hooks saw it. */
interface Fault {
  plugin: string;
  part: string;
  hook: string;
  kind: FaultKind;
  error: string;
}

export interface Pauses {
  /** Why a part of a plugin is passed over now; undefined when it is not. */
  why(plugin: string, part: string): MemoirError | undefined;
  worked(plugin: string, part: string): void;
  failed(fault: Fault): void;
  /** The plugin was at work when the process ended; `key` is what it was given. `certain`: it ended it itself. */
  killed(plugin: string, hook: string, key: string, certain: boolean): void;
  /** It was given this when the process ended. */
  isPoison(plugin: string, key: string): boolean;
  /** What is paused now. */
  of(plugin: string): PauseInfo[];
  /** Reads the file again: pauses that somebody took out of it are over. */
  reread(): Promise<void>;
  /** Resolves when everything is in the file. */
  flush(): Promise<void>;
}

const everything = "everything";

const HealthSchema = v.object({
  threw: v.number(),
  late: v.number(),
  pauses: v.number(),
  until: v.number(),
  worked: v.number(),
  hook: v.string(),
  error: v.string(),
  at: v.number(),
});
const FileSchema = v.record(
  v.string(),
  v.object({
    parts: v.record(v.string(), HealthSchema),
    /** Ends of the process that it was at work at, in a row. */
    kills: v.number(),
    /** What it was given then. */
    poison: v.array(v.string()),
  }),
);
type Known = v.InferOutput<typeof FileSchema>;
type Plugin = Known[string];

const toleratedKills = 2;
const maxPoison = 20;
/** So many good calls after it was at work at an end of the process, and that is forgotten. */
const forgivenAfter = 200;

/**
 * Reads what an earlier server knew. A file that cannot be read counts as empty.
 * Long because its short calls share the pauses in force and the file they are kept in.
 */
export async function openPauses(path: string, log: Log, now: () => number): Promise<Pauses> {
  const known = await readPauses(path);
  const worked = new Map<string, number>();
  let writing = Promise.resolve();
  let isDirty = false;

  function write(): void {
    if (isDirty) return;
    isDirty = true;
    writing = writing.then(async () => {
      isDirty = false;
      try {
        await atomicWrite(path, `${JSON.stringify(known, null, 2)}\n`);
      } catch (error) {
        log.warn("pauses of plugins were not written down", { error });
      }
    });
  }

  function pluginOf(name: string): Plugin {
    const found = Object.hasOwn(known, name) ? known[name] : undefined;
    if (found) return found;
    const made: Plugin = { parts: {}, kills: 0, poison: [] };
    known[name] = made;
    return made;
  }

  function healthOf(name: string, part: string): Health | undefined {
    if (!Object.hasOwn(known, name)) return undefined;
    const parts = known[name]?.parts ?? {};
    return Object.hasOwn(parts, part) ? parts[part] : undefined;
  }

  /** Only what is more than a stray fault is worth a write. */
  function put(name: string, part: string, before: Health | undefined, after: Health): void {
    const plugin = pluginOf(name);
    if (after === healthy) delete plugin.parts[part];
    else plugin.parts[part] = after;
    if ((before?.until ?? 0) !== after.until || (before?.pauses ?? 0) !== after.pauses) write();
  }

  function tell(plugin: string, part: string, health: Health): void {
    log.warn("a plugin is paused", {
      plugin,
      part,
      hook: health.hook,
      error: health.error,
      until: new Date(health.until).toISOString(),
    });
  }

  return {
    why(plugin, part) {
      if (!Object.hasOwn(known, plugin)) return undefined;
      const own = healthOf(plugin, part);
      const whole = healthOf(plugin, everything);
      const health = whole && whole.until > now() ? whole : own;
      const left = (health?.until ?? 0) - now();
      if (!health || left <= 0) return undefined;
      return new MemoirError(
        "plugin_paused",
        `plugin ${plugin} is paused for another ${Math.ceil(left / 1_000)} s: ${health.error}`,
        {
          plugin,
          hook: health.hook,
          retryAfterMs: left,
          fix: `Nothing to do: it is tried again after the pause, or at once after \`memoir plugin enable ${plugin}\`.`,
        },
      );
    },
    worked(plugin, part) {
      if (!Object.hasOwn(known, plugin)) return;
      for (const one of [part, everything]) {
        const before = healthOf(plugin, one);
        if (!before) continue;
        const after = afterSuccess(before);
        if (after !== before) put(plugin, one, before, after);
      }
      const own = pluginOf(plugin);
      if (own.kills === 0) return;
      const count = (worked.get(plugin) ?? 0) + 1;
      worked.set(plugin, count);
      if (count < forgivenAfter) return;
      worked.delete(plugin);
      own.kills = 0;
      write();
    },
    failed({ plugin, part, ...fault }) {
      const before = healthOf(plugin, part);
      const after = afterFault(before ?? healthy, fault, now());
      put(plugin, part, before, after);
      if (after.pauses > (before?.pauses ?? 0)) tell(plugin, part, after);
    },
    killed(name, hook, key, certain) {
      const plugin = pluginOf(name);
      plugin.kills += certain ? toleratedKills : 1;
      if (key) plugin.poison = [...new Set([...plugin.poison, key])].slice(-maxPoison);
      const error = certain
        ? `it ended the server in ${hook}`
        : `the server ended while it was in ${hook}`;
      const before = healthOf(name, everything) ?? healthy;
      const seen: Health = { ...before, hook, error, at: now() };
      if (plugin.kills >= toleratedKills) {
        plugin.parts[everything] = paused(seen, now());
        tell(name, everything, plugin.parts[everything]);
      } else log.warn("the server ended while a plugin was at work", { plugin: name, hook });
      worked.delete(name);
      write();
    },
    isPoison: (plugin, key) =>
      Object.hasOwn(known, plugin) && (known[plugin]?.poison.includes(key) ?? false),
    of(plugin) {
      if (!Object.hasOwn(known, plugin)) return [];
      return Object.entries(known[plugin]?.parts ?? {})
        .filter(([, { until }]) => until > now())
        .map(([part, { hook, error, at, until }]) => ({ part, hook, error, at, until }));
    },
    async reread() {
      await writing;
      const inFile = await readPauses(path);
      for (const name of Object.keys(known)) if (!Object.hasOwn(inFile, name)) delete known[name];
      for (const [name, plugin] of Object.entries(inFile))
        if (!Object.hasOwn(known, name)) known[name] = plugin;
    },
    flush: () => writing,
  };
}

async function readPauses(path: string): Promise<Known> {
  try {
    const parsed = v.safeParse(FileSchema, JSON.parse(await readFileText(path)));
    return parsed.success ? parsed.output : {};
  } catch {
    return {};
  }
}

/** Takes a plugin's pauses out of the file; a running server follows at its next reload. True when there were some. */
export async function liftPauses(path: string, plugin: string): Promise<boolean> {
  const known = await readPauses(path);
  if (!Object.hasOwn(known, plugin)) return false;
  delete known[plugin];
  await atomicWrite(path, `${JSON.stringify(known, null, 2)}\n`);
  return true;
}
