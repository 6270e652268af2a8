// How a project is worked with: the commands that pass, and failures with what they were due to. Pure.
import type { Evidence, NewMemoryItem, Turn } from "../../src/sdk/index.ts";
import { cut, meaningOf, oneLine, tellings } from "../../src/text/index.ts";

/** A command line that passed. */
export interface Run {
  turn: number;
  piece: number;
  time: number;
  line: string;
  commands: readonly string[];
  isRepair: boolean;
}

/** A session's commands. */
interface Runs {
  session: string;
  project: string;
  runs: readonly Run[];
}

// Commands that a project is worked with: those that passed in several turns, in the order in which they were run.

/** Programs that look around, move files or talk to others: no project is built, tested or run with them alone. */
const everyday: ReadonlySet<string> = new Set(
  "cd ls cat head tail grep rg find echo printf pwd which sed awk wc sort uniq cut tr tee xargs mkdir rm cp mv touch chmod ln stat file diff tree du df ps kill pkill killall sleep date env export source true false test git gh glab jq yq curl wget ssh open pbcopy less more history whoami uname lsof nc ping for while if until case read".split(
    " ",
  ),
);
/** In so many turns of a single session a command is more than of the moment. */
const turnsOfOneSession = 3;
const longestCommand = 120;
const mostCommands = 8;

export function runsIn({ promptNumber, time, pieces }: Turn): Run[] {
  return pieces.flatMap(({ kind, about = "", agent }, piece): Run[] => {
    const commands = kind === "passed" || kind === "repair" ? commandsIn(about) : [];
    if (agent !== undefined || commands.length === 0) return [];
    return [
      { turn: promptNumber, piece, time, line: about, commands, isRepair: kind === "repair" },
    ];
  });
}

/** Of all sessions, oldest first; each is its last session's. */
export function workflowsOf(readings: readonly Runs[]): NewMemoryItem[] {
  const passes = new Map<string, Array<{ reading: Runs; run: Run }>>();
  for (const reading of readings)
    for (const run of reading.runs)
      for (const command of run.commands) {
        const known = passes.get(command);
        if (known) known.push({ reading, run });
        else passes.set(command, [{ reading, run }]);
      }
  const counted = [...passes].map(([command, all]) => ({
    command,
    turns: new Set(all.map(({ reading, run }) => `${reading.session} ${run.turn}`)).size,
    sessions: new Set(all.map(({ reading }) => reading.session)).size,
    last: all.at(-1),
  }));
  const kept = counted
    .filter(({ turns, sessions }) => sessions > 1 || turns >= turnsOfOneSession)
    .sort((one, other) => other.sessions - one.sessions || other.turns - one.turns);
  const names = new Set(kept.map(({ command }) => command));
  return kept.slice(0, mostCommands).flatMap(({ command, turns, sessions, last }) => {
    if (!last) return [];
    const { reading, run } = last;
    const before = new Set(
      reading.runs
        .filter(({ turn, piece, isRepair }) => turn === run.turn && piece < run.piece && !isRepair)
        .flatMap(({ commands }) => commands.filter((one) => one !== command && names.has(one))),
    );
    const order = [...before].map((one) => `\`${one}\``).join(", ");
    return [
      {
        session: reading.session,
        project: reading.project,
        kind: "workflows" as const,
        date: dayOf(run.time),
        content: command,
        context: `Passed in ${turns} turns of ${sessions === 1 ? "one session" : `${sessions} sessions`}${order === "" ? "" : `; run after ${order}`}`,
        state: sessions > 1 ? ("standing" as const) : ("candidate" as const),
        quote: run.line,
        evidence: [{ turn: run.turn, piece: run.piece }],
      },
    ];
  });
}

/** The commands of a line that passed: all parts of `a && b` did. Without where they were run and where they wrote. */
export function commandsIn(line: string): string[] {
  if (line.includes("\n") || line.includes("<<")) return [];
  return oneLine(line)
    .split(/\s*&&\s*/)
    .flatMap((part) => normalised(part) ?? []);
}

/** Several things, a script typed in, one test by its name, a place of this machine. */
const ofTheMoment =
  /[;|`$()"']|\s-(?:[cekt]|run)\s|\s--(?:grep|filter|test-name-pattern)\b|\/tmp\/|\/home\/|\/Users\/|https?:/;

/** Undefined for a command of everyday or of this moment alone. */
function normalised(part: string): string | undefined {
  const command = part
    .replace(/(?:\s*\|\s*(?:head|tail|grep|sed|cat|tee|wc|sort)\b[^|]*)+$/, "")
    .replace(/\s*(?:;|\|\|)\s*echo\b.*$/, "")
    .replace(/\s*\d?>&?\s*(?:\d|\/\S+)/g, "")
    .replace(/^(?:timeout\s+\d+\w?\s+|time\s+|nice\s+|sudo\s+)+/, "")
    .trim();
  const program = command.replace(/^(?:\w+=\S*\s+)+/, "").split(/\s/)[0] ?? "";
  const name = program.split("/").at(-1) ?? "";
  if (command === "" || command.length > longestCommand || everyday.has(name)) return undefined;
  return ofTheMoment.test(command) ? undefined : command;
}

// Failures with what they were due to: a command failed, passed after a change, and the closing words say why.

/** So many words of the failure stand in the sentence that explains it. */
const leastShared = 3;
const failing =
  /error|exception|fail|panic|not found|cannot|denied|refused|undefined|mismatch|unexpected/i;
const gotchasOfTurn = 2;

export function gotchasIn(
  turn: Turn,
  common: Pick<NewMemoryItem, "session" | "project">,
): NewMemoryItem[] {
  const closing = turn.pieces.findIndex(({ kind }) => kind === "closing");
  const isMended = ({ kind, agent }: Evidence) => kind === "repair" && agent === undefined;
  if (closing < 0 || !turn.pieces.some(isMended)) return [];
  const sentences = tellings(turn.pieces[closing]?.text ?? "", { names: [], asked: "" })
    .filter(({ worth, statement }) => worth > 0 && statement.kind === "sentence")
    .map(({ text }) => ({ text, words: meaningOf(text) }));
  const found = turn.pieces.flatMap((piece, at): NewMemoryItem[] => {
    if (!isMended(piece)) return [];
    const [failed = "", changed = ""] = piece.text.split("\n\n→ ");
    const all = failed
      .split("\n")
      .map(oneLine)
      .filter((line) => line !== "");
    const named = all.filter((line) => failing.test(line));
    const lines = named.length > 0 ? named : all.slice(-1);
    const wanted = meaningOf(lines.join(" "));
    const shared = ({ words }: (typeof sentences)[number]) =>
      [...words].filter((word) => word.length > 3 && wanted.has(word)).length;
    const best = sentences.toSorted((one, other) => shared(other) - shared(one))[0];
    if (!best || shared(best) < leastShared) return [];
    const command = cut(oneLine(piece.about ?? ""), 100);
    const files = changed.split("\n").slice(0, 3).join(", ");
    return [
      {
        ...common,
        kind: "gotchas",
        date: dayOf(turn.time),
        content: cut(best.text, 300),
        context: `\`${command}\` failed: ${cut(lines[0] ?? "", 160)}; it passed after changes to ${files}`,
        state: "candidate",
        quote: cut(failed.trim(), 400),
        evidence: [at, closing].map((piece) => ({ turn: turn.promptNumber, piece })),
      },
    ];
  });
  return found.slice(0, gotchasOfTurn);
}

/** `YYYY-MM-DD`, UTC. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
