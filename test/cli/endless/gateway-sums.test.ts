// What the strategy `gateway` wrote down, as it is summed up: the newest batches, all gains, prefixes and what came from the cache.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { readSums } from "../../../src/cli/endless/gateway-status.ts";
import { openDatabase } from "../../../src/host/sqlite.ts";
import { inFolder } from "../../support/in-folder.ts";

const sum = (at: number) => ({
  ...{ ids: [`t${at}`], tokens: 1_000 * at, rewritten: 10 * at, turnsToCome: at },
  ...{ cost: at, gain: 100 * at, cacheIsCold: at % 2 === 0, why: `why ${at}` },
});

async function book(home: string, more: string) {
  const db = await openDatabase(join(home, "endless-gateway.db"));
  db.exec(`CREATE TABLE batches (session TEXT, at INTEGER, sum TEXT);
    CREATE TABLE turns (cache_read INTEGER, cache_write INTEGER, input INTEGER); ${more}`);
  for (const at of [3, 1, 7, 2, 6, 5, 4])
    db.prepare("INSERT INTO batches VALUES (?, ?, ?)").run([
      ...[`s${at}`, at, JSON.stringify(sum(at))],
    ]);
  db.close();
}

test("no book is nothing", () =>
  inFolder(async (home) => {
    const prefixes = { sessions: 0, tokens: 0 };
    expect(await readSums(home)).toEqual({ batches: [], gained: 0, prefixes });
  }));

test("of one that is of an older version there is what it has", () =>
  inFolder(async (home) => {
    await book(home, "");
    const { batches, gained, prefixes, cache } = await readSums(home);
    expect(batches).toEqual([7, 6, 5, 4, 3].map((at) => ({ session: `s${at}`, at, ...sum(at) })));
    expect(gained).toBe(28 * 99);
    expect([prefixes, cache]).toEqual([{ sessions: 0, tokens: 0 }, undefined]);
  }));

test("prefixes and answers are summed up", () =>
  inFolder(async (home) => {
    await book(
      home,
      `CREATE TABLE prefixes (tokens INTEGER); INSERT INTO prefixes VALUES (8000), (7000);
       INSERT INTO turns VALUES (900, 40, 10), (100, NULL, 5)`,
    );
    const { prefixes, cache } = await readSums(home);
    expect(prefixes).toEqual({ sessions: 2, tokens: 15_000 });
    expect(cache).toEqual({ answers: 2, read: 1_000, write: 40, input: 15 });
  }));
