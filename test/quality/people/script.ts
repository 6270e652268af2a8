// The small format in which made-up users are written, a line of JSON for each thing: who it is, when a session starts, what happens in
// it step by step, then what a careful colleague would remember, and what must not be told.
import * as v from "valibot";
import { TokensSchema } from "../cases.ts";

const text = v.string();
const because = v.optional(text);

/** One thing that happens in a session, in order. */
const StepSchema = v.union([
  /** The user types a prompt. */
  v.strictObject({ user: text }),
  /** The agent says something; the last one before the next prompt closes the turn. */
  v.strictObject({ says: text }),
  v.strictObject({ runs: text, prints: text, fails: v.optional(v.literal(true)) }),
  v.strictObject({ edits: text, from: text, to: text }),
  v.strictObject({ writes: text, content: text }),
  v.strictObject({ reads: text, content: text }),
  /** A cell of a notebook is replaced. */
  v.strictObject({ notebook: text, cell: text, source: text }),
  /** The agent asks in a dialog, and the user chooses or types. */
  v.strictObject({ asks: text, options: v.array(text), answer: text }),
  /** A plan is shown; a refused one may come with a reason. */
  v.strictObject({ plans: text, accepted: v.literal(true) }),
  v.strictObject({ plans: text, accepted: v.literal(false), because: text }),
  /** A command or an edit is refused; with a reason the agent goes on. */
  v.strictObject({ refuses: text, because }),
  v.strictObject({ refusesEdit: text, to: text, because }),
  /** The user presses Esc while a command runs, or while the agent speaks. */
  v.strictObject({ stopsRun: text }),
  v.strictObject({ stops: v.literal(true) }),
  /** A subagent is given a task and reports. */
  v.strictObject({ delegates: text, report: text }),
  /** The client compacts the conversation into this. */
  v.strictObject({ compacts: text }),
]);
export type Step = v.InferOutput<typeof StepSchema>;

const StartSchema = v.strictObject({
  /** In ISO 8601; each step takes a minute. */
  start: text,
  /** How the session ends; default by `/exit`. A killed one tells nobody. */
  ends: v.optional(v.picklist(["exit", "clear", "killed"])),
});
/** One session of a person. */
export type PersonSession = v.InferOutput<typeof StartSchema> & { steps: readonly Step[] };

/** What a careful colleague would remember. */
const NoteSchema = v.strictObject({
  id: text,
  /** In English, whatever the session speaks. */
  note: text,
  /** How somebody would search for it. */
  ask: text,
  tokens: TokensSchema,
  /** False for what is worth finding, not worth telling unasked. */
  tell: v.optional(v.literal(false)),
});

/** What must not be told as current: refuted, overtaken, quoted or pasted. A line of context that carries it is a fault. */
const NeverSchema = v.strictObject({
  id: text,
  what: text,
  tokens: TokensSchema,
  /** A line that holds one of these says that it is not so, or was only asked or refused. */
  unless: v.optional(v.array(text)),
});

const HeadSchema = v.object({ name: text, cwd: text });
/** A made-up user with a project. */
export interface Person extends v.InferOutput<typeof HeadSchema> {
  sessions: readonly PersonSession[];
  notes: ReadonlyArray<v.InferOutput<typeof NoteSchema>>;
  never: ReadonlyArray<v.InferOutput<typeof NeverSchema>>;
}

/** Reads the lines of one. */
export function readPerson(lines: readonly unknown[]): Person {
  const [head, ...rest] = lines;
  const sessions: Array<PersonSession & { steps: Step[] }> = [];
  const person = { ...v.parse(HeadSchema, head), sessions, notes: [], never: [] } as Person & {
    notes: unknown[];
    never: unknown[];
  };
  for (const line of rest) {
    const has = (key: string) => Object.hasOwn(line as object, key);
    if (has("start")) sessions.push({ ...v.parse(StartSchema, line), steps: [] });
    else if (has("note")) person.notes.push(v.parse(NoteSchema, line));
    else if (has("what")) person.never.push(v.parse(NeverSchema, line));
    else sessions.at(-1)?.steps.push(v.parse(StepSchema, line));
  }
  return person;
}
