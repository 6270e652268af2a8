// A piece of work as an observation: title, subtitle and facts are quoted, or state what was seen to happen.
import type {
  Agent,
  Evidence,
  NewTurn,
  ObservationDraft,
  Place,
  ToolUse,
} from "../../src/sdk/index.ts";
import {
  belowTitle,
  decides,
  isNearCommand,
  isNumbered,
  messageBody,
  type Outcome,
  outcomeOf,
  toldBelow,
  touchedFiles,
} from "../../src/strategy/index.ts";
import {
  baseName,
  bestOf,
  cleanText,
  commandKey,
  cut,
  failureLine,
  headingOf,
  isSupposed,
  oneLine,
  overlap,
  type Paths,
  plainLine,
  requestOf,
  saysDoing,
  sentencesOf,
  type Telling,
  tellings,
  textField,
  titleOf,
} from "../../src/text/index.ts";
import { conceptsOf, kindOf } from "./kind.ts";

export const mostFacts = 7;
const mostSaid = 5;
const longestFact = 400;
export const mostNarrative = 4_000;
export const mostFiles = 50;
/** What a sentence must be worth to be a fact, and what one said on the way must be. */
const least = { closing: 2.5, onTheWay: 4.5 };

/** What a piece of work rests on, looked up once. */
interface Ground {
  turn: NewTurn;
  paths: Paths;
  /** Ids of the work's tool uses. */
  uses: ReadonlySet<string>;
  /** Of the work's tool uses. */
  files: ReturnType<typeof touchedFiles>;
  commit: Evidence | undefined;
  commitAt: number;
  /** -1 where the closing words are another work's. */
  closingAt: number;
  said: string;
  request: string;
  repairs: KnownFact[];
  open: KnownFact[];
  /** Pieces in which the user decided; none where the turn goes on with other work. */
  decided: number[];
  isLast: boolean;
}

/** Undefined for routine, and for work of which its turn says as much: nothing changed, failed, was decided or found out. */
export function describeWork(work: Work, known: Known): ObservationDraft | undefined {
  const ground = groundOf(work, known);
  const { turn, paths, files, commit, commitAt, closingAt, said, request, isLast } = ground;
  const { read, modified: changed, made } = files;
  const backing = { names: namesOf(ground), asked: request };
  const [subject = ""] = commit?.text.split("\n", 1) ?? [];
  const outcome = outcomeOf(workOf(ground), paths.inText);
  const message = outcome.message ?? commit;
  const messageAt = message ? turn.pieces.indexOf(message) : -1;
  const below = toldBelow(message, backing, paths.inText).map(({ text }) => text);
  const fromMessage = below.map((text) => ({ text, piece: messageAt }));
  const { facts, evidence } = factsOf(ground, backing, fromMessage);
  const stopped = isLast && turn.end === "interrupted";
  const title = saysMore(ground, outcome, facts) ? titleFrom(ground, outcome) : "";
  if (title === "") return undefined;
  const subtitle = stopped
    ? stoppedText(turn.pieces)
    : belowTitle(
        title,
        [
          // Beside a commit the closing tells what became of it: that it was pushed, what is next.
          ...(outcome.message ? below.slice(0, 1) : []),
          ...sentencesOf(outcome.said).filter((text) => !isSupposed({ text, lead: text })),
          ...below.slice(0, 1),
          request,
        ],
        0.8,
      );
  if (outcome.said !== "" && outcome.from) evidence.push(turn.pieces.indexOf(outcome.from));
  const type = kindOf(
    {
      changed: changed.length,
      made: made.length,
      committed: commit !== undefined,
      repaired: ground.repairs.length > 0,
      words: [commit && outcome.basis !== "commit" ? "" : subject, title, request],
    },
    turn,
  );
  const story = [plainText(`${subject}\n${messageBody(commit?.text ?? "")}`), plainText(said)]
    .filter((text) => text !== "")
    .join("\n\n");
  return {
    type,
    title,
    subtitle: titleOf(subtitle, 220),
    facts,
    narrative: paths.inText(cut(story, mostNarrative)) || facts.join(" "),
    concepts: conceptsOf(type, changed.length > 0 ? changed : read),
    filesRead: read.slice(0, mostFiles),
    filesModified: changed,
    toolUseIds: work.uses.map(({ id }) => id),
    observerTokens: 0,
    time: work.uses.at(-1)?.time ?? turn.time,
    evidence: placesOf(turn, [...evidence, commitAt, story === "" ? -1 : closingAt]),
  };
}

/** The turn as this piece of work alone: its own commit; the closing and what else was said where it is the last, else what happened in it. */
function workOf({ turn, uses, commit, closingAt, files, isLast }: Ground): NewTurn {
  return {
    ...turn,
    end: isLast ? turn.end : "open",
    pieces: turn.pieces.filter((piece, at) => {
      const { kind, toolUseId = "" } = piece;
      if (kind === "commit") return piece === commit;
      if (kind === "closing") return at === closingAt;
      return isLast || kind === "prompt" || uses.has(toolUseId);
    }),
    files: files.modified.map(
      (path) => turn.files.find((one) => one.path === path) ?? { path, changed: true },
    ),
  };
}

/** What was only asked, or answered in one sentence, stands in the turn as well. */
function saysMore(
  { turn, files, commit, closingAt, repairs, decided }: Ground,
  { came, basis }: Outcome,
  facts: readonly string[],
): boolean {
  const settled = decided.some((at) => turn.pieces[at]?.kind !== "refusal");
  if (commit || files.modified.length + repairs.length > 0 || settled) return true;
  // A refusal that nothing followed settles nothing.
  if (decided.length > 0 && (basis !== "asked" || closingAt < 0)) return true;
  return basis !== "asked" && facts.some((fact) => overlap(fact, came) < 0.8);
}

function titleFrom({ decided, turn }: Ground, { title, basis }: Outcome): string {
  return basis === "asked" && decided.length > 0
    ? titleOf(decisionText(turn.pieces[decided.at(-1) ?? -1]))
    : title;
}

function groundOf(
  { uses, commit: commitAt = -1, last }: Work,
  { turn, prompt, paths }: Known,
): Ground {
  const closingAt = last ? turn.pieces.findIndex(({ kind }) => kind === "closing") : -1;
  return {
    turn,
    paths,
    uses: new Set(uses.map(({ id }) => id)),
    files: touchedFiles(uses, paths),
    commit: turn.pieces[commitAt],
    commitAt,
    closingAt,
    said: paths.inText(turn.pieces[closingAt]?.text ?? ""),
    request: requestOf(prompt),
    repairs: repairFacts(turn, new Set(uses.map(({ id }) => id))),
    open: last ? openFailures(turn, new Set(shellIds(uses))) : [],
    decided: last ? indexesOf(turn.pieces, (piece) => decides(piece, turn.files)) : [],
    isLast: last,
  };
}

/** Names that the work is known by. */
function namesOf({ turn, files: { read, modified: changed } }: Ground): string[] {
  return [
    ...changed.flatMap((path) => [path, baseName(path)]),
    ...turn.files.flatMap(({ path, symbols = [] }) => (changed.includes(path) ? symbols : [])),
    ...(changed.length === 0 ? read.map(baseName) : []),
  ];
}

/** What is known, the most telling first, and the pieces that say it. */
function factsOf(
  ground: Ground,
  backing: Parameters<typeof tellings>[1],
  fromMessage: readonly KnownFact[],
): { facts: string[]; evidence: number[] } {
  const { turn, paths, files, closingAt, said, repairs, open, decided } = ground;
  // What may be done now, or is to be looked for, is no fact.
  const stated = (text: string) =>
    tellings(text, backing).filter(({ statement }) => !isSupposed(statement));
  // Before a question to the user, the last list may be what there is to choose from.
  const isTold = notOffered(ground);
  const fromClosing = bestOf(stated(said).filter(isTold), mostSaid, least.closing);
  const before = closingAt < 0 ? turn.pieces : turn.pieces.slice(0, closingAt);
  const ways = indexesOf(before, ({ kind, agent }) => kind === "said" && agent === undefined);
  // What was thought before something was changed is over with the change; the last sentence before a tool use says what is done next.
  const onTheWay = ways
    .filter(() => ground.isLast && files.modified.length === 0)
    .flatMap((at) =>
      bestOf(stated(paths.inText(turn.pieces[at]?.text ?? "")).slice(0, -1), 1, least.onTheWay).map(
        (one) => ({ at, ...one }),
      ),
    )
    .sort((left, right) => right.worth - left.worth)
    .slice(0, 2);

  const facts: string[] = [];
  const evidence = [turn.pieces.findIndex(({ kind }) => kind === "prompt")];
  const add = (text: string, at: number | undefined) => {
    if (facts.length >= mostFacts || facts.some((other) => overlap(other, text) > 0.8)) return;
    facts.push(cut(text, longestFact));
    if (at !== undefined) evidence.push(at);
  };
  for (const at of decided) add(decisionText(turn.pieces[at]), at);
  for (const { text } of fromClosing.slice(0, 4)) add(text, closingAt);
  for (const { text, piece } of [...fromMessage, ...repairs.slice(0, 2), ...open.slice(0, 1)])
    add(text, piece);
  for (const { text } of fromClosing.slice(4)) add(text, closingAt);
  for (const { text, at } of onTheWay) add(text, at);
  for (const { text } of fileFacts(turn.files, files.modified).slice(0, facts.length > 2 ? 2 : 4))
    add(text, undefined);
  return { facts, evidence };
}

/** False for entries of the last list before a question that ends a turn without a change; a numbered one also where nothing is said to be done. */
function notOffered({ said, files, commit }: Ground): (one: Telling) => boolean {
  const all = tellings(said, { names: [], asked: "" }).map(({ statement }) => statement);
  const isDone = files.modified.length > 0 && all.some(({ text }) => saysDoing(text));
  const isOpen = files.modified.length === 0 || (isNumbered(said) && !isDone);
  const asks = /[?？؟]["'”’)\]*_\s]*$/u.test(said) && isOpen && !commit;
  const last = asks ? all.findLast(({ kind }) => kind === "item") : undefined;
  return ({ statement: { kind, lead, section } }) =>
    !last || kind !== "item" || lead !== last.lead || section !== last.section;
}

/** Commands: a file that could not be read is no failure of the work. */
function shellIds(uses: readonly ToolUse[]): string[] {
  return uses.filter(({ input }) => textField(input, "command") !== "").map(({ id }) => id);
}

/** A decision with who made it; a plan by its first line. */
function decisionText(piece: Evidence | undefined): string {
  if (!piece) return "";
  const said = plainLine(piece.text);
  if (piece.kind === "plan") return `Plan accepted: ${headingOf(piece.text)}`;
  if (piece.kind === "refusal")
    return `The user refused${piece.about ? ` \`${titleOf(piece.about, 80)}\`` : ""}: ${cut(said, 300)}`;
  return `The user chose "${cut(said, 200)}"${piece.about ? ` for: ${titleOf(piece.about.replace(/\s*\([^()]*\|[^()]*\)$/, ""), 160)}` : ""}`;
}

function stoppedText(pieces: readonly Evidence[]): string {
  const stop = pieces.findLast(({ kind }) => kind === "interrupted" || kind === "refusal");
  const about = stop?.about ? ` at \`${titleOf(stop.about, 100)}\`` : "";
  return `Stopped by the user${about}`;
}

const listItem = /\n(?=\s*(?:[-*+]|\d{1,3}[.)])\s)/;

/** Paragraphs, items of lists and code stay, other Markdown goes. */
export function plainText(text: string): string {
  const lines = text.split("\n");
  const parts: string[] = [];
  let from = 0;
  let open: { at: number; mark: string } | undefined;
  for (const [at, line] of lines.entries()) {
    const mark = /^\s*(`{3,})/.exec(line)?.[1];
    if (!open && mark !== undefined) open = { at, mark };
    else if (open && line.trim() === open.mark) {
      parts.push(plainProse(lines.slice(from, open.at)), lines.slice(open.at, at + 1).join("\n"));
      from = at + 1;
      open = undefined;
    }
  }
  parts.push(plainProse(lines.slice(from)));
  return parts.filter((part) => part !== "").join("\n\n");
}

function plainProse(lines: readonly string[]): string {
  const plain = (parts: readonly string[], between: string) =>
    parts.filter((part) => part !== "").join(between);
  const paragraphs = lines
    .join("\n")
    .split(/\n\s*\n/)
    .map((paragraph) =>
      plain(
        paragraph.split(listItem).map((line) => plainLine(cleanText(line))),
        "\n",
      ),
    );
  return plain(paragraphs, "\n\n");
}

function indexesOf(pieces: readonly Evidence[], matches: (piece: Evidence) => boolean): number[] {
  return pieces.flatMap((piece, at) => (matches(piece) ? [at] : []));
}

// What descriptions are made from: a turn's evidence and the tool uses that belong together.

/** What is known of the whole turn. */
export interface Known {
  turn: NewTurn;
  /** As typed; empty where none was seen. */
  prompt: string;
  paths: Paths;
}

/** Tool uses of the main agent that are one piece of work. */
export interface Work {
  uses: ToolUse[];
  /** Index of the commit that closed it. */
  commit?: number;
  /** The turn's closing words belong to it. */
  last: boolean;
}

/** What a subagent did and said. */
export interface Reported {
  agent: Agent;
  uses: ToolUse[];
  said?: string;
}

/** The places of pieces, each once and in order. */
export function placesOf({ promptNumber }: NewTurn, pieces: Iterable<number>): Place[] {
  return [...new Set(pieces)]
    .filter((piece) => piece >= 0)
    .sort((left, right) => left - right)
    .map((piece) => ({ turn: promptNumber, piece }));
}

// What is known without anybody's words: files with the names that changed in them, and commands that failed and passed.

/** A plain statement and the piece that it rests on; none for a file. */
interface KnownFact {
  text: string;
  piece?: number;
}

const mostSymbols = 6;
const runs: ReadonlySet<string> = new Set(["passed", "repair", "failure", "ran"]);
/** `src/a.ts changed: one, two`, for files whose changed names are known. */
export function fileFacts(files: NewTurn["files"], changed: readonly string[]): KnownFact[] {
  const known = new Map(files.map(({ path, symbols = [] }) => [path, symbols]));
  return changed.flatMap((path) => {
    const symbols = known.get(path) ?? [];
    if (symbols.length === 0) return [];
    const more = symbols.length > mostSymbols ? ` … (${symbols.length} in all)` : "";
    return [{ text: `${path} changed: ${symbols.slice(0, mostSymbols).join(", ")}${more}` }];
  });
}

/** Commands that failed and then passed, with what was changed in between; `within` are the tool uses looked at. */
export function repairFacts(turn: NewTurn, within: ReadonlySet<string>): KnownFact[] {
  return turn.pieces.flatMap((piece, at) => {
    if (piece.kind !== "repair" || !belongs(piece, within)) return [];
    const [failed = "", changed = ""] = piece.text.split("\n\n→ ");
    const why = failureLine(failed);
    const files = changed.split("\n").filter((path) => path !== "");
    const shown = files.slice(0, 3).join(", ") + (files.length > 3 ? ", …" : "");
    const because = why === "" ? "" : `: ${why}`;
    const text = `\`${commandLine(piece)}\` failed${because}; it passed after changes to ${shown}`;
    return [{ text, piece: at }];
  });
}

/** Commands that failed and did not pass any more, where it is more than a slip: failed again and again, or last of all. */
export function openFailures(turn: NewTurn, within: ReadonlySet<string>): KnownFact[] {
  const last = turn.pieces.findLastIndex(
    ({ kind, agent }) => agent === undefined && ["failure", "passed", "repair"].includes(kind),
  );
  return turn.pieces.flatMap((piece, at) => {
    if (piece.kind !== "failure" || !belongs(piece, within)) return [];
    // Run again, also as a part of another line: what came of it is said there, or not known.
    const key = commandKey(piece.about ?? "");
    const later = turn.pieces.slice(at + 1);
    const isOver = ({ kind, about = "" }: Evidence) =>
      kind === "commit" ||
      (runs.has(kind) && about.includes(key)) ||
      (/^(?:passed|repair)$/.test(kind) && isNearCommand(key, about));
    if (later.some(isOver)) return [];
    if ((piece.times ?? 1) < 2 && at !== last) return [];
    const why = failureLine(piece.text);
    const because = why === "" ? "" : `: ${why}`;
    return [{ text: `\`${commandLine(piece)}\` failed when it was run last${because}`, piece: at }];
  });
}

function belongs({ toolUseId, agent }: Evidence, within: ReadonlySet<string>): boolean {
  return agent === undefined && (toolUseId === undefined || within.has(toolUseId));
}

function commandLine({ about = "" }: Evidence): string {
  return cut(oneLine(cleanText(about).split("\n")[0] ?? ""), 100);
}
