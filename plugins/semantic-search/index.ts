// Built-in listener `semantic-search`: finds what means the same in other words, with vectors from an endpoint that the user chose.

import { join } from "node:path";
import type { Database, DatabaseForm } from "../../src/records/index.ts";
import { openOrBeginAnew } from "../../src/records/index.ts";
import type { Turn } from "../../src/sdk/index.ts";
import { definePlugin, type PluginContext, type StorageClient } from "../../src/sdk/index.ts";
import { type Chosen, type Config, ConfigSchema, isChosen, makingOf } from "./config.ts";
import type { Embedding } from "./embedding.ts";
import { BudgetSpent, createEmbedding } from "./embedding.ts";
import type { Asker } from "./endpoint.ts";
import { createQuestions, createSpending } from "./endpoint.ts";
import { type Searching, search } from "./search.ts";
import type { VectorStore } from "./store.ts";
import { createVectorStore } from "./store.ts";

// The work in the background: sessions that were just stored first, then all turns, the newest first, as often as any are missing.

interface WorkOptions {
  storage: Pick<StorageClient, "turns" | "get" | "stats">;
  store: VectorStore;
  embedding: Embedding;
  /** Told of every failure with the pause that follows. */
  failed(error: unknown, pauseMs: number): void;
  /** Told when all turns have vectors. */
  caughtUp(): void;
  pauses?: Partial<Pauses>;
}

/** All in ms. */
interface Pauses {
  start: number;
  /** Between pages of turns. */
  page: number;
  /** Between looks at how many turns there are. */
  look: number;
  /** After a failure; twice as long after each further one. */
  retry: number;
  longestRetry: number;
}

const pageSize = 50;
const defaults: Pauses = {
  start: 2_000,
  page: 20,
  look: 600_000,
  retry: 5_000,
  longestRetry: 600_000,
};

/** Begins at once, in the background. Long because all of it shares what is under way. */
export function startWork(options: WorkOptions) {
  const { storage, store, embedding, failed, caughtUp } = options;
  const pauses = { ...defaults, ...options.pauses };
  const changed = new Set<string>();
  let isStopped = false;
  let wakeUp: (() => void) | undefined;
  let mayWake = false;

  function pause(ms: number, isWoken = false): Promise<void> {
    if (isStopped || (isWoken && changed.size > 0)) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(done, ms);
      timer.unref?.();
      mayWake = isWoken;
      wakeUp = done;
      function done() {
        clearTimeout(timer);
        wakeUp = undefined;
        resolve();
      }
    });
  }

  const sweepNow = () => Number(store.note("sweep") ?? 0);

  async function newSessions(): Promise<void> {
    for (const session of [...changed]) {
      changed.delete(session);
      try {
        for (let offset = 0; !isStopped; offset += pageSize) {
          const page = await storage.turns({ session, order: "newest", limit: pageSize, offset });
          await keep(page ?? []);
          if ((page ?? []).length < pageSize) break;
        }
      } catch (error) {
        changed.add(session);
        throw error;
      }
    }
  }

  async function keep(turns: readonly Turn[]): Promise<void> {
    if (!isStopped && turns.length > 0) await embedding.keep(turns, sweepNow());
  }

  async function unfinished(): Promise<void> {
    const records = await storage.get({ ids: store.open(pageSize) });
    await keep((records ?? []).flatMap((one) => (one.kind === "turn" ? one.record : [])));
  }

  function beginSweep(): void {
    store.setNote("sweep", String(sweepNow() + 1));
    store.setNote("sweeping", "");
  }

  /** From where a look that was broken off stopped. */
  async function sweep(): Promise<void> {
    if (store.note("sweeping") === undefined) beginSweep();
    let until = store.note("sweeping") ?? "";
    for (let offset = 0; !isStopped; ) {
      const page = await storage.turns({
        order: "newest",
        limit: pageSize,
        offset,
        ...(until === "" ? {} : { until: Number(until) }),
      });
      const turns = page ?? [];
      await keep(turns);
      if (isStopped) return;
      const last = turns.at(-1);
      if (!last || turns.length < pageSize) break;
      // Exclusive: turns of the same moment come once more.
      const next = String(last.startedAt + 1);
      offset = next === until ? offset + pageSize : 0;
      until = next;
      store.setNote("sweeping", until);
      await pause(pauses.page);
      await newSessions();
    }
    if (isStopped) return;
    await forgetMissing();
    store.setNote("sweeping", "done");
    caughtUp();
  }

  /** What the look did not meet may have come meanwhile: only what storage does not know goes. */
  async function forgetMissing(): Promise<void> {
    const missed = store.missedBy(sweepNow());
    for (let at = 0; at < missed.length && !isStopped; at += pageSize) {
      const ids = missed.slice(at, at + pageSize);
      const there = new Set(
        ((await storage.get({ ids })) ?? []).flatMap((one) =>
          one.kind === "turn" ? one.record.id : [],
        ),
      );
      store.remove(ids.filter((id) => !there.has(id)));
    }
  }

  async function round(): Promise<void> {
    await newSessions();
    if (isStopped) return;
    const stored = (await storage.stats({}))?.turns ?? 0;
    if (store.note("sweeping") !== "done") await sweep();
    else if (stored !== store.turns()) {
      beginSweep();
      await sweep();
    }
    if (!isStopped) await unfinished();
  }

  async function run(): Promise<void> {
    let retry = pauses.retry;
    await pause(pauses.start, true);
    while (!isStopped)
      try {
        await round();
        retry = pauses.retry;
        await pause(pauses.look, true);
      } catch (error) {
        if (isStopped) return;
        const wait = error instanceof BudgetSpent ? pauses.look : Math.max(retry, laterOf(error));
        failed(error, wait);
        await pause(wait);
        retry = Math.min(retry * 2, pauses.longestRetry);
      }
  }

  const running = run();
  return {
    /** This session has something new. */
    wake(session: string): void {
      changed.add(session);
      if (mayWake) wakeUp?.();
    },
    /** Stops; nothing is written afterwards. */
    async stop(): Promise<void> {
      isStopped = true;
      wakeUp?.();
      await running;
    },
  };
}

/** When the endpoint wants to be asked again. */
function laterOf(error: unknown): number {
  const ms = error instanceof Error && "retryAfterMs" in error ? error.retryAfterMs : 0;
  return typeof ms === "number" ? ms : 0;
}

// The database of vectors: no text stands in it, and all of it can be made again from the records.

const tables = `
CREATE TABLE notes (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- A turn that was looked at. "hash" is that of its passages once all of them have vectors, else empty; "sweep" is the last
-- look over all turns that met it.
CREATE TABLE turns (
  id TEXT PRIMARY KEY,
  hash TEXT NOT NULL,
  session TEXT NOT NULL,
  project TEXT NOT NULL,
  client TEXT NOT NULL,
  prompt_number INTEGER NOT NULL,
  time REAL NOT NULL,
  sweep INTEGER NOT NULL
) WITHOUT ROWID;

-- "vector" is of length 1, in float32; empty for a text that the endpoint refuses. "code" is made once there is a centre.
CREATE TABLE passages (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  turn TEXT NOT NULL,
  hash TEXT NOT NULL,
  code BLOB,
  vector BLOB NOT NULL
);
CREATE INDEX passages_by_turn ON passages (turn, hash);
`;

const form: DatabaseForm = {
  name: "The database of vectors",
  migrations: [tables],
  applicationId: 0x6d_65_6d_76,
  autoVacuum: true,
  // Which passages are lost, a look at every turn tells; those that are there are not embedded again.
  recovery: { settle: (db) => db.exec("UPDATE turns SET hash = ''") },
};

/** Opens it beside the records; a damaged one is set aside, and what cannot be read of it is embedded once more. */
export async function openVectors({
  home,
  now,
  log,
}: Pick<PluginContext, "home" | "now" | "log">): Promise<Database> {
  const db = await openOrBeginAnew(join(home, "semantic-search.db"), form, {
    now,
    replaced: (aside) =>
      log.warn(
        "The database of vectors was damaged; what could not be read of it is embedded anew.",
        { aside },
      ),
  });
  // What is forgotten is overwritten.
  db.exec("PRAGMA secure_delete = ON");
  return db;
}

type MeaningState = NonNullable<Awaited<ReturnType<StorageClient["stats"]>>["meaning"]>;

interface State {
  /** Absent as long as no endpoint is chosen. */
  searching?: Searching;
  work?: ReturnType<typeof startWork>;
  /** What `status` shows. */
  meaning(): MeaningState;
  close(): Promise<void>;
}

export default definePlugin<Config, State>({
  name: "semantic-search",
  description: "Finds turns by what they mean, with an embedding model that the user chose.",
  sdk: 1,
  config: ConfigSchema,
  async start(ctx) {
    if (isChosen(ctx.config)) return await begin(ctx, ctx.config);
    ctx.log.warn(`Set plugins.${ctx.plugin}.baseURL and .model: until then words alone find.`);
    return {
      meaning: () => ({ model: "", turns: 0, trouble: `${ctx.plugin} lacks baseURL or model` }),
      close: () => Promise.resolve(),
    };
  },
  hooks: {
    "storage.search": { order: "pre", handler: search },
    "storage.delete": {
      order: "pre",
      async handler({ ids }, ctx) {
        const result = await ctx.next();
        ctx.state.searching?.store.remove([...ids, ...(result?.deleted ?? [])]);
        return result;
      },
    },
    "storage.stats": {
      order: "pre",
      async handler(_, ctx) {
        const stats = await ctx.next();
        return stats && { ...stats, meaning: ctx.state.meaning() };
      },
    },
    stored: ({ session }, ctx) => ctx.state.work?.wake(session),
  },
  stop: (state) => state?.close(),
});

async function begin(ctx: PluginContext<Config>, config: Chosen): Promise<State> {
  const { log } = ctx;
  const db = await openVectors(ctx);
  const store = createVectorStore(db);
  store.madeBy(makingOf(config));
  const asker: Asker = { plugin: ctx.plugin, config, home: ctx.home, now: () => ctx.now() };
  const spending = createSpending(store, config.tokensPerDay, asker.now);
  const stopping = new AbortController();
  let trouble: string | undefined;
  const failed = (message: string, error: unknown, fields: object = {}) => {
    trouble = error instanceof Error ? error.message : String(error);
    log.warn(message, { error, ...fields });
  };
  const embedding = createEmbedding(asker, store, spending, stopping.signal, (error) =>
    log.warn("The endpoint takes a passage in no form; it is left out.", { error }),
  );
  const work = startWork({
    storage: ctx.storage,
    store,
    embedding,
    failed: (error, pauseMs) =>
      failed("Turns wait for their vectors.", error, { seconds: Math.round(pauseMs / 1_000) }),
    caughtUp: () => {
      trouble = undefined;
      log.info("All turns have vectors.", { turns: store.turns(), passages: store.passages() });
    },
  });
  const questions = createQuestions(asker, spending, stopping.signal, (error) =>
    failed("A question could not be embedded; words alone find for a while.", error),
  );
  return {
    searching: {
      store,
      questions: {
        async vectors(texts) {
          const found = await questions.vectors(texts);
          if (found) trouble = undefined;
          return found;
        },
      },
    },
    work,
    meaning: () => ({
      model: `${config.model} at ${new URL(config.baseURL).host}`,
      turns: store.turns(),
      ...(trouble !== undefined && { trouble }),
    }),
    async close() {
      stopping.abort();
      await work.stop();
      db.close();
    },
  };
}
