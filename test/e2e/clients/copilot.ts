// GitHub Copilot CLI in the end-to-end suite.
import { join } from "node:path";
import type { OtherClient } from "./other-client.ts";

export const copilotClient: OtherClient = {
  name: "copilot",
  version: "1.0.102",
  packages: ["@github/copilot@1.0.102"],
  command: (folder) => [join(folder, "node_modules/@github/copilot-linux-x64/copilot")],
  settings: () => ({ ".copilot/mcp-config.json": '{ "mcpServers" : {}\n}\n' }),
  env: (api) => ({
    COPILOT_OFFLINE: "true",
    COPILOT_AUTO_UPDATE: "false",
    COPILOT_PROVIDER_BASE_URL: `${api}/v1`,
    COPILOT_PROVIDER_TYPE: "openai",
    COPILOT_PROVIDER_API_KEY: "dummy",
    // By its name it is asked for edits, not for patches.
    COPILOT_MODEL: "claude-sonnet-4.6",
  }),
  ask: (prompt) => ["-p", prompt, "--allow-all-tools", "--allow-all-paths"],
  tools: {
    read: (path) => ({ tool: "view", input: { path } }),
    edit: (path, before, after) => ({
      tool: "edit",
      input: { path, old_str: before, new_str: after },
    }),
    run: (command) => ({ tool: "bash", input: { command, description: "Run the tests" } }),
    search: (query) => ({ tool: "memoir-search", input: { query } }),
  },
};
