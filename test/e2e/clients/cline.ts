// Cline's program in the end-to-end suite: it gets memoir's tools and a rule, and tells nothing.
import { join } from "node:path";
import process from "node:process";
import type { ToolsClient } from "./other-client.ts";

const provider = (api: string) => ({
  ...{ provider: "openai-compatible", apiKey: "dummy", model: "mock-model" },
  baseUrl: `${api}/v1`,
});

export const clineClient: ToolsClient = {
  name: "cline",
  version: "3.0.65",
  packages: ["cline@3.0.65"],
  command: (folder) => [
    join(folder, `node_modules/@cline/cli-${process.platform}-${process.arch}/bin/cline`),
  ],
  settings: (api) => ({
    ".cline/data/settings/cline_mcp_settings.json": '{ "mcpServers" : {} }',
    ".cline/data/settings/providers.json": `${JSON.stringify(
      {
        version: 1,
        lastUsedProvider: "openai-compatible",
        modes: {},
        providers: {
          "openai-compatible": {
            settings: provider(api),
            updatedAt: "2026-11-22T00:00:00.000Z",
            tokenSource: "manual",
          },
        },
      },
      undefined,
      2,
    )}\n`,
  }),
  writes: [".cline/data/settings/providers.json"],
  env: () => ({ CLINE_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1", CLINE_NO_AUTO_UPDATE: "1" }),
  ask: (prompt) => ["-P", "openai-compatible", "-m", "mock-model", "-t", "120", prompt],
  tools: { search: (query) => ({ tool: "memoir__search", input: { query } }) },
};
