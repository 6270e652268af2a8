// What a note is made from, and what it is made of: its material, its lines, the words that it says by itself.
import type { MemoryItem, Observation, Summary, Turn } from "../../src/sdk/index.ts";
import type { Outcome } from "../../src/strategy/index.ts";
import type { Clock } from "../../src/text/index.ts";

/** What the note is made from. Lists are newest first. */
export interface Material {
  /** Name and id of the project, for the reader. */
  project: { id: string; name: string };
  /** The branch that is checked out, where it is known. */
  branch?: string;
  /** Turns of other sessions. */
  turns: Turn[];
  /** This session's own turns from before a compaction; empty otherwise. */
  own: Turn[];
  /** What git saw committed in this checkout, by whomever. */
  commits?: readonly Commit[];
  /** Files of the turns that are not in the checkout now. */
  missing?: ReadonlySet<string>;
  pinned: Pinned[];
  /** Decisions and preferences from other sessions, with their state. */
  standingItems: MemoryItem[];
  /** Workflows and gotchas of the project. */
  practice: MemoryItem[];
  /** Those that the user edited. */
  observations: Observation[];
  /** Of sessions; shown where their turns are not known. */
  summaries: Summary[];
}

/** A commit of the checkout; `time` in epoch ms. */
export interface Commit {
  id: string;
  time: number;
  subject: string;
}

/** A pinned record. */
export type Pinned =
  | { kind: "memory"; record: MemoryItem }
  | { kind: "observation"; record: Observation }
  | { kind: "summary"; record: Summary }
  | { kind: "turn"; record: Turn };

/** What lines are written with. */
export interface Writing {
  clock: Clock;
  labels: Labels;
  /** The turn after which nothing came. */
  newest?: Turn;
  /** What came of a turn; worked out once. */
  outcomeOf(turn: Turn): Outcome;
}

/** A session of the past: its turns oldest first. */
export interface PastSession {
  turns: Turn[];
  /** What is left of its worth after the sessions that came later, and on another branch. */
  fresh: number;
}

/** Turns in which ends, outcomes and files are looked for; commands are looked for in all. */
export const turnsRead = 60;
/** Two sentences that share more say the same. */
export const alike = 0.8;

/** Parts of the note, in the order they are read. */
export const sectionNames = [
  "pinned",
  "own",
  "now",
  "open",
  "others",
  "decided",
  "build",
  "habits",
  "repairs",
  "earlier",
  "notes",
] as const;
/** A part of the note. */
export type SectionName = (typeof sectionNames)[number];

/** `{name}` is the project, `{command}` how memoir is called, `{n}` how many. */
export const labelNames = [
  "intro",
  "more",
  "ask",
  "stopped",
  "chosen",
  "typed",
  "concluded",
  "failure",
  "question",
  "next",
  "todo",
  "plan",
  "proposed",
  "uncommitted",
  "unended",
  "refused",
  "committed",
  "prompts",
  "instead",
  "summary",
] as const;

/** What the note says by itself in one language. */
export type Labels = Readonly<
  Record<(typeof labelNames)[number], string> & { sections: Record<SectionName, string> }
>;

/** A candidate for the note. */
export interface Line {
  section: SectionName;
  /** What it is worth for this start, from 0 to 1; what is above all else gets room first. */
  worth: number;
  /** Ids of what it was made of. */
  ids: readonly string[];
  /** Of a line that sums up many turns: theirs, for who asks where it comes from. */
  from?: readonly string[];
  /** Where it comes from, and what it is. */
  head: string;
  /** What was said, in quotation marks unless it is `plain`. */
  said?: string;
  plain?: true;
  /** Characters of what was said that it should get. */
  wanted?: number;
}
