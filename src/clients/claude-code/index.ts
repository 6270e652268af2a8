// The Claude Code adapter.
import type { ClientAdapter } from "../adapter.ts";
import { projectsFolder } from "./folders.ts";
import { originalOf } from "./original.ts";
import { parseClaudeCode } from "./parse.ts";
import { eventPayloads, type TypedEventName } from "./payload.ts";
import { renderClaudeCode } from "./render.ts";

export const claudeCode: ClientAdapter = {
  name: "claude-code",
  title: "Claude Code",
  events: Object.keys(eventPayloads) as TypedEventName[],
  transcripts: projectsFolder,
  parse: parseClaudeCode,
  original: originalOf,
  render: renderClaudeCode,
};
