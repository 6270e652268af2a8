// Slot `storage`: keeps all records in one SQLite file and searches them with its full-text index.
import { isAbsolute, join, resolve } from "node:path";
import * as v from "valibot";
import {
  type Database,
  definePlugin,
  type PutRequest,
  type PutResult,
} from "../../src/sdk/index.ts";
import { getRecords } from "./get.ts";
import { listMemory, listObservations, listPrompts, listSessions, listSummaries } from "./list.ts";
import { openStorage, readable } from "./open.ts";
import { putter } from "./put.ts";
import { searchRecords } from "./search/search.ts";
import { storageStats } from "./stats.ts";

interface State {
  db: Database;
  path: string;
  put(request: PutRequest): PutResult;
}

export default definePlugin({
  name: "sqlite",
  description: "Keeps memory in one SQLite file with full-text search; no other process.",
  sdk: 1,
  slot: "storage",
  config: v.strictObject({
    /** The database file; absolute, or relative to memoir's home. Default `memory.db` there. */
    path: v.optional(v.pipe(v.string(), v.nonEmpty())),
  }),
  async start(ctx): Promise<State> {
    const name = ctx.config.path ?? "memory.db";
    const path = isAbsolute(name) ? resolve(name) : join(ctx.home, name);
    const db = await openStorage(path);
    return { db, path, put: putter(db, ctx.now) };
  },
  hooks: {
    "storage.put": (request, { state }) => named(state, () => state.put(request)),
    "storage.search": (query, { state, now }) =>
      named(state, () => searchRecords(state.db, query, now())),
    "storage.get": ({ ids }, { state }) => named(state, () => getRecords(state.db, ids)),
    "storage.observations": (query, { state }) =>
      named(state, () => listObservations(state.db, query)),
    "storage.summaries": (query, { state }) => named(state, () => listSummaries(state.db, query)),
    "storage.prompts": (query, { state }) => named(state, () => listPrompts(state.db, query)),
    "storage.sessions": (query, { state }) => named(state, () => listSessions(state.db, query)),
    "storage.memory": (query, { state }) => named(state, () => listMemory(state.db, query)),
    "storage.stats": (_, { state }) => storageStats(state.db, state.path),
  },
  stop(state) {
    state?.db.close();
  },
});

/** Runs a handler's work; a damaged file is told by its name. */
function named<Result>(state: State, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw readable(error, state.path);
  }
}
