// Shortens what test runners print: failures stay whole, totals stay, passing tests are counted.
import type { Policy } from "../policy.ts";
import { type LogKind, shortenLog } from "./log.ts";
import type { Row } from "./rows.ts";
import type { Shorten } from "./shortened.ts";

const command =
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
];
const failing =
  /^\s*(?:\(fail\)|[✗✘✕×❌●❯]|FAIL(?:ED|URE)?\b|not ok\b|--- FAIL|panic:|thread '.*' panicked|E {2,}|Traceback|\d+\) )|\bFAILED\b|\bAssertionError\b|\bassertion\b.*\bfailed\b|\b(?:Error|Exception|panic):|^\s*error(?::|\[)|<<< (?:FAILURE|ERROR)!|={3,} (?:FAILURES|ERRORS|short test summary)|^failures:|^Failures:|Expected:?\b.*|^\s*(?:left|right): /;
const total =
  /^\s*(?:Test(?:s| Suites| Files)|Snapshots|Time|Duration|Start at|Ran \d+|\d+ (?:pass|fail|skip|tests?|examples?|passing|failing|pending|filtered out|expect)|# (?:tests|pass|fail|skipped|suites)|test result:|Tests run:|(?:ok|FAIL|\?)\s+\S+\s+(?:\d|\(cached\)|\[)|={3,} .*\b(?:passed|failed|error)|Finished in|OK$|OK \(|FAILED \(|BUILD )/;

const isPassing = (line: string): boolean =>
  passing.some((form) => form.test(line)) && !/^\s*ok\s+\S+\s+(?:\d|\(cached)/.test(line);

const runner =
  /^(?:bun test v|=+ test session starts|running \d+ tests?$|TAP version|\s*RUN\s+v\d| {2}RUN |=== RUN )/m;

/**
 * The rows of what failed. Passing tests part the log into stretches; a stretch that tells of a failure is kept
 * whole, and so is what a failing Go test said elsewhere.
 */
function failures(rows: readonly Row[], policy: Policy, failed: ReadonlySet<string>): Set<number> {
  const kept = new Set<number>();
  let budget = policy.failureCharacters;
  let stretch: Row[] = [];
  let owner = "";
  const close = (): void => {
    if (failed.has(owner) || stretch.some(({ text }) => failing.test(text))) {
      for (const { line, text } of stretch) {
        if (budget <= 0) break;
        kept.add(line);
        budget -= text.length + 1;
      }
    }
    stretch = [];
  };
  for (const row of rows) {
    const begun = /^=== (?:RUN|NAME|CONT)\s+(\S+)/.exec(row.text);
    if (begun || isPassing(row.text)) {
      close();
      owner = begun?.[1] ?? "";
      if (failed.has(owner)) kept.add(row.line);
    } else stretch.push(row);
  }
  close();
  return kept;
}

/** Output of test runners, told by the command or by the runner's own first lines. */
export const shortenTests: Shorten = (text, policy, origin) => {
  if (!command.test(origin.command) && !runner.test(text)) return undefined;
  const failed = new Set([...text.matchAll(/^\s*--- FAIL: (\S+)/gm)].map(([, name]) => name ?? ""));
  const kind: LogKind = {
    how: "kept failures and totals",
    isNoise: isPassing,
    noise: "of passing tests",
    isTotal: (line) => total.test(line),
    whole: (rows) => failures(rows, policy, failed),
    headLines: 5,
    troubleCharacters: 2_000,
  };
  return shortenLog(text, policy, kind);
};
