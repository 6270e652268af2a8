// The type of an observation, from what happened; words only decide between kinds of change, and each is its own example.

import type { NewTurn } from "../../src/sdk/index.ts";
import type { observationTypes } from "../../src/strategy/index.ts";
import { decides } from "../../src/strategy/index.ts";
import { phrases } from "../../src/text/index.ts";

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
type ObservationKind = (typeof observationTypes)[number];

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
      "fix|fixes|bugfix|bug|bugs|crash|crashes|broken|regression",
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
const kindPatterns = kindWords.map(({ kind, words }) => {
  const all = words.flatMap((line) => line.split("|"));
  // English words have a past by what they end in; one that begins says what was done: "Created …", not "it added up hours".
  const past = all.filter((word) => /^[a-z]+$/.test(word)).map((word) => `${word}e?d`);
  const begins = new RegExp(`^\\W*(?:I(?:'ve| have)? )?(?:${past.join("|")})\\b`, "i");
  const pattern = phrases(all.join("|"));
  return { kind, says: (text: string) => pattern.test(text) || begins.test(text) };
});

/** The type of a piece of work of a turn. */
export function kindOf(
  { changed, made, committed, repaired, words }: Happened,
  turn: NewTurn,
): ObservationKind {
  if (changed === 0 && !committed)
    return turn.pieces.some((piece) => decides(piece, turn.files)) ? "decision" : "discovery";
  const isPlanned = turn.pieces.some(({ kind }) => kind === "plan");
  const said = words.map((text) => kindPatterns.find(({ says }) => says(text))?.kind);
  return (
    said.find((kind) => kind !== undefined) ??
    (made * 2 > changed
      ? "feature"
      : repaired && !isPlanned
        ? "bugfix"
        : made > 0
          ? "feature"
          : "change")
  );
}
