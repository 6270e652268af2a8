// Broad categories of an episode: two to five lower-case words, from its words, paths and commands.
import type { ObservationKind } from "./kind.ts";

const topics: Array<[string, RegExp]> = [
  [
    "testing",
    /\b(?:tests?|testing|specs?|coverage|vitest|jest|pytest|rspec|assert\w*|mocks?|fixtures?|e2e)\b/gi,
  ],
  ["linting", /\b(?:lint\w*|eslint|biome|golangci|credo|ruff|clippy|knip|goconst|gosec)\b/gi],
  ["build", /\b(?:builds?|compil\w+|bundl\w+|webpack|vite|makefile|toolchain)\b/gi],
  ["ci", /\b(?:ci|github actions?|workflows?|pipelines?|gitlab)\b/gi],
  [
    "database",
    /\b(?:database|sql\w*|postgres\w*|migrations?|prisma|ecto|quer(?:y|ies)|schemas?|tables?|orm)\b/gi,
  ],
  [
    "authentication",
    /\b(?:auth\w*|login|log in|passwords?|jwt|oauth|credentials?|permissions?)\b/gi,
  ],
  [
    "security",
    /\b(?:security|vulnerab\w*|secrets?|xss|csrf|injection|encrypt\w*|sanitiz\w*|notari[sz]\w*|signing)\b/gi,
  ],
  [
    "api",
    /\b(?:apis?|endpoints?|routes?|rest|graphql|http|requests?|handlers?|controllers?|webhooks?)\b/gi,
  ],
  [
    "user-interface",
    /\b(?:ui|ux|components?|buttons?|layouts?|css|styles?|liveview|react|vue|svelte|html|render\w*|xterm\w*|pages?|modal)\b/gi,
  ],
  ["command-line", /\b(?:cli|commands?|subcommands?|flags?|terminal|cobra|argv|stdout|stderr)\b/gi],
  ["configuration", /\b(?:config\w*|settings?|environment|env|yaml|toml|options?)\b/gi],
  ["documentation", /\b(?:docs?|documentation|readme|changelog|claude\.md|comments?|guide)\b/gi],
  [
    "error-handling",
    /\b(?:errors?|exceptions?|panics?|retr(?:y|ies)|fallbacks?|timeouts?|crash\w*)\b/gi,
  ],
  [
    "performance",
    /\b(?:performance|slow|fast(?:er)?|latency|delay|optimi[sz]\w*|cach\w+|memory (?:leaks?|usage)|profil\w+)\b/gi,
  ],
  [
    "observability",
    /\b(?:logg?(?:s|ing|er)?|telemetry|metrics?|opentelemetry|otel|tracing|posthog|analytics|sentry)\b/gi,
  ],
  [
    "concurrency",
    /\b(?:concurren\w+|parallel|race|locks?|mutex|async\w*|threads?|goroutines?|workers?|queues?)\b/gi,
  ],
  ["streaming", /\b(?:stream\w*|sse|websockets?|pubsub)\b/gi],
  [
    "dependencies",
    /\b(?:dependenc\w+|packages?|npm|upgrade\w*|versions?|go\.mod|package\.json|mix\.exs|cargo\.toml|lockfile)\b/gi,
  ],
  [
    "git",
    /\b(?:git|commits?|branch(?:es)?|rebas\w+|merg\w+|worktrees?|checkouts?|pull request|hooks?)\b/gi,
  ],
  [
    "code-quality",
    /\b(?:refactor\w*|duplicat\w*|unused|dead code|clean(?:ed)? ?up|simplif\w*|consolidat\w*|renam\w*)\b/gi,
  ],
  ["parsing", /\b(?:pars\w+|tokeni[sz]\w*|ast|regex\w*|serializ\w*|json|xml|markdown)\b/gi],
  [
    "deployment",
    /\b(?:deploy\w*|docker\w*|containers?|kubernetes|k8s|release\w*|terraform|helm)\b/gi,
  ],
  ["types", /\b(?:typescript|types?|typecheck|generics?|interfaces?|dialyzer|mypy)\b/gi],
  ["file-system", /\b(?:paths?|director(?:y|ies)|files?|folders?|cwd|symlinks?)\b/gi],
  ["sessions", /\b(?:sessions?|checkpoints?|transcripts?|resume\w*)\b/gi],
  ["planning", /\b(?:plan\w*|design\w*|architecture|brainstorm\w*|proposal|roadmap)\b/gi],
  [
    "ai-agents",
    /\b(?:agents?|llms?|prompts?|claude|gpt-?\d*|openai|anthropic|subagents?|models?)\b/gi,
  ],
];
const languages: Array<[RegExp, string]> = [
  [/\.tsx?$/, "typescript"],
  [/\.(?:jsx?|mjs|cjs)$/, "javascript"],
  [/\.go$/, "go"],
  [/\.exs?$|\.heex$/, "elixir"],
  [/\.py$/, "python"],
  [/\.rs$/, "rust"],
  [/\.rb$/, "ruby"],
  [/\.(?:java|kt)$/, "jvm"],
  [/\.(?:c|h|cc|cpp|hpp)$/, "c++"],
  [/\.swift$/, "swift"],
  [/\.php$/, "php"],
  [/\.cs$/, "dotnet"],
  [/\.(?:sh|bash|zsh)$/, "shell"],
  [/\.mdx?$/, "documentation"],
];
const ofKind: Record<ObservationKind, string> = {
  decision: "decisions",
  bugfix: "bug-fixing",
  feature: "features",
  refactor: "code-quality",
  discovery: "code-structure",
};

/** Two to five categories. `title` words count three times, `body` once, paths give the language when room is left. */
export function conceptsOf(
  kind: ObservationKind,
  title: string,
  body: string,
  paths: readonly string[],
): string[] {
  const text = body.slice(0, 6_000);
  const tail = paths
    .slice(0, 20)
    .map((path) => path.split("/").slice(-2).join(" ").replace(/[._-]/g, " "))
    .join(" ");
  const scored = topics
    .map(([name, pattern], index) => ({
      name,
      index,
      score:
        3 * count(pattern, title) +
        Math.min(4, count(pattern, text)) +
        Math.min(2, count(pattern, tail)),
    }))
    .filter((topic) => topic.score >= 2)
    .sort((left, right) => right.score - left.score || left.index - right.index);
  const chosen = scored.slice(0, 4).map((topic) => topic.name);
  const language = languageOf(paths);
  if (language !== undefined && chosen.length < 4) chosen.push(language);
  if (chosen.length < 2) chosen.push(ofKind[kind]);
  if (chosen.length < 2) chosen.push("project");
  return [...new Set(chosen)].length < 2
    ? [...new Set([...chosen, "project"])]
    : [...new Set(chosen)];
}

function count(pattern: RegExp, text: string): number {
  return text.match(pattern)?.length ?? 0;
}

function languageOf(paths: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const language = languages.find(([pattern]) => pattern.test(path))?.[1];
    if (language !== undefined) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  return [...counts].sort((left, right) => right[1] - left[1])[0]?.[0];
}
