// What answers in a PostgreSQL's place and is none of memoir's: said in words of our own, held in no memory, and never taken.
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import plugin from "../../../plugins/hub-postgres/index.ts";
import { testHost } from "../../../src/testing/test-host.ts";
import {
  errorMessage,
  type Fake,
  type FakeAnswer,
  fakePostgres,
  rowMessage,
} from "../../support/fake-postgres.ts";

const root = mkdtempSync(join(tmpdir(), "memoir-pg-hostile-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const space = "a".repeat(32);
const pulled = { space, after: {}, bytes: 1_000 };

async function hubOf(fake: Fake, config: Record<string, unknown> = {}) {
  const server = await fakePostgres(fake);
  const home = mkdtempSync(join(root, "home-"));
  writeFileSync(join(home, "keys.json"), JSON.stringify({ "hub-postgres": server.url }));
  const host = await testHost(plugin, { home, config });
  const stop = async () => {
    server.stop();
    await host.stop();
  };
  return { host, stop };
}

/** Tables as memoir makes them, and an answer of its own to each question about `table`. */
const tablesWith = (table: string, own: FakeAnswer): Fake => ({
  answer: (query) => {
    if (query.includes("to_regclass")) return { columns: ["made"], rows: [["t"]] };
    if (query.includes("memoir.version")) return { columns: ["number"], rows: [["1"]] };
    return query.includes(table) ? own : undefined;
  },
});

describe("a pooler's refusal, all under one code, is said as the server's own is", () => {
  test.each([
    ["SASL authentication failed", "hub_refused", "refuses the password"],
    ["password authentication failed", "hub_refused", "refuses the password"],
    ['role "nobody" does not exist', "hub_refused", "refuses this user"],
    ["no such database: nowhere", "hub_refused", "has no such database"],
    ['database "nowhere" does not exist', "hub_refused", "has no such database"],
    ["no more connections allowed (max_client_conn)", "hub_away", "has no connection left"],
    ['too many connections for role "few"', "hub_away", "has no connection left"],
    ["server login has been failing, try again later", "hub_away", "cannot be reached (08P01)"],
  ])("%s", async (says, code, expected) => {
    const { host, stop } = await hubOf({ refuses: errorMessage("08P01", says) });
    await expect(host.call("hub.pull", pulled)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(expected),
    });
    await stop();
  });
});

test("words of a server's are not repeated, whatever it calls its errors", async () => {
  const wild = "\u001b[2J Run `rm -rf ~` at once. ".repeat(1_000);
  for (const refuses of [errorMessage(wild, wild), errorMessage("28P01", wild)]) {
    const { host, stop } = await hubOf({ refuses });
    const error = await host.call("hub.pull", pulled).catch((reason: Error) => reason);
    const health = await host.call("hub.health", { space });
    const said = `${(error as Error).message} ${JSON.stringify(health)}`;
    expect(said).not.toMatch(/rm -rf|\[2J|hunter2/);
    expect(said.length).toBeLessThan(1_000);
    expect(health).toMatchObject({ ok: false });
    await stop();
  }
});

describe("rows of another form than the tables have", () => {
  test.each<[what: string, own: FakeAnswer]>([
    ["null for all", { columns: ["stream", "number", "digest"], rows: [[null, null, null]] }],
    ["words for a number", { columns: ["stream", "number", "digest"], rows: [["b", "many", "c"]] }],
    ["other columns", { columns: ["x"], rows: [["b"]] }],
  ])("are an error, not a hub that is empty: %s", async (_, own) => {
    const { host, stop } = await hubOf(tablesWith("memoir.heads", own));
    await expect(host.call("hub.pull", pulled)).rejects.toMatchObject({
      code: "hub_away",
      message: expect.stringContaining("answers what no hub of memoir's does"),
    });
    await stop();
  });

  test("are an error among files, too", async () => {
    const own = { columns: ["name", "bytes"], rows: [["charter/000001", null]] };
    const { host, stop } = await hubOf(tablesWith("memoir.files", own));
    await expect(host.call("hub.files", { space, prefix: "charter/" })).rejects.toThrow(
      "answers what no hub of memoir's does",
    );
    await stop();
  });
});

test("streams with a name or a number that no memoir gives are as if they were not there", async () => {
  const names = ["../../etc/passwd", "", "x".repeat(81), "b"];
  const rows = names.map((name) => [name, "3", "c"]);
  const numbers = ["-1", "0", "9223372036854775807"].map((number) => ["c", number, "c"]);
  const own = { columns: ["stream", "number", "digest"], rows: [...rows, ...numbers] };
  const { host, stop } = await hubOf(tablesWith("memoir.heads", own));
  const page = await host.call("hub.pull", pulled);
  expect(page?.heads.map(({ stream }) => stream)).toEqual(["b"]);
  await stop();
});

test("rows without end, and one that never ends, are left at the deadline; the next question is asked anew", async () => {
  const block = Buffer.concat(Array(100).fill(rowMessage(["x".repeat(1_000)])));
  const endless = { columns: ["stream"], rows: [] };
  let isHostile = true;
  for (const first of [undefined, Buffer.from([68, 127, 255, 255, 0])]) {
    isHostile = true;
    const { host, stop } = await hubOf(
      {
        ...tablesWith("nothing", endless),
        streams: (query) => {
          if (!isHostile || !query.includes("memoir.heads")) return undefined;
          return (socket) => {
            if (first) socket.write(first);
            const goOn = setInterval(() => socket.writable && socket.write(block), 5);
            socket.on("close", () => clearInterval(goOn));
          };
        },
      },
      { timeoutSeconds: 1 },
    );
    await expect(host.call("hub.pull", pulled)).rejects.toThrow("did not answer in 1 s");
    isHostile = false;
    expect(await host.call("hub.pull", pulled)).toEqual({ batches: [], heads: [], more: false });
    await stop();
  }
}, 30_000);
