// A PostgreSQL hub on its bad days: each is told in words, nothing is lost, and it goes on by itself.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readAddress } from "../../../plugins/hub-postgres/address.ts";
import plugin from "../../../plugins/hub-postgres/index.ts";
import { testHost } from "../../../src/testing/test-host.ts";
import { postgresPrograms, startPostgres, type TestPostgres } from "../../support/postgres.ts";

const programs = await postgresPrograms();
const root = mkdtempSync(join(tmpdir(), "memoir-pg-bad-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A home whose hub is at this address. */
async function at(address: string, config: Record<string, unknown> = {}) {
  const home = mkdtempSync(join(root, "home-"));
  writeFileSync(join(home, "keys.json"), JSON.stringify({ "hub-postgres": address }));
  return testHost(plugin, { home, config });
}

const batch = (number: number) => ({
  ...{ space: "a".repeat(32), stream: "b".repeat(32), number },
  bytes: new Uint8Array([number]),
});

describe("an address", () => {
  test("of another machine is never used without TLS that proves its name, whatever it says", async () => {
    for (const mode of [
      "",
      "?sslmode=disable",
      "?sslmode=prefer",
      "?sslmode=require",
      "?sslmode=no-verify",
    ])
      expect((await readAddress(`postgres://me:pw@db.example.org/x${mode}`)).ssl).toEqual({
        rejectUnauthorized: true,
        host: "db.example.org",
      });
    expect((await readAddress("postgres://me@127.0.0.1:5433/x")).ssl).toBe(false);
    expect((await readAddress("postgres://me@localhost/x?sslmode=require")).ssl).not.toBe(false);
  });

  test("that is none is refused without a word of it", async () => {
    for (const text of ["secret-password", "mysql://me:secret-password@h/x", "postgres://", ""])
      await expect(readAddress(text)).rejects.toMatchObject({
        code: "hub_refused",
        message: expect.not.stringContaining("secret"),
      });
  });
});

describe.skipIf(!programs)("a hub", () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres(programs ?? "");
  });
  afterAll(() => server?.stop());

  test("that is killed and started again has what it took, and goes on", async () => {
    const host = await at(server.url);
    await host.call("hub.push", batch(1));
    await server.kill();
    await expect(host.call("hub.push", batch(2))).rejects.toMatchObject({ code: "hub_away" });
    await server.start();
    expect(await host.call("hub.push", batch(2))).toEqual({ state: "stored", number: 2 });
    const page = await host.call("hub.pull", { space: batch(1).space, after: {}, bytes: 1_000 });
    expect(page?.batches.map(({ number }) => number)).toEqual([1, 2]);
    await host.stop();
  });

  test("that is read-only, or refuses a role, says so", async () => {
    await server.sql(
      "create role guest login; alter role guest set default_transaction_read_only = on",
    );
    await server.sql(
      "grant usage on schema memoir to guest; grant all on all tables in schema memoir to guest",
    );
    const guest = await at(server.url.replace("owner@", "guest@"));
    await expect(guest.call("hub.push", batch(3))).rejects.toThrow("is read-only now");
    await server.sql("create role other login");
    const other = await at(server.url.replace("owner@", "other@"));
    await expect(other.call("hub.push", batch(3))).rejects.toThrow("does not let this user");
    const health = await other.call("hub.health", {});
    expect(health).toMatchObject({ ok: false, trouble: expect.stringContaining("does not let") });
    for (const one of [guest, other]) await one.stop();
  });

  test("with a database that is not there, or of a newer memoir, is refused", async () => {
    const none = await at(server.url.replace("/postgres", "/nowhere"));
    await expect(none.call("hub.push", batch(1))).rejects.toThrow("has no such database");
    await server.sql("update memoir.version set number = 99");
    const older = await at(server.url);
    await expect(older.call("hub.push", batch(3))).rejects.toThrow("version 99");
    await server.sql("update memoir.version set number = 1");
    for (const one of [none, older]) await one.stop();
  });

  test("without a connection left says so, and works once there is one", async () => {
    await server.sql(
      "create role few login connection limit 0; grant usage on schema memoir to few; grant all on all tables in schema memoir to few",
    );
    const host = await at(server.url.replace("owner@", "few@"));
    await expect(host.call("hub.push", batch(3))).rejects.toThrow("no connection left");
    await server.sql("alter role few connection limit 5");
    expect(await host.call("hub.push", batch(3))).toMatchObject({ state: "stored" });
    await host.stop();
  });

  test("that takes two seconds for each statement is waited for, and takes each once", async () => {
    await server.sql(`create function slow() returns trigger language plpgsql as
      'begin perform pg_sleep(2); return new; end';
      create trigger slow before insert on memoir.heads for each row execute function slow()`);
    const [patient, hasty] = [await at(server.url), await at(server.url, { timeoutSeconds: 1 })];
    const next = { ...batch(1), stream: "slow" };
    await expect(hasty.call("hub.push", next)).rejects.toThrow("did not answer in 1 s");
    const pushed = await patient.call("hub.push", next);
    expect(["stored", "there"]).toContain(pushed?.state ?? "");
    await server.sql("drop function slow cascade");
    const { space } = next;
    const page = await patient.call("hub.pull", { space, after: {}, bytes: 1_000 });
    expect(page?.heads.filter(({ stream }) => stream === "slow")).toMatchObject([{ number: 1 }]);
    for (const one of [patient, hasty]) await one.stop();
  });

  test("that is full says so, and takes it once there is room", async () => {
    await server.sql(`create function full_disk() returns trigger language plpgsql as
      'begin raise exception using errcode = ''53100''; end';
      create trigger full_disk before insert on memoir.heads for each row execute function full_disk()`);
    const host = await at(server.url);
    const next = { ...batch(1), stream: "full" };
    await expect(host.call("hub.push", next)).rejects.toThrow("has no room left on its disk");
    await server.sql("drop function full_disk cascade");
    expect(await host.call("hub.push", next)).toMatchObject({ state: "stored" });
    await host.stop();
  });

  test("that takes a connection and says nothing is left after the deadline", async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as { port: number };
    const host = await at(`postgres://me:pw@127.0.0.1:${port}/x`, { timeoutSeconds: 1 });
    await expect(host.call("hub.push", batch(1))).rejects.toMatchObject({
      code: "hub_away",
      message: expect.stringContaining("did not answer in 1 s"),
    });
    await host.stop();
    silent.close();
  });

  test("that was put back to an earlier state says how far it is", async () => {
    const host = await at(server.url);
    await server.sql(
      "delete from memoir.batches where number > 1; update memoir.heads set number = 1",
    );
    expect(await host.call("hub.push", batch(4))).toEqual({ state: "behind", number: 1 });
    await server.sql("drop schema memoir cascade");
    await expect(host.call("hub.push", batch(4))).rejects.toMatchObject({ code: "hub_away" });
    expect(await host.call("hub.push", batch(4))).toEqual({ state: "behind", number: 0 });
    await host.stop();
  });

  test("leaves no password in what it says", async () => {
    const secret = "hunter2secret";
    const host = await at(server.url.replace("owner@", `nobody:${secret}@`));
    const health = await host.call("hub.health", {});
    const error = await host.call("hub.push", batch(1)).catch((reason: unknown) => reason);
    expect(`${JSON.stringify(health)} ${String(error)} ${JSON.stringify(error)}`).not.toContain(
      secret,
    );
    await host.stop();
  });
});
