// Tells a starting session where things stand: a handover note from earlier sessions.
import * as v from "valibot";
import { wrapContext } from "../../src/privacy/index.ts";
import {
  definePlugin,
  type MemoryItem,
  memoirCommand,
  type Observation,
  type Reply,
  type StorageClient,
  type Summary,
  type Turn,
} from "../../src/sdk/index.ts";
import { type Clock, cut, languageOf, localClock, oneLine, toBmp } from "../../src/text/index.ts";
import {
  asides,
  build,
  derived,
  earlier,
  files,
  gotchas,
  type Noted,
  ownTurns,
  standing,
} from "./history.ts";
import {
  type Labels,
  type Line,
  labelsOf,
  type Saying,
  type SectionName,
  saidBy,
  sectionNames,
  whoSaid,
  writeLine,
} from "./line.ts";
import { decisions, openThings, refusals, type Standing } from "./open.ts";
import { pastOf, typed, type Writing } from "./past.ts";

const ConfigSchema = v.strictObject({
  maxCharacters: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(1_000),
      v.maxValue(10_000),
      v.description("Longest note, in characters; the client takes no more than 10,000."),
    ),
    6_000,
  ),
});
type Config = v.InferOutput<typeof ConfigSchema>;

/** How many of the newest observations are looked at. */
const lookedAt = 60;

/** How the agent calls memoir. */
interface State {
  command: string;
}

export default definePlugin<Config, State>({
  name: "context-handover",
  description:
    "Gives a starting session a handover note: where things stand, what is open, what was decided.",
  sdk: 1,
  slot: "context-injection",
  config: ConfigSchema,
  start: async (ctx) => ({ command: await memoirCommand(ctx.home) }),
  hooks: {
    SessionStart: async (event, ctx): Promise<Reply | undefined> => {
      if (!event.project || event.agent) return undefined;
      const { session, source, project } = event;
      const material = await gather(ctx.storage, { session, source, project }, lookedAt);
      const note = renderHandover(material, {
        maxCharacters: ctx.config.maxCharacters,
        clock: localClock,
        command: ctx.state.command,
        source,
      });
      return note && { context: note.context, records: note.ids, traces: note.traces };
    },
  },
});

// What the note is made from, and how it is asked of storage.

/** What is known when a session starts. Lists are newest first. */
export interface Material extends Standing, Noted {
  /** Name and id of the project, for the reader. */
  project: { id: string; name: string };
  pinned: Pinned[];
  /** Workflows and gotchas of the project. */
  practice: MemoryItem[];
}

/** Which session asks, and how it came to start. */
interface Occasion {
  session: string;
  /** `startup`, `clear`, `resume`, `compact`, or whatever the client says. */
  source: string;
  project: { id: string; name: string };
}

/** A pinned record. */
type Pinned =
  | { kind: "memory"; record: MemoryItem }
  | { kind: "observation"; record: Observation }
  | { kind: "summary"; record: Summary }
  | { kind: "turn"; record: Turn };

const pinnedLooked = 20;
const turnsLooked = 30;
const ownLooked = 20;
const summariesLooked = 30;
const itemsLooked = 20;
const hiddenLooked = 200;

/**
 * Asks storage for what this start needs. A compacted session lost its own memory and gets it back first. A resumed
 * one still holds everything, so it gets only what other sessions did since it was last active.
 */
export async function gather(
  storage: StorageClient,
  occasion: Occasion,
  observations: number,
): Promise<Material> {
  const { session, source, project } = occasion;
  const inProject = { project: project.id };
  const isCompact = source === "compact";
  const since = holdsItsPast(source) ? await lastActive(storage, session) : 0;
  const kinds = ["decisions", "preferences"] as const;
  const [turns, own, notes, summaries, settled, practice, hidden, pinned] = await Promise.all([
    storage.turns({ ...inProject, limit: turnsLooked }),
    isCompact ? storage.turns({ session, limit: ownLooked }) : [],
    storage.observations({ ...inProject, limit: observations }),
    storage.summaries({ ...inProject, limit: summariesLooked }),
    storage.memory({ ...inProject, kinds, limit: itemsLooked }),
    storage.memory({ ...inProject, kinds: ["workflows", "gotchas"], limit: itemsLooked }),
    storage.memory({ ...inProject, kinds, limit: hiddenLooked, hidden: true, marked: "hidden" }),
    since > 0 ? [] : pinnedIn(storage, project.id),
  ]);
  const isOther = (record: { session: string }) => record.session !== session;
  const isShown = (record: { session: string; time: number }) =>
    isOther(record) ? record.time > since : isCompact;
  const others = turns.filter((turn) => isOther(turn) && turn.time > since);
  return {
    project,
    pinned,
    hidden: hidden.filter((item) => item.hidden),
    turns: await withElsewhere(storage, others, since),
    own,
    // A session that holds its past got them when it began.
    standingItems: since > 0 ? [] : settled.filter(isOther),
    practice: since > 0 ? [] : practice,
    observations: notes.filter(isShown),
    summaries: summaries.filter(isShown),
  };
}

/** Of every kind; a storage that knows no marks answers with everything. */
async function pinnedIn(storage: StorageClient, project: string): Promise<Pinned[]> {
  const query = { project, marked: "pinned", limit: pinnedLooked } as const;
  const [items, observations, summaries, turns] = await Promise.all([
    storage.memory(query),
    storage.observations({ ...query, superseded: true }),
    storage.summaries(query),
    storage.turns(query),
  ]);
  const found: Pinned[] = [
    ...items.map((record) => ({ kind: "memory" as const, record })),
    ...observations.map((record) => ({ kind: "observation" as const, record })),
    ...summaries.map((record) => ({ kind: "summary" as const, record })),
    ...turns.map((record) => ({ kind: "turn" as const, record })),
  ];
  return found.filter(({ record }) => record.pinned).slice(0, pinnedLooked);
}

/** The newest session whole: where it went on in another folder, its end stands there. */
async function withElsewhere(
  storage: StorageClient,
  turns: Turn[],
  since: number,
): Promise<Turn[]> {
  const newest = turns[0]?.session;
  if (newest === undefined) return turns;
  const whole = await storage.turns({ session: newest, limit: ownLooked });
  const known = new Set(turns.map(({ id }) => id));
  return [...whole.filter(({ id, time }) => !known.has(id) && time > since), ...turns];
}

/** Sources after which the client still has the whole conversation. */
function holdsItsPast(source: string): boolean {
  return source === "resume" || source === "fork";
}

/** When the session last did something, epoch ms; 0 when memoir does not know it. */
async function lastActive(storage: StorageClient, session: string): Promise<number> {
  const [stored] = await storage.get({ ids: [session] });
  return stored?.kind === "session" ? stored.record.lastActiveAt : 0;
}

// Writes the note: everything there is to say, by rank, as far as the budget goes. Pure.

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
    shown: fitted
      .filter(({ line }) => line.section === section)
      .sort((one, other) => (other.line.time ?? 0) - (one.line.time ?? 0)),
  }));
  const parts = sections.flatMap(({ heading, shown }) =>
    shown.length === 0 ? [] : ["", `## ${heading}`, ...shown.map(({ text }) => text)],
  );
  return {
    context: wrap([intro, ...parts, "", more].join("\n")),
    ids: [...new Set(fitted.flatMap(({ line }) => line.ids))],
    traces: sections.flatMap(({ shown }) =>
      shown.map(({ line: { ids, from = [] } }) => [...(ids.length > 0 ? ids : from)]),
    ),
  };
}

function linesOf(
  material: Material,
  words: Labels,
  { clock, maxCharacters }: Pick<NoteOptions, "clock" | "maxCharacters">,
): Line[] {
  const note: Writing = { clock, labels: words, turns: pastOf(material.turns) };
  const all: Writing = { ...note, turns: pastOf([...material.turns, ...material.own]) };
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

// Fits lines to the budget: by rank each gets what it wants, then what is left lets the shortened ones grow. Pure.

/** A line and its text. */
interface FittedLine {
  line: Line;
  text: string;
}

/** Characters of a shortened line in which it says something. */
const leastShown = 90;

/** Lines that say what stands in the note already are left out; so are those without room. In the order given. */
export function fitLines(
  lines: readonly Line[],
  budget: number,
  headings: (section: Line["section"]) => number,
): FittedLine[] {
  const ranked = lines.toSorted((one, other) => other.rank - one.rank);
  const taken = new Map<Line, { text: string; sayings: readonly Saying[] }>();
  const sections = new Set<Line["section"]>();
  const shown: string[] = [];
  let left = budget;
  for (const line of ranked) {
    const heading = sections.has(line.section) ? 0 : headings(line.section);
    const room = Math.min(line.wanted, left - heading - 1);
    if (room < line.least) continue;
    const sayings = line.sayings();
    if ((line.needsSaying && sayings.length === 0) || isShown(sayings, shown)) continue;
    const text = writeLine(line.head, sayings, room);
    if (text === undefined || (line.needsSaying && !saysEnough(text, line.head, sayings))) continue;
    taken.set(line, { text, sayings });
    sections.add(line.section);
    shown.push(...saidBy(sayings));
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

/** True where all of a line is shown, or so much of it that it says something. */
function saysEnough(text: string, head: string, sayings: readonly Saying[]): boolean {
  const whole = sayings.reduce((sum, saying) => sum + saying.text.trim().length, 0);
  const shown = text.length - (writeLine(head, [], text.length)?.length ?? 0);
  return shown >= Math.min(whole, leastShown);
}

/** True when everything they say was said by a line before it. */
function isShown(sayings: readonly Saying[], shown: readonly string[]): boolean {
  const said = saidBy(sayings);
  return said.length > 0 && said.every((text) => shown.some((one) => one.includes(text)));
}

// What the user pinned: first, each in its share of half the room. Pure.

/** Characters for one, whatever the room. */
const leastPinned = 120;
const mostPinned = 600;

/** In the order given: above all else, so that each has its room. */
function pinnedLines(pinned: readonly Pinned[], note: Writing, room: number): Line[] {
  const wanted = Math.min(mostPinned, Math.max(leastPinned, Math.floor(room / 2 / pinned.length)));
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

function headOf(one: Pinned, note: Writing): string {
  const { clock, labels } = note;
  const { id } = one.record;
  switch (one.kind) {
    case "memory":
      return `${id} · ${one.record.date} · ${whoSaid(one.record, labels)}`;
    case "observation":
      return `${id} · ${clock.day(one.record.time)} · ${one.record.type}`;
    case "summary":
      return `${id} · ${clock.day(one.record.time)} · ${labels.summary}`;
    case "turn":
      return `${id} · ${clock.day(one.record.startedAt)} ${clock.time(one.record.startedAt)}`;
  }
}

function sayingsOf(one: Pinned, note: Writing): Saying[] {
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
