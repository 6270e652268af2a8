// What a search is asked and what it answers.
import type { Field } from "./document.ts";
import type { SearchFilter } from "./filter.ts";
import type { Calendar, TimeWords } from "./query/time-words.ts";
import type { ScoredDocument } from "./rank/passages.ts";

/** What is asked. */
export interface SearchRequest {
  /** Phrasings of one question; the first is the asker's own. */
  texts: readonly string[];
  filter?: SearchFilter;
  /** Only what stands in these fields. */
  fields?: readonly Field[];
  /** Sessions first, each by its best document (default), or documents or passages by their own score. */
  by?: "session" | "document" | "passage";
  /** Default 20. */
  limit?: number;
  offset?: number;
  /** Where it is given, words for times are read: what is of that time comes first. */
  calendar?: Calendar;
  /** A factor for each document that is about to be ranked: 1 changes nothing, 0 leaves it out. */
  weigh?: (documents: readonly ScoredDocument[]) => readonly number[];
}

/** Where the text stands that was found. */
export interface FoundPassage {
  field: Field;
  /** Index in the document's pieces, and the stretch of its text in UTF-16 units. */
  piece: number;
  start: number;
  end: number;
}

/** Why a hit is there. */
export interface Why {
  /** What was looked for and found in the passage, and what each adds, most first. */
  words: Array<{ word: string; adds: number }>;
  /** The session's own score, which comes before that of the document. */
  session: number;
  /** The document's rank among all documents, from 1. */
  documentRank: number;
}

/** One document, or one passage of it. */
export interface Hit {
  id: string;
  kind: string;
  session: string;
  project: string;
  /** Epoch ms. */
  time: number;
  /** Higher is better; falls from hit to hit; comparable inside one answer only. */
  score: number;
  passage: FoundPassage;
  /** All passages of this document that have something of the query, the best first. */
  passages: FoundPassage[];
  why: Why;
}

/** The answer. */
export interface Found {
  hits: Hit[];
  /** Typed words that nothing has, and what was taken instead. */
  corrected: Record<string, string>;
  /** The time that was spoken of. */
  time?: Pick<TimeWords, "since" | "until" | "said">;
}
