// Runs what is due, of memoir's own work and of plugins alike. It looks at the next time that something is due, and at least once a minute,
// so that a sleep or a clock that was set means nothing but a later look. When each ran last is in a file: a restart runs nothing twice.
import * as v from "valibot";
import type { Log } from "../../home/log.ts";
import { atomicWrite, readFileText } from "../../home/read-file.ts";
import type { When } from "../../sdk/plugin.ts";
import type { Parts } from "../hooks/parts.ts";
import { dueAt, whenInWords } from "./when.ts";

/** Something that is done again and again. */
export interface Job {
  /** Its key in the file. */
  id: string;
  when: When;
  /** Does it; what it rejects with is logged. */
  run(dueAt: number): Promise<unknown>;
}

interface SchedulerOptions {
  /** The file of what ran when. */
  path: string;
  now(): number;
  /** Requests taken so far: a change ends the quiet. */
  served(): number;
  /** As they are now: plugins come and go. */
  jobs(): readonly Job[];
  log: Log;
}

export interface Scheduler {
  /** Begins what is due and waits for none of it; then looks again by itself. Never rejects. */
  look(): Promise<void>;
  /** No run begins any more; resolves once those under way have ended. */
  stop(): Promise<void>;
}

const FileSchema = v.record(v.string(), v.object({ when: v.string(), last: v.number() }));
/** By job: its words, and the beginning of its last run. */
type Ran = v.InferOutput<typeof FileSchema>;

const shortestMs = 1_000;
const longestMs = 60_000;

/** Nothing is read before the first look at which there is a job. Long because its short steps share what ran and what is under way. */
export function createScheduler(options: SchedulerOptions): Scheduler {
  const { path, now, jobs, log } = options;
  const quietSince = createQuiet(options);
  const underWay = new Map<string, Promise<void>>();
  let ran: Ran | undefined;
  let isStopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Gives the ms until something is due. */
  async function look(): Promise<number> {
    const time = now();
    const standing = { quietSince: quietSince() };
    const all = jobs();
    if (isStopped || all.length === 0) return longestMs;
    ran ??= await readRan(path);
    let next = Number.POSITIVE_INFINITY;
    const due: Array<{ job: Job; at: number }> = [];
    let isChanged = false;
    for (const job of all) {
      const when = whenInWords(job.when);
      // What is new, or has new words, waits for its next time.
      if (ran[job.id]?.when !== when) {
        ran[job.id] = { when, last: time };
        isChanged = true;
      }
      const at = dueAt(job.when, { last: ran[job.id]?.last ?? time, ...standing }, time);
      if (at > time) next = Math.min(next, at - time);
      if (at > time || underWay.has(job.id)) continue;
      due.push({ job, at });
      ran[job.id] = { when, last: time };
      isChanged = true;
    }
    // Before the runs: one that ends the process is not begun again by the next server.
    if (isChanged && !(await written(ran))) return longestMs;
    for (const { job, at } of due) begin(job, at);
    return next;
  }

  async function lookAgain(): Promise<void> {
    clearTimeout(timer);
    const ms = await look().catch((error) => {
      log.warn("schedules were not looked at", { error });
      return longestMs;
    });
    if (isStopped) return;
    clearTimeout(timer);
    timer = setTimeout(lookAgain, Math.min(Math.max(ms, shortestMs), longestMs));
    timer.unref?.();
  }

  async function written(file: Ran): Promise<boolean> {
    try {
      await atomicWrite(path, `${JSON.stringify(file, null, 2)}\n`);
      return true;
    } catch (error) {
      log.warn("schedules do not run: when they ran cannot be written down", { error });
      // The next look finds them due again.
      ran = undefined;
      return false;
    }
  }

  function begin({ id, run }: Job, at: number): void {
    if (isStopped) return;
    const work = (async () => run(at))()
      .then(
        () => undefined,
        (error) => log.warn("a schedule's run failed", { schedule: id, error }),
      )
      .finally(() => underWay.delete(id));
    underWay.set(id, work);
  }

  return {
    look: lookAgain,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await Promise.all(underWay.values());
    },
  };
}

/** Asked at each look: since when nobody has asked the server anything. */
function createQuiet({ now, served }: Pick<SchedulerOptions, "now" | "served">): () => number {
  let seen = served();
  let since = now();
  return () => {
    const time = now();
    const count = served();
    // A clock that was set back says nothing of how long it was quiet.
    if (count !== seen || time < since) since = time;
    seen = count;
    return since;
  };
}

/** A file that cannot be read counts as empty: everything waits for its next time. */
async function readRan(path: string): Promise<Ran> {
  try {
    return v.parse(FileSchema, JSON.parse(await readFileText(path)));
  } catch {
    return {};
  }
}

/** The schedules of plugins in force. One that fails is blamed, counted and paused as any hook is. */
export function pluginJobs(parts: Parts): Job[] {
  return parts.list().flatMap(({ kind, plugin, part, name, at, every, idle }) => {
    if (kind !== "schedules") return [];
    // What it rejects with was reported where it happened.
    const run = (dueAt: number) => parts.call(plugin, part, { dueAt }).catch(() => undefined);
    const when = {
      ...(at !== undefined && { at }),
      ...(every !== undefined && { every }),
      ...(idle !== undefined && { idle }),
    };
    return [{ id: `${plugin}/${name}`, when, run }];
  });
}
