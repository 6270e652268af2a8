// OpenCode in the end-to-end suite.
import { join } from "node:path";
import type { OtherClient } from "./other-client.ts";

const plugins = "@opencode-ai/plugin";
const version = "1.18.33";
const dependencies = { [plugins]: version };

export const opencodeClient: OtherClient = {
  name: "opencode",
  version,
  packages: [`opencode-ai@${version}`, `${plugins}@${version}`],
  command: (folder) => [join(folder, "node_modules/opencode-linux-x64/bin/opencode")],
  settings: (api) => ({
    ".config/opencode/opencode.json": `${JSON.stringify(
      {
        $schema: "https://opencode.ai/config.json",
        ...{ model: "mock/mock-model", small_model: "mock/mock-small" },
        ...{ autoupdate: false, share: "disabled" },
        provider: {
          mock: {
            ...{ npm: "@ai-sdk/openai-compatible", name: "Mock" },
            options: { baseURL: `${api}/v1`, apiKey: "dummy" },
            models: Object.fromEntries(
              ["mock-model", "mock-small"].map((name) => [
                name,
                { name, tool_call: true, limit: { context: 200_000, output: 8_192 } },
              ]),
            ),
          },
        },
      },
      undefined,
      2,
    )}\n`,
    // What it would fetch for any plugin, and wait for.
    ".config/opencode/package.json": `${JSON.stringify({ dependencies })}\n`,
    ".config/opencode/package-lock.json": `${JSON.stringify({ packages: { "": { dependencies } } })}\n`,
  }),
  links: { ".config/opencode/node_modules": "node_modules" },
  env: () => ({
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
  }),
  ask: (prompt) => ["run", prompt],
  goOn: (prompt) => ["run", "--continue", prompt],
  tools: {
    read: (path) => ({ tool: "read", input: { filePath: path } }),
    edit: (path, before, after) => ({
      tool: "edit",
      input: { filePath: path, oldString: before, newString: after },
    }),
    run: (command) => ({ tool: "bash", input: { command, description: "Run the tests" } }),
    search: (query) => ({ tool: "memoir_search", input: { query } }),
  },
};
