// How each client writes its transcripts, asked by its name: an adapter is loaded for a session of its client's only.
import type { Environment } from "../home/paths.ts";
import type { TranscriptFormOf } from "../transcript/form.ts";
import { adapterOf, clients } from "./index.ts";

/** Undefined for a client that is not known, or whose transcripts are not read. */
export function transcriptForms(env: Environment): TranscriptFormOf {
  return async (name) => {
    const client = clients.get(name);
    if (!client) return undefined;
    const { transcripts } = await adapterOf(client);
    if (!transcripts) return undefined;
    const { parse, store, reaches } = transcripts;
    const isLate = reaches !== undefined;
    return { folder: transcripts.folder(env), parse, chunks: store?.chunks, isLate };
  };
}
