// The command form: how the model is told to answer.
import type { AnswerFormat } from "../../src/strategy/index.ts";
import { readAnswer } from "./read-answer.ts";

const instructions = `HOW TO ANSWER
Answer with command lines and nothing around them. Nobody runs them: they are only read. One command for each note:
memoir store-memory \\
  --type bugfix \\
  --title "3 to 8 words" \\
  --subtitle "at most 24 words" \\
  --facts '["50 to 150 characters, understandable alone", "another one"]' \\
  --narrative "the whole story" \\
  --concepts '["broad-category", "another-one"]' \\
  --files '["path/from/the/project/root.ts"]' \\
  --uses "1,3"
Lists are JSON in single quotes; inside single quotes write an apostrophe as '\\''. Other values stand in double quotes; inside them write " as \\". Notes have no numbers: ids are given when they are stored. When nothing is worth a note, answer with the one word NOTHING.

When a summary is asked for:
memoir store-overview \\
  --request "what the user wanted" \\
  --learned "what was found out about the project" \\
  --content "two or three sentences: what was done, the state it is in, key decisions, outcome" \\
  --next-steps "what remains"
and, where title and subtitle are asked for, also:
memoir update-session-metadata --title "the session in 3 to 6 words" --subtitle "at most 20 words"`;

/** Command lines, split by the rules of a shell. */
export const commandFormat: AnswerFormat = {
  instructions,
  reminders: {
    observe: "Answer with memoir store-memory commands, or with NOTHING.",
    summarize: "Answer with memoir store-overview.",
  },
  read: readAnswer,
};
