// The cases that quality is measured by: questions with provable answers, prompts, and what a colleague would note.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";

const Text = v.pipe(v.string(), v.trim(), v.nonEmpty());
const PromptNumber = v.pipe(v.number(), v.integer(), v.minValue(1));

/** Where an answer stands: the prompts of a recorded session, any of which will do. */
const AnswerSchema = v.strictObject({
  session: Text,
  prompts: v.pipe(v.array(PromptNumber), v.nonEmpty()),
});
/** Where an answer stands. */
export type Answer = v.InferOutput<typeof AnswerSchema>;

/**
 * Words by which a program sees that a text carries a statement: of each group one, in any case. Spaces in a word stand
 * for any white space.
 */
export const TokensSchema = v.pipe(v.array(v.pipe(v.array(Text), v.nonEmpty())), v.nonEmpty());
/** Words by which a program sees that a text carries a statement. */
export type Tokens = v.InferOutput<typeof TokensSchema>;

const QuestionSchema = v.strictObject({
  id: Text,
  question: Text,
  /** As an agent would ask: other words; names; file and error text. */
  phrasings: v.tuple([Text, Text, Text]),
  /** At most four in ten of its content words stand in the turn that answers it. */
  paraphrased: v.boolean(),
  /** In our own words. */
  answer: Text,
  answers: v.pipe(v.array(AnswerSchema), v.nonEmpty()),
  aside: v.boolean(),
});
/** A question over the recorded sessions. */
export type Question = v.InferOutput<typeof QuestionSchema>;

const PromptCaseSchema = v.strictObject({
  id: Text,
  /** Any session of the project that it is typed in. */
  projectOf: Text,
  prompt: Text,
  /** Absent where it is about something else, or about nothing. */
  answers: v.optional(v.pipe(v.array(AnswerSchema), v.nonEmpty())),
  tokens: v.optional(TokensSchema),
  aside: v.boolean(),
});
/** A prompt, with the answer that earlier sessions hold, or without one. */
export type PromptCase = v.InferOutput<typeof PromptCaseSchema>;

const NotesSchema = v.strictObject({
  session: Text,
  aside: v.boolean(),
  notes: v.pipe(
    v.array(
      v.strictObject({
        id: Text,
        /** In our own words. */
        note: Text,
        /** How somebody would ask for it. */
        ask: Text,
        tokens: TokensSchema,
      }),
    ),
    v.minLength(4),
    v.maxLength(10),
  ),
});
/** What a careful colleague would note of one recorded session. */
export type SessionNotes = v.InferOutput<typeof NotesSchema>;

const RunSchema = v.strictObject({
  runs: Text,
  prints: v.string(),
  fails: v.optional(v.literal(true)),
});

const FailureCaseSchema = v.strictObject({
  id: Text,
  project: Text,
  /** A session before, of which more cases of the project may speak. */
  earlier: v.optional(
    v.array(
      v.union([
        RunSchema,
        v.strictObject({ user: Text }),
        v.strictObject({ says: Text }),
        v.strictObject({ edits: Text }),
      ]),
    ),
  ),
  /** What comes up in a new session, there or in another project; its exit may be hidden by a pipe. */
  later: v.strictObject({ ...RunSchema.entries, project: v.optional(Text) }),
  /** Part of the repair that is to be told; absent where it only looks like a failure that was seen. */
  told: v.optional(Text),
  aside: v.boolean(),
});
/** A failure that comes back, or that only looks alike. */
export type FailureCase = v.InferOutput<typeof FailureCaseSchema>;

/** Grades of what is remembered, best first: worth being told, true but minor, junk, wrong. */
export const grades = ["worth", "minor", "junk", "wrong"] as const;
/** Kinds of what is graded: of records, and lines that sessions were told. */
export const gradedKinds = ["title", "fact", "summary", "standing", "told"] as const;

const GradesSchema = v.strictObject({
  /** Of which state of the program. */
  what: Text,
  /** Draws the same again from the same memory. */
  seed: v.pipe(v.number(), v.integer()),
  graded: v.array(
    v.strictObject({
      kind: v.picklist(gradedKinds),
      /** Session, prompt, and a hash of the text. */
      key: Text,
      grade: v.picklist(grades),
      why: v.optional(Text),
    }),
  ),
});
/** What somebody graded by hand. */
export type Grades = v.InferOutput<typeof GradesSchema>;

const TurnTimesSchema = v.record(Text, v.array(v.pipe(v.string(), v.isoTimestamp())));

function read(name: string): unknown {
  return JSON.parse(readFileSync(join(import.meta.dirname, name), "utf8"));
}

/** What each line of a file says. */
export function readLines(name: string): unknown[] {
  const text = readFileSync(join(import.meta.dirname, name), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** The questions over the recorded sessions. */
export function readQuestions(): Question[] {
  return v.parse(v.array(QuestionSchema), read("questions.json"));
}

/** Prompts with an answer in memory, and prompts about something else. */
export function readPromptCases(): PromptCase[] {
  return v.parse(v.array(PromptCaseSchema), read("prompts.json"));
}

/** Failures that come back in a later session, and failures that only look alike. */
export function readFailureCases(): FailureCase[] {
  return v.parse(v.array(FailureCaseSchema), read("failures.json"));
}

/** What a colleague would note, session by session. */
export function readNotes(): SessionNotes[] {
  return v.parse(v.array(NotesSchema), read("notes.json"));
}

/** Grades given by hand, by the name of their file, oldest first. */
export function readGrades(): ReadonlyArray<readonly [string, Grades]> {
  return readdirSync(import.meta.dirname)
    .filter((name) => /^grades-.*\.json$/.test(name))
    .sort()
    .map((name) => [name, v.parse(GradesSchema, read(name))]);
}

/** When each prompt of the recorded sessions was typed; a session's first prompt is number 1. */
export function readTurnTimes(): Readonly<Record<string, readonly string[]>> {
  return v.parse(TurnTimesSchema, read("turns.json"));
}
