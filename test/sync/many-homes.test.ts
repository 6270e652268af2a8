// Many homes that write and read at once, while the hub is killed, stopped and started: every record is on every home once.
// MEMOIR_SYNC_HOMES and MEMOIR_SYNC_SECONDS make it longer; what is left afterwards is looked at, never how fast it went.
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { exchange } from "../../src/sync/exchange.ts";
import { createSpace, invite, join as joinSpace } from "../../src/sync/spaces.ts";
import { postgresPrograms, startPostgres } from "../support/postgres.ts";
import { sampleObservation } from "../support/sample-records.ts";
import { syncedHome } from "../support/synced-home.ts";

const homes = Number(process.env.MEMOIR_SYNC_HOMES ?? 4);
const seconds = Number(process.env.MEMOIR_SYNC_SECONDS ?? 6);
const programs = await postgresPrograms();
const root = mkdtempSync(join(tmpdir(), "memoir-many-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test.skipIf(!programs)(
  `${homes} homes over a PostgreSQL that dies: every record on each of them once`,
  async () => {
    const server = await startPostgres(programs ?? "");
    const all = await Promise.all(
      Array.from({ length: homes }, () => syncedHome(root, server.url)),
    );
    try {
      const [first, ...others] = all;
      if (!first) throw new Error("no home");
      const self = (at: number) => ({ person: `P${at}`, machine: `m${at}` });
      const { id } = await createSpace(first.deps, "mine", self(0));
      const place = { type: "plugin", name: "hub-postgres" } as const;
      for (const [at, one] of others.entries()) {
        const asked = { role: "writer", isKey: false, label: "guest" } as const;
        await joinSpace(one.deps, await invite(first.deps, id, asked, place), self(at + 1));
      }
      const end = Date.now() + seconds * 1_000;
      const written: string[] = [];
      const write = async (at: number) => {
        const one = all[at];
        for (let count = 0; one && Date.now() < end; count += 1) {
          // One word each: a title of the same words would take the place of an earlier one.
          const title = `said${at}x${count}`;
          const session = `session-${at}`;
          await one.records.put({
            key: title,
            records: {
              session: {
                ...{ id: session, client: "claude-code", startedAt: Date.now(), status: "active" },
                project: { id: "github.com/acme/shop", name: "shop", root: `/home/${at}/shop` },
              },
              observations: [sampleObservation({ title, session })],
            } as never,
          });
          written.push(title);
          await exchange(one.deps, id).catch(() => undefined);
          // What each writes, all of them read: with twice as many homes it is four times as much.
          await Bun.sleep(4 * homes ** 2 * (0.5 + Math.random()));
        }
      };
      let outages = 0;
      const disturb = async () => {
        while (Date.now() < end) {
          await Bun.sleep(Math.min(15_000, (seconds * 1_000) / 6));
          await (outages++ % 2 === 0 ? server.kill() : server.halt());
          await Bun.sleep(200 + 2_000 * Math.random());
          await server.start();
        }
      };
      await Promise.all([...all.keys()].map(write).concat(disturb()));
      for (let round = 0; round < 3; round += 1)
        for (const one of all) await exchange(one.deps, id);
      console.log(
        `${homes} homes, ${seconds} s, ${outages} outages, ${written.length} records each`,
      );
      expect(written.length).toBeGreaterThan(homes);
      expect(new Set(written).size).toBe(written.length);
      for (const one of all) {
        const there = await one.records.observations({ limit: 100_000 });
        expect(there.map(({ title }) => title).sort()).toEqual([...written].sort());
      }
    } finally {
      for (const one of all) await one.stop();
      await server.stop();
    }
  },
  (2 * seconds + 120) * 1_000,
);
