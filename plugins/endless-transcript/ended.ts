// Sessions whose end was seen, on disk until their transcripts are done: the client's process may take its time, the server may go.
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import * as v from "valibot";

const EndedSchema = v.object({
  path: v.string(),
  project: v.optional(v.string()),
  /** Epoch ms. */
  at: v.number(),
});
const FileSchema = v.record(v.string(), EndedSchema);

/** A session that ended. */
export type Ended = v.InferOutput<typeof EndedSchema>;

/** What is to be done with one of them now: `later` keeps it. */
export type Look = (session: string, ended: Ended) => Promise<"done" | "later">;

export interface EndedSessions {
  add(session: string, ended: Ended): Promise<void>;
  /** It goes on. */
  drop(session: string): Promise<void>;
  /** Looks at all of them now and again until none is left; starts with those of an earlier process. */
  start(): Promise<void>;
  /** Waits for the look that is under way. */
  stop(): Promise<void>;
}

const firstMs = 200;
const longestMs = 30_000;
/** Clients delete their transcripts after a month; until then the session may be resumed and end again. */
const keepMs = 7 * 86_400_000;

/** `now` in epoch ms. */
export function createEnded(path: string, look: Look, now: () => number): EndedSessions {
  let sessions = new Map<string, Ended>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let delay = firstMs;
  let looking: Promise<void> = Promise.resolve();
  let writing: Promise<void> = Promise.resolve();
  let stopped = false;

  function save(): Promise<void> {
    writing = writing.then(() => write(path, sessions)).catch(() => {});
    return writing;
  }
  function schedule(ms: number): void {
    clearTimeout(timer);
    if (stopped || sessions.size === 0) return;
    delay = ms;
    timer = setTimeout(() => {
      looking = lookAtAll().finally(() => schedule(Math.min(delay * 2, longestMs)));
    }, ms);
    timer.unref?.();
  }
  async function lookAtAll(): Promise<void> {
    let changed = false;
    for (const [session, ended] of [...sessions]) {
      if (stopped) break;
      const old = now() - ended.at > keepMs;
      const next = old ? "done" : await look(session, ended);
      // It may have been resumed and have ended again meanwhile.
      if (next === "done" && sessions.get(session) === ended)
        changed = sessions.delete(session) || changed;
    }
    if (changed) await save();
  }

  return {
    async add(session, ended) {
      sessions.set(session, ended);
      await save();
      schedule(firstMs);
    },
    async drop(session) {
      if (sessions.delete(session)) await save();
    },
    async start() {
      sessions = new Map([...(await read(path)), ...sessions]);
      schedule(firstMs);
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await looking;
      await writing;
    },
  };
}

async function read(path: string): Promise<Array<[string, Ended]>> {
  try {
    return Object.entries(v.parse(FileSchema, JSON.parse(await readFile(path, "utf8"))));
  } catch {
    return [];
  }
}

async function write(path: string, sessions: ReadonlyMap<string, Ended>): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.tmp`;
  await writeFile(draft, JSON.stringify(Object.fromEntries(sessions)), { mode: 0o600 });
  await rename(draft, path);
}
