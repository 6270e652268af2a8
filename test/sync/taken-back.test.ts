// What somebody takes back goes from the others' memories, from nobody else's words, and comes again where it is shared again.
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exchange } from "../../src/sync/exchange.ts";
import {
  createSpace,
  invite,
  join as joinSpace,
  leave,
  share,
  takeBack,
  takeBackAll,
} from "../../src/sync/spaces.ts";
import { sampleObservation } from "../support/sample-records.ts";
import { syncedHome } from "../support/synced-home.ts";

const root = mkdtempSync(join(tmpdir(), "memoir-back-"));
const homes: Home[] = [];
afterAll(async () => {
  for (const one of homes) await one.stop();
  rmSync(root, { recursive: true, force: true });
});

const shop = "github.com/acme/shop";
const api = "github.com/acme/api";
const place = { type: "plugin", name: "hub-folder" } as const;
const guest = { role: "writer", isKey: false, label: "guest" } as const;
type Home = Awaited<ReturnType<typeof syncedHome>>;

async function say(one: Home, project: string, ...titles: string[]): Promise<void> {
  const session = `${project} ${one.folder}`;
  for (const title of titles) {
    const records = {
      session: {
        ...{ id: session, client: "claude-code", startedAt: 1, status: "active" },
        project: { id: project, name: project, root: "/h" },
      },
      observations: [sampleObservation({ title, session, project })],
    };
    await one.records.put({ key: title, records: records as never });
  }
}
const said = async (one: Home) =>
  (await one.records.observations({ limit: 1_000, superseded: true }))
    .map(({ title }) => title)
    .sort();

async function newHome(hub: string) {
  const made = await syncedHome(root, hub);
  homes.push(made);
  return made;
}

/** Ada and Bo in a team, both of whom share both projects. */
async function team() {
  const hub = mkdtempSync(join(root, "hub-"));
  const [ada, bo] = [await newHome(hub), await newHome(hub)];
  const { id } = await createSpace(ada.deps, "team", { person: "Ada", machine: "desk" });
  const enter = async (one: Home, person: string) => {
    const invitation = await invite(ada.deps, id, guest, place);
    await joinSpace(one.deps, invitation, { person, machine: "m" });
  };
  await enter(bo, "Bo");
  for (const one of [ada, bo])
    for (const project of [shop, api]) await share(one.deps, id, project, true);
  await say(ada, shop, "a shop");
  await say(ada, api, "a api");
  await say(bo, shop, "b shop");
  const round = async (...more: Home[]) => {
    for (const one of [ada, bo, ...more, ada, bo]) await exchange(one.deps, id);
  };
  await round();
  return { hub, ada, bo, id, enter, round };
}

test("a project that is taken back goes from the others, also from who comes later, and comes when it is shared again", async () => {
  const { hub, ada, bo, id, enter, round } = await team();
  expect(await said(bo)).toEqual(["a api", "a shop", "b shop"]);
  await share(ada.deps, id, shop, false);
  await takeBack(ada.deps, id, [shop]);
  await say(ada, shop, "a shop later");
  await round();
  expect(await said(bo)).toEqual(["a api", "b shop"]);
  expect((await bo.records.search({ text: "shop" })).map(({ title }) => title)).not.toContain(
    "a shop",
  );
  // Here it is all there still.
  expect(await said(ada)).toEqual(["a api", "a shop", "a shop later", "b shop"]);
  const cy = await newHome(hub);
  await enter(cy, "Cy");
  await round(cy);
  expect(await said(cy)).toEqual(["a api", "b shop"]);
  await share(ada.deps, id, shop, true);
  await round(cy);
  const di = await newHome(hub);
  await enter(di, "Di");
  await round(di);
  for (const one of [bo, cy, di])
    expect(await said(one)).toEqual(["a api", "a shop", "a shop later", "b shop"]);
});

test("who leaves takes all of theirs along, and leaves what others said", async () => {
  const { ada, bo, id, round } = await team();
  await expect(takeBackAll(ada.deps, id)).rejects.toThrow("only owner");
  await round();
  expect(await said(bo)).toEqual(["a api", "a shop", "b shop"]);
  await takeBackAll(bo.deps, id);
  await leave(bo.deps, id);
  await exchange(ada.deps, id);
  expect(await said(ada)).toEqual(["a api", "a shop"]);
  expect(await said(bo)).toEqual(["a api", "a shop", "b shop"]);
  await round();
  expect(await said(ada)).toEqual(["a api", "a shop"]);
});

test("what came through another space too stays: one's own second machine keeps it", async () => {
  const { hub, ada, id, enter, round } = await team();
  const laptop = await newHome(hub);
  const mine = await createSpace(ada.deps, "mine", { person: "Ada", machine: "desk" });
  const own = await invite(ada.deps, mine.id, guest, place);
  await joinSpace(laptop.deps, own, { person: "Ada", machine: "laptop" });
  await enter(laptop, "Ada");
  const both = async () => {
    for (const one of [ada, laptop]) await exchange(one.deps, mine.id);
    await round(laptop);
  };
  await both();
  await share(ada.deps, id, shop, false);
  await takeBack(ada.deps, id, [shop]);
  await both();
  expect(await said(laptop)).toContain("a shop");
});

test("it is said again where the hub lost it, and no snapshot stands for it", async () => {
  const { hub, ada, bo, id, enter, round } = await team();
  await share(ada.deps, id, shop, false);
  await takeBack(ada.deps, id, [shop]);
  await exchange(ada.deps, id);
  const { stream, number } = ada.state.space(id) ?? { stream: "", number: 0 };
  const lost = join(hub, "memoir-hub", id, "batches", stream, String(number).padStart(10, "0"));
  rmSync(lost);
  await round();
  expect(await said(bo)).toEqual(["a api", "b shop"]);
  for (let at = 0; at < 70; at += 1) {
    await say(ada, api, `more ${at}`);
    await exchange(ada.deps, id);
  }
  const cy = await newHome(hub);
  await enter(cy, "Cy");
  await round(cy);
  expect(await said(cy)).not.toContain("a shop");
  expect(await said(cy)).toHaveLength(72);
}, 180_000);

test("what was taken back is not taken in where it is read after that", async () => {
  const { hub, ada, bo, id, enter } = await team();
  const { replica } = await ada.records.changes({ limit: 1 });
  const cy = await newHome(hub);
  await enter(cy, "Cy");
  cy.state.noteBack(id, { replica, upTo: 99, projects: [shop] });
  for (const one of [bo, cy]) await exchange(one.deps, id);
  expect(await said(cy)).toEqual(["a api", "b shop"]);
});

test("nobody takes another's words back, nor a forget", async () => {
  const { hub, ada, bo, id, enter, round } = await team();
  await bo.records.delete({
    ids: (await bo.records.observations({})).flatMap((one) =>
      one.title === "a api" ? one.id : [],
    ),
  });
  await round();
  expect(await said(ada)).toEqual(["a shop", "b shop"]);
  await takeBack(bo.deps, id);
  await round();
  // Whoever comes later reads that it was taken back before it reads what.
  const cy = await newHome(hub);
  await enter(cy, "Cy");
  const [back] = ada.state.othersBack(id);
  if (!back) throw new Error("nothing was taken back");
  cy.state.noteBack(id, back);
  await exchange(cy.deps, id);
  for (const one of [ada, cy]) expect(await said(one)).toEqual(["a shop"]);
});
