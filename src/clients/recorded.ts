// What a reader of recorded sessions has to know of the client whose they are; Claude Code's own needs nothing.

import { fileChunks } from "../transcript/file.ts";
import type { Chunks } from "../transcript/form.ts";
import type { LineParser } from "../transcript/read.ts";
import { adapterOf, clients } from "./index.ts";
import type { RecordedClient } from "./normal/transcript-events.ts";

/** How a client's sessions become events; `of` and `parse` absent for Claude Code's. */
export interface RecordedForm {
  of?: RecordedClient;
  parse?: LineParser | undefined;
  /** What lies at a session's path. */
  chunks: Chunks;
}

/** Of the client that is named; absent: Claude Code. `cwd`: where the session worked, where that is known of its file. */
export async function recordedForm(name = "claude-code", cwd?: string): Promise<RecordedForm> {
  const client = clients.get(name);
  if (name === "claude-code" || !client) return { chunks: fileChunks };
  const { transcripts } = await adapterOf(client);
  const { outcome, told, countsUses, parse } = transcripts ?? {};
  const own = { ...(outcome && { outcome }), ...(told && { told }) };
  const chunks = transcripts?.store?.chunks ?? fileChunks;
  return { of: { name, cwd, countsUses, ...own }, parse, chunks };
}
