// The Claude Code adapter. Its form is the normal one; `src/install` knows its settings.
import type { ClientAdapter } from "../adapter.ts";
import { originalOf } from "../normal/original.ts";
import { projectsFolder } from "./folders.ts";
import { parseClaudeCode } from "./parse.ts";
import { renderClaudeCode } from "./render.ts";

export const claudeCodeAdapter = {
  name: "claude-code",
  parse: parseClaudeCode,
  original: originalOf,
  render: renderClaudeCode,
  transcripts: { folder: projectsFolder },
} satisfies ClientAdapter;
