import { describe, test } from "bun:test";
import sqlite from "../../../plugins/storage-sqlite/index.ts";
import { inFolder } from "../../support/in-folder.ts";
import { storageCases } from "../../support/storage-conformance.ts";
import { openStorageAlone } from "../../support/storage-host.ts";

describe("sqlite keeps the promises of a storage plugin", () => {
  for (const { name, run } of storageCases)
    test(name, () => inFolder((home) => run(() => openStorageAlone(sqlite, home))));
});
