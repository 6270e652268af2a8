// Shortens what compilers, linters, package managers and image builders print: progress goes, errors and warnings stay once.

import type { Policy } from "../policy.ts";
import { type LogKind, shortenLog } from "./log.ts";
import type { Row, Shorten } from "./rows.ts";
import { isTrouble } from "./rows.ts";

const command =
  /(?:^|[\s;&|(])(?:(?:npm|pnpm|yarn|bun)\s+(?:i|ci|install|add|run\s+\S*(?:build|lint|check|compile)\S*|build|audit)|npx\s+(?:tsc|eslint|vite|webpack)|tsc|eslint|biome|vite\s+build|webpack|rollup|esbuild|pip3?\s+install|uv\s+(?:pip|sync|add)|poetry\s+install|cargo\s+(?:build|check|clippy|install|fetch)|rustc|go\s+(?:build|vet|mod|get|install|generate)|golangci-lint|make|cmake|ninja|gcc|g\+\+|clang(?:\+\+)?|mvn|gradle|\.\/gradlew|dotnet\s+(?:build|restore)|docker(?:\s+compose|-compose)?\s+(?:build|pull|push|up)|apt(?:-get)?\s+\S*install|brew\s+install|bundle\s+install|gem\s+install|mix\s+(?:compile|deps\.\w+)|terraform|ansible-playbook|ruff|mypy|pylint|swift\s+build|xcodebuild|git\s+(?:push|clone|fetch|pull))\b/;

/** Bars: costly to look for, so only where there is a percentage. */
const bar = /(?:^|\s)\[?[=#█▓▒░━─>.\s-]{8,}\]?\s*\d{1,3}(?:\.\d+)?\s?%/;
const progress = [
  /^\s*(?:[\w ./:@-]+\s)?\d{1,3}(?:\.\d+)?\s?%(?:\s*[|[(].*)?$/,
  /^[⠁-⣿◐◓◑◒]\s/u,
  // One line for each thing fetched or compiled.
  /^\s*(?:Compiling|Downloading|Downloaded|Checking|Fresh|Fetching|Unpacking|Installing|Preparing|Updating|Building wheel|Collecting|Using cached|Requirement already satisfied|Resolving|Linking|Extracting|Pulling|Selecting previously|Setting up|Reading package|Processing triggers)\b(?!.*\berror\b)/i,
  /^\s*(?:Get|Hit|Ign):\d+ /,
  /^npm (?:http|timing|sill|verb)\b/,
  /^#\d+ (?:sha256:|extracting|\d+\.\d+ (?:Get|Selecting|Unpacking|Setting up|Preparing|Reading)|transferring|CACHED|DONE)/,
  /^\s*[0-9a-f]{12}: (?:Pulling|Waiting|Download|Verifying|Pull complete|Pushed|Preparing|Layer|Mounted|Already)/,
  /^go: downloading /,
  /^\[\s*\d+\/\d+\]\s/,
  /^\[\s*\d+%\]\s/,
  /^(?:remote: )?(?:Counting|Compressing|Receiving|Writing|Resolving|Enumerating)\s\w+:/,
  /^\[INFO\]\s*(?:Download|$|-{5,})/,
  /^make(?:\[\d+\])?: (?:Entering|Leaving) directory/,
];

const isProgress = (line: string): boolean =>
  line.length < 400 &&
  ((line.includes("%") && bar.test(line)) || progress.some((form) => form.test(line))) &&
  !isTrouble(line);

/** Totals, and what a script says that it runs next. */
const total =
  /^> \S|^\s*(?:Checked \d+|added|removed|changed|audited|up to date|found|Finished|Successfully|BUILD|Build|built in|Done|✖ \d+|\d+ (?:errors?|warnings?|problems?))\b/i;

/** Most lines of one compiler message. */
const mostOfOne = 30;

/** An error's own paragraph: from the line that tells it to the blank line after, within the budget. */
function messages(rows: readonly Row[], policy: Policy): Set<number> {
  const found = new Set<number>();
  let budget = policy.failureCharacters;
  for (let at = 0; at < rows.length && budget > 0; at++) {
    if (!/\berror\b|\bpanic/i.test(rows[at]?.text ?? "") || !isTrouble(rows[at]?.text ?? ""))
      continue;
    for (let to = at; to < Math.min(rows.length, at + mostOfOne); to++) {
      const row = rows[to];
      if (!row || (to > at && row.text.trim() === "")) break;
      if (!found.has(row.line)) budget -= row.text.length;
      found.add(row.line);
    }
  }
  return found;
}

const kind: LogKind = {
  how: "kept errors, warnings and the last lines",
  isNoise: isProgress,
  listsNoise: false,
  isTotal: (line) => total.test(line),
  whole: messages,
};

/** Commands that build, check, install or fetch; and any output with that much progress in it. */
export const shortenBuild: Shorten = (text, policy, origin) =>
  command.test(origin.command) || isMostlyProgress(text)
    ? shortenLog(text, policy, origin, kind)
    : undefined;

function isMostlyProgress(text: string): boolean {
  const some = text.split("\n", 400);
  const shown = some.filter((line) => line.trim() !== "");
  return shown.length >= 20 && shown.filter(isProgress).length > shown.length / 3;
}

// Shortens what test runners print: what a runner calls failed stays whole, passing tests are counted. Totals and the rest come back at the second look.

const testCommand =
  /(?:^|[\s;&|(/])(?:bun\s+(?:run\s+)?test|(?:npm|pnpm|yarn)\s+(?:run\s+)?(?:-\S+\s+)*test\S*|npx\s+(?:jest|vitest|mocha|playwright)|jest|vitest|mocha|ava|playwright\s+test|deno\s+test|node\s+--test|pytest|py\.test|python3?\s+-m\s+(?:pytest|unittest)|tox|go\s+test|gotestsum|cargo\s+(?:nextest|test)|mix\s+test|rspec|rake\s+test|phpunit|dotnet\s+test|ctest|swift\s+test|mvn\s+(?:-\S+\s+)*(?:test|verify)|gradlew?\s+\S*test)\b/i;

/** A test, or a file of them, that passed or was merely begun. */
const passing = [
  /^\s*(?:\(pass\)|[✓✔√]|PASS(?:ED)?\b|ok \d+\b|\[\s*(?:OK|PASSED|RUN)\s*\])/,
  /^=== (?:RUN|PAUSE|CONT|NAME)\s/,
  /^\s*--- (?:PASS|SKIP): /,
  /^test .+ \.\.\. (?:ok|ignored)\b/,
  /^\S+::\S.*\sPASSED\b/,
  /^\S+\.py\s+[.sx]+\s+\[\s*\d+%\]$/,
  /^[.sSx*]{10,}(?:\s+\[\s*\d+%\])?$/,
  /^\s*(?:\(skip\)|[○◌↓-] .*(?:skipped|skip\b))/,
  /\.\.\. ok$/,
  /^# Subtest: /,
  /^\[INFO\] (?:Running \S+$|Tests run: \d+, Failures: 0, Errors: 0\b.* in \S+$)/,
];
/** A runner's own word for a failure. */
const verdict =
  /^\s*(?:\(fail\)|[✗✘✕×❌●]|FAIL(?:ED|URE)?\b|not ok\b|--- FAIL|panic:|thread '.*' panicked|E {2,}|Traceback|\d+\) )|\bFAILED\b|\bAssertionError\b|<<< (?:FAILURE|ERROR)!|={3,} (?:FAILURES|ERRORS|short test summary)|^failures:|^Failures:/;

const isPassing = (line: string): boolean =>
  passing.some((form) => form.test(line)) && !/^\s*ok\s+\S+\s+(?:\d|\(cached)/.test(line);

const runner =
  /^(?:bun test v|=+ test session starts|running \d+ tests?$|TAP version|\s*RUN\s+v\d| {2}RUN |=== RUN )/m;

/** Lines between two that part the log, and the Go test that said them. */
interface Stretch {
  owner: string;
  rows: Row[];
}

/** Passing tests, and a Go runner's `=== RUN`, part the log into stretches. */
function stretches(rows: readonly Row[]): Stretch[] {
  const found: Stretch[] = [];
  let open: Stretch = { owner: "", rows: [] };
  for (const row of rows) {
    const begun = /^=== (?:RUN|NAME|CONT)\s+(\S+)/.exec(row.text);
    if (!begun && !isPassing(row.text)) {
      open.rows.push(row);
      continue;
    }
    if (open.rows.length > 0) found.push(open);
    open = { owner: begun?.[1] ?? "", rows: [] };
  }
  return open.rows.length > 0 ? [...found, open] : found;
}

/** The rows of what failed: a stretch in which a runner says so, and what a failing Go test said elsewhere. */
function failures(
  rows: readonly Row[],
  policy: Policy,
  isFailed: (test: string) => boolean,
): Set<number> {
  const kept = new Set<number>();
  let room = policy.failureCharacters;
  for (const { owner, rows: said } of stretches(rows)) {
    if (!isFailed(owner) && !said.some(({ text }) => verdict.test(text))) continue;
    for (const { line, text } of said) {
      if (room <= 0) return kept;
      kept.add(line);
      room -= text.length + 1;
    }
  }
  return kept;
}

/** The rows that a passing test said: between a Go runner's lines, or in the notes below TAP's `ok`. */
function saidByPassing(rows: readonly Row[], passed: ReadonlySet<string>): Set<number> {
  const found = new Set<number>();
  for (const { owner, rows: said } of stretches(rows))
    if (passed.has(owner)) for (const { line } of said) found.add(line);
  let isBelow = false;
  let isNote = false;
  for (const { line, text } of rows) {
    if (/^\s*(?:not )?ok \d+\b/.test(text)) isBelow = !text.trim().startsWith("not");
    else if (isBelow && /^\s+---$/.test(text)) isNote = true;
    if (isNote) found.add(line);
    if (/^\s+\.\.\.$/.test(text)) isNote = false;
  }
  return found;
}

/** Output of test runners, recognized by the command or by the runner's own first lines. */
export const shortenTests: Shorten = (text, policy, origin) => {
  if (!testCommand.test(origin.command) && !runner.test(text)) return undefined;
  const verdicts = (word: string) =>
    new Set(
      [...text.matchAll(new RegExp(`^\\s*--- ${word}: (\\S+)`, "gm"))].map(
        ([, name]) => name ?? "",
      ),
    );
  const failed = verdicts("FAIL");
  const passed = verdicts("PASS");
  const kind: LogKind = {
    how: "kept failures and totals",
    isNoise: isPassing,
    noiseRows: (rows) => saidByPassing(rows, passed),
    whole: (rows) =>
      failures(rows, policy, (test) => failed.has(test)).difference(saidByPassing(rows, passed)),
    headLines: 5,
    troubleCharacters: 2_000,
  };
  return shortenLog(text, policy, origin, kind);
};
