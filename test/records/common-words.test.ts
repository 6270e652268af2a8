import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sqlite from "../../plugins/storage-sqlite/index.ts";
import type { SearchQuery } from "../../src/sdk/storage.ts";
import { noon, sampleObservation } from "../support/sample-records.ts";
import { type OpenStorage, openStorageAlone } from "../support/storage-host.ts";

/** So many records have a common word that they are not all ranked. */
const count = 3600;
let home = "";
let open: OpenStorage;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "memoir-common-"));
  open = await openStorageAlone(sqlite, home);
  const observations = Array.from({ length: count }, (_, i) =>
    sampleObservation({
      promptNumber: i,
      time: noon + i,
      title: i === 5 ? "Amber river" : `Number ${i}`,
      narrative: i === 100 ? "walrus" : `amber ${i % 2 === 0 ? "river" : ""}`,
    }),
  );
  await open.storage.put({ key: "all", records: { observations } });
});
afterAll(async () => {
  await open.close();
  await rm(home, { recursive: true, force: true });
});

const search = (query: SearchQuery) => open.storage.search(query);

test("a rare word is found among common ones, however old", async () => {
  const found = await search({ text: "amber river walrus", limit: 100 });
  expect(found.map(({ title }) => title)).toContain("Number 100");
});

test("a title is found among narratives, however old", async () => {
  const [best] = await search({ text: "amber rivers" });
  expect(best?.title).toBe("Amber river");
});

test("all of two common words come before one of them", async () => {
  const found = await search({ text: "river amber", limit: 20 });
  expect(found.slice(1).every(({ title }) => Number(title.split(" ")[1]) % 2 === 0)).toBe(true);
});

test("pages fit together far beyond what is ranked, best first", async () => {
  const limit = 37;
  const seen = new Set<string>();
  let last = Number.POSITIVE_INFINITY;
  for (let offset = 0; offset < 1000; offset += limit) {
    const page = await search({ text: "amber river", limit, offset });
    for (const { id, score } of page) {
      expect(seen.has(id)).toBe(false);
      expect(score).toBeLessThanOrEqual(last);
      seen.add(id);
      last = score;
    }
  }
  expect(seen.size).toBe(1000);
  expect(await search({ text: "amber river", offset: 1000 })).toEqual([]);
});

test("filters hold among common words", async () => {
  const found = await search({ text: "amber", since: noon + 10, until: noon + 3500, limit: 200 });
  expect(found.length).toBe(200);
  expect(found.every(({ createdAt }) => createdAt >= noon + 10 && createdAt < noon + 3500)).toBe(
    true,
  );
  expect(await search({ text: "amber", project: "elsewhere" })).toEqual([]);
  expect((await search({ text: "amber", type: "bugfix" })).length).toBe(0);
});
