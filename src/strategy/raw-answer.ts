// What a model said, read but not yet judged: fields may be missing, too long, or about nothing that was shown.
import type { SummaryDraft } from "../sdk/model.ts";

/** An observation as the model gave it. */
export interface RawObservation {
  type: string;
  title: string;
  subtitle: string;
  facts: string[];
  narrative: string;
  concepts: string[];
  files: string[];
  /** Numbers of the tool uses it rests on; empty when the model did not say. */
  uses: number[];
}

/** The observation whose fields an answer has by these names; undefined where it says nothing. Numbers stand in the texts of `uses`. */
export function rawObservation(
  text: (name: "type" | "title" | "subtitle" | "narrative") => string,
  list: (name: "facts" | "concepts" | "files" | "uses") => string[],
): RawObservation | undefined {
  const observation = {
    ...{ type: text("type"), title: text("title"), subtitle: text("subtitle") },
    ...{ facts: list("facts"), narrative: text("narrative"), concepts: list("concepts") },
    ...{ files: list("files"), uses: list("uses").flatMap(numbersIn) },
  };
  const { title, facts, narrative } = observation;
  return title === "" && facts.length === 0 && narrative === "" ? undefined : observation;
}

function numbersIn(text: string): number[] {
  return (text.match(/\d{1,4}/g) ?? []).map(Number);
}

/** A summary as the model gave it: each field of a draft, none of them judged. */
export type RawSummary = Omit<SummaryDraft, "evidence">;

/** A model's whole answer. */
export interface RawAnswer {
  observations: RawObservation[];
  summary?: RawSummary;
  /** The session's, when the model gave them. */
  title?: string;
  subtitle?: string;
  /** The model said clearly that there is nothing to keep. */
  nothing: boolean;
  /** What was wrong with the answer, in words for the model; absent when all of it could be read. */
  problem?: string;
}

/** An answer in which nothing was found yet. */
export function emptyAnswer(): RawAnswer {
  return { observations: [], nothing: false };
}

const oneWord = /^\W*(?:nothing|none|skip|n\/a)\W*$/i;

/**
 * True for the one word that says that there is nothing to keep: `word`, in whatever case, or one of NOTHING's kind.
 * Sentences are not taken for it: a refusal has the same words.
 */
export function saysNothing(text: string, word?: string): boolean {
  const bare = text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
  return oneWord.test(text) || (word !== undefined && bare.toLowerCase() === word.toLowerCase());
}

/** What a model thought before it answered, where its server leaves that in the text; some leave out the opening tag. */
const thoughts =
  /^[ \t]*<think(?:ing)?>[\s\S]*?(?:<\/think(?:ing)?>|(?![\s\S]))|(?<![\s\S])[\s\S]*\n[ \t]*<\/think(?:ing)?>/gim;

/** The text without the thoughts before it. */
export function withoutThoughts(text: string): string {
  return text.replace(thoughts, "");
}

/** The answer without what it repeats, word for word, of the form in which it was asked for. */
export function withoutExample(answer: RawAnswer, instructions: string): RawAnswer {
  const isExample = (text: string) => / \S/.test(text) && instructions.includes(text);
  const strip = <Value>(value: Value): Value =>
    JSON.parse(JSON.stringify(value), (_key, inner) =>
      typeof inner === "string" && isExample(inner.trim()) ? "" : inner,
    ) as Value;
  const { observations, summary, title = "", subtitle = "" } = answer;
  return {
    ...answer,
    observations: strip(observations),
    ...(summary && { summary: strip(summary) }),
    title: strip(title),
    subtitle: strip(subtitle),
  };
}

// The form in which a strategy wants its answers.

/** What is asked of the material, sentence by sentence. */
export interface Asks {
  /** For notes on the tool uses shown. */
  notes: string;
  /** For one note on a single tool use, which the agent waits for. */
  waiting: string;
  /** For a summary of one prompt. */
  prompt: string;
  /** For a summary of the whole session. */
  session: string;
  /** Beside a summary: for the session's title and subtitle. */
  titles: string;
  /** After what was wrong with an answer. */
  again: string;
  /** Of what types notes are; `{types}` stands for them. */
  types: string;
  /** In which language to write, where the user set one: `{language}` stands for it. */
  language: string;
}

/** What can be wrong with an answer that was read, as the model is shown it before `again`. */
export interface Faults {
  empty: string;
  cut: string;
  /** It holds no note, and does not say that there is nothing. */
  noNote: string;
  noSummary: string;
  /** No note has a fact that is long enough and stands alone. */
  noFact: string;
  noTitle: string;
  /** A summary says nothing of what came of the work. */
  noNews: string;
}

/**
 * How to answer, and how an answer is read. Reading never throws. Every sentence that a model is sent beside the
 * material can be the format's own: what is absent is memoir's, in English.
 */
export interface AnswerFormat {
  /** Begins the system prompt: who the model is, what it is shown, and that nothing in the material is an instruction. */
  role?: string;
  /** What is worth a note, the fields of one, and the language; in place of memoir's own words on them. */
  guide?: string;
  /** What is asked; those that are absent are memoir's. */
  asks?: Partial<Asks>;
  /** What is said of an answer of no use; those that are absent are memoir's. */
  faults?: Partial<Faults>;
  /** The types of notes. Absent: those that `guide` or `instructions` name, and memoir's five. */
  types?: readonly string[];
  /** The end of the system prompt: the form of notes and of summaries, where wanted each in a text of its own. */
  instructions: string | { observe: string; summarize: string };
  /** One or two lines at the end of a request. */
  reminders: { observe: string; summarize: string };
  /** JSON schemas for providers with structured output. */
  schemas?: { observe: Record<string, unknown>; summarize: Record<string, unknown> };
  /** `cut`: the model had no room to end its answer, so what stands open at its end is not whole. */
  read(text: string, cut: boolean): RawAnswer;
}

// Finds the JSON in a model's answer: inside a code fence, after some words, or cut off at its end.

/** A text with more false beginnings than this is no answer. */
const mostTries = 100;

/** The values of all outermost objects and lists in the text that parse, in order. */
export function findJson(text: string): unknown[] {
  const whole = parsed(text.trim());
  if (whole !== undefined) return [whole];
  const found: unknown[] = [];
  let at = 0;
  for (let tries = 0; tries < mostTries && at < text.length; tries++) {
    const start = text.slice(at).search(/[{[]/);
    if (start === -1) break;
    const from = at + start;
    const end = endOf(text, from);
    const value = end === undefined ? undefined : parsed(text.slice(from, end));
    if (typeof value === "object" && value !== null) found.push(value);
    at = value === undefined ? from + 1 : (end ?? from + 1);
    if (end === undefined) {
      const objects = wholeObjects(text.slice(from));
      if (objects.length > 0) return [...found, ...objects];
      break;
    }
  }
  return found;
}

/** The objects of a list that was cut off, as far as they are whole. */
function wholeObjects(text: string): unknown[] {
  const inner = text.indexOf("[");
  if (inner === -1) return [];
  const found: unknown[] = [];
  let at = inner + 1;
  for (;;) {
    const from = text.indexOf("{", at);
    const end = from === -1 ? undefined : endOf(text, from);
    if (end === undefined) return found;
    const value = parsed(text.slice(from, end));
    if (value !== undefined) found.push(value);
    at = end;
  }
}

/** Where the bracket that opens at `from` is closed; undefined when it never is. */
function endOf(text: string, from: number): number | undefined {
  let depth = 0;
  let inString = false;
  for (let at = from; at < text.length; at++) {
    const char = text[at];
    if (inString) {
      if (char === "\\") at++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "{" || char === "[") depth++;
    else if ((char === "}" || char === "]") && --depth === 0) return at + 1;
  }
  return undefined;
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    try {
      // The one slip that is common and harmless.
      const value: unknown = JSON.parse(text.replace(/,(\s*[}\]])/g, "$1"));
      return value;
    } catch {
      return undefined;
    }
  }
}
