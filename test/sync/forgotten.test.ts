// What another member forgot is gone here from every byte too, and nothing that this home kept of it brings it back.
import { afterEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import folderHub from "../../plugins/hub-folder/index.ts";
import { openRecords, type RecordStore } from "../../src/records/record-store.ts";
import { applyInAll, askStorage, type ForgetHeard } from "../../src/runtime/hooks/ask-storage.ts";
import type { ExchangeDeps } from "../../src/sync/ask-hub.ts";
import { exchange } from "../../src/sync/exchange.ts";
import { createSpace, invite, join as joinSpace } from "../../src/sync/spaces.ts";
import {
  type ForgetRoom,
  feedAgain,
  openForgetRoom,
  placesOf,
  tellSessions,
} from "../runtime/forget/forget-room.ts";
import { home } from "./homes.ts";

const ends: Array<() => Promise<void> | void> = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const forgetIn =
  (room: ForgetRoom): ForgetHeard =>
  (ids, heard) =>
    room.runtime.forget(ids, { gently: true, heard });

/** Ada's home, with hooks, journal and transcripts, and Bo's memory, which has all of hers. */
async function pair() {
  const folder = mkdtempSync(join(tmpdir(), "memoir-forgotten-"));
  const room = await openForgetRoom();
  const bo = await openRecords(":memory:", () => room.now() + 1_000);
  const [here, there] = [await home(folderHub, { folder }), await home(folderHub, { folder })];
  ends.push(
    () => rmSync(folder, { recursive: true }),
    ...[here.stop, there.stop, room.close, () => bo.close()],
  );
  const over = (made: typeof here, ask: (name: string, input: never) => Promise<unknown>) => {
    const first = async (name: string, input: never) =>
      name.startsWith("storage.")
        ? { result: await ask(name, input) }
        : await made.deps.hooks.first(name as "hub.pull", input);
    return { ...made.deps, now: room.now, hooks: { first } as never } as ExchangeDeps;
  };
  const ada = {
    ...over(here, (name, input) => askStorage(room.runtime.hooks, name as "storage.apply", input)),
    forget: forgetIn(room),
  };
  const bos = over(there, (name, input) =>
    name === "storage.apply" ? bo.apply(input) : bo.changes(input),
  );
  await tellSessions(room, { sessions: 2, prompts: 2, projects: 1 });
  const { id } = await createSpace(ada, "mine", { person: "Ada", machine: "desk" });
  const asked = { role: "writer", isKey: false, label: "guest" } as const;
  const invitation = await invite(ada, id, asked, { type: "plugin", name: "test" });
  await joinSpace(bos, invitation, { person: "Ada", machine: "laptop" });
  const round = async () => {
    for (const one of [ada, bos, ada]) await exchange(one, id);
  };
  await round();
  return { room, bo, ada, round };
}

const turns = async (store: Pick<RecordStore, "turns">) =>
  (await store.turns({})).map(
    ({ session, promptNumber }) => `${session.slice(0, 4)} ${promptNumber}`,
  );

/** A turn with what was made of it, or a whole session. */
const ways: Record<string, (bo: RecordStore) => Promise<string[]>> = {
  "a turn": async (bo) => {
    const all = { superseded: true, limit: 100 };
    const [turn] = await bo.turns({});
    const word = /xq\w+/.exec(JSON.stringify(turn))?.[0] ?? "";
    const lists = await Promise.all([bo.observations(all), bo.summaries(all), bo.memory(all)]);
    const made = lists.flat().filter((one) => JSON.stringify(one).includes(word));
    return [turn?.id ?? "", ...made.map(({ id }) => id)];
  },
  "a session": async (bo) => [(await bo.turns({}))[0]?.session ?? ""],
};
for (const [what, idsOf] of Object.entries(ways))
  test(`${what} that another member forgot: no byte is left, and neither transcripts nor the journal bring it back`, async () => {
    const { room, bo, ada, round } = await pair();
    const before = await turns(bo);
    const sessions = await bo.sessions({});
    expect(before).toHaveLength(4);
    await bo.delete({ ids: await idsOf(bo) });
    const left = await turns(bo);
    const gone = room.marked.filter(
      ({ session, promptNumber }) => !left.includes(`${session.slice(0, 4)} ${promptNumber}`),
    );
    await round();
    const mine = async () =>
      (await askStorage(room.runtime.hooks, "storage.turns", {})).map(
        ({ session, promptNumber }) => `${session.slice(0, 4)} ${promptNumber}`,
      );
    expect(await mine()).toEqual(left);
    const stays = room.runtime.withoutForgotten({ sessions: sessions as never }).sessions ?? [];
    expect(stays.length).toBe(what === "a turn" ? 2 : 1);
    await feedAgain(room);
    await room.runtime.drain({ timeoutMs: 20_000, flush: true });
    expect(await mine()).toEqual(left);
    await round();
    expect(await turns(bo)).toEqual(left);
    // What was heard of is not said again: it would reach what came since.
    const { changes } = await askStorage(ada.hooks, "storage.changes", { replica: "own" });
    expect(changes.filter(({ kind }) => kind === "forget")).toEqual([]);
    // The next start ends what was begun gently.
    await room.reopen();
    const words = gone.map(({ word }) => word);
    expect(words.length).toBe(what === "a turn" ? 1 : 2);
    expect(await placesOf(room.home, words)).toEqual([]);
  }, 180_000);

for (const [what, idsOf] of Object.entries(ways))
  test(`${what} that another member forgot before a home had it is not made there of its transcript, nor given to others`, async () => {
    const { room, bo } = await pair();
    await bo.delete({ ids: await idsOf(bo) });
    const left = await turns(bo);
    const late = await openForgetRoom();
    ends.push(late.close);
    const { changes } = await bo.changes({ limit: 10_000 });
    const forgets = changes.filter(({ kind }) => kind === "forget");
    expect(forgets.length).toBeGreaterThan(2);
    const { hooks } = late.runtime;
    await applyInAll(hooks, { changes: forgets }, forgetIn(late));
    await feedAgain({ ...late, transcripts: room.transcripts });
    await late.runtime.drain({ timeoutMs: 20_000, flush: true });
    const made = await askStorage(hooks, "storage.turns", {});
    expect(made.map((one) => `${one.session.slice(0, 4)} ${one.promptNumber}`).sort()).toEqual(
      left.toSorted(),
    );
    const gone = room.marked.filter(
      ({ session, promptNumber }) => !left.includes(`${session.slice(0, 4)} ${promptNumber}`),
    );
    expect(gone).not.toBeEmpty();
    const words = gone.map(({ word }) => word);
    expect(await placesOf(late.home, words)).toEqual([]);
    const theirs = await askStorage(hooks, "storage.changes", { replica: "own", limit: 10_000 });
    await bo.apply({ changes: theirs.changes });
    expect((await turns(bo)).toSorted()).toEqual(left.toSorted());
  }, 180_000);

test("what was put anew by somebody who knew stays", async () => {
  const { bo, room, round } = await pair();
  const [item] = await bo.memory({});
  await bo.delete({ ids: [item?.id ?? ""] });
  await bo.put({ key: "anew", records: { memory: [item as never] } });
  await round();
  const again = await askStorage(room.runtime.hooks, "storage.memory", {});
  expect(again.map(({ content }) => content)).toContain(item?.content ?? "");
});
