// An edit in a memory file counts, while the server runs and while it does not; what cannot be read is named and left alone.
import { expect, test } from "bun:test";
import { chmod, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import plugin from "../../../plugins/memory-files/index.ts";
import { memoryFolder, withoutForgotten } from "../../../plugins/memory-files/memory-folder.ts";
import sqlite from "../../../plugins/storage-sqlite/index.ts";
import type { StorageClient } from "../../../src/sdk/context.ts";
import { MemoirError } from "../../../src/sdk/errors.ts";
import { clientEvent } from "../../support/client-events.ts";
import { inFolder } from "../../support/in-folder.ts";
import { openRoom } from "../../support/plugin-room.ts";
import { sampleMemory } from "../../support/sample-records.ts";
import { openStorageAlone } from "../../support/storage-host.ts";

interface World {
  storage: StorageClient;
  path: string;
  /** The entries of the file. */
  entries(): Promise<Array<Record<string, string>>>;
  write(text: string): Promise<void>;
  /** What memory says now, after a prompt or a session start. */
  said(event?: "SessionStart" | "UserPromptSubmit"): Promise<string[]>;
  /** What the user is told with it. */
  told: string[];
  /** What agents are told now. */
  toAgents(): Promise<string[]>;
  /** The user edits an item otherwise than in its file. */
  amended(id: string, set: Record<string, string>): Promise<void>;
  /** The plugin ends, and begins anew. */
  restart(): Promise<void>;
}

/** With three preferences, in storage and in the file. */
function world(work: (world: World) => Promise<void>): Promise<void> {
  return inFolder(async (home) => {
    const { storage, close } = await openStorageAlone(sqlite, home);
    const open = () => openRoom(plugin, { storage, home });
    let room = await open();
    const memory = ["one", "two", "three"].map((content) => sampleMemory({ content, context: "" }));
    await storage.put({ key: "k", records: { memory } });
    const items = await storage.memory({ order: "oldest" });
    const [first] = items;
    const about = { session: first?.session ?? "", project: first?.project ?? "" };
    await room.hooks.parallel("stored", {
      ...{ ...about, observations: [], summaries: [], memory: items },
    });
    const path = join(home, "memory", `${first?.kind}.json`);
    const told: string[] = [];
    try {
      await work({
        ...{ storage, path, told },
        entries: async () => JSON.parse(await readFile(path, "utf8")),
        write: (text) => writeFile(path, text),
        async said(name = "SessionStart") {
          const answers = await room.hooks.sequence(name, clientEvent(name) as never);
          for (const { result } of answers as Array<{ result?: { systemMessage?: string } }>)
            if (result?.systemMessage) told.push(result.systemMessage);
          return (await storage.memory({ order: "oldest" })).map(({ content }) => content).sort();
        },
        async toAgents() {
          const items = await storage.memory({ order: "oldest", hidden: false });
          return items.map(({ content }) => content).sort();
        },
        async amended(id, set) {
          await room.hooks.parallel("amended", await storage.amend({ id, set }));
        },
        async restart() {
          room = await open();
        },
      });
    } finally {
      await close();
    }
  });
}

const all = ["one", "three", "two"];

for (const isOff of [false, true]) {
  const when = isOff ? "while the server is off" : "while the server is on";
  const after = async (world: World, event?: "SessionStart" | "UserPromptSubmit") => {
    if (isOff) await world.restart();
    return world.said(event);
  };

  test(`a changed text is what memory says, ${when}, and what it said is not found`, () =>
    world(async (world) => {
      expect(await world.said()).toEqual(all);
      const entries = await world.entries();
      Object.assign(entries[1] ?? {}, { content: "two and a half", context: "I say so" });
      await world.write(JSON.stringify(entries));
      expect(await after(world, "UserPromptSubmit")).toEqual(["one", "three", "two and a half"]);
      const found = await world.storage.search({ text: "half" });
      const [item] = await world.storage.get({ ids: [found[0]?.id ?? ""] });
      expect(item?.record).toMatchObject({ context: "I say so", state: "standing" });
      expect(item?.record.edited?.was).toMatchObject({ content: "two" });
      expect((await world.entries()).map(({ id }) => id)).toContain(found[0]?.id ?? "none");
      expect(await world.said()).toEqual(["one", "three", "two and a half"]);
      const again = await world.entries();
      Object.assign(again[1] ?? {}, { content: "two again" });
      await world.write(JSON.stringify(again));
      expect(await world.said()).toEqual(["one", "three", "two again"]);
    }));

  test(`an entry that was taken out is gone, ${when}; with other line ends and a mark at the beginning too`, () =>
    world(async (world) => {
      const [, ...rest] = await world.entries();
      await world.write(`\ufeff${JSON.stringify(rest, null, 2).replaceAll("\n", "\r\n")}\r\n`);
      expect(await after(world)).toEqual(["three", "two"]);
      expect(world.told).toEqual([]);
    }));

  for (const [what, empty] of Object.entries({
    "an emptied file": (path: string) => writeFile(path, ""),
    "a list of nothing": (path: string) => writeFile(path, "[]\n"),
    "a deleted file": (path: string) => rm(path),
  }))
    test(`${what} is told no more, ${when}`, () =>
      world(async (world) => {
        await empty(world.path);
        expect(await after(world)).toEqual([]);
        expect(await after(world)).toEqual([]);
      }));

  test(`a file that is not a JSON list is named, once, and stays; nothing of it is lost, ${when}`, () =>
    world(async (world) => {
      for (const text of ['[{ "id": "m1", ', '{ "a": 1 }']) {
        world.told.length = 0;
        await world.write(text);
        expect(await after(world)).toEqual(all);
        await world.said();
        expect(world.told).toEqual([expect.stringContaining(world.path)]);
        expect(await readFile(world.path, "utf8")).toBe(text);
      }
    }));

  test(`of a file that cannot be read agents are told what still stands in it, ${when}, and all of it once it is mended`, () =>
    world(async (world) => {
      const entries = await world.entries();
      const good = JSON.stringify(entries, null, 2);
      await world.write(good.replace('"two"', '"no longer so"').replace(/\]\s*$/, ""));
      expect(await after(world)).toEqual(all);
      expect(await world.toAgents()).toEqual(["one", "three"]);
      expect(world.told[0]).toContain("is kept from agents until it is fixed");
      await world.write("nonsense");
      await after(world);
      expect(await world.toAgents()).toEqual([]);
      await world.write(good.replace("[", "[ ,"));
      await after(world);
      expect(await world.toAgents()).toEqual(all);
      await world.write("nonsense");
      await after(world);
      await world.write(good.replace('"two"', '"no longer so"'));
      await after(world);
      expect(await world.toAgents()).toEqual(["no longer so", "one", "three"]);
    }));

  test(`a file that was given another name was not taken out, ${when}`, () =>
    world(async (world) => {
      await rename(world.path, join(world.path, "..", "mine.json"));
      expect(await after(world)).toEqual(all);
    }));
}

test("what cannot be read is not taken for deleted", () =>
  world(async (world) => {
    await chmod(world.path, 0);
    // Root reads all the same: then nothing changed.
    expect(await world.said()).toEqual(all);
  }));

test("an id that is another item's by now changes nothing of that", () =>
  world(async (world) => {
    expect(await world.said()).toEqual(all);
    const entries = await world.entries();
    const ids = entries.map(({ id = "" }) => id);
    await world.storage.delete({ ids });
    const written = join(world.path, "..", "written.json");
    const shifted = sampleMemory({ content: "another", context: "" });
    await world.storage.put({ key: "other", records: { memory: [shifted] } });
    const [other] = await world.storage.memory({});
    // As if the storage had been made anew, and had given the first id again.
    for (const path of [world.path, written])
      await writeFile(
        path,
        (await readFile(path, "utf8")).replaceAll(`"${ids[0]}"`, `"${other?.id}"`),
      );
    const [first] = await world.entries();
    await world.write(JSON.stringify([{ ...first, content: "changed" }]));
    expect(await world.said()).toEqual(["another"]);
    await world.write("[]");
    expect(await world.said()).toEqual(["another"]);
  }));

test("a storage that was made anew is given what only the file has left", () =>
  world(async (world) => {
    await world.said();
    const before = await world.entries();
    await inFolder(async (other) => {
      const anew = await openStorageAlone(sqlite, other);
      const fresh = sampleMemory({ content: "said since", context: "", session: "later" });
      await anew.storage.put({ key: "fresh", records: { memory: [fresh] } });
      Object.assign(world.storage, anew.storage);
      await world.restart();
      expect(await world.said()).toEqual([...all, "said since"].sort());
      const after = await world.entries();
      expect(after.map(({ content }) => content)).toEqual(before.map(({ content }) => content));
      const stored = await anew.storage.memory({});
      for (const { id, content } of after)
        expect(stored.find((item) => item.id === id)?.content).toBe(content);
      // Said once: a second look finds nothing to do.
      await world.restart();
      expect(await world.said()).toEqual([...all, "said since"].sort());
      await anew.close();
    });
  }));

test("what was deleted in storage alone is not stored again from its file", () =>
  world(async (world) => {
    await world.said();
    const [first] = await world.entries();
    await world.storage.delete({ ids: [first?.id ?? ""] });
    await world.restart();
    expect(await world.said()).toEqual(all.filter((content) => content !== first?.content));
  }));

test("what the user hid stays hidden when its file is mended", () =>
  world(async (world) => {
    const good = JSON.stringify(await world.entries());
    const [first] = await world.storage.memory({ order: "oldest" });
    await world.storage.amend({ id: first?.id ?? "", hidden: true });
    await world.write("nonsense");
    await world.said();
    await world.write(good);
    await world.said();
    expect(await world.toAgents()).toEqual(["three", "two"]);
  }));

test("a storage that cannot hide tells what a file said before, and says so", () =>
  world(async (world) => {
    Object.assign(world.storage, {
      amend: async () => {
        throw new MemoirError("storage_unanswered", "The storage in use cannot edit, pin or hide.");
      },
    });
    await world.restart();
    const entries = await world.entries();
    await world.write("nonsense");
    expect(await world.said()).toEqual(all);
    expect(world.told[0]).toContain("what it said before counts until it is fixed");
    Object.assign(entries[1] ?? {}, { content: "two and a half" });
    await world.write(JSON.stringify(entries));
    expect(await world.said()).toEqual(["one", "three", "two and a half"]);
  }));

test("what is edited otherwise stands in the file too, and a person's own change there stays", () =>
  world(async (world) => {
    await world.said();
    const [first, second] = await world.entries();
    await world.amended(first?.id ?? "", { content: "one, as I say" });
    expect((await world.entries())[0]).toEqual({
      ...{ ...first, content: "one, as I say", state: "standing" },
    });
    expect(await world.said()).toEqual(["one, as I say", "three", "two"]);
    const entries = await world.entries();
    Object.assign(entries[1] ?? {}, { content: "two by hand" });
    await world.write(JSON.stringify(entries));
    await world.amended(first?.id ?? "", { context: "and why" });
    expect((await world.entries())[1]).toMatchObject({ ...second, content: "two by hand" });
    expect(await world.said()).toEqual(["one, as I say", "three", "two by hand"]);
    await world.restart();
    expect(await world.said()).toEqual(["one, as I say", "three", "two by hand"]);
  }));

test("an edited item that was taken out comes back neither as it was nor as it was edited", () =>
  world(async (world) => {
    await world.said();
    const [first, ...rest] = await world.entries();
    await world.amended(first?.id ?? "", { content: "one, as I say" });
    await world.write(JSON.stringify(rest));
    expect(await world.said()).toEqual(["three", "two"]);
    const folder = memoryFolder(join(world.path, ".."));
    const items = ["one", "one, as I say", "four"].map((content) => sampleMemory({ content }));
    expect((await withoutForgotten(folder, items)).map(({ content }) => content)).toEqual(["four"]);
  }));
