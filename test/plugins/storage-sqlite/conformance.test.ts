import { describe, test } from "bun:test";
import { resolve } from "node:path";
import sqlite from "../../../plugins/storage-sqlite/index.ts";
import { suites } from "../../../src/testing/index.ts";

const source = resolve(import.meta.dir, "../../../plugins/storage-sqlite/index.ts");

describe("sqlite keeps the promises of a storage plugin", () => {
  for (const { name, run } of suites.storage)
    test(name, () => run({ plugin: sqlite, source }).then(), 30_000);
});
