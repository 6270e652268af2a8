// Factory droid in the end-to-end suite.
import { join } from "node:path";
import type { OtherClient } from "./other-client.ts";

export const droidClient: OtherClient = {
  name: "droid",
  version: "0.215.0",
  packages: ["droid@0.215.0"],
  command: (folder) => [join(folder, "node_modules/@factory/cli-linux-x64/bin/droid")],
  settings: (api) => ({
    ".factory/settings.json": `${JSON.stringify({
      customModels: [
        {
          ...{ model: "mock-model", id: "custom:mock-0", displayName: "Mock" },
          ...{ baseUrl: `${api}/v1`, apiKey: "dummy", maxOutputTokens: 8_192 },
          provider: "generic-chat-completion-api",
        },
      ],
    })}\n`,
  }),
  env: (api) => ({
    FACTORY_API_KEY: "fk-dummy",
    FACTORY_API_BASE_URL: api,
    DROID_DISABLE_AUTO_UPDATE: "true",
    FACTORY_DROID_AUTO_UPDATE_ENABLED: "false",
  }),
  ask: (prompt) => ["exec", "--auto", "high", "-m", "custom:mock-0", prompt],
  goOn: (prompt, session) => [
    ...["exec", "--session-id", session, "--auto", "high", "-m", "custom:mock-0", prompt],
  ],
  tools: {
    read: (path) => ({ tool: "Read", input: { file_path: path } }),
    edit: (path, before, after) => ({
      tool: "Edit",
      input: { file_path: path, old_str: before, new_str: after, change_all: false },
    }),
    run: (command) => ({
      tool: "Execute",
      input: {
        ...{ command, summary: "Run the tests", timeout: 20 },
        ...{ riskLevel: "low", riskLevelReason: "tests" },
      },
    }),
    search: (query) => ({ tool: "memoir___search", input: { query } }),
  },
};
