// Grok Build in the end-to-end suite. It runs Claude Code's hooks by itself.
import { join } from "node:path";
import type { OtherClient } from "./other-client.ts";

const config = (api: string) => `[cli]
auto_update = false

[models]
default = "scripted"

[model.scripted]
model = "mock-model"
base_url = "${api}/v1"
name = "Scripted"
api_key = "dummy"
context_window = 200000
`;

export const grokClient: OtherClient = {
  name: "grok",
  version: "1.0.41",
  packages: ["@xai-official/grok@1.0.41"],
  command: (folder) => ["node", join(folder, "node_modules/@xai-official/grok/bin/grok")],
  settings: (api) => ({ ".grok/config.toml": config(api) }),
  env: () => ({ XAI_API_KEY: "dummy" }),
  ask: (prompt) => ["-p", prompt, "--always-approve"],
  tools: {
    read: (path) => ({ tool: "read_file", input: { target_file: path } }),
    edit: (path, before, after) => ({
      tool: "search_replace",
      input: { file_path: path, old_string: before, new_string: after },
    }),
    run: (command) => ({
      tool: "run_terminal_command",
      input: { command, description: "Run the tests" },
    }),
    search: (query) => ({
      tool: "use_tool",
      input: { tool_name: "memoir__search", tool_input: { query } },
    }),
  },
};
