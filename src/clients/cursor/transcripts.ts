// Cursor's transcripts: `~/.cursor/projects/<project>/agent-transcripts/…/<session>.jsonl`. Its lines have no times and its tool uses no ids: only the last words are read.
import { join } from "node:path";
import { type Environment, userHome } from "../../home/paths.ts";
import { isRecord, listField, textField } from "../../text/values.ts";
import { parseTranslated } from "../../transcript/parse-entry.ts";
import type { ClientTranscripts } from "../transcripts.ts";

/** Where Cursor keeps its own files. */
export function cursorFolder(env: Environment): string {
  return join(userHome(env), ".cursor");
}

export const cursorTranscripts: ClientTranscripts = {
  folder: (env) => join(cursorFolder(env), "projects"),
  // Without times nothing in it can be put in order: it is no history.
  about: async () => undefined,
  parse: (line) => parseTranslated(line, normalLine),
  fillsIn: true,
};

type Json = Record<string, unknown>;

function normalLine({ role, message }: Json): Json | undefined {
  if ((role !== "assistant" && role !== "user") || !isRecord(message)) return undefined;
  const content = listField(message, "content")
    .map((block) => textField(block, "text"))
    .filter(Boolean)
    .map((text) => ({ type: "text", text }));
  if (content.length === 0) return undefined;
  return { type: role, message: { role, content } };
}
