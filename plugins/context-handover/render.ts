// Writes the note: everything there is to say, by rank, as far as the budget goes. Pure.
import { wrapContext } from "../../src/privacy/index.ts";
import type { Clock } from "../../src/text/index.ts";
import { cut, languageOf, oneLine, toBmp } from "../../src/text/index.ts";
import { asides } from "./asides.ts";
import { decisions, refusals } from "./decided.ts";
import { derived } from "./derived.ts";
import { fitLines } from "./fit.ts";
import type { Material } from "./gather.ts";
import { earlier, ownTurns, standing } from "./history.ts";
import { type Labels, labelsOf } from "./labels.ts";
import { type Line, type SectionName, sectionNames } from "./line.ts";
import type { Note } from "./note.ts";
import { openThings } from "./open.ts";
import { pastOf } from "./past.ts";
import { pinnedLines } from "./pinned.ts";
import { build, files, gotchas } from "./work.ts";

/** How the note is written. */
export interface NoteOptions {
  /** UTF-16 units, the mark included. */
  maxCharacters: number;
  clock: Clock;
  /** How the agent calls memoir in a shell. */
  command: string;
  /** Why the session started; the mark carries it. */
  source: string;
}

/** A client may show its agent no tool that it did not ask for: it must know that there are some. Names, in no language. */
const tools = "MCP: memoir `search`, `timeline`, `get`, `remember`.";

/** The note in its mark, the ids it names, and what each of its lines was made of; undefined when there is nothing to say, or no room to say any of it. */
export function renderHandover(
  material: Material,
  { maxCharacters, clock, command, source }: NoteOptions,
): { context: string; ids: string[]; traces: string[][] } | undefined {
  const { id, name } = material.project;
  const own = [...material.turns, ...material.own];
  const words = labelsOf(languageOf(own.flatMap(promptsOf)));
  const named = cut(toBmp(oneLine(id === name ? name : `${name} (${id})`)), 200);
  const intro = words.intro.replace("{name}", () => named);
  const more = `${words.more.replaceAll("{command}", () => command)} ${tools}`;
  const wrap = (body: string) => wrapContext(body, { source: cut(toBmp(source), 40) });
  const frame = wrap(`${intro}\n\n${more}`).length;
  const lines = linesOf(material, words, { clock, maxCharacters });
  const heading = (section: SectionName) => words.sections[section].length + 5;
  const fitted = fitLines(lines, maxCharacters - frame, heading);
  if (fitted.length === 0) return undefined;
  const sections = sectionNames.map((section) => ({
    heading: words.sections[section],
    told: fitted
      .filter(({ line }) => line.section === section)
      .sort((one, other) => (other.line.time ?? 0) - (one.line.time ?? 0)),
  }));
  const parts = sections.flatMap(({ heading, told }) =>
    told.length === 0 ? [] : ["", `## ${heading}`, ...told.map(({ text }) => text)],
  );
  return {
    context: wrap([intro, ...parts, "", more].join("\n")),
    ids: [...new Set(fitted.flatMap(({ line }) => line.ids))],
    traces: sections.flatMap(({ told }) =>
      told.map(({ line: { ids, from = [] } }) => [...(ids.length > 0 ? ids : from)]),
    ),
  };
}

function linesOf(
  material: Material,
  words: Labels,
  { clock, maxCharacters }: Pick<NoteOptions, "clock" | "maxCharacters">,
): Line[] {
  const note: Note = { clock, labels: words, turns: pastOf(material.turns) };
  const all: Note = { ...note, turns: pastOf([...material.turns, ...material.own]) };
  const own = material.own.length === 0 ? [] : pastOf(material.own);
  const lines = [
    ...pinnedLines(material.pinned, all, maxCharacters),
    ...ownTurns(own, note),
    ...standing(note, own.length === 0 ? 1 : 0.8),
    ...openThings(all),
    ...decisions(all, material),
    ...refusals(all),
    ...build(all, material.practice),
    ...gotchas(all, material.practice),
    ...files(all),
    ...earlier(note),
    ...asides(note),
    ...derived(material, note),
  ];
  const pinned = new Set(
    material.pinned.flatMap(({ kind, record }) => (kind === "turn" ? [] : record.id)),
  );
  const isTwice = ({ section, ids }: Line) =>
    section !== "pinned" && ids.length > 0 && ids.every((id) => pinned.has(id));
  return lines.filter((line) => !isTwice(line));
}

function promptsOf({ pieces }: Material["turns"][number]): string[] {
  return pieces.flatMap(({ kind, text }) =>
    kind === "prompt" || kind === "typed" ? text.slice(0, 1_000) : [],
  );
}
