// Gemini CLI in the end-to-end suite.
import { join } from "node:path";
import type { OtherClient } from "./other-client.ts";

const plain = ["-m", "gemini-2.5-flash", "--approval-mode", "yolo"];

export const geminiClient: OtherClient = {
  name: "gemini",
  version: "0.61.0",
  packages: ["@google/gemini-cli@0.61.0"],
  command: (folder) => ["node", join(folder, "node_modules/@google/gemini-cli/bundle/gemini.js")],
  settings: () => ({
    ".gemini/settings.json": `${JSON.stringify(
      {
        security: { auth: { selectedType: "gemini-api-key" } },
        // By its newer name: it rewrites a file that has the older one.
        general: { enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
      },
      undefined,
      2,
    )}\n`,
  }),
  env: (api) => ({
    GEMINI_API_KEY: "dummy",
    GOOGLE_GEMINI_BASE_URL: api,
    GEMINI_CLI_NO_RELAUNCH: "true",
    GEMINI_CLI_TRUST_WORKSPACE: "true",
  }),
  ask: (prompt) => [...plain, "-p", prompt],
  goOn: (prompt) => [...plain, "--resume", "latest", "-p", prompt],
  tools: {
    read: (path) => ({ tool: "read_file", input: { file_path: path } }),
    edit: (path, before, after) => ({
      tool: "replace",
      input: {
        ...{ file_path: path, instruction: "Mend it" },
        ...{ old_string: before, new_string: after },
      },
    }),
    run: (command) => ({
      tool: "run_shell_command",
      input: { command, description: "Run the tests" },
    }),
    search: (query) => ({ tool: "mcp_memoir_search", input: { query } }),
  },
};
