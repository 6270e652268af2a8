// Runs every built-in plugin and every example through its suites, without a test runner, and prints one JSON line a plugin: how the suite is run under Deno.

import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { builtins } from "../../src/runtime/builtins.ts";
import { runSuite, type SuiteOptions } from "../../src/testing/index.ts";

const examples = [
  "acme-provider",
  "customer-redactor",
  "file-context",
  "infrastructure",
  "markdown-storage",
  "webhook",
];

const sources = new Map<string, string>([
  ["sqlite", fileURLToPath(new URL("../../plugins/storage-sqlite/index.ts", import.meta.url))],
  ["markdown", fileURLToPath(new URL("../examples/markdown-storage.ts", import.meta.url))],
]);

const loads = [
  ...Object.values(builtins),
  ...examples.map((name) => () => import(new URL(`../examples/${name}.ts`, import.meta.url).href)),
];
/** Their operations answer in memoir's own server alone, where its tests ask them. */
const needServer: readonly string[] = ["endless", "sync", "backfill"];

for (const load of loads) {
  const plugin = (await load()).default;
  if (needServer.includes(plugin.name)) {
    console.log(JSON.stringify({ plugin: plugin.name, passed: 0, failed: [] }));
    continue;
  }
  const source = sources.get(plugin.name);
  const options: SuiteOptions = {
    ...(source === undefined ? {} : { source }),
    ...(plugin.name === "hub-folder" ? { config: { folder: tmpdir() } } : {}),
    // Without a server there is nothing to keep promises with.
    ...(plugin.name === "hub-postgres" ? { slots: [] } : {}),
  };
  const { passed, failures } = await runSuite(plugin, options);
  const failed = failures.map(({ name, message }) => `${name}: ${message}`);
  console.log(JSON.stringify({ plugin: plugin.name, passed, failed }));
}
