// The author's guide is true: its examples run, its commands and files exist.
import { expect, test } from "bun:test";
import { access, mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pluginCommands } from "../../src/cli/commands/plugins.ts";
import { memoirPaths } from "../../src/home/paths.ts";
import { publishSdk } from "../../src/runtime/plugins/sdk-module.ts";
import { sampleObservation, sampleTurn, testHost } from "../../src/testing/index.ts";
import { inFolder } from "../support/in-folder.ts";

const root = resolve(import.meta.dir, "../..");
const guide = await readFile(join(root, "src/sdk/README.md"), "utf8");
const [plugin = "", wrapper = "", ownTest = ""] = [...guide.matchAll(/```ts\n(.*?)```/gs)].map(
  ([, code]) => code,
);

/** A home with the packages, and these files in its `plugins`. */
async function withPlugins<Result>(
  files: Record<string, string>,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  return inFolder(async (home) => {
    const folder = join(home, "plugins");
    await mkdir(folder);
    await publishSdk(memoirPaths(home));
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    return work(folder);
  });
}

test("its plugin works as it says", () =>
  withPlugins({ "shout.ts": plugin }, async (folder) => {
    const shout = (await import(join(folder, "shout.ts"))).default;
    const host = await testHost(shout);
    const observations = ["decision", "discovery"].map((type) => ({
      ...sampleObservation({ type, title: `A ${type}` }),
      id: type,
    }));
    await host.call("stored", { session: "s", project: "p", observations, summaries: [] });
    expect(host.lines.map(({ message }) => message)).toEqual(["A decision"]);
    await host.stop();
  }));

test("what wraps a storage lets it answer", () =>
  withPlugins({ "put-count.ts": wrapper }, async (folder) => {
    const host = await testHost((await import(join(folder, "put-count.ts"))).default);
    const put = { written: true, observations: ["o1"], summaries: [], turns: [] };
    const records = { observations: [sampleObservation()], turns: [sampleTurn()] };
    expect(await host.call("storage.put", { key: "k", records }, { next: () => put })).toEqual(put);
    expect(host.lines).toMatchObject([{ message: "put", fields: { records: 2 } }]);
    await host.stop();
  }));

test("what it names of each entry is there", async () => {
  const rows = [...guide.matchAll(/^\| `memoir\/(\w+)` *\|(.*)\|$/gm)];
  expect(rows.length).toBeGreaterThan(5);
  const missing: string[] = [];
  for (const [, entry = "", about = ""] of rows) {
    const file = Bun.file(join(root, `src/release/types/${entry}.d.ts.txt`));
    const declared = await file.text();
    for (const [, name = ""] of about.matchAll(/`([A-Za-z]+)`/g))
      if (!new RegExp(`(?:function|const|class|interface|type) ${name}\\b`).test(declared))
        missing.push(`${entry}: ${name}`);
  }
  expect(missing).toEqual([]);
});

const notes = `import { definePlugin } from "memoir/sdk";
export default definePlugin({
  name: "my-notes", description: "One note a batch.", sdk: 1, slot: "observation",
  hooks: {
    observe: ({ toolUses }) => {
      const toolUseIds = toolUses.filter(({ withheld }) => !withheld).map(({ id }) => id);
      if (toolUseIds.length === 0) return { observations: [] };
      return { observations: [{ type: "discovery", title: "The cart was looked at", subtitle: "",
        facts: [], narrative: "", concepts: [], filesRead: [], filesModified: [], toolUseIds }] };
    },
  },
});
`;

test(
  "its test runs",
  () =>
    withPlugins({ "my-notes.ts": notes, "my-notes.test.ts": ownTest }, async (folder) => {
      const child = Bun.spawn([process.execPath, "test"], {
        cwd: folder,
        stdout: "ignore",
        stderr: "pipe",
      });
      const [said, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
      expect(said).toContain("notes the fix");
      expect([code, said.match(/\d+ fail/)?.[0]]).toEqual([0, "0 fail"]);
    }),
  180_000,
);

test("its commands and files exist", async () => {
  const verbs = new Set([...guide.matchAll(/memoir plugin ([a-z]+)/g)].map(([, verb]) => verb));
  expect(verbs.size).toBeGreaterThan(4);
  for (const verb of verbs)
    expect(Object.keys(pluginCommands.plugin.commands)).toContain(verb ?? "");
  const examples = [...guide.matchAll(/`([\w-]+\.ts)`/g)].map(([, name = ""]) => name);
  expect(examples).toHaveLength(11);
  for (const name of examples) await access(join(root, "test/examples", name));
  for (const [, path = ""] of guide.matchAll(/\]\(([^)]+)\)/g))
    await access(join(root, "src/sdk", path));
});
