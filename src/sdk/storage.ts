// Questions a storage plugin answers. Everything here is cloneable; ids are opaque strings of the storage's own making.
import type { MemoryItem, Observation, Prompt, Records, Session, Summary } from "./model.ts";
import type { Marks, Turn } from "./turn.ts";

/** The six kinds of record. */
export type RecordKind = "observation" | "summary" | "prompt" | "session" | "memory" | "turn";

/** `storage.put`: write all of `records` or nothing; a repeat of `key` writes nothing and answers the ids of the first time. */
export interface PutRequest {
  key: string;
  records: Records;
}
/** What `storage.put` answers. */
export interface PutResult {
  /** False when `key` was known already. */
  written: boolean;
  /** Ids in the order of `records.observations`, of `records.summaries` and of `records.turns`. */
  observations: string[];
  summaries: string[];
  turns: string[];
}

/** Filters shared by search and listing. All are optional and combine with AND. */
export interface RecordFilter {
  /** `Project.id`, or its name. */
  project?: string;
  /** Client session id, or an unambiguous beginning of it (else `session_ambiguous`). */
  session?: string;
  /** What is of this client's sessions: `claude-code`. A memory item has no client. */
  client?: string;
  /** What this person made, or this machine, by the names that `from` of a record has; `me`: what was made here, or by the same person elsewhere. */
  person?: string;
  type?: string;
  concept?: string;
  /** A path or the end of one (`auth.ts`, `src/auth.ts`); matches files read and modified. */
  file?: string;
  /** Names that `file` had before: what was done under them passes as well. */
  formerly?: string[];
  /** Epoch ms: `since` is included, `until` is not. */
  since?: number;
  until?: number;
  /** False: nothing that the user hid, by itself, with its session or with the turn it was made of. A plugin gets none of it unless it says true. */
  hidden?: boolean;
}

/** The five retrieval levels: each names what is searched and how much comes back. */
export const searchLevels = ["sessions", "summaries", "titles", "facts", "narratives"] as const;
/** How coarse or fine a search is. */
export type SearchLevel = (typeof searchLevels)[number];

/** What `storage.search` is asked. */
export interface SearchQuery extends RecordFilter {
  /** Words in any order and inflection; any may match. Empty: the newest records that pass the filter. */
  text: string;
  /** The project that the asker is in: its records come before equals of others. */
  here?: string;
  /** The same question in other words, names, file or error text: all of it is one search. */
  also?: string[];
  /** Moments that the text may name (`before v1.2`): tags and commits of the repository, with epoch ms. A result's `marks` are the user's. */
  marks?: Array<{ name: string; time: number }>;
  /** `session`, the default: each session at the place of its best; `turn`: so too, each turn once; each `record` or `passage` by itself. */
  by?: "session" | "turn" | "record" | "passage";
  /** Whether results say why they are there. */
  explain?: boolean;
  /** The session that asks: neither it nor the prompt it is working on is an answer; its earlier turns are. */
  asking?: string;
  /** Somebody's hook waits for the answer: nothing that asks another program may join in. */
  swift?: boolean;
  kinds?: RecordKind[];
  /** Narrows kinds and fields; absent searches everything. */
  level?: SearchLevel;
  /** Default 20, at most 200. */
  limit?: number;
  offset?: number;
}

/** One answer of a search. */
export interface SearchResult {
  id: string;
  kind: RecordKind;
  /** The client's session id. */
  session: string;
  /** `Project.id`. */
  project: string;
  /** Observation type; for other kinds the kind itself. */
  type: string;
  title: string;
  subtitle: string;
  /** Higher is better; comparable inside one answer only. */
  score: number;
  /** Epoch ms. */
  createdAt: number;
  promptNumber: number;
  /** The facts that matched, for level `facts`; all facts otherwise. Observations only. */
  facts: string[];
  /** Observations and turns. */
  files: string[];
  /** A query word that was not found and what was searched instead (`{"authetication":"authentication"}`). */
  corrected?: Record<string, string>;
  /** Id of the newer observation that says the same thing otherwise: this one holds no more. */
  supersededBy?: string;
  /** Estimated tokens to read the whole record. */
  readTokens: number;
  /** The passage that was found, of about fifty words. */
  excerpt?: string;
  /** Turns only: the piece of evidence that the excerpt stands in, by its place in `pieces`. */
  piece?: number;
  /** Why it is there; where `explain` asked for it. */
  why?: SearchReason;
  /** What the user made of it: pinned, hidden … */
  marks?: Array<keyof Marks>;
  /** By turn: what was asked in it. */
  asked?: string;
  /** By turn: what failed, and whether it passed after files were changed. */
  failures?: Array<{ failed: string; command?: string; isFixed: boolean }>;
  /** By turn: its records. */
  parts?: RecordPart[];
  /** By turn: which of its records the excerpt is of, where that is another than this result. */
  found?: string;
}

/** A record of a turn: its type as an observation has one, and what it says first. */
export type RecordPart = Pick<SearchResult, PartFields>;
type PartFields = "id" | "kind" | "type" | "title" | "supersededBy" | "marks";

/** Why a result is there. Scores are comparable inside one answer only. */
export interface SearchReason {
  /** What of the query stands in the excerpt, and what each word adds, most first. */
  words: Array<{ word: string; adds: number }>;
  /** Where the excerpt stands: `prompt`, `said`, `commit`, `title`, `fact` and the like. */
  field: string;
  /** What the session as a whole is worth; the best of each session come first, in this order. */
  session: number;
  /** The record's place where only its words (or its meaning) count, from 1: before its kind, age, passages and session do. */
  documentRank: number;
  /** How near it is to the query in meaning, at most 1; where meanings were compared. */
  likeness?: number;
}

/** Newest first unless `order` says otherwise. */
export interface ListQuery extends RecordFilter {
  limit?: number;
  offset?: number;
  order?: "newest" | "oldest";
  /** Whether to list observations that a newer one supersedes. Default: only inside a `session`; search and get know them all. */
  superseded?: boolean;
  /** Only what the user pinned, hid or edited. */
  marked?: keyof Marks;
}
/** What `storage.summaries` is asked. */
export type SummaryListQuery = ListQuery & { scope?: "prompt" | "session" };

/** What `storage.memory` is asked: only items of some kinds. */
export interface MemoryListQuery
  extends Omit<ListQuery, "client" | "type" | "concept" | "file" | "formerly" | "superseded"> {
  kinds?: ReadonlyArray<MemoryItem["kind"]>;
}

/** What `storage.turns` is asked. Times are those of the prompts; `file` matches what a turn read or changed. */
export type TurnListQuery = Omit<ListQuery, "type" | "concept" | "superseded"> & {
  /** Only this turn of a session. */
  promptNumber?: number;
};

/** Any stored record, told apart by `kind`. */
export type StoredRecord =
  | { kind: "observation"; record: Observation }
  | { kind: "summary"; record: Summary }
  | { kind: "prompt"; record: Prompt }
  | { kind: "session"; record: Session }
  | { kind: "memory"; record: MemoryItem }
  | { kind: "turn"; record: Turn };

/** What `storage.delete` took out: the ids that were asked for, and those of what went with turns and sessions. */
export type DeleteResult = { deleted: string[] };

/** What the user says about a record. Texts go by their names, only derived ones, and an item's `state`; `undo` gives back what they were. */
export interface AmendRequest {
  id: string;
  set?: Record<string, string | string[]>;
  undo?: boolean;
  pinned?: boolean;
  hidden?: boolean;
  /** Id of one that says it too: this one is hidden, and names it, until it is hidden no more. */
  merged?: string;
}

/** What search needs beside the records: whether all of it is there. */
export interface SearchIndexState {
  /** False: it is being made; search does not find everything yet. */
  isWhole: boolean;
  /** Records that are in it. */
  indexed: number;
  records: number;
  /** Epoch ms at which it was found damaged, incomplete or of another version, and made anew from the records; since the storage was opened. */
  madeAnewAt?: number;
}

/** Search by meaning, where a plugin adds it. */
export interface MeaningState {
  /** The model, and the server that runs it; empty as long as none is chosen. */
  model: string;
  /** Turns that it has vectors of. */
  turns: number;
  /** Why words alone find at the moment, in words. */
  trouble?: string;
}

/** One project that has memory. */
export interface ProjectCount {
  id: string;
  name: string;
  /** Its name alone; `name` says more where several projects are called so. */
  plain?: string;
  sessions: number;
  observations: number;
  lastActiveAt: number;
  /** Ids under which it was captured, its own included. */
  ids?: string[];
  /** Where its sessions ran, and what looks like the same repository, with the reason; `storage.projects` says both. */
  folders?: string[];
  like?: Array<{ id: string; why: string }>;
}

/** What a person decides about projects, for what comes too: they belong `into` one, stay `apart` (folders as well), or have a name. */
export type ProjectChange = { ids: string[]; into?: string; apart?: true; name?: string };

/** How much is stored, and of which projects. */
export interface StorageStats
  extends Record<
    "sessions" | "prompts" | "observations" | "summaries" | "memory" | "turns",
    number
  > {
  /** On-disk size, or 0 when not on disk. */
  bytes: number;
  schemaVersion: number;
  /** Absent for a storage that keeps no index of its own. */
  index?: SearchIndexState;
  /** Absent where words alone find. */
  meaning?: MeaningState;
  projects: ProjectCount[];
}
