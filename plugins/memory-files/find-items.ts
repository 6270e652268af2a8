// The pass without a model: what the user settled, what works here, what failed and why; each with its quotation and place. Pure.
import type {
  MemoryItem,
  NewMemoryItem,
  NewTurn,
  Observation,
  Prompt,
  Session,
  StorageClient,
  Summary,
  Turn,
} from "../../src/sdk/index.ts";
import {
  cut,
  isCited,
  isReversed,
  meaningOf,
  oneLine,
  overlap,
  saysOtherwise,
  tellings,
} from "../../src/text/index.ts";
import { choiceOf, isTakenUp, saidItems } from "./said-items.ts";

// Everything storage knows of a finished session.

export interface SessionMaterial {
  session: Session;
  /** Oldest first, as are the others. */
  prompts: Prompt[];
  observations: Observation[];
  summaries: Summary[];
  turns: Turn[];
}

const mostText = 300;

/** Undefined when there is no such session. */
export async function gatherSession(
  storage: StorageClient,
  id: string,
): Promise<SessionMaterial | undefined> {
  const [stored] = await storage.get({ ids: [id] });
  if (stored?.kind !== "session") return undefined;
  const newest = { session: id, limit: mostText };
  const [prompts, observations, summaries, turns] = await Promise.all([
    storage.prompts(newest),
    storage.observations(newest),
    storage.summaries(newest),
    storage.turns(newest),
  ]);
  return {
    session: stored.record,
    prompts: prompts.reverse(),
    observations: observations.reverse(),
    summaries: summaries.reverse(),
    turns: turns.filter((turn) => turn.session === id).reverse(),
  };
}

// Commands that a project is worked with: those that passed in several turns, in the order in which they were run. Pure.

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

// Failures with what they were due to: a command failed, passed after a change, and the closing words say why. Pure.

/** A failure, its cause as it was told, and its repair. */
interface Gotcha {
  content: string;
  context: string;
  quote: string;
  turn: NewTurn;
  pieces: number[];
}

/** So many words of the failure stand in the sentence that explains it. */
const leastShared = 3;
const failing =
  /error|exception|fail|panic|not found|cannot|denied|refused|undefined|mismatch|unexpected/i;
const mostOfTurn = 2;

/** Of a session's turns. */
export function gotchasOf(turns: readonly NewTurn[]): Gotcha[] {
  return turns.flatMap((turn) => {
    const closing = turn.pieces.findIndex(({ kind }) => kind === "closing");
    const said = turn.pieces[closing];
    if (!said) return [];
    const sentences = tellings(said.text, { names: [], asked: "" }).filter(
      ({ worth, statement }) => worth > 0 && statement.kind === "sentence",
    );
    const found = turn.pieces.flatMap((piece, at): Gotcha[] => {
      if (piece.kind !== "repair" || piece.agent !== undefined) return [];
      const [failed = "", changed = ""] = piece.text.split("\n\n→ ");
      const all = failed
        .split("\n")
        .map(oneLine)
        .filter((line) => line !== "");
      const named = all.filter((line) => failing.test(line));
      const lines = named.length > 0 ? named : all.slice(-1);
      const words = meaningOf(lines.join(" "));
      const ranked = sentences
        .map(({ text }) => ({
          text,
          shared: [...meaningOf(text)].filter((word) => word.length > 3 && words.has(word)).length,
        }))
        .sort((a, b) => b.shared - a.shared);
      const [best] = ranked;
      if (!best || best.shared < leastShared) return [];
      const command = cut(oneLine(piece.about ?? ""), 100);
      const files = changed.split("\n").slice(0, 3).join(", ");
      return [
        {
          content: cut(best.text, 300),
          context: `\`${command}\` failed: ${cut(lines[0] ?? "", 160)}; it passed after changes to ${files}`,
          quote: cut(failed.trim(), 400),
          turn,
          pieces: [at, closing],
        },
      ];
    });
    return found.slice(0, mostOfTurn);
  });
}

const mostItems = 24;
/** Two items that share more of their meaning than this say the same. */
const same = 0.6;
/** What the user settles may be worded as either. */
const settled: ReadonlySet<MemoryItem["kind"]> = new Set(["decisions", "preferences"]);

/** An item that was found; `unsure` where it may have been pasted: it confirms nothing. */
type FoundItem = NewMemoryItem & { unsure?: true };

/** Items in the order in which they were said; `others` are turns of other sessions of the project, oldest first. */
export function findItems(
  { session, turns }: SessionMaterial,
  others: readonly Turn[],
): FoundItem[] {
  const common = { session: session.id, project: session.project.id };
  const prompts = turns.flatMap(({ pieces }) => pieces.filter(({ kind }) => kind === "prompt"));
  const isOwn = !prompts.some(({ text }) => isCited(session.title.replace(/…$/, ""), text));
  const title = session.title !== "" && isOwn ? `Session: ${session.title}` : "";
  const said = saidItems(turns, others).map(
    ({ kind, content, context, quote, state, turn, piece, unsure }): FoundItem => ({
      ...common,
      ...(unsure && { unsure }),
      kind,
      date: dayOf(turn.pieces[piece]?.time ?? turn.startedAt),
      content: oneLine(content),
      context: cut(oneLine(context || title), 240),
      state,
      quote,
      evidence: [{ turn: turn.promptNumber, piece }],
    }),
  );
  const commands = workflowsOf([...others, ...turns])
    .filter(({ last }) => last.session === session.id)
    .map(({ command, turns: count, sessions, after, last, piece }): NewMemoryItem => {
      const order =
        after.length > 0 ? `; run after ${after.map((one) => `\`${one}\``).join(", ")}` : "";
      return {
        ...common,
        kind: "workflows",
        date: dayOf(last.time),
        content: command,
        context: `Passed in ${count} turns of ${sessions === 1 ? "one session" : `${sessions} sessions`}${order}`,
        state: sessions > 1 ? "standing" : "candidate",
        quote: last.pieces[piece]?.about ?? command,
        evidence: [{ turn: last.promptNumber, piece }],
      };
    });
  const gotchas = gotchasOf(turns).map(
    ({ content, context, quote, turn, pieces }): NewMemoryItem => ({
      ...common,
      kind: "gotchas",
      date: dayOf(turn.time),
      content,
      context,
      state: "candidate",
      quote,
      evidence: pieces.map((piece) => ({ turn: turn.promptNumber, piece })),
    }),
  );
  return [...said, ...commands, ...gotchas]
    .filter(({ content }) => content !== "")
    .slice(0, mostItems);
}

type Stated = Pick<MemoryItem, "kind" | "content" | "quote">;

/** True when both say the same; a change of mind does not. */
export function isSameItem(one: Stated, other: Stated): boolean {
  if (one.content.toLowerCase() === other.content.toLowerCase()) return true;
  if (one.kind === "workflows" || one.kind === "projects") return false;
  const [chosen, before] = [choiceOf(one), choiceOf(other)];
  if (chosen && before && overlap(chosen.answer, before.answer) <= same) return false;
  if (saysOtherwise(one.content, other.content)) return false;
  const alike = one.kind === other.kind || (settled.has(one.kind) && settled.has(other.kind));
  return alike && overlap(one.content, other.content) > same;
}

/**
 * What is to be stored of `found`: what is new, and known items that this session confirms or takes back. Said again in
 * another session, a candidate stands; turned round, it stands no more; a workflow is told anew with how often it passed.
 */
export function newOrConfirmed(
  found: readonly FoundItem[],
  known: readonly MemoryItem[],
): NewMemoryItem[] {
  const kept: NewMemoryItem[] = [];
  for (const { unsure, ...item } of found) {
    if (kept.some((other) => isSameItem(other, item))) continue;
    const before = known.find((other) => isSameItem(other, item));
    if (!before) kept.push(...(unsure ? [] : takenBack(item, known)), item);
    else if (item.kind === "workflows" && before.context !== item.context) kept.push(item);
    else if (!unsure && before.session !== item.session && before.state !== "standing") {
      const { id: _, ...stored } = before;
      const places = (before.evidence ?? []).map((place) => ({
        session: before.session,
        ...place,
      }));
      kept.push({
        ...stored,
        session: item.session,
        date: item.date,
        state: "standing",
        evidence: [...places, ...(item.evidence ?? [])],
      });
    }
  }
  return kept;
}

/** What stood until this said the opposite: kept as what was said once, with what came after it. */
function takenBack(newer: NewMemoryItem, known: readonly MemoryItem[]): NewMemoryItem[] {
  if (!settled.has(newer.kind)) return [];
  return known.flatMap(({ id: _, ...item }) => {
    const stands = settled.has(item.kind) && item.state !== "candidate" && item.date <= newer.date;
    if (!stands || !isReversed(newer.content, item.content)) return [];
    const context = cut(`Taken back ${newer.date}: “${newer.content}”`, 240);
    return [{ ...item, context, state: "candidate" as const }];
  });
}

/** Choices made once, in other sessions, that these turns come back to: they stand from now on. */
export function takenUp(
  { session, turns }: SessionMaterial,
  known: readonly MemoryItem[],
): NewMemoryItem[] {
  return known.flatMap(({ id: _, ...item }) => {
    const choice = choiceOf(item);
    if (item.state !== "candidate" || item.session === session.id || !choice) return [];
    if (!isTakenUp(choice, turns)) return [];
    // Where it was chosen is known; so many places may speak of it that none is named.
    return [{ ...item, session: session.id, date: dayOf(session.lastActiveAt), evidence: [] }];
  });
}

/** `YYYY-MM-DD`, UTC. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
