// What is forgotten is gone from every byte of the home, whatever way it was chosen; and nothing brings it back.
// MEMOIR_FORGETS=200 forgets so often of each kind.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { cp, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { wantRebuild } from "../../../src/home/findings.ts";
import { drainSpool, writeSpool } from "../../../src/runtime/events/spool.ts";
import { askStorage } from "../../../src/runtime/hooks/ask-storage.ts";
import type { StoredRecord } from "../../../src/sdk/storage.ts";
import type { Selection } from "../../../src/server/memory/forget.ts";
import { forget, whatGoes } from "../../../src/server/memory/forget.ts";
import { importLines } from "../../../src/server/memory/transfer/import-lines.ts";
import { clientEvent, toolEvent } from "../../support/client-events.ts";
import { keptLog } from "../../support/kept-log.ts";
import {
  type ForgetRoom,
  feedAgain,
  type Marked,
  openForgetRoom,
  placesOf,
  tellSessions,
} from "./forget-room.ts";

const times = Number(process.env.MEMOIR_FORGETS ?? 1);

let room: ForgetRoom;
beforeEach(async () => {
  room = await openForgetRoom();
});
afterEach(() => room.close());

/** The same numbers each time. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Each way to say what goes, and what of the marked prompts it means. */
type Way = (one: Marked) => Promise<{ selection: Selection; goes: (other: Marked) => boolean }>;

const turnOf = async ({ session, promptNumber }: Marked) =>
  (await askStorage(room.runtime.hooks, "storage.turns", { session, promptNumber }))[0]?.id ?? "";
const itself = (one: Marked) => (other: Marked) => other === one;
const ways: Record<string, Way> = {
  ids: async (one) => ({ selection: { ids: [await turnOf(one)] }, goes: itself(one) }),
  words: async (one) => {
    const { ids } = await whatGoes(room.runtime, { query: one.word });
    expect(ids).toContain(await turnOf(one));
    return { selection: { query: one.word, ids: [await turnOf(one)] }, goes: itself(one) };
  },
  file: async (one) => ({ selection: { file: one.file }, goes: itself(one) }),
  time: async ({ project, time, ...one }) => ({
    selection: { project, since: time - 1_000, until: time + 60_000 },
    goes: ({ word }) => word === one.word,
  }),
  session: async ({ session }) => ({
    selection: { session: session.slice(0, 8) },
    goes: (other) => other.session === session,
  }),
  project: async ({ project }) => ({
    selection: { project },
    goes: (other) => other.project === project,
  }),
};

const chosen = async (selection: Selection) => {
  const going = await whatGoes(room.runtime, selection);
  await forget(room.runtime, going, { derived: true });
};

test(
  `${times} random deletions of each kind leave no byte, and neither backfill nor spool nor a new journal brings one back`,
  async () => {
    const sessions = Math.ceil((times * 14) / 3);
    await tellSessions(room, { sessions, prompts: 3, projects: sessions });
    await amendAll();
    const random = numbers(7);
    const left = new Set(room.marked);
    const gone: Marked[] = [];
    for (let time = 0; time < times; time++)
      for (const way of Object.values(ways)) {
        const one = [...left][random(left.size)];
        if (!one) throw new Error("There is nothing left to forget.");
        const { selection, goes } = await way(one);
        await chosen(selection);
        for (const other of left)
          if (goes(other)) {
            left.delete(other);
            gone.push(other);
          }
      }
    const [words, kept] = [gone, [...left]].map((list) => list.map(({ word }) => word));
    expect(gone.length).toBeGreaterThanOrEqual(times * 6);
    expect(await placesOf(room.home, words ?? [])).toEqual([]);

    const expectKept = async () => {
      const places = (await placesOf(room.home, kept ?? [])).join();
      for (const word of kept ?? []) expect(places).toContain(`${word} in memory.db`);
    };
    await expectKept();
    const before = await askStorage(room.runtime.hooks, "storage.stats", {});
    await feedAgain(room);
    await replay(gone);
    expect(await placesOf(room.home, words ?? [])).toEqual([]);
    const after = await askStorage(room.runtime.hooks, "storage.stats", {});
    expect([after.turns, after.prompts]).toEqual([before.turns, before.prompts]);

    await room.reopen(async () => {
      for (const name of await readdir(room.home))
        if (name.startsWith("journal.db")) await rm(join(room.home, name));
    });
    await feedAgain(room);
    await replay(gone);
    await room.reopen();
    expect(await placesOf(room.home, words ?? [])).toEqual([]);
    await expectKept();
  },
  60_000 + times * 30_000,
);

/** Every observation and item is edited, in words that hold its mark, every turn pinned or hidden. */
async function amendAll(): Promise<void> {
  const { hooks } = room.runtime;
  const words = room.marked.map(({ word }) => word);
  for (const { record } of await everyRecord()) {
    const word = words.find((one) => JSON.stringify(record).includes(one));
    const name = "content" in record ? "content" : "narrative";
    const set = { [name]: `In my words: ${word} ${record.id}` };
    const isTurn = "pieces" in record;
    const what = isTurn ? { pinned: true, hidden: record.promptNumber === 2 } : { set };
    await askStorage(hooks, "storage.amend", { id: record.id, ...what });
  }
}

async function everyRecord(): Promise<StoredRecord[]> {
  const { hooks } = room.runtime;
  const lists = await Promise.all([
    askStorage(hooks, "storage.turns", { limit: 10_000 }),
    askStorage(hooks, "storage.observations", { limit: 10_000, superseded: true }),
    askStorage(hooks, "storage.memory", { limit: 10_000 }),
  ]);
  return await askStorage(hooks, "storage.get", { ids: lists.flat().map(({ id }) => id) });
}

test("what was edited and then forgotten comes back neither as it was nor as it was edited", async () => {
  await tellSessions(room, { sessions: 1, prompts: 1, projects: 1 });
  const before = (await everyRecord()).filter(({ kind }) => kind !== "turn");
  const lines = (records: StoredRecord[]) =>
    records.map((record, line) => ({ line, text: JSON.stringify(record) }));
  await amendAll();
  const edited = (await everyRecord()).filter(({ kind }) => kind !== "turn");
  expect(edited.length).toBeGreaterThan(1);
  await chosen({ ids: edited.map(({ record }) => record.id) });
  for (const records of [before, edited]) {
    const { stored, forgotten } = await importLines(room.runtime, lines(records), false);
    expect(Object.values(stored).filter((count) => count > 0)).toEqual([]);
    expect(forgotten).toBe(records.length);
  }
});

test("an export that still holds what was forgotten brings none of it back, of a session or of a prompt", async () => {
  await tellSessions(room, { sessions: 2, prompts: 2, projects: 1 });
  const { hooks } = room.runtime;
  const all = { limit: 10_000 };
  const [prompts, summaries, sessions] = await Promise.all([
    askStorage(hooks, "storage.prompts", all),
    askStorage(hooks, "storage.summaries", all),
    askStorage(hooks, "storage.sessions", all),
  ]);
  const others = [...prompts, ...summaries, ...sessions].map(({ id }) => id);
  const records = [
    ...(await everyRecord()),
    ...(await askStorage(hooks, "storage.get", { ids: others })),
  ];
  const gone = room.marked.find(({ session }) => session !== room.marked[0]?.session);
  const [one] = room.marked;
  if (!one || !gone) throw new Error("Nothing was told.");
  await chosen({ session: gone.session });
  await chosen({ ids: [await turnOf(one)] });
  const words = room.marked.flatMap(({ session, word }) =>
    session === gone.session || word === one.word ? [word] : [],
  );
  expect(words).toHaveLength(3);
  const exported = records.map((record) => JSON.stringify(record));
  expect(exported.filter((text) => text.includes(gone.session)).length).toBeGreaterThan(8);
  const lines = exported.map((text, line) => ({ line, text }));
  const { stored } = await importLines(room.runtime, lines, false);
  expect(Object.entries(stored).filter(([, count]) => count > 0)).toEqual([]);
  expect(await placesOf(room.home, words)).toEqual([]);
});

/** Delivers a prompt's events once more, out of the spool, as if their hooks had been late. */
async function replay(gone: readonly Marked[]): Promise<void> {
  const folder = join(room.home, "spool");
  for (const [at, { session, project: cwd, time, word }] of gone.entries()) {
    const about = { session, cwd };
    await writeSpool(
      folder,
      clientEvent("UserPromptSubmit", {
        ...{ ...about, id: `late ${at}`, key: `late ${at}`, time: time + 45 },
        prompt: `From now on always name the ${word} exporter by its unit. Make the ${word} exporter write headers`,
      }),
    );
    const use = toolEvent(`late-${at}`, { toolInput: { command: `make ${word}` } });
    await writeSpool(folder, { ...use, ...about, time: time + 50 });
  }
  const { failed, rejected } = await drainSpool(
    folder,
    (event) => room.runtime.handle(event),
    keptLog(),
  );
  expect([failed, rejected]).toEqual([0, 0]);
  await room.runtime.drain({ timeoutMs: 20_000 });
}

test("what waits in the spool, was rejected there, or was kept out of a session goes along", async () => {
  await tellSessions(room, { sessions: 2, prompts: 1, projects: 1 });
  const [one, other] = room.marked;
  if (!one || !other) throw new Error("Nothing was told.");
  const folder = join(room.home, "spool");
  for (const { session, time, word } of [one, other])
    await writeSpool(
      folder,
      clientEvent("Stop", { session, key: word, time: time + 60, lastAssistantMessage: word }),
    );
  await room.runtime.endless.client("gateway").keep({
    ...{ session: one.session, project: one.project, tool: "Bash", part: "output" },
    ...{ toolUseId: (await usesOf(one))[0] ?? "", value: { stdout: one.word.repeat(400) } },
    ...{ before: one.word.repeat(400), after: "gone" },
  });
  await Bun.write(join(folder, "rejected", "1.json"), `{ "session": "${one.session}", ${one.word}`);
  await Bun.write(join(folder, "rejected", "2.json"), `{ "session": "${other.session}", x`);
  await Bun.write(join(room.home, "endless", "undo", one.session, "f", "1.json.gz"), one.word);
  expect((await room.runtime.endless.status()).kept?.contents).toBe(1);
  await chosen({ session: one.session });
  expect(await placesOf(room.home, [one.word])).toEqual([]);
  expect((await room.runtime.endless.status()).kept?.contents).toBe(0);
  expect((await placesOf(room.home, [other.word])).join()).toContain("in spool/");
  expect(await readdir(join(folder, "rejected"))).toEqual(["2.json"]);
});

async function usesOf({ session }: Marked): Promise<string[]> {
  const found = await askStorage(room.runtime.hooks, "storage.observations", { session });
  return found.flatMap(({ toolUseIds }) => toolUseIds);
}

test("copies that hold it are named, and go as a whole when that is said; older ones stay", async () => {
  await tellSessions(room, { sessions: 2, prompts: 1, projects: 1 });
  const [one, other] = room.marked;
  if (!one || !other) throw new Error("Nothing was told.");
  const [old, fresh] = ["20250101T000000Z-daily", "20260101T000000Z-daily"];
  for (const name of [old, fresh]) await Bun.write(join(room.home, "backups", name, "a"), one.word);
  await Bun.write(join(room.home, "backups", "claude-settings-1.json"), "{}");
  await writeFile(join(room.home, `memory.db.damaged-${Date.UTC(2026, 1)}`), one.word);
  const going = await whatGoes(room.runtime, { session: one.session });
  const { copies } = await forget(room.runtime, going);
  expect(copies).toEqual([`backups/${fresh}`, `memory.db.damaged-${Date.UTC(2026, 1)}`]);
  const next = await whatGoes(room.runtime, { session: other.session });
  expect((await forget(room.runtime, next, { backups: true })).copies).toEqual([]);
  expect((await readdir(join(room.home, "backups"))).sort()).toEqual([
    old,
    "claude-settings-1.json",
  ]);
});

test.each([
  ["of the home", ["memory.db", "journal.db", "memory"]],
  // As `memoir memory restore` does.
  ["of memory alone", ["memory.db", "memory"]],
])(
  "what an earlier state %s holds again is taken out, once that was gone back to",
  async (_what, files) => {
    await tellSessions(room, { sessions: 3, prompts: 2, projects: 1 });
    const [turn, , whole, , kept] = room.marked;
    if (!turn || !whole || !kept) throw new Error("Nothing was told.");
    const backup = join(room.root, "backup");
    await room.reopen(async () => {
      for (const name of files)
        await cp(join(room.home, name), join(backup, name), { recursive: true });
    });
    await chosen({ ids: [await turnOf(turn)] });
    await chosen({ session: whole.session });
    await room.reopen(async () => {
      wantRebuild(room.home, { time: room.now(), file: "memory.db", why: "restore" });
      for (const name of files)
        await cp(join(backup, name), join(room.home, name), { recursive: true, force: true });
    });
    expect(await placesOf(room.home, [turn.word, whole.word])).toEqual([]);
    expect((await placesOf(room.home, [kept.word])).join()).toContain("in memory.db");
  },
);

test("a session that goes on after it was forgotten is remembered from there", async () => {
  await tellSessions(room, { sessions: 1, prompts: 1, projects: 1 });
  const { session, project: cwd, word } = room.marked[0] ?? { session: "", project: "", word: "" };
  await chosen({ session });
  const time = room.now() + 1_000;
  const about = { session, cwd };
  await room.runtime.handle(
    clientEvent("UserPromptSubmit", { ...about, key: "on", time, prompt: "Count the herons" }),
  );
  await room.runtime.handle(
    clientEvent("Stop", { ...about, key: "end", time: time + 9, lastAssistantMessage: "Nine." }),
  );
  await room.runtime.drain({ session, timeoutMs: 20_000, flush: true });
  const turns = await askStorage(room.runtime.hooks, "storage.turns", { session });
  expect(turns.map(({ pieces }) => pieces[0]?.text)).toEqual(["Count the herons"]);
  expect(await placesOf(room.home, [word])).toEqual([]);
});
