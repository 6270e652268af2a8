// A space with a past: who begins, or comes back after months, reads snapshots, and has what everybody has whatever a hub makes of them.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSecrets } from "../../src/sync/charter.ts";
import { exchange } from "../../src/sync/exchange.ts";
import type { Invitation } from "../../src/sync/invitation.ts";
import { readMembers } from "../../src/sync/members.ts";
import { seal, signingKey, unseal } from "../../src/sync/seal.ts";
import { createSpace, invite, join as joinSpace, remove } from "../../src/sync/spaces.ts";
import { postgresPrograms, startPostgres } from "../support/postgres.ts";
import { sampleObservation, sampleTurn } from "../support/sample-records.ts";
import { syncedHome } from "../support/synced-home.ts";

const root = mkdtempSync(join(tmpdir(), "memoir-snapshots-"));
const ends: Array<() => Promise<void>> = [];
afterAll(async () => {
  for (const end of ends) await end();
  rmSync(root, { recursive: true, force: true });
});

type Home = Awaited<ReturnType<typeof syncedHome>>;
const span = 64;
/** Batches that are there: two snapshots, and some more. */
const batches = 2 * span + 5;
const place = { type: "plugin", name: "test" } as const;

async function opened(hub: string): Promise<Home> {
  const made = await syncedHome(root, hub);
  ends.push(made.stop);
  return made;
}

/** A batch: a turn goes on, and every eighth time it is the next one, and something was learned. */
async function work(one: Home, id: string, at: number): Promise<void> {
  const of = { session: "session-1", project: "github.com/acme/shop" };
  const session = {
    ...{ id: of.session, client: "claude-code", status: "active", startedAt: 1 },
    project: { id: of.project, name: "shop", root: "/home/shop" },
  };
  const promptNumber = Math.ceil(at / 8);
  const turns = [
    sampleTurn({ ...of, promptNumber, pieces: [{ kind: "said", text: `This is step ${at}.` }] }),
  ];
  const observations = at % 8 === 0 ? [sampleObservation({ ...of, title: `learned${at}x` })] : [];
  await one.records.put({ key: `${at}`, records: { session, turns, observations } as never });
  await exchange(one.deps, id);
}

/** Ada's space with its past, and a key that lets anybody in. */
async function past(hub: string) {
  const ada = await opened(hub);
  const { id } = await createSpace(ada.deps, "mine", { person: "Ada", machine: "desk" });
  const asked = { role: "owner", isKey: true, label: "guest" } as const;
  const owner = await invite(ada.deps, id, { ...asked, isKey: false }, place);
  const key = await invite(ada.deps, id, asked, place);
  for (let at = 1; at <= batches; at += 1) await work(ada, id, at);
  return { ada, id, key, owner, stream: ada.state.space(id)?.stream ?? "" };
}

/** A home that begins, and how many batches it was given one by one. */
async function begun(hub: string, key: Invitation) {
  const bo = await opened(hub);
  const id = key.space;
  await joinSpace(bo.deps, key, { person: "Bo", machine: "lap" });
  const given = { batches: 0, files: 0 };
  const first = bo.deps.hooks.first.bind(bo.deps.hooks);
  bo.deps.hooks.first = (async (name: string, input: never) => {
    const answer = (await first(name as "hub.pull", input)) as never as {
      result: { batches: unknown[]; files: unknown[] };
    };
    const { newest, prefix = "" } = input as { newest?: number; prefix?: string };
    if (name === "hub.pull" && !newest) given.batches += answer.result.batches.length;
    if (name === "hub.files" && prefix.startsWith("snapshot/"))
      given.files += answer.result.files.length;
    return answer;
  }) as never;
  return { bo, id, given };
}

async function said(one: Home): Promise<string[]> {
  const there = await one.records.observations({ limit: 1_000 });
  const turns = await one.records.turns({ limit: 1_000 });
  const steps = turns.flatMap(({ pieces }) => pieces.map(({ text }) => text));
  return [...there.map(({ title }) => title), ...steps].sort();
}

const programs = await postgresPrograms();
let made: Awaited<ReturnType<typeof past>>;
let hub = "";
beforeAll(async () => {
  hub = mkdtempSync(join(root, "hub-"));
  made = await past(hub);
}, 180_000);

/** A copy of the hub as it is, to be tampered with, and the files of its snapshots. */
function copied() {
  const folder = mkdtempSync(join(root, "copy-"));
  cpSync(hub, folder, { recursive: true });
  const space = join(folder, "memoir-hub", made.id);
  const snapshots = join(space, "files", "snapshot", made.stream);
  const file = (index: number) => join(snapshots, String(index).padStart(9, "0"));
  const batch = (number: number) =>
    join(space, "batches", made.stream, String(number).padStart(10, "0"));
  return { folder, snapshots, file, batch };
}

describe("whoever begins", () => {
  test("in a folder reads two files for 128 batches, and has it all", async () => {
    const { folder, snapshots } = copied();
    expect(readdirSync(snapshots)).toHaveLength(2);
    const { bo, id, given } = await begun(folder, made.key);
    await exchange(bo.deps, id);
    expect(await said(bo)).toEqual(await said(made.ada));
    expect(bo.state.streams(id)).toMatchObject([{ number: batches }]);
    expect(given.files).toBe(2);
    // One shows that there are streams, and those after the last snapshot follow.
    expect(given.batches).toBeLessThanOrEqual(1 + batches - 2 * span);
    expect(await exchange(bo.deps, id)).toEqual({ came: 0, went: 0 });
  });

  test.skipIf(!programs)(
    "over a PostgreSQL does the same",
    async () => {
      const server = await startPostgres(programs ?? "");
      ends.unshift(server.stop);
      const { ada, key } = await past(server.url);
      const { bo, id, given } = await begun(server.url, key);
      await exchange(bo.deps, id);
      expect(await said(bo)).toEqual(await said(ada));
      expect(given).toEqual({ batches: 1 + batches - 2 * span, files: 2 });
    },
    180_000,
  );
});

test("whoever comes back after months reads on from the midst of a snapshot", async () => {
  const { folder, batch } = copied();
  const hidden = mkdtempSync(join(root, "hidden-"));
  const put = (from: string, to: string) => {
    for (const name of readdirSync(from))
      if (Number(name) > 3) cpSync(join(from, name), join(to, name));
  };
  const stream = join(batch(1), "..");
  put(stream, hidden);
  for (const name of readdirSync(hidden)) rmSync(join(stream, name));
  const { bo, id, given } = await begun(folder, made.key);
  await exchange(bo.deps, id);
  expect(bo.state.streams(id)).toMatchObject([{ number: 3 }]);
  put(hidden, stream);
  await exchange(bo.deps, id);
  expect(await said(bo)).toEqual(await said(made.ada));
  expect(given.files).toBe(2);
});

describe("what was forgotten", () => {
  test("stays so, whether the forget or the snapshot is read first", async () => {
    const { folder } = copied();
    const carl = await begun(folder, made.key);
    await exchange(carl.bo.deps, carl.id);
    const gone = (await carl.bo.records.observations({ limit: 1_000 })).find(
      ({ title }) => title === "learned8x",
    );
    await carl.bo.records.delete({ ids: [gone?.id ?? ""] } as never);
    await exchange(carl.bo.deps, carl.id);
    const expected = await said(carl.bo);
    expect(expected).not.toContain("learned8x");
    const { bo, id } = await begun(folder, made.key);
    await exchange(bo.deps, id);
    expect(await said(bo)).toEqual(expected);
  });
});

test("who was removed cannot say anew what they said: their batches are read", async () => {
  const { folder, snapshots } = copied();
  const carl = await begun(folder, made.owner);
  await exchange(carl.bo.deps, carl.id);
  const ada = made.stream.split("-")[0] ?? "";
  await remove(carl.bo.deps, carl.id, ada);
  const { bo, id, given } = await begun(folder, made.key);
  await exchange(bo.deps, id);
  expect(readdirSync(snapshots)).toHaveLength(2);
  expect(given.batches).toBeGreaterThanOrEqual(batches);
  expect(await said(bo)).toEqual(await said(made.ada));
});

/** Ada's first snapshot, said anew by herself. */
async function forged(how: { digests?: (all: string[]) => string[]; is?: undefined }) {
  const { ada, id } = made;
  const chain = await readMembers(ada.deps, id);
  const me = await ada.state.identity();
  const secrets = await readSecrets(chain?.at(-1)?.bytes ?? new Uint8Array(), me);
  const key = Buffer.from(secrets?.keys[1] ?? "", "base64");
  const bytes = readFileSync(copied().file(0));
  const { header, content } = await unseal(bytes, key, me.publicKey);
  const { digests, ...rest } = content as { digests: string[] };
  const changed = { ...rest, changes: [], digests: how.digests?.(digests) ?? digests };
  const as = "is" in how ? { ...header, is: how.is } : header;
  return seal(as, changed, key, signingKey(me.sign));
}

const lies: Record<string, (at: ReturnType<typeof copied>) => Promise<void> | void> = {
  withholds: ({ file }) => rmSync(file(0)),
  cuts: ({ file }) => writeFileSync(file(0), readFileSync(file(0)).subarray(0, -9)),
  "flips a bit of": ({ file }) => {
    const bytes = readFileSync(file(0));
    bytes[400] = (bytes[400] ?? 0) ^ 1;
    writeFileSync(file(0), bytes);
  },
  "gives a later one for": ({ file }) => cpSync(file(1), file(0)),
  "gives a batch for": ({ file, batch }) => cpSync(batch(1), file(0)),
  "gives one of another end for": async ({ file }) =>
    writeFileSync(file(0), await forged({ digests: (all) => all.slice(0, 9) })),
  "gives one of other batches for": async ({ file, batch }) => {
    // Of a stream that ends there: its end is another.
    for (let number = span + 1; number <= batches; number += 1) rmSync(batch(number));
    const digests = (all: string[]) => [...all.slice(0, -1), "0".repeat(64)];
    writeFileSync(file(0), await forged({ digests }));
  },
  "gives a batch of the same number for": async ({ file }) =>
    writeFileSync(file(0), await forged({ is: undefined })),
};

describe("a hub that", () => {
  test.each(Object.keys(lies))(
    "%s a snapshot: its batches are read, and all is there",
    async (name) => {
      const at = copied();
      await lies[name]?.(at);
      const { bo, id, given } = await begun(at.folder, made.key);
      await exchange(bo.deps, id);
      const stuck = bo.state.streams(id).flatMap((one) => one.stuck ?? []);
      expect(stuck).toEqual([]);
      const cut = name.includes("other batches");
      expect(given.batches).toBeGreaterThanOrEqual(span);
      if (!cut) expect(await said(bo)).toEqual(await said(made.ada));
      else expect(bo.state.streams(id)).toMatchObject([{ number: span }]);
      expect((await said(bo)).filter((title) => title.startsWith("learned")).length).toBe(
        cut ? 8 : 16,
      );
    },
  );

  test("gives a snapshot for a batch: the stream stops there, and says why", async () => {
    const { folder, file, batch, snapshots } = copied();
    cpSync(file(1), batch(span + 1));
    rmSync(snapshots, { recursive: true });
    const { bo, id } = await begun(folder, made.key);
    await exchange(bo.deps, id);
    expect(bo.state.streams(id)[0]?.stuck).toContain(`Batch ${span + 1} does not count`);
  });
});
