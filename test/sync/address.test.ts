// The address of a PostgreSQL hub, as a person gives it: a new password, a wrong one, and the same once more.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import plugin from "../../plugins/hub-postgres/index.ts";
import { memoirPaths } from "../../src/home/paths.ts";
import { readKeys } from "../../src/provider/keys.ts";
import { createSync } from "../../src/sync/service.ts";
import { testHost } from "../../src/testing/test-host.ts";
import { postgresPrograms, startPostgres, type TestPostgres } from "../support/postgres.ts";
import { memoryLog } from "./homes.ts";

const programs = await postgresPrograms();
const root = mkdtempSync(join(tmpdir(), "memoir-address-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const quiet = { debug() {}, info() {}, warn() {}, error() {}, child: () => quiet };
const guest = { role: "writer", isKey: false, label: "guest" } as const;

describe.skipIf(!programs)("the address of a PostgreSQL hub", () => {
  let server: TestPostgres;
  const ends: Array<() => Promise<void>> = [];
  beforeAll(async () => {
    server = await startPostgres(programs ?? "");
    const hba = "host all app 127.0.0.1/32 scram-sha-256\nhost all all 127.0.0.1/32 trust\n";
    writeFileSync(join(server.data, "pg_hba.conf"), hba);
    await server.sql("create role app login superuser password 'one'; select pg_reload_conf()");
  }, 180_000);
  afterAll(async () => {
    for (const end of ends) await end();
    await server?.stop();
  });

  const at = (password: string) => server.url.replace("owner@", `app:${password}@`);
  const place = (address: string) => ({ type: "postgres" as const, address });
  const setPassword = (to: string) => server.sql(`alter role app password '${to}'`);
  /** As when the server goes down for a moment, which says nothing of the password. */
  const cut = () =>
    server.sql("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'app'");

  /** A home whose plugin goes on through each reload, as in a running server. */
  async function newHome() {
    const home = mkdtempSync(join(root, "home-"));
    const host = await testHost(plugin, { home, config: { timeoutSeconds: 5 } });
    const log = memoryLog();
    const first = async (name: string, input: never) => {
      if (name === "storage.changes") return { result: log.changes(input) };
      if (name === "storage.apply") return { result: log.apply(input) };
      return { result: await host.call(name as "hub.pull", input) };
    };
    const runtime = { hooks: { first } as never, reload: async () => undefined };
    const options = { paths: memoirPaths(home), runtime, log: quiet, env: {}, now: Date.now };
    const sync = createSync(options);
    ends.push(async () => {
      await sync.stop();
      await host.stop();
    });
    return { sync, log, key: async () => (await readKeys(home))["hub-postgres"] };
  }

  test("is replaced after the password was, by hand and by an invitation, and used at once", async () => {
    await setPassword("one");
    const [ada, bo] = [await newHome(), await newHome()];
    await ada.sync.create("team", place(at("one")), { person: "Ada" });
    await bo.sync.join(await ada.sync.invite(undefined, guest), { person: "Bo" });
    await setPassword("two");
    await cut();
    await expect(ada.sync.now()).rejects.toThrow("refuses the password");
    await expect(ada.sync.create(undefined, place(at("bad")), {})).rejects.toThrow(
      "This cannot be the hub",
    );
    expect(await ada.key()).toBe(at("one"));
    const { made, replaced, spaces } = await ada.sync.create(undefined, place(at("two")), {});
    expect({ made, replaced, kinds: spaces.map(({ kind }) => kind) }).toEqual({
      ...{ made: false, replaced: true },
      kinds: ["team"],
    });
    await ada.sync.now();
    expect(await ada.key()).toBe(at("two"));
    await expect(bo.sync.now()).rejects.toThrow("refuses the password");
    const { joined } = await bo.sync.join(await ada.sync.invite(undefined, guest), {});
    expect(joined).toBe("already");
    expect(await bo.key()).toBe(at("two"));
    await bo.sync.now();
  }, 180_000);

  test("connections that were cut meanwhile are made anew, and nobody is told", async () => {
    await setPassword("one");
    const { sync } = await newHome();
    await sync.create("team", place(at("one")), { person: "Ada" });
    for (let time = 0; time < 3; time += 1) {
      await cut();
      await sync.now();
    }
    for (let time = 0; time < 5; time += 1) {
      await cut();
      // What one of them lets go of is not what the others ask over by then.
      await Promise.all(Array.from({ length: 8 }, () => sync.members("team")));
    }
  }, 180_000);

  test("given again changes nothing, and makes a space beside a team only where that is said", async () => {
    await setPassword("one");
    const { sync } = await newHome();
    await sync.create("team", place(at("one")), {});
    const again = await sync.create(undefined, place(at("one")), {});
    expect(again).toMatchObject({ made: false, replaced: false });
    expect(again.spaces).toHaveLength(1);
    expect((await sync.create("mine", place(at("one")), {})).spaces).toHaveLength(2);
  }, 180_000);

  test.each([
    ["without a scheme", (good: string) => good.replace("postgres://app:one@", "")],
    ["with another password", (good: string) => good.replace(":one@", ":bad@")],
    ["with a password that is not encoded", (good: string) => good.replace(":one@", ":s3cr/et@")],
    [
      "with a percent sign that is not encoded",
      (good: string) => good.replace(":one@", ":s3cr%et@"),
    ],
  ])(
    "%s is refused, quotes nothing, and the one in force stays",
    async (_, wrong) => {
      await setPassword("one");
      const me = await newHome();
      const good = at("one");
      await me.sync.create("mine", place(good), {});
      const failed = me.sync.create(undefined, place(wrong(good)), {});
      const { message, fix } = (await failed.catch((error) => error)) as {
        message: string;
        fix: string;
      };
      expect(message).toMatch(/cannot be the hub|no connection string/);
      expect(`${message} ${fix}`).not.toMatch(/s3cr|bad|et@/);
      expect(await me.key()).toBe(good);
      await me.sync.now();
      const fresh = await newHome();
      const first = await fresh.sync.create("mine", place(wrong(good)), {}).catch((error) => error);
      expect(`${first.message} ${first.fix}`).not.toMatch(/s3cr|:bad|et@/);
      expect(first.message).toMatch(/refuses the password|no connection string|holds a character/);
      expect(await fresh.key()).toBeUndefined();
    },
    180_000,
  );
});
