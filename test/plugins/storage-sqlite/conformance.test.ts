import { describe, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sqlite from "../../../plugins/storage-sqlite/index.ts";
import { storageCases } from "../../support/storage-conformance.ts";
import { openStorageAlone } from "../../support/storage-host.ts";

describe("sqlite keeps the promises of a storage plugin", () => {
  for (const { name, run } of storageCases)
    test(name, async () => {
      const home = await mkdtemp(join(tmpdir(), "memoir-storage-"));
      try {
        await run(() => openStorageAlone(sqlite, home));
      } finally {
        await rm(home, { recursive: true, force: true });
      }
    });
});
