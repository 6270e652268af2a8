// A piece of work as an observation: title, subtitle and facts are quoted, or state what was seen to happen.
import type {
  Agent,
  Evidence,
  NewTurn,
  ObservationDraft,
  Place,
  ToolUse,
} from "../../src/sdk/index.ts";
import { touchedFiles } from "../../src/strategy/index.ts";
import {
  askedOf,
  baseName,
  bestOf,
  capitalize,
  cleanText,
  commandKey,
  cut,
  failureLine,
  headingOf,
  leadingOf,
  meaningOf,
  oneLine,
  overlap,
  type Paths,
  phrases,
  plainLine,
  requestOf,
  tellings,
  tellingWords,
  textField,
  titleOf,
} from "../../src/text/index.ts";

export const mostFacts = 7;
const mostSaid = 5;
const longestFact = 400;
export const mostNarrative = 4_000;
export const mostFiles = 50;
/** What a sentence must be worth to be a fact, and what one said on the way must be. */
const least = { closing: 2.5, onTheWay: 4.5 };
/** A closing of fewer characters, after nothing was changed, tells of no work. */
const substance = 80;

/**
 * Undefined for routine: nothing changed, failed, was decided or found out. Long because every field rests on the same few
 * pieces of the turn, which are looked up once.
 */
export function describeWork(work: Work, known: Known): ObservationDraft | undefined {
  const { turn, paths } = known;
  const { read, modified: changed, made } = touchedFiles(work.uses, paths);
  const within = new Set(work.uses.map(({ id }) => id));
  const commit = work.commit === undefined ? undefined : turn.pieces[work.commit];
  const closingAt = work.last ? turn.pieces.findIndex(({ kind }) => kind === "closing") : -1;
  const closing = turn.pieces[closingAt];
  const repairs = repairFacts(turn, within);
  const open = work.last ? openFailures(turn, new Set(shellIds(work.uses))) : [];
  const decided = indexesOf(turn.pieces, isDecision);
  const request = requestOf(known.prompt);
  const said = paths.inText(closing?.text ?? "");
  if (
    changed.length === 0 &&
    commit === undefined &&
    repairs.length === 0 &&
    (!work.last || decided.length === 0) &&
    (said.length < substance || (request === "" && said.length < substance * 3))
  )
    return undefined;

  const names = [
    ...changed.flatMap((path) => [path, baseName(path)]),
    ...turn.files.flatMap(({ path, symbols = [] }) => (changed.includes(path) ? symbols : [])),
    ...(changed.length === 0 ? read.map(baseName) : []),
  ];
  const backing = { names, asked: request };
  const bodyText = withoutTrailers(commit?.text.split("\n").slice(1).join("\n") ?? "");
  const fromBody = bestOf(tellings(paths.inText(bodyText), backing), mostSaid, least.closing);
  const fromClosing = bestOf(tellings(said, backing), mostSaid, least.closing);
  const before = closingAt < 0 ? turn.pieces : turn.pieces.slice(0, closingAt);
  const ways = indexesOf(before, ({ kind, agent }) => kind === "said" && agent === undefined);
  // The last sentence before a tool use says what is done next.
  const onTheWay = ways
    .filter(() => work.last)
    .flatMap((at) =>
      bestOf(
        tellings(paths.inText(turn.pieces[at]?.text ?? ""), backing).slice(0, -1),
        1,
        least.onTheWay,
      ).map((one) => ({ at, ...one })),
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
  for (const at of work.last ? decided : []) add(decisionText(turn.pieces[at]), at);
  for (const { text } of fromClosing.slice(0, 4)) add(text, closingAt);
  for (const { text } of fromBody) add(text, work.commit);
  for (const { text, piece } of [...repairs.slice(0, 2), ...open.slice(0, 1)]) add(text, piece);
  for (const { text } of fromClosing.slice(4)) add(text, closingAt);
  for (const { text, at } of onTheWay) add(text, at);
  for (const { text } of fileFacts(turn.files, changed).slice(0, facts.length > 2 ? 2 : 4))
    add(text, undefined);

  const first = leadingOf(tellings(said, backing))?.text ?? "";
  const subject = commitTitle(commit?.text);
  const asks = meaningOf(tellingWords(request).join(" ")).size > 1 ? request : "";
  const title = titleOf(subject || asks || first || request || requestOf(askedOf(bodyText)));
  const stopped = work.last && turn.end === "interrupted";
  const says = facts.length > 0 || said !== "" || commit !== undefined || stopped;
  if (title === "" || !says) return undefined;
  const subtitle = stopped
    ? stoppedText(turn.pieces)
    : ([first, fromBody[0]?.text ?? "", asks].find(
        (text) => text !== "" && overlap(text, title) < 0.8,
      ) ?? "");
  if (closingAt >= 0 && (subtitle === first || title === titleOf(first))) evidence.push(closingAt);
  const type = kindOf(
    {
      changed: changed.length,
      made: made.length,
      committed: commit !== undefined,
      repaired: repairs.length > 0,
      words: [commit?.text.split("\n")[0] ?? "", request],
    },
    turn,
  );
  const story = [plainText(withoutTrailers(commit?.text ?? "")), plainText(said)]
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
    evidence: placesOf(turn, [...evidence, work.commit ?? -1, story === "" ? -1 : closingAt]),
  };
}

/** Commands: a file that could not be read is no failure of the work. */
function shellIds(uses: readonly ToolUse[]): string[] {
  return uses.filter(({ input }) => textField(input, "command") !== "").map(({ id }) => id);
}

/** A commit's body without `Signed-off-by:` and the like below it. */
function withoutTrailers(body: string): string {
  return body
    .split("\n")
    .filter((line) => !/^[A-Z][a-zA-Z]+(?:-[a-zA-Z]+)+: \S/.test(line))
    .join("\n");
}

function isDecision({ kind, text }: Evidence): boolean {
  return kind === "choice" || kind === "plan" || (kind === "refusal" && text !== "");
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

/** Paragraphs stay, Markdown goes. */
export function plainText(text: string): string {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => plainLine(cleanText(paragraph)))
    .filter((paragraph) => paragraph !== "")
    .join("\n\n");
}

function indexesOf(pieces: readonly Evidence[], matches: (piece: Evidence) => boolean): number[] {
  return pieces.flatMap((piece, at) => (matches(piece) ? [at] : []));
}

/** A commit's subject as a title: without its conventional prefix, its tag and the pull request's number; "" without a commit. */
export function commitTitle(message: string | undefined): string {
  const subject = message?.split("\n")[0] ?? "";
  return capitalize(
    plainLine(
      subject
        .replace(/^[a-z]+(?:\([^)]*\))?!?:\s+/, "")
        .replace(/^\[[^\]]+\]\s*/, "")
        .replace(/\s*\(?#\d+\)?$/, ""),
    ),
  );
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
      kind === "commit" || (runs.has(kind) && about.includes(key));
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

// The type of an observation, from what happened; words only decide between kinds of change, and each is its own example.

// Broad categories of a piece of work: the words of its paths, and what kind of work it was.

const most = 5;
/** Folders that every project has. */
const everywhere: ReadonlySet<string> = new Set(
  "src lib app apps packages package main index test tests spec specs internal cmd pkg home users tmp dist build node_modules mod init private var work worktree worktrees".split(
    " ",
  ),
);
const ofKind: Readonly<Record<ObservationKind, string>> = {
  bugfix: "debugging",
  feature: "implementation",
  refactor: "code-structure",
  change: "changes",
  decision: "decisions",
  discovery: "how-it-works",
};
const areas: ReadonlyArray<readonly [string, RegExp]> = [
  ["testing", /(?:^|[/._-])(?:tests?|specs?|__tests__|e2e|fixtures?)(?:[/._-]|$)/i],
  ["documentation", /\.(?:md|mdx|rst|adoc|txt)$|(?:^|\/)docs?\//i],
  ["ci", /(?:^|\/)\.(?:github|gitlab|circleci)|(?:^|\/)\.gitlab-ci/i],
  [
    "dependencies",
    /(?:^|\/)(?:package(?:-lock)?\.json|bun\.lockb?|yarn\.lock|pnpm-lock\.yaml|go\.(?:mod|sum)|cargo\.(?:toml|lock)|mix\.(?:exs|lock)|gemfile(?:\.lock)?|requirements\S*\.txt|pyproject\.toml)$/i,
  ],
  ["configuration", /\.(?:ya?ml|toml|ini|env|conf|config\.[cm]?[jt]s)$|(?:^|\/)\.[\w.-]+rc$/i],
  ["database", /\.sql$|(?:^|\/)migrations?\//i],
  ["infrastructure", /\.tf$|(?:^|\/)(?:dockerfile|compose[\w.-]*\.ya?ml|helm|k8s)/i],
];

/** Two to five lower-case words: areas, then names of folders and files by how often they come up. */
export function conceptsOf(kind: ObservationKind, files: readonly string[]): string[] {
  const found = areas.flatMap(([name, pattern]) =>
    files.some((file) => pattern.test(file)) ? [name] : [],
  );
  const counts = new Map<string, number>();
  for (const file of files)
    for (const word of new Set(wordsOf(file))) counts.set(word, (counts.get(word) ?? 0) + 1);
  const words = [...counts]
    .sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]))
    .map(([word]) => word);
  const all = [...new Set([ofKind[kind], ...found, ...words])].slice(0, most);
  return all.length > 1 ? all : [...all, "project-knowledge"];
}

function wordsOf(file: string): string[] {
  if (/^[/~]/.test(file)) return [];
  return file
    .replace(/(?:\.\w+)+$/, "")
    .split("/")
    .slice(-3)
    .map((part) =>
      part
        .replace(/([a-z])([A-Z])/g, "$1-$2")
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, "-")
        .replace(/^-+|-+$/g, ""),
    )
    .filter(
      (word) =>
        word.length > 2 && word.length < 25 && !everywhere.has(word) && !/^[\d-]+$/.test(word),
    );
}

/** What a piece of work may be. */
export type ObservationKind =
  | "decision"
  | "bugfix"
  | "feature"
  | "refactor"
  | "discovery"
  | "change";

/** What is known of a piece of work. */
export interface Happened {
  changed: number;
  made: number;
  committed: boolean;
  repaired: boolean;
  /** The commit's subject and the request. */
  words: readonly string[];
}

/** Words that say what kind of change was asked for, by language; the first kind that is found counts. */
export const kindWords: ReadonlyArray<{ kind: ObservationKind; words: readonly string[] }> = [
  {
    kind: "bugfix",
    words: [
      "fix|fixes|fixed|bugfix|bug|bugs|crash|crashes|broken|regression",
      "fehler|behebe|beheben|repariere|reparieren|kaputt",
      "corrige|corriger|corrigez|bogue",
      "arregla*|el error|un error|los errores|este error|del error",
      "修复|报错|修正|直して|バグ|исправ*|ошибк*",
    ],
  },
  {
    kind: "refactor",
    words: [
      "refactor*|rename|restructure|simplify|clean up|cleanup|extract|move",
      "umbenennen|benenne|vereinfache",
      "renomme*|simplifie*|renombra*|simplifica*",
      "重构|重命名|リファクタ",
    ],
  },
  {
    kind: "feature",
    words: [
      "feat|add|implement|create|introduce|support",
      "hinzu|ergänze|erstelle|baue",
      "ajoute|ajouter|ajoutez|crée|créer|créez",
      "añade|agrega|crea",
      "添加|新增|实现|追加|作成|добав*|создай",
    ],
  },
];
const kindPatterns = kindWords.map(({ kind, words }) => ({
  kind,
  pattern: phrases(words.join("|")),
}));

/** The type of a piece of work of a turn. */
export function kindOf(
  { changed, made, committed, repaired, words }: Happened,
  turn: NewTurn,
): ObservationKind {
  if (changed === 0 && !committed)
    return turn.pieces.some(
      ({ kind, text }) =>
        kind === "choice" || kind === "plan" || (kind === "refusal" && text !== ""),
    )
      ? "decision"
      : "discovery";
  const said = words.map((text) => kindPatterns.find(({ pattern }) => pattern.test(text))?.kind);
  return (
    said.find((kind) => kind !== undefined) ??
    (made * 2 > changed ? "feature" : repaired ? "bugfix" : made > 0 ? "feature" : "change")
  );
}
