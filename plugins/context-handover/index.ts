// Gives a starting session a handover note: where things stand, what is open, what runs here.
import { createHash } from "node:crypto";
import { open, readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import * as v from "valibot";
import { wrapContext } from "../../src/privacy/index.ts";
import {
  definePlugin,
  memoirCommand,
  type Reply,
  type StorageClient,
  type Turn,
} from "../../src/sdk/index.ts";
import { isTheirs, type Uses, usesOf } from "../../src/strategy/index.ts";
import {
  asData,
  askedOf,
  asQuoted,
  type Clock,
  cut,
  denied,
  headingOf,
  type IgnoreRule,
  ignoreRulesIn,
  isIgnored,
  isReversed,
  languageOf,
  localClock,
  meaningOf,
  oneLine,
  plainLine,
  sentencesOf,
  toBmp,
  undoes,
} from "../../src/text/index.ts";
import { byHand, stands } from "./items.ts";
import { candidates, type Outcomes } from "./lines.ts";
import {
  type Line,
  labelsOf,
  type Material,
  type Pinned,
  sectionNames,
  turnsRead,
} from "./material.ts";

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

interface State {
  /** How the agent calls memoir. */
  command: string;
  /** Written by `context-moments`, which hears what is shown and used. */
  uses: Uses;
  outcomes: Outcomes;
}

export default definePlugin<Config, State>({
  name: "context-handover",
  description:
    "Gives a starting session a handover note: where things stand, what is open, what was decided.",
  sdk: 1,
  slot: "context-injection",
  config: ConfigSchema,
  start: async (ctx) => ({
    command: await memoirCommand(ctx.home),
    uses: await usesOf(ctx.home),
    outcomes: new Map(),
  }),
  hooks: {
    SessionStart: async (event, ctx): Promise<Reply | undefined> => {
      if (!event.project || event.agent) return undefined;
      const { session, source, project, client } = event;
      const material = await gather(ctx.storage, { session, source, project, client });
      const note = renderHandover(material, {
        maxCharacters: ctx.config.maxCharacters,
        clock: localClock,
        command: ctx.state.command,
        source,
        worthOf: (id) => ctx.state.uses.worth(project.id, id),
        outcomes: ctx.state.outcomes,
      });
      if (!note) return undefined;
      const { context, ids, traces, omitted } = note;
      return { context, records: ids, traces, omitted };
    },
  },
});

// What the note is made from, and how it is asked of storage.

/** Which session asks, and how it came to start. */
interface Occasion {
  session: string;
  /** `startup`, `clear`, `resume`, `compact`, or whatever the client says. */
  source: string;
  /** Whose agent it is: each reads other files of the project by itself. */
  client?: string;
  project: { id: string; name: string; root?: string; branch?: string | undefined };
}

const pinnedLooked = 20;
/** Commands are known by many sessions; everything else reads the newest of them. */
const turnsLooked = 150;
const ownLooked = 20;
const observationsLooked = 60;
const summariesLooked = 10;
/** Most of them only wait. */
const itemsLooked = 300;
const practiceLooked = 20;
/** What people lay down is worded as one of these. */
const laidDown = ["decisions", "preferences", "projects", "facts"] as const;
/** Without turns, as after an import of notes alone, so many notes stand for them. */
const notesShown = 5;

/**
 * Asks storage for what this start needs. A compacted session lost its own memory and gets it back first. A resumed
 * one still holds everything, so it gets only what other sessions did since it was last active.
 */
export async function gather(storage: StorageClient, occasion: Occasion): Promise<Material> {
  const { session, source, project, client } = occasion;
  const inProject = { project: project.id };
  const isCompact = source === "compact";
  const since = holdsItsPast(source) ? await lastActive(storage, session) : 0;
  // A project of which no folder is there has an empty one.
  const root = project.root || undefined;
  const [turns, own, notes, summaries, laidDownItems, practice, pinned, guide, { folder, ...git }] =
    await Promise.all([
      storage.turns({ ...inProject, limit: turnsLooked }),
      isCompact ? storage.turns({ session, limit: ownLooked }) : [],
      storage.observations({ ...inProject, limit: observationsLooked }),
      storage.summaries({ ...inProject, scope: "session", limit: summariesLooked }),
      storage.memory({ ...inProject, kinds: laidDown, limit: itemsLooked }),
      storage.memory({ ...inProject, kinds: ["workflows", "gotchas"], limit: practiceLooked }),
      since > 0 ? [] : pinnedIn(storage, project.id),
      root === undefined ? "" : guideIn(root, client),
      root === undefined ? { commits: [], folder: "" } : gitIn(root),
    ]);
  const isOther = (record: { session: string }) => record.session !== session;
  const isShown = (record: { session: string; time: number }) =>
    isOther(record) ? record.time > since : isCompact;
  const others = (await withOwn(storage, turns, project.id)).filter(
    (turn) => isOther(turn) && turn.time > since,
  );
  const shown = notes.filter(isShown);
  const turnsHere = await withElsewhere(storage, others, since);
  return {
    project,
    ...(project.branch !== undefined && { branch: project.branch }),
    pinned,
    turns: turnsHere,
    own,
    guide,
    ...git,
    ...(await filesIn(root, folder, turnsHere.slice(0, turnsRead))),
    // A session that holds its past got them when it began; a compacted one lost also what was laid down in it.
    laidDownItems: since > 0 ? [] : laidDownItems.filter((item) => isCompact || isOther(item)),
    practice: since > 0 ? [] : practice,
    observations:
      others.length + own.length > 0
        ? shown.filter(({ edited }) => edited)
        : shown.slice(0, notesShown),
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

/** Where others work here too, the newest may be theirs alone. */
async function withOwn(storage: StorageClient, turns: Turn[], project: string): Promise<Turn[]> {
  if (!turns.some(isTheirs)) return turns;
  const own = await storage.turns({ project, person: "me", limit: turnsLooked });
  const known = new Set(turns.map(({ id }) => id));
  return [...turns, ...own.filter(({ id }) => !known.has(id))];
}

/** The newest session whole: where it went on in another folder, its end stands there. */
async function withElsewhere(
  storage: StorageClient,
  turns: Turn[],
  since: number,
): Promise<Turn[]> {
  const newest = (turns.find((turn) => !isTheirs(turn)) ?? turns[0])?.session;
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
  // Ids of records are looked up by `get`; a client's own ids have any form.
  const [stored] = await storage.sessions({ session, limit: 1 });
  return stored?.lastActiveAt ?? 0;
}

// What the checkout says itself: which files are there and which of them git does not have as they are, and what it logged as committed,
// by whomever. Files are read; git is never run.

/** What a project says to the agent of a client, in the files that it reads at its start. */
async function guideIn(root: string, client = ""): Promise<string> {
  const read = (names: readonly string[]) =>
    Promise.all(names.map((name) => endOf(join(root, name))));
  if (client !== "claude-code") return (await read(["AGENTS.md"])).join("\n");
  const own = await read(["CLAUDE.md", ".claude/CLAUDE.md"]);
  // It reads another one only where its own takes it in.
  const named = own.some((text) => text.includes("@AGENTS.md")) ? await read(["AGENTS.md"]) : [];
  return [...own, ...named].join("\n");
}

/** Bytes of the log's end that are read. */
const logRead = 32_768;
/** Its entries that move work into a commit, with the commit's id, second and subject. */
const commitEntry = /^\S+ ([\da-f]{7,64}) .* (\d{9,11}) [+-]\d{4}\t(?:commit|rebase)[^:]*: (.*)$/gm;

/** What git says of a checkout: its own folder, its newest commits, and the branch that its clone began with. */
async function gitIn(
  root: string,
): Promise<Pick<Material, "commits" | "trunk"> & { folder: string }> {
  const link = /^gitdir:\s*(.+?)\s*$/m.exec(await endOf(join(root, ".git")))?.[1];
  const folder = resolve(root, link ?? ".git");
  // A checkout whose git is elsewhere, as in a container, says nothing.
  const isAway = link !== undefined && !(await stat(folder).catch(() => undefined));
  const log = await endOf(join(folder, "logs", "HEAD"));
  const commits = [...log.matchAll(commitEntry)].map(([, id = "", seconds, subject = ""]) => ({
    ...{ id, time: Number(seconds) * 1_000, subject },
  }));
  // A worktree's folder names the one that it shares with its clone.
  const shared = (await endOf(join(folder, "commondir"))).trim();
  const head = await endOf(join(folder, shared, "refs/remotes/origin/HEAD"));
  const trunk = /^ref: refs\/remotes\/origin\/(\S+)/.exec(head)?.[1];
  return { folder: isAway ? "" : folder, commits, ...(trunk !== undefined && { trunk }) };
}

const filesLooked = 200;
/** Some file systems keep a time to two seconds. */
const coarse = 2_000;

/**
 * Files that turns changed and that are not in the checkout now, and those that are as a turn left them or newer, and that git's index does
 * not have like that: nobody committed them. None is missing where none is there, or the folder is not here: it is another checkout.
 */
async function filesIn(root = "", git: string, turns: readonly Turn[]) {
  const since = new Map<string, number>();
  for (const { files = [], startedAt } of root === "" ? [] : turns)
    for (const { path, changed } of files)
      if (changed) since.set(path, Math.max(since.get(path) ?? 0, startedAt));
  const index = since.size === 0 ? undefined : await indexIn(git);
  const rulesFor = ignoredBy(root, git);
  const found = await Promise.all(
    [...since].slice(0, filesLooked).map(async ([path, asOf]) => {
      const file = resolve(root, path);
      const { mtimeMs, size = 0 } = (await stat(file).catch(() => undefined)) ?? {};
      const standing = { file, size, seconds: Math.floor((mtimeMs ?? 0) / 1_000) };
      const isLeft =
        mtimeMs !== undefined && mtimeMs + coarse >= asOf && !/^(?:\/|\.\.)/.test(path);
      const known = index?.get(path);
      const isDirty =
        isLeft &&
        index !== undefined &&
        (known ? await differs(known, standing) : !isIgnored(path, await rulesFor(path)));
      return { path, mtimeMs, isDirty };
    }),
  );
  const isHere = found.some(({ mtimeMs }) => mtimeMs !== undefined);
  const named = (isMeant: (one: (typeof found)[number]) => boolean) =>
    new Set(found.filter(isMeant).map(({ path }) => path));
  return {
    missing: named(({ mtimeMs }) => isHere && mtimeMs === undefined),
    dirty: named(({ isDirty }) => isDirty),
  };
}

/** Reads the rules by which git leaves a path alone: a person's, the clone's, and those of each folder above it; each file once. */
function ignoredBy(root: string, git: string): (path: string) => Promise<IgnoreRule[]> {
  const read = new Map<string, Promise<IgnoreRule[]>>();
  const rules = (folder: string, file: string) => {
    const found = read.get(file) ?? endOf(file).then((text) => ignoreRulesIn(text, folder));
    read.set(file, found);
    return found;
  };
  const common = endOf(join(git, "commondir"));
  const settings = process.env.XDG_CONFIG_HOME || join(homedir(), ".config");
  return async (path) => {
    const shared = (await common).trim();
    const folders = path.split("/").map((_, at, parts) => parts.slice(0, at).join("/"));
    const found = await Promise.all([
      rules("", join(settings, "git/ignore")),
      rules("", join(git, shared, "info/exclude")),
      ...folders.map((folder) =>
        rules(folder === "" ? "" : `${folder}/`, join(root, folder, ".gitignore")),
      ),
    ]);
    return found.flat();
  };
}

/** Longer ones are not looked into. */
const mostBytes = { index: 8_388_608, file: 1_048_576 };

/** What git's index has of a file: its content's id, and how the file stood then. */
interface Indexed {
  id: string;
  seconds: number;
  size: number;
}

/** True for a file whose content is not the one that git was given last. */
async function differs(
  known: Indexed,
  { file, size, seconds }: { file: string; size: number; seconds: number },
): Promise<boolean> {
  // As git tells it itself, without reading it.
  if (known.seconds === seconds && known.size === size) return false;
  if (size > mostBytes.file) return false;
  const content = await readFile(file).catch(() => undefined);
  return content !== undefined && !idsOf(content).includes(known.id);
}

/** The ids by which git may know a content: as it is, and with the ends of lines that git keeps. */
function idsOf(content: Buffer): string[] {
  const kept = Buffer.from(content.toString("latin1").replaceAll("\r\n", "\n"), "latin1");
  return [content, kept].map((bytes) =>
    createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex"),
  );
}

/** Bytes of an entry before its path: times, places, mode, size, then the id of the content, then flags. */
const entry = { seconds: 8, size: 36, id: 40, flags: 60, path: 62 };

/** By path, what git's index has, nothing where there is none; undefined for one that is not read. */
async function indexIn(folder: string): Promise<ReadonlyMap<string, Indexed> | undefined> {
  if (folder === "") return undefined;
  const path = join(folder, "index");
  const found = await stat(path).catch(() => undefined);
  if (!found) return new Map();
  if (!found.isFile() || found.size > mostBytes.index) return undefined;
  const bytes = await readFile(path).catch(() => Buffer.alloc(0));
  const version = bytes.length > 32 && bytes.toString("latin1", 0, 4) === "DIRC" ? bytes[7] : 0;
  // Version 4 shortens paths.
  if (version !== 2 && version !== 3) return undefined;
  const files = new Map<string, Indexed>();
  let at = 12;
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    if (at + entry.path > bytes.length) return undefined;
    const flags = bytes.readUInt16BE(at + entry.flags);
    const from = at + entry.path + (flags & 0x4000 ? 2 : 0);
    const end = bytes.indexOf(0, from);
    const length = flags & 0xfff;
    // Ids of another length move everything.
    if (end < 0 || end - from < length || (length < 0xfff && end - from !== length))
      return undefined;
    files.set(bytes.toString("utf8", from, end), {
      id: bytes.toString("hex", at + entry.id, at + entry.flags),
      seconds: bytes.readUInt32BE(at + entry.seconds),
      size: bytes.readUInt32BE(at + entry.size),
    });
    at += (end - at + 8) & ~7;
  }
  // A split index keeps most of its entries elsewhere, and says so first of all that follows them.
  return bytes.toString("latin1", at, at + 4) === "link" ? undefined : files;
}

/** The end of a file; "" where there is none. */
async function endOf(path: string): Promise<string> {
  try {
    const found = await stat(path);
    // A pipe in its place would never end.
    if (!found.isFile()) return "";
    await using file = await open(path);
    const bytes = Buffer.alloc(Math.min(found.size, logRead));
    await file.read(bytes, 0, bytes.length, found.size - bytes.length);
    return bytes.toString();
  } catch {
    return "";
  }
}

// Writes the note: what is worth it for this start, as far as the room goes. Pure.

/** How the note is written. */
interface NoteOptions {
  /** UTF-16 units, the mark included. */
  maxCharacters: number;
  clock: Clock;
  /** How the agent calls memoir in a shell. */
  command: string;
  /** Why the session started; the mark carries it. */
  source: string;
  /** What its use so far makes of a record's worth; 0: shown in many sessions, and used in none. */
  worthOf?: (id: string) => number;
  outcomes?: Outcomes;
}

/** Sections whose lines keep their worth however seldom their records are used: rules and commands are followed without naming them. */
const neverRests: ReadonlySet<Line["section"]> = new Set([
  "pinned",
  "own",
  "decided",
  "habits",
  "build",
  "repairs",
] as const);

/** A client may show its agent no tool that it did not ask for: it must know that there are some. Names, in no language. */
const tools = "MCP: memoir `search`, `timeline`, `get`, `remember`.";
/** A line worth less is not shown, whatever room there is. */
const leastWorth = 0.3;
/** Lines of a part at most. */
const mostLines: Partial<Record<Line["section"], number>> = {
  open: 5,
  decided: 4,
  habits: 2,
  earlier: 5,
  others: 4,
};
/** Of the usual room, what others did gets so much at most. */
const othersShare = 0.3;
/** Room for what nobody pinned and the session itself did not do: a short note is read. */
const usualRoom = 2_500;

/** Why a line is not in the note. */
const reasons = {
  worth: "not about the latest work",
  full: "others came first",
  room: "no room left",
  newer: "a newer one says otherwise",
};

/** The note as a reply. */
interface Note extends Pick<Required<Reply>, "context" | "traces" | "omitted"> {
  ids: string[];
}

/** The note in its mark, the ids it names, what each of its lines was made of, and why what stands got no line; undefined when there is nothing to say, or no room to say any of it. */
export function renderHandover(
  material: Material,
  { maxCharacters, clock, command, source, worthOf = () => 1, outcomes }: NoteOptions,
): Note | undefined {
  const { id, name } = material.project;
  const labels = labelsOf(languageOf([...material.turns, ...material.own].flatMap(promptsOf)));
  const named = cut(toBmp(oneLine(id === name ? name : `${name} (${id})`)), 200);
  const intro = labels.intro.replace("{name}", () => named);
  const more = `${labels.more.replaceAll("{command}", () => command)} ${tools}\n${labels.ask}`;
  const wrap = (body: string) => wrapContext(body, { source: cut(toBmp(source), 40) });
  const frame = wrap(`${intro}\n\n${more}`).length;
  const headingOf = (section: Line["section"]) => `\n## ${labels.sections[section]}`;
  const isTakenBack = takenBack([
    ...[...material.own, ...material.turns].slice(0, turnsRead),
    ...byHand(material),
  ]);
  const lines = candidates(material, { clock, labels }, outcomes).flatMap((line) => {
    const isFixed = neverRests.has(line.section) || line.ids.length === 0;
    const use = isFixed ? 1 : Math.max(...line.ids.map(worthOf));
    return isTakenBack(line) || use === 0 ? [] : { ...line, worth: line.worth * use };
  });
  const { fitted, omitted } = fitLines(lines, {
    room: maxCharacters - frame,
    usual: usualRoom - frame,
    headingOf,
  });
  if (fitted.length === 0) return undefined;
  const sections = sectionNames.map((section) => ({
    heading: headingOf(section),
    shown: fitted.filter(({ line }) => line.section === section),
  }));
  const parts = sections.flatMap(({ heading, shown }) =>
    shown.length === 0 ? [] : [heading, ...shown.map(({ text }) => text)],
  );
  const ids = [...new Set(fitted.flatMap(({ line }) => line.ids))];
  const absent = material.laidDownItems.filter((item) => stands(item) && !ids.includes(item.id));
  return {
    context: wrap([intro, ...parts, "", more].join("\n")),
    ids,
    traces: sections.flatMap(({ shown }) =>
      shown.map(({ line: { ids, from = ids } }) => [...from]),
    ),
    omitted: Object.fromEntries(absent.map(({ id }) => [id, omitted.get(id) ?? reasons.newer])),
  };
}

const results: ReadonlySet<Line["section"]> = new Set(["now", "decided", "earlier"]);
/** The opposite in fewer words of meaning may be of anything: "do not commit". */
const leastWords = 4;

/** Says of a line whether it tells what a turn came to, and a later prompt, plan or commit took it back. */
function takenBack(turns: readonly Turn[]): (line: Line) => boolean {
  const times = new Map(turns.map(({ id, startedAt }) => [id, startedAt]));
  const later = turns.flatMap((turn) => {
    const heads = turn.pieces.flatMap(({ kind, text }) =>
      kind === "plan" || kind === "commit" || kind === "published" ? headingOf(text) : [],
    );
    const said = promptsOf(turn).flatMap((text) =>
      sentencesOf(plainLine(askedOf(text).replace(/^\s*>.*$/gm, ""))),
    );
    const time = turn.startedAt;
    return [...heads, ...said.filter((text) => !/[?？؟]$/.test(text))].map((text) => ({
      text,
      time,
    }));
  });
  return ({ section, ids: [id = ""], head, said = "" }) => {
    const time = results.has(section) ? times.get(id) : undefined;
    if (time === undefined) return false;
    const told = `${head.split(" · ").slice(2).join(" ")} ${said}`;
    return later.some(
      ({ text, time: at }) =>
        at > time &&
        (undoes(text, told) ||
          (meaningOf(text).size >= leastWords && denied(text) && isReversed(text, told))),
    );
  };
}

function promptsOf({ pieces }: Turn): string[] {
  return pieces.flatMap(({ kind, text }) =>
    kind === "prompt" || kind === "typed" ? text.slice(0, 1_000) : [],
  );
}

/** How much there is room for. */
interface Room {
  room: number;
  /** What lines that are not above all else share. */
  usual: number;
  headingOf: (section: Line["section"]) => string;
}

/** The lines that have room, the worthiest first, in the order they are read; and by id why others are not among them. */
function fitLines(lines: readonly Line[], { room, usual, headingOf }: Room) {
  const taken = new Map<Line, string>();
  const omitted = new Map<string, string>();
  const counts = new Map<Line["section"], number>();
  const share = lines.filter(({ section }) => section === "pinned").length;
  let [left, leftUsual, leftOthers] = [room, usual, usual * othersShare];
  for (const line of lines.toSorted((one, other) => other.worth - one.worth)) {
    const { section, worth } = line;
    const count = counts.get(section) ?? 0;
    const isFull = count >= (mostLines[section] ?? Number.POSITIVE_INFINITY);
    if (isFull || worth < leastWorth) {
      for (const id of line.ids) omitted.set(id, worth < leastWorth ? reasons.worth : reasons.full);
      continue;
    }
    const heading = count === 0 ? headingOf(section).length + 1 : 0;
    const isAbove = section === "pinned" || section === "own";
    const most = section === "others" ? leftOthers : leftUsual;
    const free = (isAbove ? left : Math.min(left, most, leftUsual)) - heading - 1;
    const part = section === "pinned" ? Math.max(leastPinned, room / 2 / share) : free;
    const text = writeLine(line, Math.floor(Math.min(free, part)));
    if (text === undefined) {
      for (const id of line.ids) omitted.set(id, reasons.room);
      continue;
    }
    taken.set(line, text);
    counts.set(section, count + 1);
    left -= text.length + 1 + heading;
    if (!isAbove) leftUsual -= text.length + 1 + heading;
    if (section === "others") leftOthers -= text.length + 1 + heading;
  }
  const fitted = lines.flatMap((line) => {
    const text = taken.get(line);
    return text === undefined ? [] : { line, text };
  });
  return { fitted, omitted };
}

/** Characters for a pinned record, whatever the room. */
const leastPinned = 120;

const longestHead = 240;
const usual = 260;
/** Fewer characters of what was said say nothing. */
const least = 30;

/** The line in at most `room` characters, its bullet included; undefined where that is too little. */
export function writeLine(line: Line, room: number): string | undefined {
  const { head, said = "", plain, wanted = usual, isWhole } = line;
  const named = `- ${cut(oneLine(toBmp(asData(head))), longestHead)}`;
  const text = oneLine(toBmp(plain ? asData(said) : asQuoted(said)));
  const left = room - named.length - 5;
  const most = Math.min(wanted, left);
  if (text === "") return named.length <= room ? named : undefined;
  if (most < Math.min(text.length, isWhole ? wanted : least)) return undefined;
  const shown = cutAtSentence(text, most, Math.min(most * muchLonger, left));
  const gap = named.endsWith(":") ? " " : " · ";
  return named + gap + (plain ? shown : `“${shown}”`);
}

/** A sentence that ends before this share of the room leaves too much of it empty. */
const leastShare = 0.5;
/** A sentence that would be cut gets so much more room to end in. */
const muchLonger = 1.4;

/** What fits of a text, to the end of a sentence where one ends in time, or where `atMost` lets it. */
function cutAtSentence(text: string, most: number, atMost: number): string {
  if (text.length <= most) return text;
  // Found in the whole text: cut off, "$12.50" looks like an end.
  const ends = [
    ...text.matchAll(/(?:(?<!(?:^|\s)\d{1,3})[.!?](?=\s|$)|[。！？]|;(?=\s))/gu),
  ].filter(({ index }) => index + (index + 1 === text.length ? 1 : 3) <= atMost);
  const end =
    ends.findLast(({ index }) => index >= most * leastShare && index < most - 1) ??
    ends.find(({ index }) => index >= most - 1);
  if (!end) return text.length <= atMost ? text : cut(text, most);
  const isAll = end.index + 1 === text.length;
  return isAll ? text : `${text.slice(0, end.index + 1).replace(/;$/, "")} …`;
}
