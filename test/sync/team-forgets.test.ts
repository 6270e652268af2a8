// What is forgotten in a team: by whom it may be, whom it reaches, and of what nobody hears.
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exchange } from "../../src/sync/exchange.ts";
import { ownChanges } from "../../src/sync/push.ts";
import { createSpace, invite, join as joinSpace, share } from "../../src/sync/spaces.ts";
import { sampleObservation } from "../support/sample-records.ts";
import { syncedHome } from "../support/synced-home.ts";

const root = mkdtempSync(join(tmpdir(), "memoir-team-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const shop = "github.com/acme/shop";
const diary = "github.com/ada/diary";
const place = { type: "plugin", name: "hub-folder" } as const;

type Home = Awaited<ReturnType<typeof syncedHome>>;

const put = (one: Home, project: string, ...titles: string[]) =>
  one.records.put({
    key: titles.join(),
    records: {
      sessions: [
        {
          ...{ id: `session-${project}`, client: "claude-code", status: "ended", title: "Work" },
          ...{ startedAt: 1, lastActiveAt: 2, prompts: 1 },
          project: { id: project, name: project, root: "/h" },
        },
      ],
      observations: titles.map((title) =>
        sampleObservation({ title, session: `session-${project}`, project }),
      ),
    } as never,
  });
const titles = async (one: Home) =>
  (await one.records.observations({ superseded: true })).map(({ title }) => title).sort();
const forget = async (one: Home, title: string) => {
  const found = await one.records.observations({ superseded: true });
  await one.records.delete({ ids: found.flatMap((it) => (it.title === title ? it.id : [])) });
};

/** Ada shares the shop with Bo, and her diary with nobody. */
async function team() {
  const hub = mkdtempSync(join(root, "hub-"));
  const [ada, bo] = [await syncedHome(root, hub), await syncedHome(root, hub)];
  const { id } = await createSpace(ada.deps, "team", { person: "Ada", machine: "desk" });
  const asked = { role: "writer", isKey: false, label: "guest" } as const;
  const invitation = await invite(ada.deps, id, asked, place);
  await joinSpace(bo.deps, invitation, { person: "Bo", machine: "lap" });
  await put(ada, shop, "one", "two", "three");
  await put(ada, diary, "secret");
  await share(ada.deps, id, shop, true);
  const round = async () => {
    for (const one of [ada, bo, ada]) await exchange(one.deps, id);
  };
  await round();
  const end = async () => {
    for (const one of [ada, bo]) await one.stop();
  };
  return { ada, bo, id, round, end };
}

test("what is forgotten of what a team shares goes with all of them, also once it is not shared any more", async () => {
  const { ada, bo, id, round, end } = await team();
  expect(await titles(bo)).toEqual(["one", "three", "two"]);
  await forget(ada, "one");
  await round();
  expect(await titles(bo)).toEqual(["three", "two"]);
  await share(ada.deps, id, shop, false);
  await forget(ada, "two");
  await put(ada, shop, "four");
  await round();
  expect(await titles(bo)).toEqual(["three"]);
  // Shared again, what came meanwhile follows, and what was forgotten stays so.
  await share(ada.deps, id, shop, true);
  await round();
  expect(await titles(bo)).toEqual(["four", "three"]);
  await end();
});

test("whoever shares the project too forgets what another said, for all; else for themselves", async () => {
  const { ada, bo, id, round, end } = await team();
  await forget(bo, "two");
  await round();
  expect(await titles(ada)).toContain("two");
  await share(bo.deps, id, shop, true);
  await forget(bo, "one");
  await round();
  expect(await titles(ada)).toEqual(["secret", "three"]);
  await end();
});

test("of what was never shared nobody hears that it was forgotten", async () => {
  const { ada, id, round, end } = await team();
  await forget(ada, "secret");
  const space = ada.state.space(id);
  if (!space) throw new Error("there is no space");
  const { replica } = await ada.records.changes({ limit: 1 });
  const { changes } = await ownChanges(ada.deps, space, { replica, from: 0, limit: 100 });
  expect(changes.filter(({ kind }) => kind === "forget")).toEqual([]);
  await round();
  // It is in the log, under no name.
  const all = (await ada.records.changes({})).changes.filter(({ kind }) => kind === "forget");
  expect(all).toHaveLength(1);
  expect(JSON.stringify(all)).not.toContain("diary");
  await end();
});

test("the same record edited, merged and forgotten by two who did not hear of each other: the last word holds, and what is forgotten stays so", async () => {
  const { ada, bo, id, round, end } = await team();
  await share(bo.deps, id, shop, true);
  const all = async (one: Home) => one.records.observations({ superseded: true, hidden: true });
  const idOf = async (one: Home, title: string) =>
    (await all(one)).find((it) => it.title === title)?.id ?? "";
  const amend = async (one: Home, title: string, how: object) =>
    one.records.amend({ id: await idOf(one, title), ...how });
  // Each says something of "one" on their own; Bo speaks last.
  await amend(ada, "one", { set: { title: "one, as Ada has it" } });
  await Bun.sleep(5);
  await amend(bo, "one", { set: { title: "one, as Bo has it" } });
  await round();
  for (const home of [ada, bo]) expect(await titles(home)).toContain("one, as Bo has it");
  // Ada merges "two" into "three", while Bo edits it: both hold.
  await amend(ada, "two", { merged: await idOf(ada, "three") });
  await amend(bo, "two", { set: { narrative: "Bo's own words." } });
  await round();
  for (const home of [ada, bo]) {
    const two = (await all(home)).find(({ title }) => title === "two");
    expect(two).toMatchObject({ narrative: "Bo's own words.", hidden: true });
  }
  // Ada forgets what Bo edits at the same time, before and after her.
  await amend(bo, "three", { set: { title: "three, once more" } });
  await forget(ada, "three");
  await Bun.sleep(5);
  await amend(bo, "three, once more", { pinned: true });
  await round();
  expect((await titles(ada)).filter((title) => /three/.test(title))).toEqual([]);
  expect(await titles(ada)).toEqual([...(await titles(bo)), "secret"].sort());
  await end();
});
