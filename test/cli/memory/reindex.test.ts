// `memoir memory reindex` as typed: it tells how far it is until all of it is done, and prints once.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { CannedAnswers } from "../../support/canned-server.ts";
import { ownHome } from "../../support/own-home.ts";
import { quietStatus } from "../../support/quiet-status.ts";
import { drawn, type Typed, typed } from "../../support/typed.ts";

let place: Awaited<ReturnType<typeof ownHome>>;
beforeAll(async () => {
  place = await ownHome();
});
afterAll(() => place.end());

const index = (indexed: number) => ({ records: 3, indexed, isWhole: indexed === 3 });
const status = (storage: object) => ({
  "/api/status": { ...quietStatus, storage: { ...quietStatus.storage, ...storage } },
});
/** Half done at first, whole when asked again. */
const slow = (): CannedAnswers => ({ "/api/reindex": index(1), ...status({ index: index(3) }) });

test("it asks until the index is whole, and draws how far it is on a screen only", async () => {
  let shown: Typed | undefined;
  const run = (width: number | undefined, ...flags: string[]) =>
    drawn(async () => {
      shown = await typed(["memory", "reindex", ...flags], slow(), { width });
    });
  const gone = "\r\u001b[2K";
  expect(await run(80)).toBe(`${gone}1 of 3 records${gone}`);
  expect(shown).toMatchObject({ code: 0, out: ["✓ 3 records can be found."] });
  expect(shown?.asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
    ...["POST /api/reindex", "GET /api/status"],
  ]);
  expect(await run(undefined)).toBe("");
  expect(await run(80, "--json")).toBe("");
  expect(shown?.out).toEqual([JSON.stringify(index(3))]);
});

test("where all is done at once nothing more is asked", async () => {
  const one = { records: 1, indexed: 1, isWhole: true };
  const { out, asked } = await typed(["memory", "reindex"], { "/api/reindex": one });
  expect([out, asked.length]).toEqual([["✓ 1 record can be found."], 1]);
});

test("a storage that does not say how far it is ends the wait, with its reason", async () => {
  const why = async (storage: object) =>
    (await typed(["memory", "reindex"], { "/api/reindex": index(0), ...status(storage) })).err[0];
  const begin = "error: The storage does not report its progress: ";
  expect(await why({})).toBe(`${begin}it keeps no index of its own.`);
  expect(await why({ error: "it is away" })).toBe(`${begin}it is away.`);
});
