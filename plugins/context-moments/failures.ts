// Failures of a project with what repaired them, as an index that is asked by the lines of a failure. Pure.
import type { Evidence, Turn } from "../../src/sdk/index.ts";
import { commandKey, dropOldest } from "../../src/text/index.ts";
import {
  advisedBy,
  type Command,
  type Comparable,
  type Failed,
  finder,
  isOtherProgram,
  isOtherWay,
  linesOfFailedTests,
  needsOf,
  readCommand,
  runsAsMuch,
  runsSame,
  tellingLines,
} from "./likeness.ts";

/** A failure and what was seen to repair it. */
export interface Repaired {
  /** The same for failures that say the same. */
  fingerprint: string;
  /** Turn in which it passed. */
  turn: string;
  session: string;
  from?: Turn["from"];
  /** Epoch ms of that. */
  time: number;
  /** The command or tool use, as it was written. */
  about: string;
  /** The line that says most. */
  said: string;
  /** What was done in between: files that were changed, or commands in backticks, the one that passed last. */
  done: string[];
  /** The files among it. */
  files: string[];
  project: string;
  /** What the agent said when it closed that turn, or the commit's subject. */
  closing: string;
}

/** Asked by what failed. */
export interface FailureIndex {
  /** The newest repair of this failure by another session. */
  find(failed: Failed): Repaired | undefined;
  known: readonly Known[];
  /** How many kinds of failures have a line. */
  usual(line: string): number;
}

/** A repair that can be found by the lines of its failure. */
type Known = Repaired & Comparable;

/** A failure that was not seen to pass yet. */
interface Open {
  lines: string[];
  command: Command;
  turn: Turn;
  /** Changed by later turns of its session. */
  files: Set<string>;
  text: string;
  /** What ran since, in its turn. */
  since: Command[];
}

/** A repair whose lines are not weighed yet. */
type Made = Omit<Known, "lines" | "weight"> & { own: string[] };

/** A line that stands in so many different failures says nothing about one of them. */
const tooCommon = 4;
/** What an index holds at most, newest first. */
const mostKnown = 2_000;
const openAtOnce = 100;
/** More files, or commands in between, were there for other reasons as well. */
const mostFiles = 12;
const mostBetween = 3;
/** Of the turn in which it failed and passed, some may have been changed before. */
const mostInTurn = 3;

/** What was run since stands in the failure. */
function wasAdvised({ text, since }: Open): boolean {
  return since.some(({ steps }) => steps.some((step) => text.includes(step)));
}

/** Of what ran after a failure, what the failure itself named; else what ran last, unless it is a bare look around: `pwd`, `ls`. */
function between({ text, since }: Open): string[] {
  const named = since.filter(({ steps }) => steps.some((step) => text.includes(step)));
  if (named.length > 0) return named.slice(-mostBetween).map(quoted);
  // What was only looked at repaired nothing.
  return since
    .slice(-1)
    .filter(({ words }) => words.length > 1 && !words.slice(1).every(isHidden))
    .filter((one) => !onlyReads(one))
    .map(quoted);
}

/** A flag, or what stood in quotation marks or a here-document: `python3 -c …` says nothing of what it did. */
function isHidden(word: string): boolean {
  return word.startsWith("-") || word.includes("…");
}

/** Programs that leave everything as it is. */
const readers: ReadonlySet<string> = new Set(
  "ls cat head tail grep egrep rg ag fd tree cd pwd echo printf wc which type ps lsof jq sort uniq cut tr true date du df stat file diff cmp basename dirname realpath readlink less more man ping host dig".split(
    " ",
  ),
);
/** Where output goes into a file. */
const intoFile = /(?<![&\d])>(?!\s*(?:&|\/dev\/null))/;

function onlyReads({ bare, steps }: Command): boolean {
  return steps.every((step) => readers.has(step.split(" ", 1)[0] ?? "")) && !intoFile.test(bare);
}

function quoted({ bare }: Command): string {
  return `\`${bare}\``;
}

/** What is known of one project's failures so far. */
interface Following {
  repairs: Map<string, Made>;
  kinds: ReturnType<typeof failureKinds>;
  /** Lines that commands print which pass. */
  fine: Set<string>;
  open: Map<string, Open>;
}

/** Takes the turns of one project one by one, oldest first, so that others can work in between. */
export function followFailures(): { add(turn: Turn): void; index(): FailureIndex } {
  const repairs: Following["repairs"] = new Map();
  const open: Following["open"] = new Map();
  const following = { repairs, kinds: failureKinds(), fine: new Set<string>(), open };
  const { kinds, fine } = following;
  return {
    add(turn) {
      for (const failure of open.values())
        if (failure.turn.session === turn.session)
          for (const path of changedIn(turn)) failure.files.add(path);
      for (const [at, piece] of turn.pieces.entries())
        follow(following, turn, piece, turn.pieces[at + 1]);
    },
    index() {
      const weigh = (line: string) => weightOf(line, kinds, fine);
      const made = [...repairs.values()].slice(-mostKnown);
      const known = made.flatMap((one) => withWeights(one, weigh));
      // What is asked of the index lives as long as it: these hold whole turns.
      open.clear();
      repairs.clear();
      // In a project without repairs nothing is compared.
      const find = known.length > 0 ? finder(known, weigh) : () => undefined;
      return { known, usual: kinds.saying, find };
    },
  };
}

/** A repair: the failure by its key, and the piece of a turn in which it passed. */
interface Repairing {
  key: string;
  failed: Open;
  turn: Turn;
  piece: Evidence;
}

function follow(
  following: Following,
  turn: Turn,
  piece: Evidence,
  next: Evidence | undefined,
): void {
  const { open, fine } = following;
  const { kind, about, text } = piece;
  if (about === undefined) return;
  if (kind === "failure") {
    fail(following, turn, readCommand(about), text);
    return;
  }
  if (kind === "passed") for (const line of tellingLines(text)) fine.add(line);
  if (kind !== "passed" && kind !== "repair" && kind !== "ran") return;
  const key = `${turn.session} ${commandKey(about)}`;
  const same = open.get(key);
  let command: Command | undefined;
  if (kind !== "repair")
    for (const [other, failed] of open) {
      if (failed === same || failed.turn.session !== turn.session) continue;
      command ??= readCommand(about);
      passedElse(following, { key: other, failed, turn, piece }, command);
    }
  if (!same || kind === "ran") return;
  const repairing = { key, failed: same, turn, piece };
  if (kind === "repair" && isOfEarlier(piece, next, same)) {
    const said = failedWith(text);
    const lines = tellingLines(said).filter((line) => !same.lines.includes(line));
    const done = repairedFiles(text);
    if (lines.length > 0 && done.length <= mostFiles)
      note(following, { ...repairing, failed: { ...same, lines, text: said } }, done);
    return;
  }
  const files = kind === "repair" ? repairedFiles(text) : [...same.files];
  const ran = same.turn === turn ? between(same) : [];
  const done = files.length > 0 ? files : ran;
  if (done.length > 0 && done.length <= mostFiles) note(following, repairing, done);
  open.delete(key);
}

function fail({ open, kinds }: Following, turn: Turn, command: Command, text: string): void {
  const lines = tellingLines(text);
  kinds.add(command.tool, lines);
  const key = `${turn.session} ${command.key}`;
  open.delete(key);
  open.set(key, { lines, command, turn, text, files: new Set(), since: [] });
  dropOldest(open, openAtOnce);
}

/** A command passed that is not the one that failed: in another way, or as much of it, after files were changed. */
function passedElse(following: Following, repairing: Repairing, command: Command): void {
  const { key, failed, turn, piece } = repairing;
  const isHere = failed.turn === turn;
  const isSame = runsSame(failed.command, command);
  if (!isSame && !isOtherProgram(failed.command, command)) {
    if (isHere) failed.since.push(command);
    return;
  }
  if (piece.kind !== "passed") return;
  const changed = isHere ? changedIn(turn) : [...failed.files];
  const most = isHere ? mostInTurn : mostFiles;
  const isAdvised = wasAdvised(failed) || advisedBy(failed.text, [command.line]).length > 0;
  const byFiles = changed.length > 0 && changed.length <= most && !isAdvised;
  const isInstead =
    isHere && (!isSame || wasAdvised(failed) || isOtherWay(failed.command, failed.text, command));
  if (byFiles && runsAsMuch(failed.command, failed.text, command))
    note(following, repairing, changed);
  else if (isInstead) note(following, repairing, [...between(failed), quoted(command)]);
  else return;
  following.open.delete(key);
}

/** `done`: files, and commands in backticks. */
function note({ repairs }: Following, { key, failed, turn, piece }: Repairing, done: string[]) {
  const { time = turn.time } = piece;
  const commands = done.filter((one) => one.startsWith("`")).map((one) => one.slice(1, -1));
  // What made the difference stood in quotation marks, and is not shown.
  if (commands.some((one) => one.includes("…") && saysNoMore(one, failed.command))) return;
  const ofTests = linesOfFailedTests(failed.text);
  repairs.set(`${key} ${failed.lines.join("\n")} ${turn.id}`, {
    fingerprint: "",
    said: "",
    turn: turn.id,
    session: turn.session,
    ...(turn.from && { from: turn.from }),
    time,
    about: failed.command.line,
    done,
    closing: closingOf(turn),
    project: turn.project,
    files: done.filter((one) => !one.startsWith("`")),
    tool: failed.command.tool,
    // Of a runner's output that was cut off before the test that failed, what any test prints says nothing of it.
    own: failed.lines.filter((line) => ofTests === undefined || ofTests.has(line) || isError(line)),
    needs: needsOf(failed.text, commands),
    advised: advisedBy(failed.text, commands),
  });
}

/** "error TS2304: …", "fatal: …" */
const isError = (line: string) => /(?<!\p{L})(?:error|fatal|panic)(?: \S+)?:/iu.test(line);

/** True for command lines of the same words, however often and in whatever order, a command run for three things, and for all at once; and where only the program is left of the repair. */
function saysNoMore(repair: string, { bare, steps }: Command): boolean {
  const [a, b] = [repair, bare].map((line) => new Set(line.split(/\s+/)));
  const shown = repair.split(/\s+/).filter((word) => !isHidden(word));
  return (a && b?.symmetricDifference(a).size === 0) || steps.includes(shown.join(" "));
}

/** Failures of one tool of which each says most of what the other says are of one kind: a branch's name makes no other. */
function failureKinds() {
  const kinds: Array<{ tool: string; lines: number }> = [];
  const byLine = new Map<string, Set<number>>();

  function known(tool: string, lines: readonly string[]): number | undefined {
    const shared = new Map<number, number>();
    for (const line of lines)
      for (const kind of byLine.get(line) ?? []) shared.set(kind, (shared.get(kind) ?? 0) + 1);
    const alike = [...shared].find(([kind, count]) => {
      const other = kinds[kind];
      return other?.tool === tool && count * 2 > Math.max(lines.length, other.lines);
    });
    return alike?.[0];
  }

  return {
    add(tool: string, lines: readonly string[]): void {
      const alike = known(tool, lines);
      const kind = alike ?? kinds.push({ tool, lines: lines.length }) - 1;
      for (const line of lines) byLine.set(line, (byLine.get(line) ?? new Set()).add(kind));
    },
    /** How many kinds of failures say this. */
    saying: (line: string): number => byLine.get(line)?.size ?? 1,
  };
}

function weightOf(
  line: string,
  kinds: ReturnType<typeof failureKinds>,
  fine: ReadonlySet<string>,
): number {
  if (fine.has(line)) return 0;
  const failures = kinds.saying(line);
  return failures > tooCommon ? 0 : 1 / failures;
}

function withWeights({ own, ...repair }: Made, weigh: (line: string) => number): Known[] {
  const lines = new Map(own.flatMap((line) => (weigh(line) > 0 ? [[line, weigh(line)]] : [])));
  const weight = [...lines.values()].reduce((all, one) => all + one, 0);
  const [said = ""] = [...lines].sort(([, one], [, other]) => other - one)[0] ?? [];
  if (weight === 0) return [];
  return [{ ...repair, said, fingerprint: `${repair.tool} ${said}`, lines, weight }];
}

function changedIn({ files }: Turn): string[] {
  return files.filter(({ changed }) => changed).map(({ path }) => path);
}

/** What a repair says the command failed with. */
function failedWith(text: string): string {
  return text.slice(0, text.lastIndexOf("\n\n→ "));
}

/** Longer ones are shortened in a repair, and read differently there. */
const wholeInRepair = 500;

/** True where a command failed otherwise once this was repaired: with its passing each of its failures is a repair, the last one last. */
function isOfEarlier(piece: Evidence, next: Evidence | undefined, { lines }: Open): boolean {
  const { kind, about, toolUseId } = next ?? {};
  if (kind === "repair" && about === piece.about && toolUseId === piece.toolUseId) return true;
  const said = failedWith(piece.text);
  const own = tellingLines(said);
  if (own.length === 0 || said.length > wholeInRepair) return false;
  return !own.some((line) => lines.includes(line));
}

/** The files that a repair names behind its arrow. */
export function repairedFiles(text: string): string[] {
  const at = text.lastIndexOf("\n\n→ ");
  return at < 0
    ? []
    : text
        .slice(at + 4)
        .split("\n")
        .filter(Boolean);
}

function closingOf({ pieces }: Turn): string {
  const commit = pieces.find(({ kind }) => kind === "commit")?.text.split("\n", 1)[0];
  return commit ?? pieces.findLast(({ kind }) => kind === "closing")?.text ?? "";
}

// What a command line runs, and whether another one did the same, or more, in another way. Pure.
