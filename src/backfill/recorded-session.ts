// The files of one recorded session, each read as events from its beginning or from where an earlier reading ended.

import { recordedForm } from "../clients/index.ts";
import { type RecordedEvent, SessionEvents } from "../clients/normal/transcript-events.ts";
import type { AgentFile, SessionFiles, TranscriptFile } from "../transcript/discover.ts";
import type { BrokenLine, TranscriptEntry } from "../transcript/entry.ts";
import { readEntries } from "../transcript/read.ts";

/** A place in a file at which a line begins. */
export interface FilePlace {
  offset: number;
  lines: number;
}

interface RecordedSession {
  /** Turns a file's entries into events. `more`: what the reader is to know beside that. */
  begin(file: TranscriptFile | AgentFile, more?: { cwd?: string; alone?: boolean }): SessionEvents;
  /** A file's lines, as far as it was written when it was found. */
  entries(file: TranscriptFile, from?: FilePlace): AsyncGenerator<TranscriptEntry | BrokenLine>;
  /** What a file tells, and what ends with it; `over`: the session, too. */
  events(file: TranscriptFile | AgentFile, over: boolean): AsyncGenerator<RecordedEvent>;
  /** Epoch ms of the first line that has a time, near `from`. */
  firstTime(file: TranscriptFile, from?: number): Promise<number | undefined>;
}

/** How far a file is read for its first time. */
const headBytes = 256 * 1024;

/** Reads nothing yet. */
export async function recordedSession(files: SessionFiles): Promise<RecordedSession> {
  const { session, main } = files;
  const { of, parse, chunks } = await recordedForm(files.client, files.cwd);

  function begin(
    file: TranscriptFile | AgentFile,
    more: { cwd?: string; alone?: boolean } = {},
  ): SessionEvents {
    const transcriptPath = main?.path ?? file.path;
    const source = { session, transcriptPath, ...more, ...(of && { of }) };
    if (!("agentId" in file)) return new SessionEvents(source);
    const { agentId: id, meta, path } = file;
    const agent = { id, path, ...(meta?.agentType && { type: meta.agentType }) };
    return new SessionEvents({ ...source, agent });
  }

  const entries = (file: TranscriptFile, from: FilePlace = { offset: 0, lines: 0 }) =>
    readEntries(chunks(file.path, { from: from.offset, to: file.bytes }), { ...from, parse });

  return {
    begin,
    entries,
    async *events(file, over) {
      const events = begin(file);
      for await (const entry of entries(file)) yield* events.add(entry);
      yield* events.end(over);
    },
    async firstTime(file, from = 0) {
      const lines = chunks(file.path, { from, to: from + headBytes });
      for await (const entry of readEntries(lines, { parse }))
        if (entry.kind !== "broken" && entry.time !== undefined) return entry.time;
      return undefined;
    },
  };
}
