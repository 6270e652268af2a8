// How a client's recorded sessions are read: an adapter is loaded for a session of its client's only.
import type { Environment } from "../home/paths.ts";
import type { Chunks, TranscriptFormOf } from "../transcript/form.ts";
import { fileChunks, type LineParser } from "../transcript/read.ts";
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
  const { parse, store } = transcripts ?? {};
  return { of: { ...transcripts, name, cwd }, parse, chunks: store?.chunks ?? fileChunks };
}

/** The same for whoever reads around an event, asked by a client's name. */
export function transcriptForms(env: Environment): TranscriptFormOf {
  return async (name) => {
    const client = clients.get(name);
    const { transcripts } = client ? await adapterOf(client) : {};
    if (!transcripts) return undefined;
    const { parse, store, reaches } = transcripts;
    const folder = transcripts.folder(env);
    return { folder, parse, chunks: store?.chunks, isLate: reaches !== undefined };
  };
}
