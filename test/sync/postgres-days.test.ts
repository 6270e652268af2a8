// Homes over a real PostgreSQL that loses, fails over, or commits late, and over one whose role may do just what it has to.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import plugin from "../../plugins/hub-postgres/index.ts";
import { exchange } from "../../src/sync/exchange.ts";
import { createSpace, invite, join as joinSpace, remove } from "../../src/sync/spaces.ts";
import { testHost } from "../../src/testing/test-host.ts";
import { postgresPrograms, startPostgres, type TestPostgres } from "../support/postgres.ts";
import { sampleObservation } from "../support/sample-records.ts";
import { syncedHome } from "../support/synced-home.ts";

const programs = await postgresPrograms();
const root = mkdtempSync(join(tmpdir(), "memoir-pg-days-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const place = { type: "plugin", name: "hub-postgres" } as const;
const guest = { role: "writer", isKey: false, label: "guest" } as const;
type Home = Awaited<ReturnType<typeof syncedHome>>;

async function say(one: Home, ...titles: string[]): Promise<void> {
  const project = { id: "github.com/acme/shop", name: "shop", root: "/h" };
  const session = `session-${one.folder}`;
  for (const title of titles) {
    const records = {
      session: {
        ...{ id: session, client: "claude-code", startedAt: 1, status: "active" },
        project,
      },
      observations: [sampleObservation({ title, session })],
    };
    await one.records.put({ key: title, records: records as never });
  }
}
const said = async (one: Home) =>
  (await one.records.observations({ limit: 1_000 })).map(({ title }) => title).sort();

describe.skipIf(!programs)("homes over PostgreSQL", () => {
  let server: TestPostgres;
  const homes: Home[] = [];
  const newHome = async (address = server.url) => {
    const made = await syncedHome(root, address);
    homes.push(made);
    return made;
  };
  beforeAll(async () => {
    server = await startPostgres(programs ?? "");
  }, 180_000);
  afterAll(async () => {
    for (const one of homes) await one.stop();
    await server?.stop();
  });
  const copy = (from: string, to: string) => {
    rmSync(to, { recursive: true, force: true });
    execFileSync("cp", ["-a", from, to]);
  };

  test("fail over to a server that is behind, in batches and in members: nothing is lost or doubled", async () => {
    const [ada, bo] = [await newHome(), await newHome()];
    const { id } = await createSpace(ada.deps, "mine", { person: "Ada", machine: "desk" });
    await joinSpace(bo.deps, await invite(ada.deps, id, guest, place), {
      person: "Ada",
      machine: "b",
    });
    await say(ada, "one");
    await say(bo, "two");
    for (const one of [ada, bo, ada]) await exchange(one.deps, id);
    // What a replica that commits later, or yesterday's backup, would have.
    const older = join(server.data, "../older");
    await server.halt();
    copy(server.data, older);
    await server.start();
    const gone = await newHome();
    await joinSpace(gone.deps, await invite(ada.deps, id, guest, place), {
      person: "Eve",
      machine: "e",
    });
    await say(gone, "three");
    await say(ada, "four");
    for (const one of [ada, gone, bo, ada]) await exchange(one.deps, id);
    const member = ada.state
      .streams(id)
      .find((one) => one.stream === gone.state.space(id)?.stream)?.member;
    await remove(ada.deps, id, member ?? "");
    await exchange(ada.deps, id);
    const invitation = await invite(ada.deps, id, guest, place);

    await server.kill();
    copy(older, server.data);
    await server.start();
    await say(ada, "five");
    await say(bo, "six");
    for (const one of [bo, ada, bo, ada]) await exchange(one.deps, id);
    // Whoever was removed and whoever was invited meanwhile is so still.
    await exchange(gone.deps, id).catch(() => undefined);
    expect(gone.state.space(id)?.lost).toContain("removed");
    const fresh = await newHome();
    await joinSpace(fresh.deps, invitation, { person: "Ada", machine: "fresh" });
    for (const one of [ada, fresh, bo, fresh]) await exchange(one.deps, id);
    const all = ["five", "four", "one", "six", "two"];
    for (const one of [ada, bo]) expect(await said(one)).toEqual([...all, "three"].sort());
    // What the removed member had said is with those who read it; the hub lost it.
    expect((await said(fresh)).filter((title) => title !== "three")).toEqual(all);
    for (const one of [ada, bo, fresh])
      expect(one.state.streams(id).filter(({ stuck }) => stuck)).toEqual([]);
  }, 180_000);

  test("never miss what commits late, whatever is committed and read before it", async () => {
    const at = async () => {
      const home = mkdtempSync(join(root, "h-"));
      writeFileSync(join(home, "keys.json"), JSON.stringify({ "hub-postgres": server.url }));
      return testHost(plugin, { home });
    };
    const [writer, other, reader] = [await at(), await at(), await at()];
    const space = crypto.randomUUID().replaceAll("-", "");
    const push = (host: typeof writer, stream: string, number: number) =>
      host.call("hub.push", { space, stream, number, bytes: new Uint8Array([number]) });
    const after: Record<string, number> = {};
    const seen: string[] = [];
    const read = async () => {
      const page = await reader.call("hub.pull", { space, after, bytes: 1e6 });
      for (const { stream, number } of page?.batches ?? []) {
        expect(number).toBe((after[stream] ?? 0) + 1);
        after[stream] = number;
        seen.push(`${stream} ${number}`);
      }
    };
    await push(writer, "late", 1);
    // The row of "late" commits when the test says so, however busy the machine is.
    await server.sql(`create table if not exists may_commit (since timestamptz);
      create or replace function held() returns trigger language plpgsql as
      'begin while not exists (select from may_commit) loop perform pg_sleep(0.01); end loop; return new; end';
      create or replace trigger held before insert or update on memoir.heads for each row when (new.stream = 'late') execute function held()`);
    const late = push(writer, "late", 2);
    const until = async (is: string) => {
      const asked = `select count(*) from pg_stat_activity where ${is}`;
      while ((await server.sql(asked)) === "0") await Bun.sleep(10);
    };
    await until("wait_event = 'PgSleep'");
    for (const number of [1, 2, 3]) await push(other, "quick", number);
    await read();
    expect(seen).toEqual(["late 1", "quick 1", "quick 2", "quick 3"]);
    const heard = reader.call("hub.wait", { spaces: [space], ms: 5_000 });
    // The next of that stream cannot overtake it, for it has not been taken yet.
    const next = push(other, "late", 3);
    await until("query ilike 'listen %'");
    await server.sql("insert into may_commit values (now())");
    expect(await late).toMatchObject({ state: "stored" });
    expect(await heard).toEqual({ changed: true });
    await next;
    await server.sql("drop function held cascade; drop table may_commit");
    await push(writer, "late", 3);
    await read();
    expect(seen.slice(4)).toEqual(["late 2", "late 3"]);
    for (const one of [writer, other, reader]) await one.stop();
  }, 180_000);

  test("need no more than the role and the database that the docs have made", async () => {
    await server.sql("create role memoir login");
    await server.sql("create database memoir owner memoir");
    const address = server.url.replace("owner@", "memoir@").replace(/\/postgres$/, "/memoir");
    const [ada, bo] = [await newHome(address), await newHome(address)];
    const { id } = await createSpace(ada.deps, "mine", { person: "Ada", machine: "desk" });
    await joinSpace(bo.deps, await invite(ada.deps, id, guest, place), {
      person: "Ada",
      machine: "b",
    });
    await say(ada, "one");
    for (const one of [ada, bo]) await exchange(one.deps, id);
    expect(await said(bo)).toEqual(["one"]);
    const may =
      "select rolsuper or rolcreaterole or rolcreatedb from pg_roles where rolname = 'memoir'";
    expect(await server.sql(may)).toBe("f");
  }, 180_000);
});
