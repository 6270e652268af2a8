// A runtime that only notes what readers of transcripts hand to it.

import type { Recoverer } from "../../src/backfill/feed-session.ts";
import type { Past, PastPrompts } from "../../src/runtime/events/transcripts.ts";
import type { TranscriptMark } from "../../src/runtime/journal/sessions.ts";
import type { ClientEvent } from "../../src/sdk/events.ts";

export interface NotedRecoverer extends Recoverer {
  /** What was asked of it, in order: "recover 3", "workOn s1", "drain s1", "drain s1 closing", "mark 1", "release s1". */
  calls: string[];
  /** Every event handed over, in order. */
  events: ClientEvent[];
  /** The marks left, by path. */
  left: Map<string, TranscriptMark>;
}

/** Answers everything with "committed" and "done", unless told otherwise. */
export function notedRecoverer(more: Partial<Recoverer> = {}): NotedRecoverer {
  const calls: string[] = [];
  const events: ClientEvent[] = [];
  const left = new Map<string, TranscriptMark>();
  return {
    calls,
    events,
    left,
    async recover(piece) {
      calls.push(`recover ${piece.length}`);
      events.push(...piece);
      return more.recover ? more.recover(piece) : piece.map(() => "committed" as const);
    },
    workOn(session) {
      calls.push(`workOn ${session}`);
    },
    async drain(request) {
      calls.push(`drain ${request.session}${request.flush ? " closing" : ""}`);
      return more.drain ? more.drain(request) : true;
    },
    marks: () => left,
    mark(reader, marks) {
      calls.push(`mark ${marks.length}`);
      for (const mark of marks) left.set(mark.path, mark);
      more.mark?.(reader, marks);
    },
    release(session) {
      calls.push(`release ${session}`);
    },
  };
}

/** What a journal that knows nothing of a session has of its prompts. */
export const nothingKnown: PastPrompts = {
  ...{ count: 0, whole: new Set(), texts: [], waiting: new Set(), isForgotten: () => false },
};

/** A journal without a past. */
export function emptyPast(more: Partial<Past> = {}): Past {
  const none = { prompts: () => nothingKnown, makeAgain: () => 0, isOpen: () => false, ...more };
  return none as unknown as Past;
}
