// A memory in a folder of its own, driven over the shipped path: transcripts and hook events in; contexts, hits and records out.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { feedSession } from "../../../src/backfill/feed-session.ts";
import { parseClaudeCode } from "../../../src/clients/normal/payload.ts";
import { type Log, silentLog } from "../../../src/home/log.ts";
import { memoirPaths } from "../../../src/home/paths.ts";
import { createRuntime } from "../../../src/runtime/runtime.ts";
import type { Reply } from "../../../src/sdk/events.ts";
import type { HookInput, HookName } from "../../../src/sdk/hooks.ts";
import type { SearchResult } from "../../../src/sdk/storage.ts";
import type { NewTurn } from "../../../src/sdk/turn.ts";
import { discoverTranscripts, type SessionFiles } from "../../../src/transcript/discover.ts";
import { textOf } from "./text.ts";

/** Something stored, with all it says. */
export interface Kept {
  id: string;
  /** The listing it came from (`observations`), or what the store calls it. */
  kind: string;
  session: string;
  promptNumber: number;
  /** Epoch ms. */
  time: number;
  text: string;
  record: Readonly<Record<string, unknown>>;
}

/** One hit of a search: where it leads, and what is seen at a glance. */
export interface Hit {
  id: string;
  session: string;
  promptNumber: number;
  shown: string;
}

/** What a moment is told. */
export interface Told {
  context: string;
  /** Ids that the text names. */
  records: readonly string[];
}

/** A home and its runtime. Times are epoch ms; the clock stands where it was put and goes on from there. */
export interface Memory {
  setClock(time: number): void;
  /** Takes in the transcripts below a folder, one session after the other in the order they ended. */
  backfill(folder: string, afterEach?: (session: PlayedSession) => Promise<void>): Promise<number>;
  /** A hook of the client; resolves when it is kept. */
  hook(payload: Readonly<Record<string, unknown>>, id: string): Promise<void>;
  /** Puts another config in force, and waits until this is logged. */
  configure(config: object, logged: string): Promise<void>;
  /** Keeps turns as they are. */
  keep(turns: readonly NewTurn[]): Promise<void>;
  /** What storage answers, best first. */
  find(query: HookInput<"storage.search">): Promise<SearchResult[]>;
  /** Waits for all work of a session. */
  settle(session: string): Promise<void>;
  /** What a session that starts in this folder would be told. */
  atStart(cwd: string): Promise<Told>;
  /** What a prompt in a new session in this folder would be told. */
  atPrompt(cwd: string, prompt: string): Promise<Told>;
  /** Best first; several texts are one question in several phrasings. */
  search(
    texts: readonly string[],
    filter?: { project?: string; limit?: number; here?: string },
  ): Promise<Hit[]>;
  get(ids: readonly string[]): Promise<Kept[]>;
  /** Everything stored, oldest first. */
  everything(): Promise<Kept[]>;
  /** Sessions by id, with the folder they ran in. */
  sessions(): Promise<ReadonlyMap<string, { project: string; cwd: string }>>;
  close(): Promise<void>;
}

/** A session that was just taken in. */
export interface PlayedSession {
  session: string;
  /** Epoch ms of its last entry. */
  lastAt: number;
}

const page = 200;
const drainMs = 120_000;
/** Hooks of storage that list records. */
const lists = [
  "storage.observations",
  "storage.summaries",
  "storage.prompts",
  "storage.memory",
  "storage.turns",
] as const satisfies readonly HookName[];

/** Opens an empty memory; `folders` are where clients keep transcripts. */
export async function openMemory(folders: readonly string[] = []): Promise<Memory> {
  const home = await mkdtemp(join(tmpdir(), "memoir-quality-"));
  let offset = 0;
  const now = () => Date.now() + offset;
  const { log, wait } = watchedLog();
  const runtime = await createRuntime({ home, log, now, transcriptFolders: folders });
  let made = 0;

  async function list(name: HookName): Promise<Kept[]> {
    const all: Kept[] = [];
    for (let from = 0; ; from += page) {
      const query = { limit: page, offset: from, order: "oldest" as const, superseded: true };
      const found: unknown = (await runtime.hooks.first(name as "storage.prompts", query))?.result;
      if (!Array.isArray(found)) return all;
      all.push(...found.map((record) => keptOf(name.slice("storage.".length), record)));
      if (found.length < page) return all;
    }
  }

  async function reply(payload: Readonly<Record<string, unknown>>): Promise<Told> {
    const id = `quality-${made++}`;
    const event = parseClaudeCode({ session_id: id, ...payload }, { id, time: now() });
    const { context = "", records = [] }: Reply = await runtime.reply(event);
    return { context, records };
  }

  async function find(query: HookInput<"storage.search">): Promise<SearchResult[]> {
    return (await runtime.hooks.first("storage.search", query))?.result ?? [];
  }

  async function settle(session: string): Promise<void> {
    if (!(await runtime.drain({ session, timeoutMs: drainMs, flush: true })))
      throw new Error(`the work of session ${session} was not over in time`);
  }

  return {
    setClock(time) {
      offset = time - Date.now();
    },
    async backfill(folder, afterEach = async () => {}) {
      const { sessions } = await discoverTranscripts(folder);
      const ended = await Promise.all(
        sessions.map(async (files) => ({ files, lastAt: await lastTime(files) })),
      );
      ended.sort((one, other) => one.lastAt - other.lastAt);
      for (const { files, lastAt } of ended) {
        // Long enough for the session to be over.
        offset = lastAt + 3_600_000 - Date.now();
        const { settled } = await feedSession(files, {
          runtime: runtime.transcripts,
          reader: "backfill",
          modelFree: true,
          now,
          home,
        });
        if (!settled) throw new Error(`the work of session ${files.session} was not over in time`);
        await afterEach({ session: files.session, lastAt });
      }
      return ended.length;
    },
    async hook(payload, id) {
      await runtime.handle(parseClaudeCode(payload, { id, time: now() }));
    },
    async configure(config, logged) {
      await writeFile(memoirPaths(home).config, JSON.stringify(config));
      const heard = wait(logged);
      await runtime.reload();
      await heard;
    },
    async keep(turns) {
      const request = { key: `quality-${made++}`, records: { turns: [...turns] } };
      await runtime.hooks.first("storage.put", request);
    },
    find,
    settle,
    atStart: (cwd) => reply({ cwd, hook_event_name: "SessionStart", source: "startup" }),
    atPrompt: (cwd, prompt) => reply({ cwd, hook_event_name: "UserPromptSubmit", prompt }),
    search: async ([text = "", ...also], { limit = page, ...rest } = {}) =>
      (await find({ by: "turn", text, also, limit, ...rest })).map(hitOf),
    async get(ids) {
      const found = (await runtime.hooks.first("storage.get", { ids: [...ids] }))?.result ?? [];
      return found.map(({ kind, record }) => keptOf(kind, record));
    },
    async everything() {
      return (await Promise.all(lists.map(list))).flat();
    },
    async sessions() {
      const query = { limit: page, order: "oldest" as const };
      const found = (await runtime.hooks.first("storage.sessions", query))?.result ?? [];
      return new Map(
        found.map(({ id, project }) => [id, { project: project.id, cwd: project.root }]),
      );
    },
    async close() {
      await runtime.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** A log that keeps nothing, and tells when something is said. */
function watchedLog(): { log: Log; wait(message: string): Promise<void> } {
  const waiting = new Map<string, () => void>();
  const log: Log = {
    ...silentLog,
    info: (message) => waiting.get(message)?.(),
    warn: (message, fields) => {
      // Who waits would otherwise not learn why.
      if (waiting.size > 0) console.error(message, fields);
    },
    child: () => log,
  };
  return {
    log,
    wait: (message) =>
      new Promise((resolve) => {
        waiting.set(message, () => {
          waiting.delete(message);
          resolve();
        });
      }),
  };
}

function hitOf(result: SearchResult): Hit {
  const { id, session, promptNumber } = result;
  return { id, session, promptNumber, shown: textOf(result) };
}

function keptOf(kind: string, record: object): Kept {
  const fields: Readonly<Record<string, unknown>> = { ...record };
  const { id, session, promptNumber, time } = fields;
  return {
    id: String(id),
    kind,
    session: String(session ?? id),
    promptNumber: typeof promptNumber === "number" ? promptNumber : 0,
    time: typeof time === "number" ? time : 0,
    text: textOf(record),
    record: fields,
  };
}

/** Of the newest line of a session's files. */
async function lastTime({ main, agents }: SessionFiles): Promise<number> {
  const times = await Promise.all(
    [...(main ? [main] : []), ...agents].map(async ({ path }) => {
      const found = (await Bun.file(path).text()).matchAll(/"timestamp":\s?"([^"]+)"/g);
      return Math.max(0, ...[...found].map(([, time]) => Date.parse(time ?? "") || 0));
    }),
  );
  return Math.max(...times);
}
