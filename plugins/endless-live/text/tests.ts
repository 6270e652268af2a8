// Shortens what test runners print: what a runner calls failed stays whole, passing tests are counted. Totals and the rest come back at the second look.

import type { Policy } from "../policy.ts";
import { type LogKind, shortenLog } from "./log.ts";
import { anyOf, type Row, type Shorten } from "./rows.ts";

const testCommand =
  /(?:^|[\s;&|(/])(?:bun\s+(?:run\s+)?test|(?:npm|pnpm|yarn)\s+(?:run\s+)?(?:-\S+\s+)*test\S*|npx\s+(?:jest|vitest|mocha|playwright)|jest|vitest|mocha|ava|playwright\s+test|deno\s+test|node\s+--test|pytest|py\.test|python3?\s+-m\s+(?:pytest|unittest)|tox|go\s+test|gotestsum|cargo\s+(?:nextest|test)|mix\s+test|rspec|rake\s+test|phpunit|dotnet\s+test|ctest|swift\s+test|mvn\s+(?:-\S+\s+)*(?:test|verify)|gradlew?\s+\S*test)\b/i;

/** A test, or a file of them, that passed or was merely begun. */
const passing = anyOf([
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
]);
/** A runner's own word for a failure. */
const verdict =
  /^\s*(?:\(fail\)|[✗✘✕×❌●]|FAIL(?:ED|URE)?\b|not ok\b|--- FAIL|panic:|thread '.*' panicked|E {2,}|Traceback|\d+\) )|\bFAILED\b|\bAssertionError\b|<<< (?:FAILURE|ERROR)!|={3,} (?:FAILURES|ERRORS|short test summary)|^failures:|^Failures:/;

const isPassing = (line: string): boolean =>
  passing.test(line) && !/^\s*ok\s+\S+\s+(?:\d|\(cached)/.test(line);

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
  };
  return shortenLog(text, policy, origin, kind);
};
