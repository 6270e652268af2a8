// pi in the end-to-end suite.
import { join } from "node:path";
import process from "node:process";
import type { OtherClient } from "./other-client.ts";

/** It wants a newer Node than many a machine has. */
const node = `node-${process.platform}-${process.arch}`;

const models = (api: string) => ({
  providers: {
    mock: {
      ...{ baseUrl: `${api}/v1`, api: "openai-completions", apiKey: "dummy" },
      models: [{ id: "mock-model" }],
    },
  },
});

export const piClient: OtherClient = {
  name: "pi",
  version: "0.87.1",
  packages: ["@earendil-works/pi-coding-agent@0.87.1", `${node}@24.21.0`],
  command: (folder) => [
    join(folder, "node_modules", node, "bin/node"),
    join(folder, "node_modules/@earendil-works/pi-coding-agent/dist/bundle/cli.js"),
  ],
  settings: (api) => ({
    ".pi/agent/models.json": `${JSON.stringify(models(api), undefined, 2)}\n`,
    ".pi/agent/settings.json": '{ "quietStartup" : true }',
    ".pi/agent/extensions/mine.js": "export default function () {}\n",
  }),
  env: () => ({ PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1" }),
  ask: (prompt) => ["--provider", "mock", "--model", "mock-model", "-p", prompt],
  tools: {
    read: (path) => ({ tool: "read", input: { path } }),
    edit: (path, before, after) => ({
      tool: "edit",
      input: { path, edits: [{ oldText: before, newText: after }] },
    }),
    run: (command) => ({ tool: "bash", input: { command } }),
    search: (query) => ({ tool: "mcp__memoir__search", input: { query } }),
  },
};
