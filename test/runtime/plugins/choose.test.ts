// What becomes of each plugin that was dropped into the folder: in force, waiting for a word in config, switched off, or not to be loaded.
import { expect, test } from "bun:test";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseConfig } from "../../../src/runtime/config/config.ts";
import type { DroppedOptions } from "../../../src/runtime/plugins/dropped-in.ts";
import type { LoadedPlugin } from "../../../src/runtime/plugins/load-plugin.ts";
import { choosePlugins, commandFor, waitsFor } from "../../../src/runtime/plugins/registry.ts";
import { MemoirError } from "../../../src/sdk/errors.ts";
import type { Slot } from "../../../src/sdk/plugin.ts";
import { inFolder } from "../../support/in-folder.ts";

interface File {
  /** Its own name, where it differs from the file's. */
  name?: string;
  slot?: Slot | Slot[];
  fails?: Error;
}

/** Chooses over these files of the plugins folder. */
function chosen(files: Record<string, File>, set: object = {}, more: Partial<DroppedOptions> = {}) {
  return inFolder(async (home) => {
    const folder = join(home, "plugins");
    await mkdir(folder);
    for (const name of Object.keys(files)) await writeFile(join(folder, `${name}.ts`), "");
    await symlink(join(folder), join(home, "linked"));
    const loads: string[] = [];
    const load = async (reference: string): Promise<LoadedPlugin> => {
      const file = reference.split("/").at(-1)?.replace(/\.ts$/, "") ?? "";
      loads.push(file);
      const { name = file, slot, fails } = files[file] ?? {};
      if (fails) throw fails;
      const plugin = { name, description: `Is ${name}.`, sdk: 1, hooks: {}, ...(slot && { slot }) };
      return { plugin, origin: "file", source: reference } as unknown as LoadedPlugin;
    };
    const text = JSON.stringify(set).replaceAll("HOME", home);
    const { wanted, others, captureBroken } = await choosePlugins({
      ...{ config: parseConfig("/c", text).config, builtins: { "storage-sqlite": 1 }, home, load },
      ...{ userHome: home, ...more },
    });
    const own = (path: string) => path.replace(`${folder}/`, "").replace(`${home}/`, "~");
    return {
      /** Dropped-in ones in force, with the slots that each fills. */
      inForce: wanted.flatMap(({ reference, fills }) =>
        /\.ts$/.test(reference) ? [`${own(reference)}: ${Object.keys(fills)}`] : [],
      ),
      others: others.map(({ name, state, error }) => [name, state, ...(error ? [error] : [])]),
      infos: others,
      loads: loads.sort(),
      captureBroken,
    };
  });
}

test("what stacks and what only listens is in force; where one has to be chosen it waits to be named", async () => {
  const files: Record<string, File> = {
    notes: { slot: "context-injection" },
    watcher: {},
    keeper: { slot: "storage" },
    asker: { slot: "provider", name: "ask-me" },
  };
  const { inForce, others, infos, captureBroken } = await chosen(files);
  expect(inForce).toEqual(["notes.ts: context-injection", "watcher.ts: "]);
  expect(others).toEqual([
    ["ask-me", "waiting"],
    ["keeper", "waiting"],
  ]);
  expect(infos[0]).toMatchObject({
    ...{ description: "Is ask-me.", slots: ["provider"], origin: "file", fills: [] },
  });
  expect(captureBroken).toBe(false);
  const named = await chosen(files, { slots: { storage: "keeper", provider: ["ask-me"] } });
  expect(named.inForce.toSorted()).toEqual([
    ...["asker.ts: provider", "keeper.ts: storage"],
    ...["notes.ts: context-injection", "watcher.ts: "],
  ]);
  expect(named.others).toEqual([]);
});

test.each<[string, object]>([
  ["its file's name", { slots: { storage: "keeper" } }],
  ["its own name", { slots: { storage: "my-keeper" } }],
  ["its path", { slots: { storage: "HOME/plugins/keeper.ts" } }],
  ["a path over a link", { slots: { storage: "HOME/linked/keeper.ts" } }],
  ["as a listener", { listeners: ["keeper"] }],
])("config may name one by %s", async (_, set) => {
  const { inForce, others } = await chosen({ keeper: { slot: "storage", name: "my-keeper" } }, set);
  expect(inForce).toHaveLength(1);
  expect(others).toEqual([]);
});

test("one that is switched off is not even loaded; by its own name it is, and is off all the same", async () => {
  const files = { notes: { slot: "context-injection" as const, name: "my-notes" } };
  const byFile = await chosen(
    { notes: { slot: "context-injection" } },
    { plugins: { notes: { enabled: false } } },
  );
  expect(byFile).toMatchObject({ inForce: [], others: [["notes", "disabled"]], loads: [] });
  const byName = await chosen(files, { plugins: { "my-notes": { enabled: false } } });
  expect(byName).toMatchObject({ inForce: [], others: [["my-notes", "disabled"]] });
  expect(byName.loads).toEqual(["notes"]);
  const other = await chosen(files, { plugins: { "my-notes": { size: 3 } } });
  expect(other.inForce).toHaveLength(1);
});

test("one that cannot be loaded is listed with its error; where config names it, whoever starts it tells", async () => {
  const fails = new MemoirError("plugin_invalid", "it has no default export", {
    fix: "Export it.",
  });
  const files: Record<string, File> = { broken: { fails }, notes: { slot: "context-injection" } };
  const { others, inForce, captureBroken } = await chosen(files);
  expect(others).toEqual([["broken", "failed", "it has no default export. Export it."]]);
  expect([inForce, captureBroken]).toEqual([["notes.ts: context-injection"], false]);
  const named = await chosen(files, { listeners: ["broken"] });
  expect(named.others).toEqual([]);
  expect(named.inForce).toContain("broken.ts: ");
});

test("one that is called like a built-in is refused, unless config names its file", async () => {
  const files: Record<string, File> = { mine: { name: "storage-sqlite", slot: "storage" } };
  expect((await chosen(files)).others).toEqual([
    [
      "storage-sqlite",
      "failed",
      "a built-in plugin is called storage-sqlite too. Give this one another `name`.",
    ],
  ]);
  const named = await chosen(files, { slots: { storage: "HOME/plugins/mine.ts" } });
  expect([named.inForce, named.others]).toEqual([["mine.ts: storage"], []]);
});

test("a project's own plugin stacks for that project, and config cannot name it", async () => {
  const local = [{ name: "theirs", path: "/trusted/theirs.ts", projects: ["shop"] }];
  const { inForce } = await chosen(
    {},
    {},
    {
      local,
      load: async (source) =>
        ({
          plugin: { name: "theirs", description: "", sdk: 1, hooks: {}, slot: "context-injection" },
          ...{ origin: "file", source },
        }) as unknown as LoadedPlugin,
    },
  );
  expect(inForce).toEqual(["/trusted/theirs.ts: context-injection"]);
});

test("the user's own come before those of projects, which never take a name from them", async () => {
  const local = [{ name: "theirs", path: "/trusted/theirs.ts", projects: ["shop"] }];
  const { inForce } = await chosen({ watcher: {}, notes: { slot: "capture" } }, {}, { local });
  expect(inForce).toEqual(["notes.ts: capture", "watcher.ts: ", "/trusted/theirs.ts: "]);
});

test("the command that puts one in force names slot and plugin; stacks need none", () => {
  expect(commandFor("keeper", "storage")).toBe("memoir config set slots.storage keeper");
  expect((["storage", "provider", "observation", "summarization"] as const).every(waitsFor)).toBe(
    true,
  );
  expect((["capture", "context-injection", "endless-mode"] as const).some(waitsFor)).toBe(false);
});
