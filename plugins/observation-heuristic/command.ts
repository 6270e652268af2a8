// What a shell command is for: tests, build, lint, commit, …, or a routine look around.

export type Purpose =
  | "test"
  | "types"
  | "build"
  | "lint"
  | "format"
  | "commit"
  | "publish"
  | "install"
  | "migrate"
  | "run"
  | "routine";

/** A command line, read. */
export interface Command {
  /** The telling part, short and without redirections: `npm run build`. */
  display: string;
  purpose: Purpose;
  /** Programs with their sub-command, for telling two runs of the same thing. */
  names: string[];
  /** The output goes through a pipe, so the exit code is not the command's own. */
  piped: boolean;
}

const order: Purpose[] = [
  "commit",
  "test",
  "types",
  "build",
  "lint",
  "migrate",
  "publish",
  "install",
  "run",
  "format",
  "routine",
];

const rules: Array<[RegExp, Purpose]> = [
  [/^git (?:\S+ )*?commit\b/, "commit"],
  [
    /^(?:gh|glab) (?:pr|mr|release) (?:create|merge)\b|^(?:npm|pnpm|yarn|cargo|bun) publish\b|^docker push\b/,
    "publish",
  ],
  [
    /^(?:npx |bunx |pnpm (?:exec |dlx )?|yarn |uv run |poetry run |bundle exec |mise exec -- )?(?:jest|vitest|mocha|ava|pytest|rspec|phpunit|playwright|cypress|nox|tox|ctest)\b/,
    "test",
  ],
  [
    /^(?:go|mix|cargo|bun|deno|npm|pnpm|yarn|dotnet|swift|mvn|make|gradle|\.\/gradlew|flutter|dart|zig build|sbt|rake|rails|bazel|just|php artisan) (?:\S+ )??-?-?(?:run )?(?:test|check-test|nextest|spec)s?(?:[:\w-]*)\b/,
    "test",
  ],
  [/^mise (?:run|r) (?:test|spec|check:test)\S*/, "test"],
  [/^node --test\b|^python3? -m (?:pytest|unittest)\b/, "test"],
  [
    /^(?:npx |bunx |pnpm (?:exec )?|yarn )?(?:tsc|vue-tsc|tsgo|mypy|pyright|flow|basedpyright)\b|^cargo check\b|^go vet\b|^mix dialyzer\b|^bun check\b|^deno check\b|^uv run (?:mypy|pyright)\b/,
    "types",
  ],
  [
    /^(?:npm|pnpm|yarn|bun|mise|make|just|deno) (?:run |task |r )?\S*(?:type-?check|types|tsc)\b/,
    "types",
  ],
  [
    /^(?:npx |bunx |pnpm (?:exec )?|yarn |uv run )?(?:eslint|biome|oxlint|stylelint|ruff|flake8|pylint|golangci-lint|shellcheck|knip|rubocop|ktlint|swiftlint|actionlint|hadolint)\b|^cargo clippy\b|^mix credo\b/,
    "lint",
  ],
  [
    /^(?:npm|pnpm|yarn|bun|mise|make|just|deno) (?:run |task |r )?\S*(?:lint|check|audit)\S*/,
    "lint",
  ],
  [
    /^(?:npx |bunx )?(?:prettier|gofmt|goimports|rustfmt|black|isort)\b|^(?:go|cargo) fmt\b|^mix format\b|^(?:npm|pnpm|yarn|bun|mise|make|just) (?:run |r )?\S*(?:fmt|format)\S*/,
    "format",
  ],
  [
    /^(?:go|cargo|bun|zig|dotnet|swift|docker|docker compose|flutter|nix|bazel|container) build\b|^mix (?:compile|release)\b|^(?:npx |bunx )?(?:vite|webpack|rollup|esbuild|next|tsup|turbo|nx) (?:run )?build\b|^(?:webpack|rollup|esbuild|tsup|cmake|ninja)\b|^(?:mvn|gradle|\.\/gradlew) (?:\S+ )*(?:package|build|compile|assemble|install)\b|^xcodebuild\b/,
    "build",
  ],
  [
    /^(?:npm|pnpm|yarn|bun|mise|just|deno) (?:run |task |r )?\S*(?:build|compile)\S*|^make(?:$| (?:all|build)\b)/,
    "build",
  ],
  [
    /^(?:npx |bunx |pnpm |yarn )?(?:prisma|drizzle-kit|knex|sequelize|typeorm) \S*(?:migrat|push|generate)|^mix (?:ecto|ash)\.\w+|^(?:rails|rake) db:|^(?:python3? )?manage\.py (?:makemigrations|migrate)|^alembic\b|^diesel migration/,
    "migrate",
  ],
  [
    /^(?:npm|pnpm|yarn|bun) (?:install|i|add|remove|uninstall|ci|update|upgrade)\b|^(?:pip3?|uv|poetry|brew|apt|apt-get|gem|cargo|go|mix|bundle|composer) (?:pip )?(?:install|add|get|remove|deps\.get|sync|mod|update)\b|^mix deps\.\w+/,
    "install",
  ],
  [
    /^(?:ls|cat|head|tail|grep|egrep|rg|ag|find|fd|tree|cd|pwd|echo|printf|mkdir|rmdir|touch|cp|chmod|chown|wc|which|type|command|sleep|ps|kill|pkill|lsof|sed|awk|jq|sort|uniq|cut|tr|xargs|env|export|source|set|test|\[|true|false|date|du|df|stat|file|diff|ln|open|code|clear|whoami|uname|id|basename|dirname|realpath|readlink|tee|yes|read|for|while|if|do|done|then|fi|else|case|history|man|tput|pgrep|nohup|wait|until|time|timeout|sqlite3|ping|host|dig|nslookup|md5sum|sha256sum|xxd|od|hexdump|strings|less|more|tmux|screen|unset|local|return|exit|pushd|popd)\b/,
    "routine",
  ],
  [
    /^git\b|^gh\b|^glab\b|^bd\b|^(?:npm|pnpm|yarn|bun|go|cargo|mix|pip3?) (?:ls|list|view|info|show|outdated|why|doc|env|version|help|search|hex|--version|-v)\b|^\S+ --?(?:version|help|h|V)\b|^go (?:list|tool)\b|^mise (?:ls|list|which|tasks|trust)\b|^docker (?:ps|images|logs|inspect)\b|^kubectl (?:get|describe|logs)\b|^memoir\b/,
    "routine",
  ],
];

/** Reads a shell command. Here-documents, environment prefixes, `cd` and redirections are looked through. */
export function readCommand(line: string): Command {
  const flat = withoutHeredocs(line.slice(0, 6_000));
  let best: { purpose: Purpose; display: string } | undefined;
  const names: string[] = [];
  let piped = false;
  for (const group of splitOutsideQuotes(flat, /^(?:&&|\|\||;|\n)/)) {
    const stages = splitOutsideQuotes(group, /^\|(?!\|)/);
    for (const [index, stage] of stages.entries()) {
      const words = simple(stage);
      if (words === "") continue;
      const purpose = purposeOf(words);
      if (index > 0 && purpose === "routine") {
        piped = true;
        continue;
      }
      names.push(words.split(/\s+/).slice(0, 3).join(" "));
      if (best === undefined || order.indexOf(purpose) < order.indexOf(best.purpose)) {
        best = { purpose, display: words };
      }
    }
  }
  const display = (best?.display ?? line).split("\n")[0] ?? "";
  return {
    display: display.slice(0, 120).trim(),
    purpose: best?.purpose ?? "routine",
    names,
    piped,
  };
}

function purposeOf(words: string): Purpose {
  for (const [pattern, purpose] of rules) if (pattern.test(words)) return purpose;
  return "run";
}

/** One simple command without environment prefix, wrappers and redirections. */
function simple(stage: string): string {
  return stage
    .trim()
    .replace(/^[({]\s*/, "")
    .replace(/^(?:[A-Za-z_]\w*=(?:"[^"]*"|'[^']*'|\$\([^)]*\)|\S*)\s+)+/, "")
    .replace(
      /^(?:sudo|time|nohup|command|exec|env|timeout\s+(?:-\S+\s+)*\S+|bash -l?c|sh -c|bash -lc)\s+["']?/,
      "",
    )
    .replace(/^(?:[A-Za-z_]\w*=\S*\s+)+/, "")
    .replace(/^\S*\/(?:bin|\.bin|shims)\//, "")
    .replace(/\s*(?:\d|&)?>{1,2}\s*(?:&\d|\S+)/g, "")
    .replace(/\s*<\s*\S+/g, "")
    .replace(/\s+&$/, "")
    .replace(/^#.*$/gm, "")
    .trim();
}

function withoutHeredocs(text: string): string {
  return text.replace(/<<-?\s*(['"]?)(\w+)\1[\s\S]*?(?:\n\s*\2\b|$)/g, " ");
}

/** Splits at separators that stand outside quotes and parentheses. */
function splitOutsideQuotes(text: string, separator: RegExp): string[] {
  const parts: string[] = [];
  let from = 0;
  let quote = "";
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text[i] ?? "";
    if (char === "\\") i++;
    else if (quote !== "") {
      if (char === quote) quote = "";
    } else if (char === '"' || char === "'") quote = char;
    else if (char === "(") depth++;
    else if (char === ")") depth = Math.max(0, depth - 1);
    else if (depth === 0) {
      const match = separator.exec(text.slice(i, i + 2));
      if (match === null) continue;
      parts.push(text.slice(from, i));
      from = i + match[0].length;
      i = from - 1;
    }
  }
  parts.push(text.slice(from));
  return parts;
}

/** Subject and body of `git commit -m …`, also from a here-document; undefined when there is no message. */
export function commitMessage(commandLine: string): { subject: string; body: string } | undefined {
  const line = commandLine.slice(0, 10_000);
  if (!/\bgit\b[^\n|;&]{0,200}\bcommit\b/.test(line)) return undefined;
  const heredoc = /<<-?\s*['"]?(\w+)['"]?\n([\s\S]*?)\n\s*\1\b/.exec(line);
  const quoted = /(?:^|\s)(?:-[a-zA-Z]*m|--message)[\s=]*("(?:[^"\\]|\\.)*"|'[^']*')/.exec(line);
  const text =
    heredoc && /commit[\s\S]*-[a-z]*m[\s\S]*<<|commit[\s\S]*-F/.test(line)
      ? heredoc[2]
      : quoted?.[1]?.slice(1, -1).replace(/\\(["`$\\])/g, "$1");
  if (text === undefined) return undefined;
  const lines = text.trim().split("\n");
  const subject = (lines[0] ?? "").trim();
  if (subject === "" || subject.startsWith("$(")) return undefined;
  const body = lines
    .slice(1)
    .filter(
      (part) =>
        !/^\s*(?:Co-Authored-By|Signed-off-by|\S+ Generated with|Entire-)/i.test(part) &&
        !/claude\.(?:com|ai)\/code/i.test(part),
    )
    .join("\n")
    .trim();
  return { subject, body };
}
