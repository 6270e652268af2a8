// The small format in which made-up users are written: sessions as steps, what must be remembered, what must not be told.
import type { Tokens } from "../cases.ts";

/** One thing that happens in a session, in order. */
export type Step =
  /** The user types a prompt. */
  | { user: string }
  /** The agent says something; the last one before the next prompt closes the turn. */
  | { says: string }
  | { runs: string; prints: string; fails?: true }
  | { edits: string; from: string; to: string }
  | { writes: string; content: string }
  | { reads: string; content: string }
  /** A cell of a notebook is replaced. */
  | { notebook: string; cell: string; source: string }
  /** The agent asks in a dialog, and the user chooses or types. */
  | { asks: string; options: readonly string[]; answer: string }
  /** A plan is shown; a refused one may come with a reason. */
  | { plans: string; accepted: true }
  | { plans: string; accepted: false; because: string }
  /** A command or an edit is refused; with a reason the agent goes on. */
  | { refuses: string; because?: string }
  | { refusesEdit: string; to: string; because?: string }
  /** The user presses Esc while a command runs, or while the agent speaks. */
  | { stopsRun: string }
  | { stops: true }
  /** A subagent is given a task and reports. */
  | { delegates: string; report: string }
  /** The client compacts the conversation into this. */
  | { compacts: string };

/** One session of a person. */
export interface PersonSession {
  /** When it starts, in ISO 8601; each step takes a minute. */
  start: string;
  steps: readonly Step[];
  /** How it ends; default by `/exit`. A killed one tells nobody. */
  ends?: "exit" | "clear" | "killed";
}

/** What a careful colleague would remember. */
export interface PersonNote {
  id: string;
  /** In English, whatever the session speaks. */
  note: string;
  /** How somebody would search for it. */
  ask: string;
  tokens: Tokens;
  /** False for what is worth finding, not worth telling unasked. */
  tell?: false;
}

/** What must not be told as current: refuted, overtaken, quoted or pasted. A line of context that carries it is a fault. */
export interface PersonNever {
  id: string;
  what: string;
  tokens: Tokens;
  /** A line that holds one of these says that it is not so, or was only asked or refused. */
  unless?: readonly string[];
}

/** A made-up user with a project. */
export interface Person {
  name: string;
  cwd: string;
  sessions: readonly PersonSession[];
  notes: readonly PersonNote[];
  never: readonly PersonNever[];
}
