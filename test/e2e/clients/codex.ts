// Codex CLI in the end-to-end suite.
import { join } from "node:path";
import type { ToolCall } from "./chat-api.ts";
import type { OtherClient } from "./other-client.ts";

/** Its default model works in code mode: one tool `exec` runs JavaScript that calls all others. */
const provider = (api: string, model = "gpt-6.1-sol") => `model = "${model}"
model_provider = "scripted"

[model_providers.scripted]
name = "scripted"
base_url = "${api}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
`;

/** Its own switch for automation runs hooks that nobody trusted yet. */
const unasked = [
  ...["--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"],
  "--dangerously-bypass-hook-trust",
];

export const codexClient: OtherClient = {
  name: "codex",
  version: "0.169.0",
  packages: ["@openai/codex@0.169.0"],
  command: (folder) => ["node", join(folder, "node_modules/@openai/codex/bin/codex.js")],
  settings: (api) => ({ ".codex/config.toml": provider(api) }),
  env: () => ({ SCRIPTED_KEY: "dummy" }),
  ask: (prompt) => ["exec", ...unasked, prompt],
  goOn: (prompt) => ["exec", "resume", "--last", ...unasked, prompt],
  tools: {
    read: (path) => script("exec_command", { cmd: `cat "${path}"` }),
    edit: (path, before, after) => script("apply_patch", patch(path, before, after)),
    run: (command) => script("exec_command", { cmd: command }),
    search: (query) => script("mcp__memoir__search", { query }),
  },
};

/** Codex with a model of before, which calls each tool itself. */
export const codexOfBefore: OtherClient = {
  ...codexClient,
  form: "without code mode",
  settings: (api) => ({ ".codex/config.toml": provider(api, "gpt-5.5") }),
  tools: {
    read: (path) => ({ tool: "exec_command", input: { cmd: `cat "${path}"` } }),
    edit: (path, before, after) => ({
      tool: "apply_patch",
      input: { patch: patch(path, before, after) },
    }),
    run: (command) => ({ tool: "exec_command", input: { cmd: command } }),
    search: (query) => ({ tool: "mcp__memoir__search", input: { query } }),
  },
};

/** A script that calls one tool and shows what it answers. */
function script(tool: string, input: unknown): ToolCall {
  const call = `await tools.${tool}(${JSON.stringify(input)})`;
  return { tool: "exec", input: { script: `text(JSON.stringify(${call}));` } };
}

/** The line with `before` in it becomes that with `after`: all that the suite's one changed file has. */
function patch(path: string, before: string, after: string): string {
  const line = (text: string) => `export const total = (price, tax) => ${text};`;
  const lines = [`*** Update File: ${path}`, "@@", `-${line(before)}`, `+${line(after)}`];
  return ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
}
