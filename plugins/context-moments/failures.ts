// Failures of a project with what repaired them, as an index that is asked by the lines of a failure. Pure.
import type { Evidence, Turn } from "../../src/sdk/index.ts";
import { commandKey, dropOldest } from "../../src/text/index.ts";
import { tellingLines } from "./normal-line.ts";

/** A failure and what was seen to repair it. */
export interface Repaired {
  /** The same for failures that say the same. */
  fingerprint: string;
  /** Turn in which it passed. */
  turn: string;
  session: string;
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
  /** What the agent said when it closed that turn, or the commit's subject. */
  closing: string;
}

/** Asked by what failed. */
export interface FailureIndex {
  /** The newest repair of this failure by another session. */
  find(failed: {
    session: string;
    about: string;
    text: string;
    hidden: boolean;
  }): Repaired | undefined;
  known: readonly Known[];
  /** How many kinds of failures have a line. */
  usual(line: string): number;
}

/** A repair that can be found by the lines of its failure. */
export interface Known extends Repaired {
  tool: string;
  /** What each line tells: 1 for one that no other failure has. */
  lines: ReadonlyMap<string, number>;
  weight: number;
}

/** A failure that was not seen to pass yet. */
interface Open {
  lines: string[];
  about: string;
  turn: Turn;
  /** Changed by later turns. */
  files: Set<string>;
  text: string;
  /** What ran since, in its turn. */
  since: string[];
}

/** A repair whose lines are not weighed yet. */
type Made = Omit<Known, "lines" | "weight"> & { own: string[] };

/** A line that stands in so many different failures says nothing about one of them. */
const tooCommon = 4;
/** Shares of a failure's weight that have to be met: of the known one, and of the new one; more where its exit is hidden. */
const enough = { known: 0.5, met: 0.4, hidden: 0.7 };
/** One that is met wholly, and says so much, is part of the new one whatever else failed. */
const whole = { known: 0.9, weight: 1.5 };
/** Matches that are as good as the best; of these the newest counts. */
const asGood = 0.9;
/** What an index holds at most, newest first. */
const mostKnown = 2_000;
const openAtOnce = 100;
/** More files, or commands in between, were there for other reasons as well. */
const mostFiles = 12;
const mostBetween = 3;

/** The program of a command line, or the tool's name. */
export function toolOf(about: string): string {
  return stepsOf(about).at(-1)?.split(" ")[0] ?? "";
}

/** A command line without quoted texts and here-documents. */
function bareOf(about: string): string {
  return commandKey(about)
    .replace(/"?\$?\(?\w*\s*<<-?\s*(['"]?)(\w+)\1[\s\S]*/, "…")
    .replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, "…");
}

/** `git push`, `mix test`: what each part of a line runs, and what it is told first. */
export function stepsOf(about: string): string[] {
  return bareOf(about)
    .split(/&&|\|\||;|\n/)
    .flatMap((part) => {
      const words = part
        .trim()
        .split(/\s+/)
        .filter((word) => !/^(?:\w+=.*|-.*)$/.test(word));
      const [program = "", first = ""] = words;
      return program === "" ? [] : `${program.split("/").at(-1)} ${first}`.trim();
    });
}

function runsSame(failed: string, about: string): boolean {
  const steps = stepsOf(about);
  const wanted = stepsOf(failed);
  return wanted.length > 0 && wanted.every((step) => steps.includes(step));
}

/** So much of a line stays when what the failure named is left out of it; less is another command. */
const stays = 0.8;

/** With more words than before, without something that the failure named, or after what it named was run. */
function isOtherWay({ about, text, since }: Open, passed: string): boolean {
  if (since.some((one) => stepsOf(one).some((step) => text.includes(step)))) return true;
  const words = bareOf(about).split(" ");
  const now = new Set(bareOf(passed).split(" "));
  const missing = words.filter((word) => !now.has(word));
  const isNamed = missing.every((word) => text.split(/\s+/).some((said) => isPart(word, said)));
  return missing.length === 0 || (isNamed && missing.length <= (1 - stays) * words.length);
}

function isPart(word: string, said: string): boolean {
  return word.includes(said) ? said.length > 3 : said.includes(word);
}

/** Of what ran after a failure, what the failure itself named; else what ran last. */
function between({ text, since }: Open): string[] {
  const named = since.filter((about) => stepsOf(about).some((step) => text.includes(step)));
  return (named.length > 0 ? named.slice(-mostBetween) : since.slice(-1)).map(
    (about) => `\`${bareOf(about)}\``,
  );
}

/** `turns` of one project, oldest first. */
export function indexFailures(turns: readonly Turn[]): FailureIndex {
  const failures = followFailures();
  for (const turn of turns) failures.add(turn);
  return failures.index();
}

/**
 * Takes the turns of one project one by one, oldest first, so that others can work in between. Long because a failure is
 * followed until it passes over tables that only this needs.
 */
export function followFailures(): { add(turn: Turn): void; index(): FailureIndex } {
  const repairs = new Map<string, Made>();
  const kinds = failureKinds();
  const fine = new Set<string>();
  const open = new Map<string, Open>();

  function add(turn: Turn): void {
    const changed = turn.files.filter((file) => file.changed).map(({ path }) => path);
    for (const failure of open.values()) for (const path of changed) failure.files.add(path);
    for (const piece of turn.pieces) follow(turn, piece);
  }

  function fail(turn: Turn, about: string, text: string): void {
    const lines = tellingLines(text);
    kinds.add(toolOf(about), lines);
    const key = `${turn.session} ${commandKey(about)}`;
    open.delete(key);
    open.set(key, { lines, about, turn, text, files: new Set(), since: [] });
    dropOldest(open, openAtOnce);
  }

  function repaired(key: string, failed: Open, turn: Turn, piece: Evidence, done: string[]): void {
    const { about = "", time = turn.time } = piece;
    repairs.set(`${key} ${failed.lines.join("\n")} ${turn.id}`, {
      ...{ fingerprint: "", said: "", turn: turn.id, session: turn.session, time },
      ...{ about: failed.about, done, closing: closingOf(turn) },
      ...{ files: done.filter((one) => !one.startsWith("`")) },
      ...{ tool: toolOf(about), own: failed.lines },
    });
  }

  function follow(turn: Turn, piece: Evidence): void {
    const { kind, about, text } = piece;
    if (about === undefined) return;
    if (kind === "failure") {
      fail(turn, about, text);
      return;
    }
    if (kind === "passed") for (const line of tellingLines(text)) fine.add(line);
    if (kind !== "passed" && kind !== "repair" && kind !== "ran") return;
    const key = `${turn.session} ${commandKey(about)}`;
    const same = open.get(key);
    for (const [other, failed] of open)
      if (failed.turn === turn && failed !== same && kind !== "repair") {
        if (!runsSame(failed.about, about)) failed.since.push(about);
        else if (kind === "passed" && isOtherWay(failed, about)) {
          repaired(other, failed, turn, piece, [...between(failed), `\`${bareOf(about)}\``]);
          open.delete(other);
        }
      }
    if (!same || kind === "ran") return;
    const files = kind === "repair" ? repairedFiles(text) : [...same.files];
    const ran = same.turn === turn ? between(same) : [];
    const done = files.length > 0 ? files : ran;
    if (done.length > 0 && done.length <= mostFiles) repaired(key, same, turn, piece, done);
    open.delete(key);
  }

  return {
    add,
    index() {
      const weigh = (line: string) => weightOf(line, kinds, fine);
      const made = [...repairs.values()].slice(-mostKnown);
      return asked(
        made.flatMap((one) => withWeights(one, weigh)),
        weigh,
        kinds.saying,
      );
    },
  };
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

function asked(
  known: readonly Known[],
  weigh: (line: string) => number,
  usual: (line: string) => number,
): FailureIndex {
  const byLine = new Map<string, Known[]>();
  for (const one of known)
    for (const line of one.lines.keys()) {
      const list = byLine.get(line);
      if (list) list.push(one);
      else byLine.set(line, [one]);
    }
  return {
    known,
    usual,
    find({ session, about, text, hidden }) {
      if (byLine.size === 0) return undefined;
      const lines = tellingLines(text);
      if (!lines.some((line) => byLine.has(line))) return undefined;
      const tool = toolOf(about);
      const all = lines.reduce((sum, line) => sum + weigh(line), 0);
      const met = new Map<Known, number>();
      for (const line of lines)
        for (const one of byLine.get(line) ?? [])
          if (one.session !== session && one.tool === tool)
            met.set(one, (met.get(one) ?? 0) + (one.lines.get(line) ?? 0));
      const least = hidden ? enough.hidden : enough.known;
      const good = [...met].filter(
        ([one, weight]) =>
          weight >= least * one.weight &&
          (hidden ||
            weight >= enough.met * all ||
            (weight >= whole.known * one.weight && weight >= whole.weight)),
      );
      const best = Math.max(0, ...good.map(([one, weight]) => weight / one.weight));
      return good
        .filter(([one, weight]) => weight / one.weight >= best * asGood)
        .map(([one]) => one)
        .reduce<Known | undefined>((a, b) => (a && a.time > b.time ? a : b), undefined);
    },
  };
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
