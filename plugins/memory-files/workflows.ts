// Commands that a project is worked with: those that passed in several turns, in the order in which they were run. Pure.
import type { NewTurn } from "../../src/sdk/index.ts";
import { oneLine } from "../../src/text/index.ts";

/** A command that works here. */
interface Workflow {
  command: string;
  /** Turns and sessions in which it passed. */
  turns: number;
  sessions: number;
  /** Known workflows that were run before it where it passed last. */
  after: readonly string[];
  last: NewTurn;
  piece: number;
}

/** Programs that look around, move files or talk to others: no project is built, tested or run with them alone. */
const everyday: ReadonlySet<string> = new Set(
  "cd ls cat head tail grep rg find echo printf pwd which sed awk wc sort uniq cut tr tee xargs mkdir rm cp mv touch chmod ln stat file diff tree du df ps kill pkill killall sleep date env export source true false test git gh glab jq yq curl wget ssh open pbcopy less more history whoami uname lsof nc ping for while if until case read".split(
    " ",
  ),
);
/** In so many turns of a single session a command is more than of the moment. */
const turnsOfOneSession = 3;
const longest = 120;
const most = 8;

/** Of all turns of a project that are known, oldest first. */
export function workflowsOf(turns: readonly NewTurn[]): Workflow[] {
  const found = new Map<
    string,
    { turns: Set<string>; sessions: Set<string>; last: NewTurn; piece: number }
  >();
  for (const turn of turns)
    for (const [piece, { kind, about, agent }] of turn.pieces.entries()) {
      if ((kind !== "passed" && kind !== "repair") || agent !== undefined) continue;
      for (const command of commandsIn(about ?? "")) {
        const known = found.get(command) ?? {
          turns: new Set(),
          sessions: new Set(),
          last: turn,
          piece,
        };
        known.turns.add(`${turn.session} ${turn.promptNumber}`);
        known.sessions.add(turn.session);
        found.set(command, { ...known, last: turn, piece });
      }
    }
  const kept = [...found].filter(
    ([, one]) => one.sessions.size > 1 || one.turns.size >= turnsOfOneSession,
  );
  const names = new Set(kept.map(([command]) => command));
  return kept
    .sort(([, a], [, b]) => b.sessions.size - a.sessions.size || b.turns.size - a.turns.size)
    .slice(0, most)
    .map(([command, one]) => ({
      command,
      turns: one.turns.size,
      sessions: one.sessions.size,
      after: before(one.last, one.piece, names).filter((other) => other !== command),
      last: one.last,
      piece: one.piece,
    }));
}

function before(turn: NewTurn, piece: number, names: ReadonlySet<string>): string[] {
  const run = turn.pieces
    .slice(0, piece)
    .flatMap(({ kind, about }) => (kind === "passed" ? commandsIn(about ?? "") : []));
  return [...new Set(run.filter((command) => names.has(command)))];
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
  if (command === "" || command.length > longest || everyday.has(name)) return undefined;
  return ofTheMoment.test(command) ? undefined : command;
}
