// Qwen Code in the end-to-end suite.
import { join } from "node:path";
import type { OtherClient } from "./other-client.ts";

export const qwenClient: OtherClient = {
  name: "qwen",
  version: "0.24.4",
  packages: ["@qwen-code/qwen-code@0.24.4"],
  command: (folder) => ["node", join(folder, "node_modules/@qwen-code/qwen-code/cli.js")],
  // As it writes them itself: it puts others in order on its first start.
  settings: () => ({
    ".qwen/settings.json": `${JSON.stringify(
      {
        security: { auth: { selectedType: "openai" } },
        general: { disableAutoUpdate: true, enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        model: { name: "mock-model" },
        $version: 4,
      },
      undefined,
      2,
    )}\n`,
  }),
  env: (api) => ({
    OPENAI_API_KEY: "dummy",
    OPENAI_BASE_URL: `${api}/v1`,
    OPENAI_MODEL: "mock-model",
    QWEN_CODE_NO_RELAUNCH: "true",
  }),
  ask: (prompt) => ["--approval-mode", "yolo", "-p", prompt],
  goOn: (prompt) => ["--approval-mode", "yolo", "--continue", "-p", prompt],
  tools: {
    read: (path) => ({ tool: "read_file", input: { file_path: path } }),
    edit: (path, before, after) => ({
      tool: "edit",
      input: { file_path: path, old_string: before, new_string: after },
    }),
    run: (command) => ({
      tool: "run_shell_command",
      input: { command, description: "Run the tests", is_background: false },
    }),
    search: (query) => ({ tool: "mcp__memoir__search", input: { query } }),
  },
};
