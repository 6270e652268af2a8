// What another person laid down reaches this memory as theirs, and is never derived here as the user's own word.
import { expect, test } from "bun:test";
import { type Keeping, keepSession } from "../../../plugins/memory-files/index.ts";
import { memoryFolder } from "../../../plugins/memory-files/memory-folder.ts";
import { openRecords } from "../../../src/records/record-store.ts";
import type { StorageClient } from "../../../src/sdk/context.ts";
import { inFolder } from "../../support/in-folder.ts";
import { samplePrompt, sampleSession, sampleTurn } from "../../support/sample-records.ts";

/** A home whose person ended a session in which they typed these. */
async function homeOf(person: string, folder: string, texts: readonly string[]) {
  const store = await openRecords(":memory:", () => Date.UTC(2026, 10, 1));
  const session = `of ${person}`;
  await store.apply({ author: { person, machine: `${person}'s` } });
  const turns = texts.map((text, at) =>
    sampleTurn({ session, promptNumber: at + 1, pieces: [{ kind: "prompt", text }], files: [] }),
  );
  const prompts = texts.map((text, at) => samplePrompt({ session, promptNumber: at + 1, text }));
  const sessions = [sampleSession({ id: session, status: "ended" })];
  await store.put({ key: person, records: { sessions, prompts, turns } });
  const silent = () => {};
  const keeping: Keeping = { folder: memoryFolder(`${folder}/${person}`), readings: new Map() };
  const keep = () =>
    keepSession(session, keeping, {
      complete: () => Promise.reject(new Error("no provider")),
      config: { model: false },
      log: { debug: silent, info: silent, warn: silent, error: silent },
      storage: store as unknown as StorageClient,
    });
  await keep();
  return { store, keep };
}

test("what others laid down is theirs, and what is said here counts by itself", () =>
  inFolder(async (folder) => {
    const rule = "Never run the integration tests";
    const maybe = "I think we should only have one list view";
    const bo = await homeOf("Bo", folder, [`${rule}.`, `${maybe}.`]);
    const again = "the list view, I think we should have only one";
    const ada = await homeOf("Ada", folder, ["Look at the cart.", `${again}.`]);
    await ada.store.apply(await bo.store.changes({ replica: "own" }));
    await ada.keep();
    const items = await ada.store.memory({});
    expect(
      items.map(({ content, state, from }) => `${from?.person ?? "me"} ${state} ${content}`).sort(),
    ).toEqual([`Bo candidate ${maybe}`, `Bo standing ${rule}`, `me candidate ${again}`].sort());
    bo.store.close();
    ada.store.close();
  }));
