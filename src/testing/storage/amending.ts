// The promises of `storage.amend`, for a storage that has it: the user's words stay, and what is hidden is not told.
import assert from "node:assert/strict";
import type { StorageClient } from "../../sdk/context.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { Records } from "../../sdk/model.ts";
import { type SuiteCase, suiteCase } from "../room.ts";
import { sampleMemory, sampleObservation, sampleTurn } from "../samples/records.ts";
import { openStorage } from "./storage-case.ts";

const records: Records = {
  observations: [sampleObservation({ title: "Walrus reloads", facts: ["It reloads twice."] })],
  turns: [sampleTurn()],
  memory: [sampleMemory({ content: "Use the walrus" })],
};

/** A storage may go without: then it says so, and nothing else is asked of it. */
function amendCase(
  name: string,
  check: (storage: StorageClient, ids: { observation: string; turn: string }) => Promise<void>,
): SuiteCase {
  return suiteCase(name, async (room) => {
    const { storage } = await openStorage(room);
    const { observations, turns } = await storage.put({ key: "a", records });
    const [observation = "", turn = ""] = [observations[0], turns[0]];
    try {
      await storage.amend({ id: observation, pinned: false });
    } catch (error) {
      if (error instanceof MemoirError && error.code === "storage_unanswered") return;
      throw error;
    }
    await check(storage, { observation, turn });
  });
}

export const amendingCases: SuiteCase[] = [
  amendCase("keeps the user's words over a later put, and undoes them", async (storage, ids) => {
    const id = ids.observation;
    await storage.amend({ id, set: { title: "Otter reloads" } });
    await storage.put({ key: "b", records });
    const [kept] = await storage.observations({});
    assert.equal(kept?.title, "Otter reloads");
    assert.deepEqual(kept.edited?.was, { title: "Walrus reloads" });
    assert.equal((await storage.search({ text: "otter" }))[0]?.id, id, "found by the new words");
    assert.deepEqual(await storage.search({ text: "walrus", kinds: ["observation"] }), []);
    const { record } = await storage.amend({ id, undo: true });
    assert.equal("title" in record && record.title, "Walrus reloads");
  }),

  amendCase("leaves out what is hidden where that is asked for", async (storage, ids) => {
    for (const id of Object.values(ids)) await storage.amend({ id, hidden: true });
    const told = { hidden: false };
    assert.deepEqual(await storage.get({ ids: Object.values(ids), ...told }), []);
    assert.deepEqual(await storage.observations(told), []);
    assert.deepEqual(await storage.turns(told), []);
    assert.deepEqual(await storage.search({ text: "walrus", kinds: ["observation"], ...told }), []);
    assert.equal((await storage.get({ ids: Object.values(ids) })).length, 2);
  }),

  amendCase(
    "leaves out what was made of a hidden turn until that is shown again",
    async (storage, ids) => {
      const all = Object.values(ids);
      const told = async () =>
        (await storage.get({ ids: all, hidden: false })).map(({ record }) => record.id);
      await storage.amend({ id: ids.turn, hidden: true });
      assert.deepEqual(await told(), []);
      assert.deepEqual(await storage.observations({ hidden: false }), []);
      await storage.amend({ id: ids.turn, hidden: false });
      assert.deepEqual(await told(), all);
    },
  ),

  amendCase("lists what is pinned, and refuses to edit evidence", async (storage, ids) => {
    await storage.amend({ id: ids.turn, pinned: true });
    assert.deepEqual(
      (await storage.turns({ marked: "pinned" })).map(({ id }) => id),
      [ids.turn],
    );
    assert.deepEqual(await storage.observations({ marked: "pinned" }), []);
    await assert.rejects(storage.amend({ id: ids.turn, set: { text: "Other" } }));
    await assert.rejects(storage.amend({ id: "o999999", hidden: true }));
  }),
];
