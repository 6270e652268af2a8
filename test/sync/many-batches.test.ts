// A long way behind: groups of batches are taken in while those before them are still on their way to the disk.
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import folderHub from "../../plugins/hub-folder/index.ts";
import { MemoirError } from "../../src/sdk/errors.ts";
import { exchange } from "../../src/sync/exchange.ts";
import { createSpace, invite, join as joinSpace } from "../../src/sync/spaces.ts";
import { home } from "./homes.ts";

const root = mkdtempSync(join(tmpdir(), "memoir-many-"));
const ends: Array<() => Promise<void>> = [];
afterAll(async () => {
  for (const end of ends) await end();
  rmSync(root, { recursive: true, force: true });
});

type Applying = { changes?: Array<{ body: { text?: string } }>; upTo?: Record<string, number> };

/** Ada has said three groups of 300 things that Bo has not read; `apply` stands before what Bo's memory does. */
async function behind(apply: (texts: string[], given: () => unknown) => Promise<unknown>) {
  const folder = mkdtempSync(join(root, "hub-"));
  const ada = await home(folderHub, { folder });
  const bo = await home(folderHub, { folder });
  ends.push(ada.stop, bo.stop);
  const { id } = await createSpace(ada.deps, "mine", { person: "Ada", machine: "desk" });
  const asked = { role: "owner", isKey: false, label: "Bo" } as const;
  const invitation = await invite(ada.deps, id, asked, { type: "plugin", name: "test" });
  await joinSpace(bo.deps, invitation, { person: "Ada", machine: "lap" });
  // A home that begins reads the newest first.
  ada.log.say("zero");
  for (const one of [ada, bo]) await exchange(one.deps, id);
  for (const group of ["first", "second", "third"]) {
    for (let n = 0; n < 300; n++) ada.log.say(`${group} ${n}`);
    await exchange(ada.deps, id);
  }
  const { first } = bo.deps.hooks as { first(name: string, input: never): Promise<unknown> };
  const hooks = {
    async first(name: string, input: never) {
      if (name !== "storage.apply") return first(name, input);
      const { changes = [] } = input as Applying;
      return apply(
        changes.map(({ body }) => String(body.text)),
        () => first(name, input),
      );
    },
  };
  const deps = { ...bo.deps, hooks: hooks as never };
  const place = () => bo.state.streams(id).map(({ number, stuck }) => ({ number, stuck }));
  const groups = () => [...new Set(bo.log.texts().map((text) => text.split(" ")[0]))];
  return { id, bo, deps, place, groups };
}

const turn = () => new Promise((resolve) => setTimeout(resolve, 20));

test("a place in a stream is noted once all before it is on disk", async () => {
  const disk = Promise.withResolvers<void>();
  let given = 0;
  const { id, deps, place, groups } = await behind(async (_, give) => {
    const isFirst = given++ === 0;
    const answer = await give();
    if (isFirst) await disk.promise;
    return answer;
  });
  const before = place();
  const round = exchange(deps, id);
  while (given < 2) await turn();
  for (let n = 0; n < 5; n++) await turn();
  // The second is given to memory meanwhile, and no third.
  expect(given).toBe(2);
  expect(place()).toEqual(before);
  disk.resolve();
  expect((await round).came).toBe(900);
  expect(groups()).toEqual(["first", "second", "third", "zero"]);
  expect(place()).not.toEqual(before);
});

test("what memory cannot take stops its stream there, though more of it was given to memory", async () => {
  let isHealed = false;
  const { id, bo, deps, place, groups } = await behind(async (texts, give) => {
    await turn();
    if (!isHealed && texts.includes("first 0"))
      throw new MemoirError("record_invalid", "A change says what no record can hold.");
    return give();
  });
  const [before] = place();
  await exchange(deps, id);
  expect(place()).toEqual([
    { number: before?.number ?? 0, stuck: expect.stringContaining("memory cannot take it") },
  ]);
  isHealed = true;
  await exchange(deps, id);
  expect(groups()).toEqual(["first", "second", "third", "zero"]);
  expect(place()[0]?.stuck).toBeUndefined();
  expect(Object.values(bo.log.position())).toContain(901);
});

test("what came to memory before what it follows is given once more", async () => {
  let given = 0;
  const { id, bo, deps, groups } = await behind(async (_, give) => {
    if (given++ === 0) for (let n = 0; n < 5; n++) await turn();
    return give();
  });
  expect((await exchange(deps, id)).came).toBe(900);
  expect(groups()).toEqual(["first", "second", "third", "zero"]);
  expect(Object.values(bo.log.position())).toContain(901);
});
