// Plugins in exports and in the order of search, through a runtime and its routes; and what they keep of records in backups and forgetting.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeBackup } from "../../../src/home/backups/make-backup.ts";
import { silentLog } from "../../../src/home/log.ts";
import { memoirPaths } from "../../../src/home/paths.ts";
import { openDatabase } from "../../../src/host/sqlite.ts";
import { askStorage } from "../../../src/runtime/hooks/ask-storage.ts";
import { createRuntime, type Runtime } from "../../../src/runtime/runtime.ts";
import { search } from "../../../src/server/memory/records.ts";
import { transferOperations } from "../../../src/server/operations/transfer.ts";
import { sampleObservation } from "../../../src/testing/samples.ts";

let home = "";
let runtime: Runtime;
const plugins: Readonly<Record<string, string>> = {
  titles: `hooks: { export: ({ records, isFirst, isLast }) => ({ text: (isFirst ? "<" : "") + records.flatMap((one) => one.kind === "observation" ? one.record.title : []).join() + (isLast ? ">" : "") }) }`,
  silent: "hooks: { export: () => undefined }",
  throws: 'hooks: { export: () => { throw new Error("boom"); } }',
  number: "hooks: { export: () => ({ text: 5 }) }",
  words: 'hooks: { export: () => "text" }',
  hangs: "hooks: { export: { deadlineMs: 300, handler: () => { while (true); } } }",
  floods: 'hooks: { export: () => ({ text: "x".repeat(2e7) }) }',
  leaves: "hooks: { export: () => process.exit(0) }",
  code: "hooks: { export: () => ({ text: () => 1 }) }",
  reversed:
    "hooks: { rank: { deadlineMs: 60_000, handler: ({ query, results }) => ({ query, results: results.toReversed().map((one) => ({ ...one, title: 'forged' })) }) } }",
  keeper: `data: { migrations: ["CREATE TABLE seen (record TEXT, word TEXT)"], forget: { seen: "record" } },
  hooks: { stored: ({ observations }, ctx) => { for (const { id, title } of observations) ctx.data.run("INSERT INTO seen VALUES (?, ?)", [id, title]); } }`,
};

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "memoir-beside-"));
  await mkdir(join(home, "plugins"));
  for (const [name, body] of Object.entries(plugins))
    await writeFile(
      join(home, "plugins", `${name}.ts`),
      `export default { name: "${name}", description: "d", sdk: 1, ${body} };\n`,
    );
  runtime = await createRuntime({ home, log: silentLog, env: { HOME: home } });
  const observations = ["Walrus one", "Walrus two"].map((title) => sampleObservation({ title }));
  await askStorage(runtime.hooks, "storage.put", { key: "1", records: { observations } });
});
afterAll(async () => {
  await runtime.stop();
  await rm(home, { recursive: true, force: true });
});

async function exported(to?: string) {
  const [operation] = transferOperations;
  const body = to === undefined ? {} : { to };
  return (await operation?.run({ body } as never, { runtime } as never)) as {
    text?: string;
    records: unknown[];
  };
}

test("an export is what its plugin makes of each page", async () => {
  expect(await exported("titles")).toMatchObject({ text: "<Walrus one,Walrus two>", records: [] });
  expect((await exported()).records).toHaveLength(2);
});

describe("an exporter that fails is named", () => {
  test.each([
    ["nobody", "No enabled plugin exports as nobody."],
    ["title", "did you mean titles?"],
    ["silent", "plugin silent answered export with nothing"],
    ["throws", /failed in export: boom \(.*throws\.ts:1/],
    ["number", "its answer does not fit export (text)"],
    ["words", "it answered a string where an object is wanted"],
    ["hangs", "did not answer export within 300 ms"],
    ["floods", "more than the 8 MB"],
    ["leaves", "it ended its worker with exit(0)"],
    ["code", "it answered a function at text, which cannot be sent"],
  ] as const)("%s", async (to, said) => {
    await expect(exported(to)).rejects.toThrow(said);
    expect((await exported("titles")).text).toStartWith("<");
  });
});

test("a step in ranking moves results and changes nothing of them", async () => {
  const found = await search(runtime, { text: "walrus", by: "record" });
  const plain = await askStorage(runtime.hooks, "storage.search", { text: "walrus", by: "record" });
  expect(found.map(({ id }) => id)).toEqual(plain.map(({ id }) => id).toReversed());
  expect(found.map(({ title }) => title)).not.toContain("forged");
});

test("what a plugin keeps is in a backup, and goes with its record", async () => {
  await runtime.hooks.parallel("stored", {
    session: "s",
    project: "p",
    observations: (await askStorage(runtime.hooks, "storage.observations", {})) as never,
    summaries: [],
  });
  const paths = memoirPaths(home);
  const backup = await makeBackup(paths, { reason: "manual", now: Date.now });
  expect(backup.manifest?.files.find(({ name }) => name === "data/keeper.db")?.counts?.seen).toBe(
    2,
  );
  const [first] = await askStorage(runtime.hooks, "storage.observations", { order: "oldest" });
  await runtime.forget([first?.id ?? ""]);
  const db = await openDatabase(join(paths.data, "keeper.db"), { readonly: true });
  const left = db.all<{ word: string }>("SELECT word FROM seen");
  db.close();
  expect(left).toHaveLength(1);
  const gone = first?.title ?? "nothing";
  expect(await readFile(join(paths.data, "keeper.db"), "latin1")).not.toContain(gone);
});
