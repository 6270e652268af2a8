// A line of the note and the note's own words. Everything else in it is quoted as it was said. Pure.
import type { MemoryItem } from "../../src/sdk/index.ts";
import {
  asData,
  asQuoted,
  cut,
  type Language,
  languages,
  oneLine,
  toBmp,
} from "../../src/text/index.ts";
import labelTable from "./labels.txt" with { type: "text" };

/** Parts of the note, in the order they are read. */
export const sectionNames = [
  "pinned",
  "own",
  "now",
  "open",
  "decided",
  "build",
  "habits",
  "repairs",
  "earlier",
  "notes",
] as const;
/** A part of the note. */
type SectionName = (typeof sectionNames)[number];

/** `{name}` is the project, `{command}` how memoir is called, `{n}` how many. */
const labelNames = [
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

/** By label: a line for each language, in their order. */
const table = new Map(
  labelTable
    .trim()
    .split("\n\n")
    .map((block) => {
      const [name = "", ...words] = block.split("\n");
      return [name, words] as const;
    }),
);

/** The labels of a language. */
export function labelsOf(language: Language): Labels {
  const column = languages.indexOf(language);
  const pick = <Name extends string>(names: readonly Name[], kind = "") =>
    Object.fromEntries(
      names.map((name) => [name, table.get(kind + name)?.[column] ?? ""]),
    ) as Record<Name, string>;
  return { ...pick(labelNames), sections: pick(sectionNames, "section ") };
}

/** The user's are their edits. What nobody judged is what an agent or a model concluded; what stands without a quotation the user wrote into its file. */
export function whoSaid({ content, quote, state, edited }: MemoryItem, labels: Labels): string {
  // Who says only that it stands chose it; the words are not theirs.
  if (edited) return Object.keys(edited.was).join() === "state" ? labels.chosen : labels.typed;
  if (state === undefined) return labels.concluded;
  return quote === undefined || quote === content ? labels.typed : labels.chosen;
}

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
  /** Shown only in a note that would be short without it. */
  fills?: true;
  /** How it is in a note that would be short otherwise. */
  grows?: { head: string; said: string; wanted: number };
}

const longestHead = 240;
const usual = 260;
/** Fewer characters of what was said say nothing. */
const least = 30;

/** The line in at most `room` characters, its bullet included; undefined where that is too little. */
export function writeLine(line: Line, room: number): string | undefined {
  const { head, said = "", plain, wanted = usual } = line;
  const named = `- ${cut(oneLine(toBmp(asData(head))), longestHead)}`;
  const text = oneLine(toBmp(plain ? asData(said) : asQuoted(said)));
  const most = Math.min(wanted, room - named.length - 4);
  if (text === "") return named.length <= room ? named : undefined;
  if (most < Math.min(text.length, least)) return undefined;
  const shown = cut(text, most);
  const gap = /[:)]$/.test(named) ? " " : " · ";
  return named + gap + (plain ? shown : `“${shown}”`);
}

/** A command on one line, in code marks. */
export function code(line: string): string {
  return `\`${cut(oneLine(line).replaceAll("`", "'"), 160)}\``;
}
