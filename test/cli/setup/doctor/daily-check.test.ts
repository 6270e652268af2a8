// `memoir doctor --daily`, which the server starts: databases are read whole, damage is noted and told by the exit code, and the time is kept.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { checkedAt } from "../../../../src/home/database/check-databases.ts";
import { recentFindings } from "../../../../src/home/findings.ts";
import { memoirPaths, type Paths } from "../../../../src/home/paths.ts";
import { openRecords } from "../../../../src/records/record-store.ts";
import { sampleObservation } from "../../../../src/testing/samples.ts";
import { ownHome } from "../../../support/own-home.ts";
import { typed } from "../../../support/typed.ts";

const noon = Date.UTC(2026, 10, 22, 12);
let place: Awaited<ReturnType<typeof ownHome>>;
let paths: Paths;
beforeEach(async () => {
  place = await ownHome();
  paths = memoirPaths(place.home);
  const records = await openRecords(paths.memory, () => noon);
  const observations = Array.from({ length: 200 }, (_, at) =>
    sampleObservation({ title: `Finding ${at}`, facts: ["x".repeat(200)] }),
  );
  await records.put({ key: "k", records: { observations } });
  records.close();
});
afterEach(() => place.end());
const check = () => typed(["doctor", "--daily"], undefined, { now: () => noon });

test("whole databases are 0 and nothing is said; when it was done is kept for the server", async () => {
  expect(checkedAt(place.home)).toBeUndefined();
  const { code, out, err } = await check();
  expect([code, out, err]).toEqual([0, [], []]);
  expect(checkedAt(place.home)).toBe(noon);
  expect(recentFindings(place.home, noon)).toEqual([]);
});

test("a damaged one is 1, and stands among the findings", async () => {
  const bytes = await readFile(paths.memory);
  for (let at = 4_096 * 3; at < bytes.length; at += 4_096) bytes.fill(7, at + 8, at + 2_000);
  await writeFile(paths.memory, bytes);
  expect((await check()).code).toBe(1);
  expect(recentFindings(place.home, noon).map(({ file }) => file)).toContain("memory.db");
});
