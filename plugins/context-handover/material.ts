// What a note is made from, and what it is made of: its material, the sessions of the past, what came of their turns, its lines and its own words. Pure.
import type { MemoryItem, Observation, Summary, Turn } from "../../src/sdk/index.ts";
import { filesOf, type Outcome, purposeOf, removedIn } from "../../src/strategy/index.ts";
import {
  askedOf,
  type Clock,
  codeNames,
  cut,
  headingOf,
  type Language,
  languages,
  meaningOf,
  overlap,
  plainLine,
  tellingWords,
} from "../../src/text/index.ts";
import { onOneLine, openIn, withoutBold } from "./closing-lines.ts";
import labelTable from "./labels.txt" with { type: "text" };

/** What the note is made from. Lists are newest first. */
export interface Material {
  /** Name and id of the project, for the reader. */
  project: { id: string; name: string };
  /** The branch that is checked out, where it is known. */
  branch?: string;
  /** The branch that the clone began with: work on it belongs to no strand. */
  trunk?: string;
  /** Turns of other sessions. */
  turns: Turn[];
  /** This session's own turns from before a compaction; empty otherwise. */
  own: Turn[];
  /** What git saw committed in this checkout, by whomever. */
  commits?: readonly Commit[];
  /** Files of the turns that are not in the checkout now. */
  missing?: ReadonlySet<string>;
  /** Files of the turns that git does not have as they are in the checkout. */
  dirty?: ReadonlySet<string>;
  /** The project's own words to the agent, which it reads anyway. */
  guide?: string;
  pinned: Pinned[];
  /** What was laid down in other sessions, and after a compaction in this one, whatever its state. */
  laidDownItems: MemoryItem[];
  /** Workflows and gotchas of the project. */
  practice: MemoryItem[];
  /** Those that the user edited; without turns the newest few. */
  observations: Observation[];
  /** Of sessions; shown where their turns are not known. */
  summaries: Summary[];
}

/** A commit of the checkout; `time` in epoch ms. */
export interface Commit {
  id: string;
  time: number;
  subject: string;
}

/** A pinned record. */
export type Pinned =
  | { kind: "memory"; record: MemoryItem }
  | { kind: "observation"; record: Observation }
  | { kind: "summary"; record: Summary }
  | { kind: "turn"; record: Turn };

/** What lines are written with. */
export interface Writing {
  clock: Clock;
  labels: Labels;
  /** The branch that is checked out, where it is known, and the one that all work ends on. */
  branch?: string;
  trunk?: string;
  /** The turn after which nothing came. */
  newest?: Turn;
  /** What came of a turn; worked out once. */
  outcomeOf(turn: Turn): Outcome;
}

/** A session of the past: its turns oldest first. */
export interface PastSession {
  turns: Turn[];
  /** What is left of its worth after the sessions that came later, and on another branch. */
  fresh: number;
  /** On the branch that is checked out, as far as branches are known. */
  isHere: boolean;
  /** About what that branch is named after. */
  isNamed: boolean;
}

/** Turns in which ends, outcomes and files are looked for; commands are looked for in all. */
export const turnsRead = 60;
/** Two sentences that share more say the same. */
export const alike = 0.8;

/** Parts of the note, in the order they are read. */
export const sectionNames = [
  "pinned",
  "own",
  "now",
  "open",
  "others",
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

/** A candidate for the note. */
export interface Line {
  section: SectionName;
  /** What it is worth for this start; higher gets room first. Pinned 2, own work and the last session about 1, the rest less the older it is. */
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
  /** It gets them, or is not told: half a rule says nothing, or something else. */
  isWhole?: true;
}

// The note's own words; everything else in it is quoted as it was said. Pure.

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

// The sessions of the past.

export const hasCommit = ({ pieces }: Pick<Turn, "pieces">) =>
  pieces.some(({ kind }) => kind === "commit");

/** Without turns and sessions all of whose files are gone since: nothing of them is left. */
export function withoutUndone(
  turns: readonly Turn[],
  seen: readonly Turn[],
  missing: ReadonlySet<string>,
): Turn[] {
  const removed = removedIn(seen);
  const isRemoved = (path: string, since: number) => removed(path, since) || missing.has(path);
  const isUndone = (done: readonly Turn[]) => {
    const files = [...filesOf(done)];
    const since = Math.min(...done.map(({ time }) => time));
    return (
      files.length > 0 && !done.some(hasCommit) && files.every((path) => isRemoved(path, since))
    );
  };
  const sessions = Map.groupBy(turns, ({ session }) => session);
  return turns.filter((turn) => !isUndone([turn]) && !isUndone(sessions.get(turn.session) ?? []));
}

const decay = 0.8;
const otherBranch = 0.5;
/** A session about what the branch is named after keeps at least this much of its freshness. */
const namedFreshLeast = 0.45;
/** A word or file in a larger share of the sessions tells none of them apart. */
const rareShare = 0.2;
/** The words that say what a turn worked on. */
export function workOf({ pieces, files, branch = "" }: Turn): string {
  const asked = pieces.flatMap(({ kind, text }) =>
    /^(?:prompt|plan|commit|published)$/.test(kind) ? text.slice(0, 1_000) : [],
  );
  return [branch.replace(/\W+/g, " "), ...asked, ...files.map(({ path }) => path)].join("\n");
}

/** The words of what a turn made: where, in which files, and what it committed. */
function madeIn({ pieces, files, branch = "" }: Turn): string {
  const made = pieces.flatMap(({ kind, text }) =>
    kind === "commit" || kind === "published" ? text.split("\n", 1) : [],
  );
  const changed = files.flatMap(({ path, changed }) =>
    changed ? path.split("/").slice(-2).join(" ") : [],
  );
  return [subjectOf(branch), ...changed, ...made].join("\n").replace(/[^\p{L}\p{N}\n]+/gu, " ");
}

/** What a branch is named after: what stands before a slash says whose it is, or of which kind. */
const subjectOf = (branch: string) => branch.replace(/^[^/]*\//, "");

/** The branches that a session was on, and those that it committed to; undefined where none is known. */
function branchesOf(turns: readonly Turn[]): ReadonlySet<string> | undefined {
  const all = turns.flatMap(({ branch, pieces }) => [
    ...(branch === undefined ? [] : [branch]),
    ...pieces.flatMap(({ kind, about = "" }) =>
      kind === "commit" ? (/ \((.+)\)$/.exec(about)?.[1] ?? []) : [],
    ),
  ]);
  return all.length === 0 ? undefined : new Set(all);
}

/** True on a branch of its own; where nobody knows the trunk, any branch is one. */
export function isOffTrunk({ branch, trunk }: Pick<Material, "branch" | "trunk">): boolean {
  return branch !== trunk;
}

/** Newest first: those of the turns read, and older ones about what the branch is named after. */
export function sessionsOf(
  turns: readonly Turn[],
  at: Pick<Material, "branch" | "trunk">,
): PastSession[] {
  const { branch } = at;
  const found = new Map<string, Turn[]>();
  for (const turn of turns.toSorted((one, other) => other.startedAt - one.startedAt))
    found.set(turn.session, [turn, ...(found.get(turn.session) ?? [])]);
  const all = [...found.values()];
  const recent = new Set(turns.slice(0, turnsRead));
  const words = all.map((own) => meaningOf(own.map(workOf).join("\n")));
  // Where no turn says its branch, nobody knows.
  const onBranch = all.map((own) => branch === undefined || branchesOf(own)?.has(branch));
  // A word that many sessions share, as the user's own name, tells none from another.
  const telling = [...meaningOf(subjectOf(branch ?? "").replace(/[^\p{L}\p{N}]+/gu, " "))].filter(
    (word) =>
      word.length > 3 &&
      /\p{L}/u.test(word) &&
      words.filter((one) => one.has(word)).length <= all.length * rareShare,
  );
  return all.flatMap((own, ago) => {
    const made = telling.length > 0 ? meaningOf(own.map(madeIn).join("\n")) : new Set<string>();
    const isNamed = telling.some((word) => made.has(word));
    // On its own branch only what was done there later makes a session old; on the trunk all that came later.
    const isAway = isOffTrunk(at);
    const isLater = (one?: boolean) => !isAway || onBranch[ago] !== true || one !== false;
    const age = onBranch.slice(0, ago).filter(isLater).length;
    const fresh = decay ** age * (isAway && onBranch[ago] === false ? otherBranch : 1);
    if (!isNamed && !own.some((turn) => recent.has(turn))) return [];
    const isHere = onBranch[ago] ?? ago === 0;
    return {
      turns: own,
      fresh: isNamed ? Math.max(fresh, namedFreshLeast) : fresh,
      isHere,
      isNamed,
    };
  });
}

/** The sessions about the same as the last one here: about what its branch is named after, or in files that it read or changed; on its branch, where that is known, any of them ties. */
export function nearTo(
  last: PastSession | undefined,
  sessions: readonly PastSession[],
  { branch }: Pick<Writing, "branch">,
): PastSession[] {
  const filesIn = ({ turns }: PastSession) =>
    new Set(
      turns.flatMap(({ files }) => files.flatMap(({ path, changed }) => (changed ? path : []))),
    );
  const all = sessions.map(filesIn);
  const own = last?.isHere ? [...filesIn(last)] : [];
  const seen = last?.isHere ? last.turns.flatMap(({ files }) => files.map(({ path }) => path)) : [];
  const most = Math.max(2, sessions.length * rareShare);
  const telling = seen.filter((path) => all.filter((files) => files.has(path)).length <= most);
  return sessions.filter(
    ({ isHere, isNamed }, at) =>
      isNamed ||
      (branch !== undefined && isHere && own.length === 0) ||
      (branch !== undefined && isHere ? own : telling).some((path) => all[at]?.has(path)),
  );
}

// What came of turns.

/** How much an outcome is worth by what it rests on; nothing where nothing came of the turn. */
export const basisWorth = {
  ...{ commit: 1, plan: 0.95, repair: 0.8, changed: 0.75, said: 0.8 },
  ...{ answer: 0.45, asked: 0 },
};

export const changes = ({ files, pieces }: Turn) =>
  files.some(({ changed }) => changed) || hasCommit({ pieces });

export function isWork(turn: Turn, writing: Writing): boolean {
  return basisWorth[writing.outcomeOf(turn).basis] > 0;
}

/** True for a commit or plan whose title says by itself what it is. */
export function laysDown({ title, basis }: Outcome): boolean {
  return (basis === "commit" || basis === "plan") && meaningOf(title).size >= leastWords.laidDown;
}

/** Two titles that share more say the same. */
const same = 0.6;
/** A title of fewer words of meaning says nothing: "Init", "All tests pass". */
export const leastWords = { asked: 2, laidDown: 2, said: 4 };
/** Characters of what was asked. */
export const askedShown = 200;
export const askedAbout = 80;

/** ` · committed a81be3f: Round the prices`. */
export function titleOf({ pieces, ...turn }: Turn, writing: Writing): string {
  const { title, basis } = writing.outcomeOf({ pieces, ...turn });
  // Of several commits the one that the title is of.
  const isTitle = ({ kind, text }: Turn["pieces"][number]) =>
    kind === "commit" && overlap(headingOf(text) || text, title) > same;
  const { about = "" } = pieces.findLast(isTitle) ?? {};
  const commit = basis === "commit" ? about.split(" ", 1)[0] : "";
  const named = basis === "asked" ? `“${title}”` : title;
  if (title === "") return "";
  return ` · ${commit ? `${writing.labels.committed} ${commit}: ` : ""}${named}`;
}

/** What the user typed; "" where the prompt is none of their own words. */
export function requestOf({ pieces }: Turn): string {
  const prompt = pieces.find(({ kind }) => kind === "prompt")?.text ?? "";
  const asked = plainLine(askedOf(prompt).replace(/^\s*>.*$/gm, ""));
  // "Yes", or a number, takes up something that nobody sees here.
  return tellingWords(asked).length < leastWords.asked ? "" : asked;
}

/** The same, as ` · “what the user typed”`. */
export function askedIn(turn: Turn, most = askedShown): string {
  const asked = requestOf(turn);
  return asked === "" ? "" : ` · “${cut(asked, most)}”`;
}

/** Not behind the number of a list's entry. */
export const sentenceEnd = /(?<=[.!?。！？])(?<!(?:^|\s)\d{1,3}\.)\s+|(?<=[。！？])/u;
/** A closing that is not longer is shown whole where there is room. */
export const wholeClosing = 450;
/** Characters of what the last session said at its end. */
export const endWanted = 560;
/** Code, a table or a list: on one line their marks say nothing. */
const structured = /^\s*(?:```|~~~|\||(?:[-*•]|\d{1,3}[.)])\s)/m;
/**
 * What a turn said at its end: all of a short closing in prose, or of the newest turn; of another one its result, and its last paragraph where that is prose.
 * Of all but the newest turn without what it asked or said to come next at its end: that was answered, or came.
 */
export function closingOf(turn: Turn, writing: Writing): string {
  const text = turn.pieces.findLast(({ kind }) => kind === "closing")?.text.trim() ?? "";
  const said = resultIn(writing.outcomeOf(turn));
  const isTold = meaningOf(said).size >= leastWords.said && !asks(said);
  const isNewest = turn === writing.newest;
  // What is broken, or not to be done, is often said in a list.
  const isShort = text.length <= wholeClosing && (isNewest || !(isTold && structured.test(text)));
  const closing = isShort ? withoutCode(text, isNewest) : text;
  if (isShort && isNewest) return onOneLine(closing);
  const lines = withoutBold(closing)
    .split("\n")
    .filter((line) => !/^\s{0,3}#{1,6}\s/.test(line));
  const settled = settledIn(lines);
  // "Done." is left of it where the result is the last sentence.
  if (isShort) return meaningOf(settled).size < leastWords.said ? said || settled : settled;
  const last = closing.split(/\n\s*\n/).at(-1) ?? "";
  const isProse = !structured.test(last) && !/^\s*[#>]/m.test(last);
  const isNew = isNewest && isProse && overlap(last, said) <= alike;
  const ending = plainLine(isNew ? last : "")
    .split(sentenceEnd)
    .filter((text) => !said.includes(text.replace(/…$/, "")))
    .join(" ");
  const open = isNewest ? openIn(withoutCode(text, true), `${said} ${ending}`) : "";
  const news = [open, ending].filter(Boolean).join(" … ");
  if (news === "") return said;
  // What it came to, or advises, stands last: the explanation before it gives way.
  return [...beginningIn(said, endWanted - news.length), news].join(" … ");
}

/** The sentences of a text that fit into the room, the first one in any case; none of an empty text. */
function beginningIn(text: string, room: number): string[] {
  const sentences = text.split(sentenceEnd).filter(Boolean);
  const fitting = sentences.filter(
    (_, at) => at === 0 || sentences.slice(0, at + 1).join(" ").length <= room,
  );
  return fitting.length === 0 ? [] : [fitting.join(" ")];
}

/** What a closing says of the result, without what was wrong before it. */
function resultIn({ said, cause }: Outcome): string {
  const kept = said.split(sentenceEnd).filter((sentence) => !cause.includes(sentence));
  return kept.length === 0 ? said : kept.join(" ");
}

const listMark = /^\s*(?:[-*•+]|\d{1,3}[.)])\s+/;

/** Where the block of code ends that begins in that line; -1 where none does, or nothing closes it. */
function endOfCode(lines: readonly string[], from: number): number {
  const mark = /^\s*(`{3,}|~{3,})[^`]*$/.exec((lines[from] ?? "").replace(listMark, ""))?.[1];
  if (mark === undefined) return -1;
  return lines.findIndex(
    (line, at) => at > from && /^\s*(`{3,}|~{3,})\s*$/.exec(line)?.[1]?.startsWith(mark),
  );
}

/** Without its blocks of code, and, but where all is told, the sentences that lead to one; of code alone the whole text. */
function withoutCode(text: string, isAll: boolean): string {
  const lines = text.split("\n");
  const kept: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const end = endOfCode(lines, at);
    if (end < 0) {
      kept.push(lines[at] ?? "");
      continue;
    }
    const opening = lines[at] ?? "";
    const block = lines.slice(at + 1, end);
    at = end;
    const lead = kept.findLastIndex((line) => line.trim() !== "");
    const said = kept[lead]?.trimEnd() ?? "";
    const [mark = ""] = listMark.exec(opening) ?? [];
    const isLed = /[:：]$/.test(said);
    // "Before you deploy, run:"
    if (isAll && (isLed || mark !== ""))
      kept.push(mark + (block.length === 1 ? block.join().trim() : "…"));
    else if (isLed) kept[lead] = said.split(sentenceEnd).slice(0, -1).join(" ");
  }
  const prose = kept.join("\n");
  return prose.trim() === "" ? text : prose;
}

const asks = (text: string) => /[?？؟]["'”’)\]*_\s]*$/u.test(text);

/** Up to its question; without one all but the last sentence, where prose ends it. */
function settledIn(lines: readonly string[]): string {
  const fence = lines.findLastIndex((line) => /^\s*(?:```|~~~)/.test(line));
  const at = lines.findIndex((line, place) => place > fence && asks(line));
  if (at >= 0) {
    const before = (lines[at] ?? "").split(sentenceEnd).filter((text) => !asks(text));
    return [...lines.slice(0, at), before.join(" ")].join("\n").trim();
  }
  const text = lines.join("\n").trim();
  const sentences = text.split(sentenceEnd);
  const endsInList = /^\s*(?:[-*•]|\d{1,3}[.)])\s/.test(lines.at(-1) ?? "");
  return endsInList || sentences.length < 2 ? text : sentences.slice(0, -1).join(" ");
}

/**
 * What a turn said at its end, where that is about its work: "Clean." and "All tests pass." stand after any. Where `each` session matters,
 * so does a short answer in other words than its question.
 */
export function resultOf(turn: Turn, writing: Writing, each = false): string {
  const said = closingOf(turn, writing);
  const words = [...meaningOf(said)].filter((word) => purposeOf(word) === undefined);
  const work = meaningOf(workOf(turn).replace(/[/_.-]+/g, " "));
  const isBacked = codeNames(said).length > 0 || words.some((word) => work.has(word));
  if (words.length >= leastWords.said && isBacked) return said;
  const isAnswer = each && /^(?:answer|said)$/.test(writing.outcomeOf(turn).basis);
  return isAnswer && words.length >= leastWords.said - 1 ? said : "";
}

export function tells(turn: Turn, writing: Writing): boolean {
  return laysDown(writing.outcomeOf(turn)) || resultOf(turn, writing) !== "";
}

/** Without those whose title says what one before it says. */
export function distinct(turns: readonly Turn[], { outcomeOf: of }: Writing): Turn[] {
  const kept: Turn[] = [];
  for (const turn of turns) {
    const { title } = of(turn);
    if (!kept.some((one) => overlap(of(one).title, title) > same)) kept.push(turn);
  }
  return kept;
}
