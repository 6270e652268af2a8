// A storage with semantic search around it, as the runtime binds them, and turns whose words have meanings.

import * as v from "valibot";
import semantic from "../../../plugins/semantic-search/index.ts";
import sqlite from "../../../plugins/storage-sqlite/index.ts";
import { noData } from "../../../src/home/database/plugin-data.ts";
import { askStorage, type StorageHook } from "../../../src/runtime/hooks/ask-storage.ts";
import { createHooks, type HeldHooks } from "../../../src/runtime/hooks/hooks.ts";
import type { PluginContext, StorageClient } from "../../../src/sdk/context.ts";
import type { HookInput, HookOutput } from "../../../src/sdk/hooks.ts";
import type { NewTurn } from "../../../src/sdk/turn.ts";
import { sampleSession, sampleTurn, shop } from "../../../src/testing/samples.ts";
import {
  type EmbeddingServer,
  meaningOf,
  startEmbeddingServer,
} from "../../support/embedding-server.ts";
import { fakeEndless } from "../../support/fake-endless.ts";
import { inFolder } from "../../support/in-folder.ts";
import { type KeptLog, keptLog } from "../../support/kept-log.ts";

/** What the model has read: words of one thing stand together in it. */
export const corpus = [
  "customers receive an invoice, a bill for billing, with the amount due for payment",
  "billing sends the bill and the invoice; a payment settles the amount",
  "the invoice shows payment terms, billing address and amount",
  "login checks the password; the credentials open a session for authentication",
  "authentication wants credentials: sign with password, then login",
  "a password reset mails new credentials for the login",
  "the cache keeps pages warm; eviction drops stale entries to save memory",
  "stale pages leave the cache by eviction when memory fills",
  "deploy the release to the cluster; a rollback restores the earlier release",
  "the cluster rolls out each release, and a rollback undoes the deploy",
];

export interface Memory {
  home: string;
  hooks: HeldHooks;
  storage: StorageClient;
  server: EmbeddingServer;
  log: KeptLog;
  /** Ids of hits. */
  find(text: string, more?: Partial<HookInput<"storage.search">>): Promise<string[]>;
  /** Puts turns and notifies of their sessions; answers their ids. */
  keep(...turns: NewTurn[]): Promise<string[]>;
  /** Ends the plugin and starts it with another config. */
  restart(config?: object): Promise<void>;
  /** Waits for all turns to have vectors, as the log says it. */
  caughtUp(): Promise<void>;
  close(): Promise<void>;
}

/** The config under which all works, on a slow machine too; `undefined` leaves a key out. */
export const config = (server: EmbeddingServer, more: object = {}) =>
  Object.fromEntries(
    Object.entries({
      ...{ baseURL: `${server.url}/v1`, model: "meaning-1", queryMs: 2_000 },
      ...more,
    }).filter(([, value]) => value !== undefined),
  );

/** Opens one in a new folder; removed afterwards. */
export async function withMemory(
  work: (memory: Memory) => Promise<void>,
  more: (server: EmbeddingServer) => object = () => ({}),
): Promise<void> {
  const server = startEmbeddingServer(meaningOf(corpus));
  try {
    await inFolder(async (home) => {
      const memory = await openMemory(home, server, config(server, more(server)));
      try {
        await work(memory);
      } finally {
        await memory.close();
      }
    });
  } finally {
    await server.stop();
  }
}

async function openMemory(home: string, server: EmbeddingServer, first: object): Promise<Memory> {
  const log = keptLog();
  let hooks: HeldHooks;
  let state: unknown;
  const storage = new Proxy({} as StorageClient, {
    get:
      (_, verb: string) =>
      <Name extends StorageHook>(input: HookInput<Name>): Promise<HookOutput<Name>> =>
        askStorage(hooks, `storage.${verb}` as Name, input),
  });
  const context = (plugin: string, config: unknown): PluginContext => ({
    ...{ plugin, config, log, home, storage },
    now: Date.now,
    data: noData("a test's"),
    complete: () => Promise.reject(new Error("no provider")),
    endless: fakeEndless(Date.now),
  });
  const base = context("sqlite", {});
  const records = await sqlite.start?.(base as never);

  async function begin(given: object): Promise<void> {
    const own = context(semantic.name, v.parse(semantic.config ?? v.unknown(), given));
    state = await semantic.start?.(own as never);
    hooks = createHooks(
      [
        { plugin: sqlite, fills: { storage: 0 }, context: base, state: records },
        { plugin: semantic, fills: {}, context: own, state },
      ],
      { log },
    );
  }

  await begin(first);
  let puts = 0;
  return {
    home,
    server,
    log,
    storage,
    get hooks() {
      return hooks;
    },
    async find(text, more = {}) {
      const found = await storage.search({ text, kinds: ["turn"], ...more });
      return found.map(({ id }) => id);
    },
    async keep(...turns) {
      const sessions = [...new Set(turns.map(({ session }) => session))];
      const put = await storage.put({
        key: `k${puts++}`,
        records: { sessions: sessions.map((id) => sampleSession({ id })), turns },
      });
      for (const session of sessions)
        await hooks.parallel("stored", {
          ...{ session, project: shop.id, observations: [], summaries: [] },
        });
      return put.turns;
    },
    async restart(config = first) {
      await semantic.stop?.(state as never, base as never);
      await begin(config);
    },
    async caughtUp() {
      const before = count(log);
      await eventually(() => count(log) > before);
    },
    async close() {
      await semantic.stop?.(state as never, base as never);
      await sqlite.stop?.(records, base as never);
    },
  };
}

function count(log: KeptLog): number {
  return log.lines.filter(({ message }) => message === "All turns have vectors.").length;
}

/** A closed turn of a session of its own that says this. */
export function said(session: string, text: string, more: Partial<NewTurn> = {}): NewTurn {
  return sampleTurn({
    session,
    end: "closed",
    pieces: [
      { kind: "prompt", text: "Have a look, please, and tell me." },
      { kind: "closing", text },
    ],
    ...more,
  });
}

/** Waits for what happens on its own; the test's own limit is the only one. */
export async function eventually(holds: () => boolean): Promise<void> {
  while (!holds()) await Bun.sleep(5);
}
