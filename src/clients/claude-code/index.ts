// The Claude Code adapter.
import type { ClientAdapter } from "../adapter.ts";
import { projectsFolder } from "./folders.ts";
import { parseClaudeCode } from "./parse.ts";
import { renderClaudeCode } from "./render.ts";

export const claudeCode: ClientAdapter = {
  name: "claude-code",
  title: "Claude Code",
  events: [
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "PostToolBatch",
    "Stop",
    "SubagentStart",
    "SubagentStop",
    "SessionEnd",
    "PreCompact",
    "PostCompact",
  ],
  transcripts: projectsFolder,
  parse: parseClaudeCode,
  render: renderClaudeCode,
};
