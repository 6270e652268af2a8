// Broad categories of a piece of work: the words of its paths, and what kind of work it was.
import type { ObservationKind } from "./kind.ts";

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
