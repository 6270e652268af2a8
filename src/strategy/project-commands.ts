// What is done in a project: its commands, as its turns show them: which checks pass here, what fails now, what to run instead of one that never works. Pure.

import type { Author } from "../sdk/change.ts";
import type { Evidence, NewTurn } from "../sdk/turn.ts";
import { lookingPrograms, programWrapper } from "../text/programs.ts";
import { denied } from "../text/prose/phrases.ts";
import { commandKey, stopWords } from "../text/prose/plain.ts";
import { turning } from "../text/prose/telling.ts";
import { baseName, cut, oneLine } from "../text/text.ts";

const longest = 160;
/** Of a longer line the beginning is read. */
const longestLine = 4_000;

/** What a check is for, by the words that tools and scripts are named with: `mise run test:ci`, `cargo clippy`, `go vet`. */
const purposes = [
  ["test", /test|spec|jest/i],
  ["lint", /lint|check|clippy|vet$|ruff|mypy|tsc/i],
  ["format", /fmt|format|prettier|black/i],
  ["build", /build|compile|make/i],
] as const;
/** What a command checks or makes. */
type Purpose = (typeof purposes)[number][0];

/** One command of a line, and how it ended; `ran` where the line's exit does not tell. */
interface RanCommand {
  line: string;
  /** The program and its plain words: `mise run test` of `mise run test -- -v ./a`. */
  family: string;
  outcome: "passed" | "failed" | "ran";
  /** It had failed before in the same turn. */
  isRepair: boolean;
  /** The first line of output that says something; of a failed one. */
  output: string;
}

/** Worked out once for each turn: several questions are asked of the same turns. */
const known = new WeakMap<NewTurn, readonly RanCommand[]>();

/** The commands of a turn in the order they ran, programs that only look included. */
export function commandsOf(turn: NewTurn): readonly RanCommand[] {
  const commands = known.get(turn) ?? readCommands(turn);
  known.set(turn, commands);
  return commands;
}

function readCommands(turn: NewTurn): RanCommand[] {
  return turn.pieces.flatMap((piece): RanCommand[] => {
    if (!hasRun(piece)) return [];
    const { kind, about, text } = piece;
    const lines = partsOf(about);
    // Which part of a line failed is not known.
    if (kind === "failure" && lines.length > 1) return [];
    const outcome = kind === "failure" ? "failed" : kind === "ran" ? "ran" : "passed";
    const isRepair = kind === "repair";
    return lines.map((line) => ({
      ...{ line, family: familyOf(line), outcome, isRepair, output: text },
    }));
  });
}

/** True for a command of a shell that came to an end. */
function hasRun(piece: Evidence): piece is Evidence & { about: string } {
  const { kind, about = "", text } = piece;
  if (kind !== "passed" && kind !== "repair" && kind !== "failure" && kind !== "ran") return false;
  // The client's own words: nothing ran.
  const isSkipped = kind === "failure" && /^(?:<\w+>)?Sibling tool call errored/.test(text);
  return isShell(about) && !isSkipped;
}

/** Other tools are known by their name and what they were pointed at. */
function isShell(about: string): boolean {
  return /^(?:[a-z./~][^\s]*|[A-Z_]+=\S*)(?:\s|$)/.test(about) && !about.startsWith("mcp__");
}

function partsOf(about: string): string[] {
  const parts: string[] = [];
  for (const piece of about.slice(0, longestLine).split(/&&|\|\||;|\n/)) {
    const part = piece.trim();
    const quotes = part.match(/["'`]/g)?.length ?? 0;
    // What follows is text that the command is given.
    if (quotes % 2 === 1 || part.includes("<<")) break;
    // What a variable is given is no command of the project's.
    if (/^\w+=(?:\$\(|`)/.test(part)) continue;
    const line = commandKey(withoutOpenEnd(part.replace(programWrapper, "")));
    if (/^[a-z.~/][\w./~-]*\w(?:\s|$)/.test(line) && line.length <= longest) parts.push(line);
  }
  return parts;
}

/** `make test` of `(cd app && make test)`. */
function withoutOpenEnd(part: string): string {
  const isOpen = part.split(")").length > part.split("(").length;
  return isOpen ? part.replace(/\s*\)(?=[^)]*$)/, "") : part;
}

function familyOf(line: string): string {
  const [program = "", ...words] = line.split(" ");
  const end = words.findIndex((word) => !/^[a-z][\w:-]*$/i.test(word) && word !== "-m");
  return [baseName(program), ...words.slice(0, end < 0 ? 2 : Math.min(end, 2))].join(" ");
}

/** A command on one line, in code marks. */
export function code(line: string): string {
  return `\`${cut(oneLine(line).replaceAll("`", "'"), 160)}\``;
}

/** True for a command whose exit says something about the project. */
function isCheck({ family }: Pick<RanCommand, "family">): boolean {
  return !lookingPrograms.has(family.split(" ", 1)[0] ?? "");
}

/** What a command checks or makes, by its words; undefined where they name nothing of that. */
export function purposeOf(family: string): Purpose | undefined {
  return purposes.find(([, words]) => words.test(family))?.[0];
}

/** Programs that run a script: what is checked, the script's name or an option says. */
const interpreter = /^(?:node|bun|deno|python[\d.]*|ruby|perl|php)$/;

/** What a line checks or makes: `node test.js` and `node --test` by what is run. */
function purposeOfLine(line: string, family: string): Purpose | undefined {
  if (!interpreter.test(family)) return purposeOf(family);
  const [, ran = ""] = line.split(" ");
  return purposeOf(ran.startsWith("-") ? ran : baseName(ran));
}

/** What a line of one part checks, and with what: `mise run: test` of `mise run test:ci`. */
function checkIn(line: string): string | undefined {
  const [program = "", own = "", script = ""] = line.split(" ");
  const purpose = purposeOf(own === "run" ? script : own);
  const isOther = /[;|\n]|&(?!\d)/.test(line) || !isCheck({ family: familyOf(line) });
  return purpose === undefined || isOther ? undefined : `${program} ${own}: ${purpose}`;
}

/** True where a turn was stopped at a check like one that had passed in it, while no other failed, and nothing was said to be left. */
export function isStoppedAtLastCheck({ pieces }: NewTurn): boolean {
  const at = pieces.findLast(({ kind }) => kind === "interrupted" || kind === "refusal");
  const check = checkIn(at?.about ?? "");
  if (check === undefined || at?.text.trim() !== "") return false;
  const runs = pieces.filter(hasRun).filter(({ about }) => purposeOf(about) !== undefined);
  const passed = (one: Evidence | undefined) => one?.kind === "passed" || one?.kind === "repair";
  const last = new Map(runs.map((run) => [commandKey(run.about), run]));
  const list = pieces.findLast(({ kind }) => kind === "todo")?.text ?? "";
  const left = list.split("\n").filter((entry) => entry.startsWith("- [ ] "));
  const said = pieces.findLast(({ kind }) => kind === "said")?.text ?? "";
  return (
    [...last.values()].every(passed) &&
    runs.some((run) => passed(run) && checkIn(run.about) === check) &&
    left.length < 2 &&
    !said.split(/[,;:.!?]\s+|\n/).some((clause) => denied(clause) || turning.test(clause))
  );
}

/** A command that runs here. */
interface ProjectCommand<T> {
  line: string;
  family: string;
  purpose: Purpose | undefined;
  /** Sessions in which it passed or ran. */
  sessions: number;
  /** The newest turn that ran it. */
  last: T;
}

/** Commands that passed in two turns, or in one after they had failed there, of each family the most frequent: first one of each purpose, test before lint, then the rest by sessions. */
export function projectCommands<T extends NewTurn>(turns: readonly T[]): ProjectCommand<T>[] {
  interface Seen {
    last: T;
    family: string;
    purpose: Purpose | undefined;
    passed: boolean;
    isRepaired: boolean;
    sessions: Set<string>;
    turns: Set<string>;
  }
  const seen = new Map<string, Seen>();
  for (const turn of byTime(turns))
    for (const command of commandsOf(turn)) {
      const { line, family, outcome, isRepair } = command;
      if (outcome === "failed" || !isCheck(command) || / --(?:help|version)\b/.test(line)) continue;
      const one = seen.get(line) ?? {
        ...{ last: turn, family, purpose: purposeOfLine(line, family) },
        ...{ passed: false, isRepaired: false },
        ...{ sessions: new Set(), turns: new Set() },
      };
      seen.set(line, one);
      one.last = turn;
      one.passed ||= outcome === "passed";
      one.isRepaired ||= isRepair;
      one.sessions.add(turn.session);
      one.turns.add(`${turn.session} ${turn.promptNumber}`);
    }
  const often = [...seen]
    .filter(([, one]) => one.turns.size > 1 || (one.isRepaired && one.purpose !== undefined))
    .sort(
      ([a, left], [b, right]) =>
        right.sessions.size - left.sessions.size ||
        right.turns.size - left.turns.size ||
        a.length - b.length,
    );
  const passes = new Set([...seen.values()].flatMap((one) => (one.passed ? one.family : [])));
  const all = often
    .filter(([, one], at) => often.findIndex(([, other]) => isAlike(other, one)) === at)
    .filter(([, { family }]) => passes.has(family))
    .map(([line, { family, purpose, sessions, last }]) => ({
      ...{ line, family, purpose, sessions: sessions.size, last },
    }));
  const firsts = purposes.flatMap(([name]) => all.find(({ purpose }) => purpose === name) ?? []);
  return [...firsts, ...all.filter((one) => !firsts.includes(one))];
}

type Known = Pick<ProjectCommand<never>, "family" | "purpose">;

function isAlike(one: Known, other: Known): boolean {
  return one.family === other.family && one.purpose === other.purpose;
}

/** In how many of all sessions a command passed or ran, as an item of memory says it. */
export const ranIn = (sessions: number) => `Ran in ${sessions} sessions`;

/** What `ranIn` counted; 0 where somebody else wrote the text. */
export const sessionsIn = (context = "") =>
  Number(/^Ran in (\d+) sessions$/.exec(context)?.[1] ?? 0);

/** Options of a test that so many sessions gave it say how tests are narrowed down here. */
const formSessions = 3;

/**
 * Tests with an option that several sessions gave them, whatever else they gave, the most frequent first: one with its value, or
 * handed on to another program. `go test -tags=integration …`, `npm test -- --grep …`.
 */
export function testForms<T extends NewTurn>(
  turns: readonly T[],
): Array<{ line: string; sessions: number; last: T }> {
  const seen = new Map<string, { sessions: Set<string>; last: T }>();
  for (const turn of byTime(turns))
    for (const { line, family, outcome } of commandsOf(turn)) {
      if (outcome === "failed" || purposeOf(family) !== "test") continue;
      for (const found of line.matchAll(/(?<= )--?[a-z][\w-]+(?:=[a-z]\S*)?(?= |$)/gi)) {
        const passed = line.slice(0, found.index).includes(" -- ") ? `${family} --` : family;
        const form = `${passed} ${found[0]} …`;
        const one = seen.get(form) ?? { sessions: new Set(), last: turn };
        seen.set(form, one);
        one.sessions.add(turn.session);
        one.last = turn;
      }
    }
  return [...seen]
    .map(([line, { sessions, last }]) => ({ line, sessions: sessions.size, last }))
    .filter(({ line, sessions }) => sessions >= formSessions && /=| -- /.test(line))
    .sort((one, other) => other.sessions - one.sessions);
}

/** A check that the user did not want to be run. */
interface RefusedCommand<T> {
  line: string;
  /** In the user's words; "" where none of several sessions gave any. */
  reason: string;
  /** Sessions that refused it. */
  sessions: number;
  /** In which the reason was given, else that refused it last. */
  turn: T;
}

/** Checks that the user refused, the newest first, each once: in several sessions, or once with a reason, and until it ran in as many. */
export function refusedCommands<T extends NewTurn>(turns: readonly T[]): RefusedCommand<T>[] {
  interface Refused {
    line: string;
    /** A reason that names the command is the better one. */
    reasons: Array<{ text: string; turn: T; isNamed: boolean | undefined }>;
    sessions: Set<string>;
    /** In which it ran since it was refused last. */
    ran: Set<string>;
    turn: T;
  }
  const refused = new Map<string, Refused>();
  const known = new Set(
    turns
      .flatMap(commandsOf)
      .filter(isCheck)
      .map(({ family }) => family),
  );
  for (const turn of byTime(turns)) {
    for (const { family, outcome } of commandsOf(turn)) {
      const one = refused.get(family);
      if (one && outcome !== "failed") one.ran.add(turn.session);
    }
    for (const piece of turn.pieces) {
      const { line, isNamed } = refusedIn(piece, known) ?? {};
      if (line === undefined) continue;
      const { text } = piece;
      const family = familyOf(line);
      const one = refused.get(family) ?? {
        line,
        reasons: [],
        sessions: new Set(),
        ran: new Set(),
        turn,
      };
      refused.delete(family);
      refused.set(family, one);
      one.sessions.add(turn.session);
      one.turn = turn;
      one.ran.clear();
      if (text.trim() !== "") one.reasons.push({ text, turn, isNamed });
    }
  }
  return [...refused.values()].reverse().flatMap(({ line, reasons, sessions, ran, turn }) => {
    const named = reasons.findLast(({ isNamed }) => isNamed);
    // Else it was refused for the moment, or is wanted again.
    if ((sessions.size < often && named === undefined) || ran.size >= sessions.size) return [];
    const { text: reason, turn: from } = named ?? reasons.at(-1) ?? { text: "", turn };
    return [{ line, reason, sessions: sessions.size, turn: from }];
  });
}

/** Refused in so many sessions, it is refused for good. */
const often = 2;

/** The check that a refusal means: of its line the one that the reason names, else another that is denied by its name, else the line's last, which takes longest. */
function refusedIn(
  { kind, text, about = "" }: Evidence,
  known: ReadonlySet<string>,
): { line: string; isNamed: boolean } | undefined {
  if (kind !== "refusal" || !isShell(about)) return undefined;
  const parts = partsOf(about).filter((part) => isCheck({ family: familyOf(part) }));
  const clauses = text.split(/[,;:.!?]\s+/);
  const isDenied = (line: string) =>
    clauses.some((clause) => denied(clause) && naming(clause, line) > 0);
  const named = parts
    .filter((line) => naming(text, line) > 0)
    .toSorted(
      (one, other) =>
        Number(isDenied(one)) - Number(isDenied(other)) || naming(text, one) - naming(text, other),
    )
    .at(-1);
  const last = parts.at(-1);
  if (last === undefined) return undefined;
  const meant =
    named ??
    [...known].find((family) => /[\d:_-]/.test(family.split(" ").at(-1) ?? "") && isDenied(family));
  return { line: meant ?? last, isNamed: meant !== undefined };
}

/** A word, and a name such as `test:ci` whole. */
const nameWords = /[\p{L}\p{N}]+(?:[:_-][\p{L}\p{N}]+)*/gu;
/** What a program runs another one by: it names nothing. */
const runs: ReadonlySet<string> = new Set(["run", "exec"]);

/**
 * How much of a command's name a reason says: 0 for nothing. `test:ci` is named as it is written or by both its words ("the CI
 * tests"), not by `test:integration`. Apart from what is in backticks: another command has the program's name in common, and is
 * what the text is about.
 */
function naming(reason: string, line: string): number {
  const family = familyOf(line);
  const own = reason.replace(/`[^`\s]+\s[^`]*`/g, (quoted) =>
    quoted.includes(family) ? quoted : " ",
  );
  const said = new Set(own.toLowerCase().match(nameWords));
  const [program = "", ...words] = line.toLowerCase().match(nameWords) ?? [];
  // A program with a command of its own is not the command.
  const names = family.includes(" ") ? words : [program, ...words];
  const found = names
    .filter((name) => name.length > 1 && !runs.has(name) && !stopWords.has(name))
    .map((name) => {
      const parts = name.split(/[:_-]/);
      const hasAll = parts.every((part) => said.has(part) || said.has(`${part}s`));
      return said.has(name) || hasAll ? parts.length : 0;
    });
  return Math.max(0, ...found);
}

/** A command that never works here, and one that does instead. */
interface Workaround<T> {
  fails: string;
  works: string;
  /** Sessions in which the one failed. */
  sessions: number;
  /** The newest turn in which it did. */
  last: T;
}

const nextLooked = 4;

/** Commands that failed in two sessions or more and passed in none, each with what passed right after in as many. */
export function workarounds<T extends NewTurn>(turns: readonly T[]): Workaround<T>[] {
  const passed = new Set<string>();
  const failed = new Map<
    string,
    { sessions: Set<string>; next: Map<string, Set<string>>; last: T }
  >();
  for (const turn of byTime(turns)) {
    const commands = commandsOf(turn);
    for (const [at, { line, family, outcome }] of commands.entries()) {
      const names = [...new Set([family.split(" ", 1)[0] ?? "", family])];
      if (outcome !== "failed") {
        for (const name of names) passed.add(name);
        continue;
      }
      const words = new Set(line.split(" ").slice(1));
      const instead = commands
        .slice(at + 1, at + 1 + nextLooked)
        .find(
          (one) =>
            one.outcome !== "failed" &&
            one.family !== family &&
            one.line.split(" ").some((word) => words.has(word)),
        );
      for (const name of names) {
        const one = failed.get(name) ?? { sessions: new Set(), next: new Map(), last: turn };
        failed.set(name, one);
        one.last = turn;
        one.sessions.add(turn.session);
        if (!instead) continue;
        const works = instead.family;
        one.next.set(works, (one.next.get(works) ?? new Set()).add(turn.session));
      }
    }
  }
  return [...failed]
    .flatMap(([fails, { sessions, next, last }]) => {
      const best = [...next].sort(([, a], [, b]) => b.size - a.size)[0];
      if (passed.has(fails) || !best || best[1].size < 2) return [];
      return [{ fails, works: best[0], sessions: sessions.size, last }];
    })
    .filter(
      ({ fails }, _, all) =>
        !all.some((other) => other.fails !== fails && fails.startsWith(other.fails)),
    )
    .sort((one, other) => other.sessions - one.sessions);
}

/** Files of the project that turns changed. */
export function filesOf(turns: readonly NewTurn[]): Set<string> {
  const files = turns.flatMap((turn) => turn.files);
  return new Set(files.flatMap(({ path, changed }) => (changed && isInside(path) ? path : [])));
}

/** False for a file outside the project: the client's own memory and plans, a scratch folder. */
function isInside(path: string): boolean {
  return !/^(?:[/\\~]|[a-z]:|\.\.)/i.test(path);
}

/** Says of a path whether one of the turns removed or renamed it, at a time or since. */
export function removedIn(turns: readonly NewTurn[]): (path: string, since: number) => boolean {
  const removed = turns.flatMap((turn) =>
    removals(turn).map((path) => ({ path, time: turn.time })),
  );
  return (path, since) =>
    removed.some(
      (one) =>
        one.time >= since &&
        (`/${one.path}`.endsWith(`/${path}`) || path.startsWith(`${one.path}/`)),
    );
}

const removing = /(?:^|&&|;|\n)\s*(?:git\s+)?(rm|mv)\s+([^&|;<>\n]+)/g;

/** Files and folders that a turn's commands removed or renamed, as the commands name them. */
function removals({ pieces }: NewTurn): string[] {
  return pieces
    .flatMap(({ kind, about = "" }) =>
      kind === "passed" || kind === "ran" ? [...about.matchAll(removing)] : [],
    )
    .flatMap(([, verb, names = ""]) => {
      const paths = names.split(/\s+/).filter((word) => word !== "" && !word.startsWith("-"));
      return verb === "mv" ? paths.slice(0, -1) : paths;
    });
}

/** A check whose last run failed. */
interface FailingCommand<T> {
  line: string;
  output: string;
  turn: T;
}

/** Checks that passed nowhere since they failed, oldest first. A commit after them, or later work on the same files that closes, settles them all. */
export function failingCommands<T extends NewTurn>(turns: readonly T[]): FailingCommand<T>[] {
  const open = new Map<string, FailingCommand<T>>();
  for (const turn of byTime(turns)) {
    const files = new Set(turn.files.flatMap(({ path, changed }) => (changed ? path : [])));
    let hasFailed = false;
    for (const command of commandsOf(turn)) {
      const { line, family, outcome, output } = command;
      if (outcome === "failed") {
        hasFailed = true;
        if (isCheck(command)) open.set(family, { line, output, turn });
      } else {
        const purpose = purposeOf(family);
        for (const other of [...open.keys()])
          if (
            other === family ||
            (purpose !== undefined && purposeOf(other) === purpose) ||
            isNearCommand(open.get(other)?.line ?? "", line)
          )
            open.delete(other);
      }
    }
    const commit = turn.pieces.findLastIndex(({ kind }) => kind === "commit");
    if (commit >= 0) {
      const since = commandsOf({ ...turn, pieces: turn.pieces.slice(commit + 1) });
      const again = new Set(since.map(({ family, outcome }) => outcome === "failed" && family));
      for (const family of [...open.keys()]) if (!again.has(family)) open.delete(family);
    }
    if (hasFailed || turn.end !== "closed") continue;
    for (const [family, { turn: before }] of open)
      if (before !== turn && before.files.some(({ path }) => files.has(path))) open.delete(family);
  }
  return [...open.values()];
}

/** So many words behind a program and its own command make the rest of a line. */
const leastRest = 3;

/** The same program with all of the rest, in another way: `go build -tags e2e ./a/...` and `go test -c -tags e2e ./a/...`. */
export function isNearCommand(failed: string, later: string): boolean {
  const [program, , ...rest] = commandKey(failed).split(" ");
  const words = commandKey(later).split(" ");
  return (
    rest.length >= leastRest && words[0] === program && rest.every((word) => words.includes(word))
  );
}

/** Oldest first. */
export function byTime<T extends NewTurn>(turns: readonly T[]): T[] {
  return turns.toSorted((one, other) => one.startedAt - other.startedAt);
}

// Who did it, where several work on a project.

/** True for what another person made. */
export function isTheirs({ from }: { from?: Author | undefined }): boolean {
  return from !== undefined && !from.own;
}

/** Who made it, where it came from elsewhere: a person, or of the same person the machine. */
export function makerOf({ from }: { from?: Author | undefined }): string[] {
  const name = from?.own ? from.machine : from?.person;
  return name ? [name.slice(0, 40)] : [];
}
