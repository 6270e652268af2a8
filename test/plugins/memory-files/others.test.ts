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
  const keeping: Keeping = {
    folder: memoryFolder(`${folder}/${person}`),
    readings: new Map(),
    counted: new Map(),
  };
  const keep = () =>
    keepSession({ id: session, isEnded: true }, keeping, {
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

test("a turn that lays down nothing new leaves the project unread; where storage failed, the next derives it", () =>
  inFolder(async (folder) => {
    const id = "long";
    const store = await openRecords(":memory:", () => Date.UTC(2026, 10, 1));
    const keeping: Keeping = {
      folder: memoryFolder(folder),
      readings: new Map(),
      counted: new Map(),
    };
    const turn = (promptNumber: number, text: string) =>
      sampleTurn({ session: id, promptNumber, pieces: [{ kind: "prompt", text }], files: [] });
    const put = async (promptNumber: number, text: string) => {
      const prompts = promptNumber;
      const sessions = [sampleSession({ id, status: "ended", prompts })];
      const records = { sessions, turns: [turn(promptNumber, text)] };
      await store.put({ key: `${promptNumber}`, records });
      keeping.readings.delete(id);
    };
    const asked: object[] = [];
    let isFull = false;
    let reads = -1;
    const storage = {
      sessions: (query: object) => {
        asked.push(query);
        return store.sessions(query);
      },
      turns: (query: object) => store.turns(query),
      memory: (query: object) =>
        reads-- === 0 ? Promise.reject(new Error("the disk is away")) : store.memory(query),
      put: (request: Parameters<typeof store.put>[0]) =>
        isFull ? Promise.reject(new Error("the disk is full")) : store.put(request),
    };
    const silent = () => {};
    const keep = () =>
      keepSession({ id, isEnded: false }, keeping, {
        complete: () => Promise.reject(new Error("no provider")),
        config: { model: false },
        log: { debug: silent, info: silent, warn: silent, error: silent },
        storage: storage as unknown as StorageClient,
      });
    const said = async () => (await store.memory({})).map(({ content }) => content);
    const readsProject = () => asked.splice(0).some((query) => "project" in query);

    await put(1, "Look at the cart.");
    await keep();
    expect(readsProject()).toBe(true);
    await put(2, "And at the receipt.");
    await keep();
    expect(readsProject()).toBe(false);
    await put(3, "Never run the integration tests.");
    isFull = true;
    await expect(keep()).rejects.toThrow("full");
    isFull = false;
    asked.length = 0;
    await keep();
    expect(readsProject()).toBe(true);
    expect(await said()).toEqual(["Never run the integration tests"]);
    await put(4, "Never touch the archive.");
    // Stored, but not yet in the files.
    reads = 1;
    await expect(keep()).rejects.toThrow("away");
    asked.length = 0;
    await keep();
    expect(readsProject()).toBe(true);
    store.close();
  }));
