// What comes in bulk into a file is read and written into its index by a thread: what is found then is what is found without one, whatever else happens meanwhile.
import { Database } from "bun:sqlite";
import { afterEach, beforeAll, expect, test } from "bun:test";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openRecords, type RecordStore } from "../../src/records/record-store.ts";
import type { Change } from "../../src/sdk/change.ts";
import type { Records } from "../../src/sdk/model.ts";
import { inFolder } from "../support/in-folder.ts";
import { turnSessions } from "../support/synthetic-turns.ts";

const RealWorker = globalThis.Worker;
afterEach(() => {
  globalThis.Worker = RealWorker;
});

/** Counts the threads that are started; `entry` is what they run in place of their own. */
function threads(entry?: string): () => number {
  let started = 0;
  globalThis.Worker = class extends RealWorker {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(entry ?? url, options);
      started++;
    }
  };
  return () => started;
}

/** The changes of a memory of made sessions: 1,200, so that a thread is worth it. */
let changes: Change[];
/** What a store without threads makes of them. */
let expected: { found: Found; contents: unknown; started: number };

beforeAll(async () => {
  const theirs = await openRecords(":memory:");
  const [records] = [...turnSessions({ turns: 300, end: 1_800_000_000_000 })].reduce(
    (all, one) => [merged(all[0] ?? {}, one)],
    [] as Records[],
  );
  await theirs.put({ key: "all", records: records ?? {} });
  ({ changes } = await theirs.changes({ limit: 1e6 }));
  theirs.close();
  await inFolder(async (folder) => {
    const started = threads("data:text/javascript,throw new Error('no threads here')");
    const path = join(folder, "memory.db");
    const store = await openRecords(path);
    await store.apply({ changes });
    await whole(store);
    const made = await found(store);
    store.close();
    expected = { found: made, contents: contents(path), started: started() };
  });
  globalThis.Worker = RealWorker;
});

function merged(one: Records, other: Records): Records {
  const names = Object.keys(other) as Array<keyof Records>;
  return Object.fromEntries(
    names.map((name) => [name, [...(one[name] ?? []), ...(other[name] ?? [])]]),
  );
}

async function whole(store: RecordStore): Promise<void> {
  while (!(await store.stats({})).index?.isWhole) await Bun.sleep(20);
}

/** All that an index holds of its documents, by what they are called. */
function contents(path: string): unknown {
  const db = new Database(path, { readonly: true });
  try {
    const all = [
      "SELECT id, project, time FROM search_documents ORDER BY id",
      "SELECT term, documents, passages, word FROM search_terms ORDER BY term",
      `SELECT t.term, d.id FROM search_documents d, search_terms t JOIN search_postings p ON p.term = t.number
       WHERE d.number IN (0, 500, 1000) AND p.last >= d.number ORDER BY 1, 2`,
      "SELECT documents, length, passages, passage_length FROM search_state",
    ];
    return all.map((sql) => db.query(sql).all());
  } finally {
    db.close();
  }
}

type Found = Awaited<ReturnType<typeof found>>;
const questions = ["session token", "invoice queue cache", "expired", "src/token"];

/** With the scores. */
async function found(store: RecordStore) {
  const answers = [];
  for (const text of questions)
    answers.push(await store.search({ text, by: "record", limit: 1_000 }));
  return answers;
}

test("is found, and ranked, as without a thread; one that fails leaves the rest to the server", () =>
  inFolder(async (folder) => {
    const started = threads();
    const path = join(folder, "memory.db");
    const store = await openRecords(path);
    await store.apply({ changes });
    await whole(store);
    expect(started()).toBe(1);
    const made = await found(store);
    expect(made.every((one) => one.length > 50)).toBe(true);
    expect(made).toEqual(expected.found);
    store.close();
    expect(contents(path)).toEqual(expected.contents as unknown[]);
    // The one that could not begin was tried once.
    expect(expected.started).toBe(1);
  }));

test("few are read without a thread", () =>
  inFolder(async (folder) => {
    const started = threads();
    const store = await openRecords(join(folder, "memory.db"));
    await store.apply({ changes: changes.slice(0, 800) });
    await whole(store);
    expect(started()).toBe(0);
    store.close();
  }));

test("what is put, deleted and begun anew meanwhile counts as it is then", () =>
  inFolder(async (folder) => {
    const path = join(folder, "memory.db");
    const started = threads();
    const store = await openRecords(path);
    await store.apply({ changes });
    const [one] = await store.observations({ limit: 1 });
    await store.delete({ ids: [one?.id ?? ""] });
    const records = [...turnSessions({ turns: 4, end: 1_800_000_000_000, seed: 9 })];
    for (const [at, part] of records.entries())
      await store.put({ key: `own ${at}`, records: part });
    await store.reindex({});
    await store.amend({ id: "o3", set: { title: "A wombat in the cellar" } });
    await whole(store);
    expect(started()).toBe(1);
    const title = async (text: string) =>
      (await store.search({ text, by: "record", limit: 5 })).map((record) => record.title);
    expect(await title("wombat cellar")).toEqual(["A wombat in the cellar"]);
    expect(await title(one?.title ?? "")).not.toContain(one?.title);
    const { index } = await store.stats({});
    const all = changes.length - 1 + 4 * 4;
    expect(index).toMatchObject({ isWhole: true, records: all, indexed: all });
    const made = await found(store);
    store.close();
    const next = await openRecords(path);
    // Nothing of it was made anew, and it is as it was.
    expect((await next.stats({})).index).toEqual({ isWhole: true, records: all, indexed: all });
    expect(await found(next)).toEqual(made);
    next.close();
  }));

test("where the process goes in the midst, the next goes on", () =>
  inFolder(async (folder) => {
    const path = join(folder, "memory.db");
    const first = await openRecords(path);
    await first.apply({ changes });
    await Bun.sleep(100);
    first.close();
    const next = await openRecords(path);
    await whole(next);
    expect(await found(next)).toEqual(expected.found);
    next.close();
  }));

test("a home that is removed while the thread begins stays removed", () =>
  inFolder(async (folder) => {
    const home = join(folder, "home");
    const { promise: heard, resolve } = Promise.withResolvers<void>();
    globalThis.Worker = class extends RealWorker {
      constructor(url: string | URL, options?: WorkerOptions) {
        super(url, options);
        rmSync(home, { recursive: true });
        this.addEventListener("message", () => resolve());
      }
    };
    const store = await openRecords(join(home, "memory.db"));
    await store.apply({ changes });
    await heard;
    store.close();
    expect(existsSync(home)).toBe(false);
  }));
