// Built-in listener `semantic-search`: finds what means the same in other words, with vectors from an endpoint that the user chose.
import { join } from "node:path";
import { type Database, type DatabaseForm, openOrBeginAnew } from "../../src/records/index.ts";
import { definePlugin, type PluginContext, type StorageClient } from "../../src/sdk/index.ts";
import { type Chosen, type Config, ConfigSchema, isChosen, makingOf } from "./config.ts";
import { type Asker, createQuestions, createSpending } from "./endpoint.ts";
import { type Searching, search } from "./search.ts";
import { createVectorStore } from "./store.ts";
import { createEmbedding, startWork } from "./work.ts";

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
        "The database of vectors was damaged; what could not be read of it is embedded again.",
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
