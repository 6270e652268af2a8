// Semantic search before an endpoint is chosen: words answer as they did, the status says what is missing, and nothing is made.
import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import semantic from "../../../plugins/semantic-search/index.ts";
import { inFolder } from "../../support/in-folder.ts";
import { keptLog } from "../../support/kept-log.ts";

test.each([
  ["nothing", {}],
  ["a model only", { model: "m" }],
  ["an address only", { baseURL: "http://127.0.0.1:1" }],
])("with %s it says what to set and changes nothing", (_, config) =>
  inFolder(async (home) => {
    const log = keptLog();
    const ctx = { config, home, log, plugin: "semantic-search", now: () => 0 } as never;
    const state = await semantic.start?.(ctx);
    expect(log.lines.map(({ level, message }) => `${level} ${message}`)).toEqual([
      "warn Set plugins.semantic-search.baseURL and .model: until then words alone find.",
    ]);
    expect(state?.meaning()).toEqual({
      ...{ model: "", turns: 0, trouble: "semantic-search lacks baseURL or model" },
    });
    await state?.close();
    expect(await readdir(home)).toEqual([]);
  }),
);
