// The recorded sessions beside the repository, read-only; nothing of them is copied but facts.

import { readdir } from "node:fs/promises";
import { basename, join, resolve } from "node:path";

/** The folder; it may be missing. */
export const recordings = resolve(import.meta.dirname, "../../../shared/data/transcripts");

/** Paths of the sessions' own files, by session. */
export async function transcriptsBySession(): Promise<Map<string, string>> {
  const names = await readdir(recordings, { recursive: true });
  return new Map(
    names
      .filter((name) => name.endsWith(".jsonl") && !basename(name).startsWith("agent-"))
      .map((name) => [basename(name, ".jsonl"), join(recordings, name)]),
  );
}
