// What is open: a question without an answer, a list that was not finished, a command that fails, work that was stopped. Pure.
import type { Evidence, MemoryItem, Turn } from "../../src/sdk/index.ts";
import { commandKey, saysOtherwise } from "../../src/text/index.ts";
import { type Line, whoSaid } from "./line.ts";
import {
  afterTurn,
  asksAtEnd,
  code,
  coverage,
  fresh,
  isOnce,
  namesIn,
  type PastTurn,
  piecesOf,
  placeOf,
  sentencesOf,
  sharedBy,
  stillTrue,
  tellingLine,
  termsOf,
  textOf,
  typed,
  type Writing,
} from "./past.ts";

const least = 40;
/** So much of an entry's words in a later turn: that turn took it up. */
const takenUp = 0.6;
/** Sessions whose ends are looked at. */
const sessionsLooked = 4;
const filesNamed = 6;
const item = /^\s*(?:[-*•]|\(?[\da-z]{1,2}[.):])\s/i;

/** Everything open, the most pressing first. */
export function openThings(note: Writing): Line[] {
  return [
    ...failures(note),
    ...questions(note),
    ...todo(note),
    ...stops(note),
    ...uncommitted(note),
  ];
}

function failures(note: Writing): Line[] {
  return openFailures(note.turns)
    .filter(({ past }) => past.sessionsAgo < sessionsLooked)
    .slice(-3)
    .map(({ piece, past }) => ({
      section: "open",
      rank: 0.93 * fresh(past),
      ids: [past.turn.id],
      head: `${placeOf(past, note)} · ${note.labels.failed}: ${code(piece.about ?? "")}`,
      sayings: () => [{ text: tellingLine(piece.text), as: "user" }],
      wanted: 400,
      least,
    }));
}

/** The last words of a session when they ask something; its next prompt would have been the answer. */
function questions(note: Writing): Line[] {
  return lastOfSessions(note).flatMap((past): Line[] => {
    const closing = stillTrue(textOf(past, "closing"), afterTurn(past));
    const last = lastAsked(closing);
    if (past.turn.end !== "closed" || !asksAtEnd(last)) return [];
    return [
      {
        section: "open",
        rank: 0.9 * fresh(past),
        ids: [past.turn.id],
        head: `${placeOf(past, note)} · ${note.labels.question}:`,
        sayings: () => [{ text: last, as: "user" }],
        wanted: 300,
        least,
      },
    ];
  });
}

/** The last sentence; of a list of answers the whole list, with the line that begins it. */
function lastAsked(closing: string): string {
  const lines = closing.trimEnd().split("\n");
  const isItem = (line = "") => item.test(line);
  if (!isItem(lines.at(-1))) return sentencesOf(closing).at(-1) ?? "";
  const before = lines.findLastIndex((line) => line.trim() !== "" && !isItem(line));
  return lines.slice(Math.max(0, before)).join("\n");
}

/** What the newest list leaves to do; a list is overtaken by any later one. */
function todo(note: Writing): Line[] {
  const past = note.turns.findLast((one) => textOf(one, "todo") !== "");
  if (!past || past.sessionsAgo >= sessionsLooked) return [];
  const left = textOf(past, "todo")
    .split("\n")
    .flatMap((line) => (line.startsWith("- [ ] ") ? line.slice(6) : []))
    .filter((entry) => !past.later.some(({ terms }) => coverage(termsOf(entry), terms) >= takenUp));
  if (left.length === 0) return [];
  return [
    {
      section: "open",
      rank: 0.88 * fresh(past),
      ids: [past.turn.id],
      head: `${placeOf(past, note)} · ${note.labels.todo}:`,
      sayings: () => [{ text: left.join("; "), as: "plain" }],
      wanted: 500,
      least,
    },
  ];
}

/** A session that ended in a refusal or with Esc: what was about to be done is not done. */
function stops(note: Writing): Line[] {
  return lastOfSessions(note).flatMap((past): Line[] => {
    const stop = piecesOf(past, "interrupted", "refusal").at(-1);
    // The newest turn is shown whole; what was stopped longer ago was taken up or dropped.
    const isOld = past.sessionsAgo > 1;
    if (past.turn.end !== "interrupted" || !stop || past.later.length === 0 || isOld) return [];
    const { stopped, sections } = note.labels;
    const how = stop.kind === "refusal" ? sections.refused : stopped;
    return [
      {
        section: "open",
        rank: 0.95 * fresh(past),
        ids: [past.turn.id],
        head: `${placeOf(past, note)} · ${stop.about ? `${how}: ${code(stop.about)}` : how}`,
        sayings: () => (stop.text === "" ? [] : [{ text: stop.text, as: "user" }]),
        wanted: 500,
        least,
      },
    ];
  });
}

/** Files changed since the last commit, where commits were seen at all. */
function uncommitted(note: Writing): Line[] {
  const at = note.turns.findLastIndex((past) => piecesOf(past, "commit").length > 0);
  const past = note.turns.at(-1);
  if (at < 0 || !past) return [];
  const changing = note.turns.slice(at + 1).filter(({ turn }) => turn.files.some(isChanged));
  const files = new Set(
    changing.flatMap(({ turn }) => turn.files.filter(isChanged).map(({ path }) => path)),
  );
  if (files.size === 0) return [];
  const named = [...files].slice(-filesNamed);
  const more = files.size > named.length ? ` +${files.size - named.length}` : "";
  return [
    {
      section: "open",
      rank: 0.7,
      ids: [],
      from: changing.map(({ turn }) => turn.id).toReversed(),
      head: `${note.labels.uncommitted}: ${named.join(", ")}${more}`,
      sayings: () => [],
      wanted: 500,
      least,
    },
  ];
}

const isChanged = ({ changed }: Turn["files"][number]) => changed;

function lastOfSessions({ turns }: Writing): PastTurn[] {
  return turns
    .filter(({ isLast, sessionsAgo }) => isLast && sessionsAgo < sessionsLooked)
    .toReversed();
}

// What commands tell over several turns: what still fails, what passes and in which order, what mended a failure. Pure.

/** Programs that only look, move about or keep versions: their exit says nothing about the project. */
const asides = new Set(
  "ls cat head tail grep egrep rg ag find fd tree cd pwd echo printf mkdir rmdir touch cp mv rm ln chmod chown wc which type command sleep ps kill pkill lsof sed awk jq sort uniq cut tr xargs env export source test true false date du df stat file diff cmp basename dirname realpath readlink tee less more man sqlite3 ping host dig git gh glab hub curl wget open code tmux screen memoir for while if until".split(
    " ",
  ),
);

/** A command as it stands over several turns. */
interface KnownCommand {
  line: string;
  /** Times it passed. */
  passed: number;
  turns: number;
  last: PastTurn;
  /** Where it ran in its last turn, from 0. */
  place: number;
}

/** The command without its place and dressing; empty for one that only looks. */
export function checkKey(line: string): string {
  const key = commandKey(line.replace(/^(?:\w+=\S*\s+)+/, ""));
  const program = key.split(/\s/, 1)[0]?.split("/").at(-1) ?? "";
  return asides.has(program) || key.includes("\n") || key.length > 160 ? "" : key;
}

/** What a command is to do, whichever program it is: the first words that are no options. */
function purposesOf(key: string): string[] {
  const words = key.split(" ").filter((word) => /^[a-z][\w:-]*$/i.test(word) && word !== "run");
  return words.length > 1 ? words.slice(1, 3) : words;
}

/** A failure that nothing has mended since. */
interface OpenFailure {
  piece: Evidence;
  past: PastTurn;
}

/**
 * Commands whose last run failed. A failure lapses when the command, or the program with the same purpose, passes later;
 * when something is committed later; and when a later turn changes one of its turn's files and closes.
 */
export function openFailures(turns: readonly PastTurn[]): OpenFailure[] {
  const open = new Map<string, OpenFailure>();
  for (const past of turns) {
    for (const piece of piecesOf(past, "failure", "passed", "repair", "ran", "commit")) {
      if (piece.kind === "commit") open.clear();
      if (piece.about === undefined) continue;
      const key = checkKey(piece.about);
      if (piece.kind === "failure") {
        const isCommand = key !== "" && piece.described !== undefined;
        if (isCommand || isShellLine(piece)) open.set(key, { piece, past });
        if (key === "") open.delete(key);
        continue;
      }
      // What one line ran passed as a whole, each part of it too.
      const purposes = purposesOf(key);
      for (const [failed] of open) {
        const isSame = purposesOf(failed).some((purpose) => purposes.includes(purpose));
        if (failed === key || isSame || piece.about.includes(failed)) open.delete(failed);
      }
    }
    for (const [key, { past: failed }] of open)
      if (failed !== past && closesFilesOf(failed, past)) open.delete(key);
  }
  return [...open.values()];
}

function isShellLine({ about = "" }: Evidence): boolean {
  // Other tools are known by their name and what they were pointed at.
  return /^[a-z./]/.test(about) && !/^mcp__/.test(about) && checkKey(about) !== "";
}

function closesFilesOf(failed: PastTurn, later: PastTurn): boolean {
  if (later.turn.end !== "closed" || piecesOf(later, "failure").length > 0) return false;
  const files = new Set(failed.turn.files.map(({ path }) => path));
  return later.turn.files.some(({ path, changed }) => changed && files.has(path));
}

/** Commands that passed in two turns or more, or that passed after they had failed; in the order they were run in last. */
export function workflows(turns: readonly PastTurn[]): KnownCommand[] {
  const known = new Map<string, KnownCommand>();
  const repaired = new Set<string>();
  for (const past of turns) {
    const seen = new Set<string>();
    for (const [place, { kind, about = "", times = 1 }] of past.turn.pieces.entries()) {
      if (kind !== "passed" && kind !== "repair" && kind !== "failure") continue;
      const key = checkKey(about);
      if (key === "" || (kind !== "failure" && !isShellLine({ kind, about, text: "" }))) continue;
      if (kind === "failure") known.delete(key);
      else if (kind === "repair") repaired.add(key);
      else {
        const before = known.get(key);
        known.set(key, {
          line: key,
          passed: (before?.passed ?? 0) + times,
          turns: (before?.turns ?? 0) + (seen.has(key) ? 0 : 1),
          last: past,
          place,
        });
        seen.add(key);
      }
    }
  }
  return [...known.values()]
    .filter(({ line, turns: often, passed }) => often > 1 || passed > 1 || repaired.has(line))
    .sort((one, other) => other.turns - one.turns || other.passed - one.passed)
    .slice(0, 6)
    .sort((one, other) => one.place - other.place);
}

/** A failure that came in several turns, with what was changed until it passed. */
interface Recurring {
  command: string;
  /** The line of the output that came again. */
  line: string;
  turns: number;
  /** What was changed last. */
  files: string;
  past: PastTurn;
}

/** Failures that came again in another turn, the most frequent first: what happened once was work. */
export function recurring(turns: readonly PastTurn[]): Recurring[] {
  const known = new Map<string, Recurring & { seen: Set<string> }>();
  for (const past of turns)
    for (const { kind, text, about = "" } of piecesOf(past, "failure", "repair")) {
      const [output = "", files = ""] = text.split("\n\n→ ");
      const line = tellingLine(output);
      if (line === "" || checkKey(about) === "") continue;
      const before = known.get(line);
      const seen = (before?.seen ?? new Set()).add(past.turn.id);
      const mended = kind === "repair" ? files.split("\n").slice(0, 3).join(", ") : before?.files;
      const command = checkKey(about);
      known.set(line, { command, line, turns: seen.size, files: mended ?? "", past, seen });
    }
  return [...known.values()]
    .filter(({ turns, files }) => turns > 1 && files !== "")
    .sort((one, other) => other.turns - one.turns);
}

// What was decided and what was refused, in the words of who decided. Pure.

/** Refusals of one turn that are shown. */
const mostRefusals = 8;
/** A later word of the user that shares so many words with a plan is about it. */
const aboutPlan = 2;

/** What is stored as settled. */
export interface Standing {
  /** Decisions and preferences from other sessions, with their state. */
  standingItems: MemoryItem[];
  /** Those of them that the user hid: not to be shown, and not by the turn that they were taken from either. */
  hidden: MemoryItem[];
}

/** Accepted plans that still stand, choices, and what is stored as settled. */
export function decisions(note: Writing, { standingItems: settled, hidden }: Standing): Line[] {
  return [...plans(note), ...choices(note, settled, hidden), ...items(note, settled)];
}

/** Refusals with their reason, newest first; of more in one turn than are shown, the last and the first. */
export function refusals(note: Writing): Line[] {
  return note.turns.toReversed().flatMap((past) => {
    const given = piecesOf(past, "refusal")
      .filter(({ text }) => text.trim() !== "")
      .reverse();
    const line = (head: string, sayings: Line["sayings"]): Line => ({
      section: "refused",
      rank: 0.87 * fresh(past),
      ids: [past.turn.id],
      head: `${placeOf(past, note)}${head}`,
      sayings,
      wanted: 300,
      least,
    });
    const shown = ({ text, about }: Evidence) =>
      line(about ? ` · ${code(about)}` : "", () => [{ text: typed(text, note), as: "user" }]);
    if (given.length <= mostRefusals) return given.map(shown);
    const missing = given.length - mostRefusals + (past.turn.leftOut?.refusal ?? 0);
    const half = mostRefusals / 2;
    return [
      ...given.slice(0, half).map(shown),
      line(` · … +${missing}`, () => []),
      ...given.slice(-half).map(shown),
    ];
  });
}

/** Choices that nothing is stored of yet, and of the newest session those that were of its task: that may go on. */
function choices(
  note: Writing,
  settled: readonly MemoryItem[],
  hidden: readonly MemoryItem[],
): Line[] {
  return note.turns.toReversed().flatMap((past) =>
    past.turn.pieces.flatMap(({ kind, text, about = "" }, at): Line[] => {
      if (kind !== "choice" || hidden.some((item) => isFrom(item, past, at))) return [];
      const stored = settled.find((item) => isFrom(item, past, at));
      if (stored && (stored.state !== "candidate" || past.sessionsAgo > 0)) return [];
      return [
        {
          section: "decided",
          rank: 0.86 * fresh(past),
          ids: [past.turn.id],
          head: `${placeOf(past, note)} · ${note.labels.chosen}:`,
          sayings: () => [
            { text, as: "user" },
            ...(about === "" ? [] : [{ text: about, label: "?", as: "plain" as const }]),
          ],
          wanted: 320,
          least,
        },
      ];
    }),
  );
}

/** True for an item that this piece of the turn was stored as. */
function isFrom({ session, evidence = [] }: MemoryItem, { turn }: PastTurn, at: number): boolean {
  return evidence.some(
    (place) =>
      (place.session ?? session) === turn.session &&
      place.turn === turn.promptNumber &&
      place.piece === at,
  );
}

/** The newest plan, as long as the user said nothing about it later; when it was committed it is history. */
function plans(note: Writing): Line[] {
  const past = note.turns.findLast((one) => piecesOf(one, "plan").length > 0);
  const plan = past && piecesOf(past, "plan").at(-1);
  if (!past || !plan) return [];
  const terms = termsOf(plan.text);
  if (past.later.some((one) => isAbout(one, plan.text))) return [];
  const isDone = [past, ...past.later].some((one) =>
    piecesOf(one, "commit").some(({ text }) => sharedBy(termsOf(text), terms) >= aboutPlan),
  );
  return [
    {
      section: "decided",
      rank: (isDone ? 0.45 : 0.84) * fresh(past),
      ids: [past.turn.id],
      head: `${placeOf(past, note)} · ${note.labels.plan}:`,
      sayings: () => {
        const left = stillTrue(plan.text, afterTurn(past), "all");
        return left === "" ? [] : [{ text: left, as: "quote" }];
      },
      needsSaying: true,
      wanted: isDone ? 300 : 1_200,
      least: 80,
    },
  ];
}

/** The user's own word about it: one name of code, or several other words. */
function isAbout(past: PastTurn, plan: string): boolean {
  const said = piecesOf(past, "prompt", "typed", "refusal").map(({ text }) => text);
  const names = new Set(said.flatMap(namesIn));
  if (namesIn(plan).some((name) => names.has(name))) return true;
  return sharedBy(termsOf(said.join("\n")), termsOf(plan)) >= aboutPlan;
}

/** What stands first; what was said or chosen once comes after it, and says so. */
function items(note: Writing, settled: readonly MemoryItem[]): Line[] {
  const newest = note.turns.filter(({ sessionsAgo }) => sessionsAgo === 0);
  const isCurrent = (item: MemoryItem) =>
    newest.some((past) => past.turn.pieces.some((_, at) => isFrom(item, past, at)));
  return settled
    .filter((item, at) => !settled.slice(0, at).some((newer) => overtakes(newer, item)))
    .filter((item) => !isOnce(item) || !isCurrent(item))
    .toSorted((one, other) => Number(isOnce(one)) - Number(isOnce(other)))
    .map((item, at) => ({
      section: "decided",
      rank: (isOnce(item) ? 0.6 : 0.72) - at * 0.02,
      ids: [item.id],
      head: `${item.id} · ${item.date} · ${whoSaid(item, note.labels)}:`,
      sayings: () => [{ text: item.content, as: "user" }],
      wanted: 300,
      least,
    }));
}

/** True for a newer word about the same: another answer to one question, another name or number in one statement. */
function overtakes(newer: MemoryItem, older: MemoryItem): boolean {
  if (saysOtherwise(newer.content, older.content)) return true;
  const question = questionOf(newer);
  return question !== "" && question === questionOf(older) && newer.content !== older.content;
}

function questionOf({ content, quote = "" }: MemoryItem): string {
  const [answer = ""] = quote.split("\n");
  return answer !== "" && content.endsWith(answer) ? content.slice(0, -answer.length).trim() : "";
}
