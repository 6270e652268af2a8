import { afterAll, describe, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import plugin from "../../../plugins/hub-folder/index.ts";
import { suites } from "../../../src/testing/index.ts";

const folder = mkdtempSync(join(tmpdir(), "memoir-hub-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("hub-folder keeps the promises of a hub", () => {
  for (const { name, run } of suites.hub)
    test(name, () => run({ plugin, config: { folder } }).then(), 30_000);
});
