// Writes the note: everything there is to say, by rank, as far as the budget goes. Pure.
import { wrapContext } from "../../src/privacy/index.ts";
import type { MemoryItem, Turn } from "../../src/sdk/index.ts";
import { type Clock, cut, languageOf, oneLine, toBmp } from "../../src/text/index.ts";
import { decisions, refusals, whoSaid } from "./decided.ts";
import type { Material, Pinned } from "./gather.ts";
import { asides, earlier, ownTurns, standing } from "./history.ts";
import { type Labels, labelsOf } from "./labels.ts";
import {
  type Line,
  plain,
  type Saying,
  type SectionName,
  saidBy,
  sectionNames,
  tellingLine,
  writeLine,
} from "./line.ts";
import { checkKey, openFailures, openThings, recurring, workflows } from "./open.ts";
import { code, fresh, isOnce, type Note, pastOf, placeOf, typed } from "./past.ts";

/** How the note is written. */
interface NoteOptions {
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

// What the user pinned: told first, each in its share of half the room. Pure.

/** Characters for one, whatever the room. */
const least = 120;
const most = 600;

/** In the order given: above all else, so that each has its room. */
function pinnedLines(pinned: readonly Pinned[], note: Note, room: number): Line[] {
  const wanted = Math.min(most, Math.max(least, Math.floor(room / 2 / pinned.length)));
  return pinned.map((one, at) => ({
    section: "pinned",
    rank: 1.5 - at * 0.01,
    ids: [one.record.id],
    head: `${headOf(one, note)}:`,
    sayings: () => sayingsOf(one, note).filter(({ text }) => text.trim() !== ""),
    wanted,
    least: 40,
  }));
}

function headOf(one: Pinned, note: Note): string {
  const { clock, labels } = note;
  const { id } = one.record;
  switch (one.kind) {
    case "memory":
      return `${id} · ${one.record.date} · ${whoSaid(one.record, note)}`;
    case "observation":
      return `${id} · ${clock.day(one.record.time)} · ${one.record.type}`;
    case "summary":
      return `${id} · ${clock.day(one.record.time)} · ${labels.summary}`;
    case "turn":
      return `${id} · ${clock.day(one.record.startedAt)} ${clock.time(one.record.startedAt)}`;
  }
}

function sayingsOf(one: Pinned, note: Note): Saying[] {
  switch (one.kind) {
    case "memory":
      return [{ text: one.record.content, as: "user" }];
    case "observation": {
      const { title, subtitle, facts, narrative } = one.record;
      const rest = facts.length > 0 ? facts : [narrative];
      return [title, subtitle, ...rest].map((text) => ({ text, as: "plain" }));
    }
    case "summary": {
      const { request, completed, learned, nextSteps } = one.record;
      return [request, completed, learned, nextSteps].map((text) => ({ text, as: "plain" }));
    }
    case "turn": {
      const { pieces } = one.record;
      const prompt = pieces.find(({ kind }) => kind === "prompt")?.text ?? "";
      const closing = pieces.findLast(({ kind }) => kind === "closing")?.text ?? "";
      return [
        { text: typed(prompt, note), as: "user" },
        { text: closing, as: "quote" },
      ];
    }
  }
}

// Fits lines to the budget: by rank each gets what it wants, then what is left lets the shortened ones grow. Pure.

/** A line and its text. */
interface FittedLine {
  line: Line;
  text: string;
}

/** Characters of a shortened line in which it says something. */
const leastTold = 90;

/** Lines that say what stands in the note already are left out; so are those without room. In the order given. */
export function fitLines(
  lines: readonly Line[],
  budget: number,
  headings: (section: Line["section"]) => number,
): FittedLine[] {
  const ranked = lines.toSorted((one, other) => other.rank - one.rank);
  const taken = new Map<Line, { text: string; sayings: readonly Saying[] }>();
  const sections = new Set<Line["section"]>();
  const told: string[] = [];
  let left = budget;
  for (const line of ranked) {
    const heading = sections.has(line.section) ? 0 : headings(line.section);
    const room = Math.min(line.wanted, left - heading - 1);
    if (room < line.least) continue;
    const sayings = line.sayings();
    if ((line.needsSaying && sayings.length === 0) || isTold(sayings, told)) continue;
    const text = writeLine(line.head, sayings, room);
    if (text === undefined || (line.needsSaying && !saysEnough(text, line.head, sayings))) continue;
    taken.set(line, { text, sayings });
    sections.add(line.section);
    told.push(...saidBy(sayings));
    left -= text.length + 1 + heading;
  }
  for (const [line, { text: before, sayings }] of taken) {
    const text = left < 1 ? undefined : writeLine(line.head, sayings, before.length + left);
    if (text === undefined || text.length <= before.length) continue;
    taken.set(line, { text, sayings });
    left -= text.length - before.length;
  }
  return lines.flatMap((line) => {
    const text = taken.get(line)?.text;
    return text === undefined ? [] : { line, text };
  });
}

/** True where all of a line is told, or so much of it that it says something. */
function saysEnough(text: string, head: string, sayings: readonly Saying[]): boolean {
  const whole = sayings.reduce((sum, saying) => sum + saying.text.trim().length, 0);
  const told = text.length - (writeLine(head, [], text.length)?.length ?? 0);
  return told >= Math.min(whole, leastTold);
}

/** True when everything they say was said by a line before it. */
function isTold(sayings: readonly Saying[], told: readonly string[]): boolean {
  const said = saidBy(sayings);
  return said.length > 0 && said.every((text) => told.some((one) => one.includes(text)));
}

// Notes that were derived from the evidence, one line each with its id; what their turn says is not said twice. Pure.

/** Observations, and summaries of sessions whose turns are not known. */
export function derived(material: Material, note: Note): Line[] {
  const { observations, summaries, turns, own } = material;
  const evidence = [...turns, ...own];
  const known = new Set(evidence.map(({ session }) => session));
  const placeOf = (one: { session: string; promptNumber: number }) =>
    `${one.session} ${one.promptNumber}`;
  const turnAt = new Map(evidence.map((turn) => [placeOf(turn), turn]));
  const { clock, labels } = note;
  const lines = observations.map((observation, at): Line => {
    const { id, time, type, title, subtitle, facts, edited } = observation;
    const turn = turnAt.get(placeOf(observation));
    return {
      section: "notes",
      rank: (edited ? 0.66 : 0.38) - at * 0.004,
      ids: [id],
      head: `${id} · ${clock.day(time)} · ${type}${edited ? ` · ${labels.typed}` : ""}:`,
      // What a turn says itself is not said again, neither in its words nor in others; the user's own words are.
      sayings: () => {
        if (turn && !edited && says(turn, title)) return [];
        return [title, ...(turn && !edited ? [] : [subtitle, ...facts.slice(0, 1)])]
          .filter((text) => text !== "")
          .map((text, i) => ({ text, ...(i > 0 && { label: "—" }), as: "plain" as const }));
      },
      needsSaying: true,
      wanted: 320,
      least: 60,
    };
  });
  const unknown = summaries.filter(
    ({ session, scope }) => scope === "session" && !known.has(session),
  );
  const ofSessions = unknown.map(
    ({ id, time, request, completed, learned, nextSteps }, at): Line => ({
      section: "notes",
      rank: (at === 0 && turns.length === 0 ? 0.95 : 0.6) - at * 0.02,
      ids: [id],
      head: `${id} · ${clock.day(time)} · ${labels.summary}:`,
      sayings: () =>
        [request, completed, learned, nextSteps]
          .filter((text) => text !== "")
          .map((text) => ({ text, as: "plain" as const })),
      wanted: 600,
      least: 60,
    }),
  );
  return [...ofSessions, ...lines];
}

/** True for a title that was taken from what the turn says, or was asked to do. */
function says({ pieces }: Turn, title: string): boolean {
  const words = plain(title).trimEnd();
  return pieces.some(({ text, about = "" }) => plain(`${about}\n${text}`).includes(words));
}

// How the project is built and tested, what fails again and again, and which files were worked on. Pure.

const filesNamed = 12;
const gotchasTold = 4;
const commandsTold = 6;

/** Commands that pass here: those stored as workflows, what stands first; or, as long as none is stored, those that passed again and again. One line each, in the order they are run in. */
export function build(note: Note, practice: readonly MemoryItem[]): Line[] {
  const seen = workflows(note.turns);
  const newest = note.turns.at(-1)?.turn.session;
  const failing = new Set(openFailures(note.turns).map(({ piece }) => checkKey(piece.about ?? "")));
  const stored = practice
    .filter(({ kind, content }) => kind === "workflows" && !failing.has(checkKey(content)))
    .filter((item, _, all) => !isOnce(item) || item.session === newest || all.every(isOnce))
    .toSorted((one, other) => Number(isOnce(one)) - Number(isOnce(other)))
    .slice(0, commandsTold)
    .map((item) => {
      const known = seen.find(({ line }) => line === checkKey(item.content));
      const place = known?.place ?? item.evidence?.at(-1)?.piece ?? 0;
      return { item, known, place };
    })
    .sort((one, other) => one.place - other.place);
  const line = (id: string[], command: string, times: number | undefined, when: string): Line => ({
    section: "build",
    rank: 0.75,
    ids: id,
    head: `${code(command)}${times === undefined ? "" : ` ×${times}`} (${when})`,
    sayings: () => [],
    wanted: 240,
    least: 20,
  });
  if (stored.length > 0)
    return stored.map(({ item, known }) => ({
      ...line([item.id], item.content, known?.passed, item.date),
      rank: isOnce(item) ? 0.68 : 0.75,
    }));
  return seen.map(({ line: command, passed, last }) => ({
    ...line([], command, passed, note.clock.day(last.turn.time)),
    from: [last.turn.id],
    rank: 0.75 * Math.max(0.8, fresh(last)),
  }));
}

/** Failures whose cause is stored, and those that came again and again: the telling line, and what was changed until it passed. */
export function gotchas(note: Note, practice: readonly MemoryItem[]): Line[] {
  const stored = practice
    .filter(({ kind }) => kind === "gotchas")
    .map(
      ({ id, date, content, quote = "" }, at): Line => ({
        section: "repairs",
        rank: 0.7 - at * 0.01,
        ids: [id],
        head: `${id} · ${date}`,
        sayings: () => [
          { text: tellingLine(quote), as: "user" },
          { text: content, label: "→", as: "user" },
        ],
        wanted: 400,
        least: 60,
      }),
    );
  const again = recurring(note.turns).map(
    ({ command, line, turns, files, past }, at): Line => ({
      section: "repairs",
      rank: (0.72 - at * 0.01) * fresh(past),
      ids: [past.turn.id],
      head: `${placeOf(past, note)} · ${code(command)} ×${turns}`,
      sayings: () => [
        { text: line, as: "user" },
        { text: files, label: note.labels.mended, as: "plain" },
      ],
      wanted: 400,
      least: 60,
    }),
  );
  return [...stored, ...again].slice(0, gotchasTold);
}

/** Files changed in the newest sessions, those that changed last first. */
export function files(note: Note): Line[] {
  const counts = new Map<string, number>();
  const from = new Set<string>();
  for (const { turn, sessionsAgo } of note.turns.toReversed())
    for (const { path, changed } of turn.files)
      if (changed && sessionsAgo < 3) {
        counts.set(path, (counts.get(path) ?? 0) + 1);
        from.add(turn.id);
      }
  const named = [...counts].slice(0, filesNamed);
  if (named.length === 0) return [];
  const text = named.map(([path, count]) => (count > 1 ? `${path} ×${count}` : path));
  return [
    {
      section: "files",
      rank: 0.68,
      ids: [],
      from: [...from],
      head: text.join(", "),
      sayings: () => [],
      wanted: 700,
      least: 20,
    },
  ];
}
