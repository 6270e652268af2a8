// What a command's output says: passed or failed, test totals, failing tests and the error's own lines.
import type { Purpose } from "./command.ts";

/** Test counts as the runner printed them. */
export interface Totals {
  passed: number;
  failed: number;
  skipped: number;
}

export interface RunOutcome {
  /** Undefined when the output does not tell. */
  passed: boolean | undefined;
  totals?: Totals;
  /** Names of failing tests, as printed, at most 8. */
  failing: string[];
  /** The most telling error lines, most telling first, at most 3. */
  errors: string[];
}

const number = (text: string | undefined): number => Number(text ?? 0) || 0;

type TotalsReader = (output: string) => Totals | undefined;
const readers: TotalsReader[] = [
  (output) => {
    const line = /^\s*Tests:?\s+(?=.*\d+ (?:passed|failed|total))(.*)$/m.exec(output)?.[1];
    return line === undefined
      ? undefined
      : counted(line, /(\d+) passed/, /(\d+) failed/, /(\d+) (?:skipped|todo|pending)/);
  },
  (output) => {
    const pass = /^\s*(\d+) pass\b/m.exec(output);
    return pass
      ? {
          passed: number(pass[1]),
          failed: number(/^\s*(\d+) fail\b/m.exec(output)?.[1]),
          skipped: number(/^\s*(\d+) skip\b/m.exec(output)?.[1]),
        }
      : undefined;
  },
  (output) => {
    const line =
      /^=*\s*((?:\d+ (?:failed|passed|skipped|errors?|xfailed|warnings?|deselected)[, ]*)+in [\d.]+s.*)$/m.exec(
        output,
      )?.[1];
    return line === undefined
      ? undefined
      : counted(line, /(\d+) passed/, /(\d+) (?:failed|errors?)/, /(\d+) skipped/);
  },
  (output) => {
    const all = [
      ...output.matchAll(/test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored/g),
    ];
    return all.length === 0
      ? undefined
      : all.reduce(
          (sum, match) => ({
            passed: sum.passed + number(match[1]),
            failed: sum.failed + number(match[2]),
            skipped: sum.skipped + number(match[3]),
          }),
          { passed: 0, failed: 0, skipped: 0 },
        );
  },
  (output) => {
    const match =
      /(?:(\d+) doctests?, )?(\d+) tests?, (\d+) failures?(?:, (\d+) (?:skipped|excluded))?/.exec(
        output,
      );
    if (match === null) return undefined;
    const failed = number(match[3]);
    return {
      passed: Math.max(0, number(match[1]) + number(match[2]) - failed - number(match[4])),
      failed,
      skipped: number(match[4]),
    };
  },
  (output) => {
    const match = /(\d+) examples?, (\d+) failures?/.exec(output);
    return match
      ? { passed: number(match[1]) - number(match[2]), failed: number(match[2]), skipped: 0 }
      : undefined;
  },
  (output) => {
    const pass = /^# pass (\d+)/m.exec(output);
    return pass
      ? {
          passed: number(pass[1]),
          failed: number(/^# fail (\d+)/m.exec(output)?.[1]),
          skipped: number(/^# skipped (\d+)/m.exec(output)?.[1]),
        }
      : undefined;
  },
  (output) => {
    const match = /Tests run: (\d+), Failures: (\d+)(?:, Errors: (\d+))?(?:, Skipped: (\d+))?/.exec(
      output,
    );
    if (match === null) return undefined;
    const failed = number(match[2]) + number(match[3]);
    return {
      passed: number(match[1]) - failed - number(match[4]),
      failed,
      skipped: number(match[4]),
    };
  },
];

function counted(line: string, pass: RegExp, fail: RegExp, skip: RegExp): Totals {
  return {
    passed: number(pass.exec(line)?.[1]),
    failed: number(fail.exec(line)?.[1]),
    skipped: number(skip.exec(line)?.[1]),
  };
}

const failureMarks =
  /^(?:FAIL\b|--- FAIL|not ok \d|\s*✗|\s*✖|\s*✕|.*\bERROR task failed|npm ERR!|error: script ".*" exited|.*\bBUILD FAILED|error(?:\[\w+\])?:|.*: error TS\d+|Error:|\s*[1-9]\d* (?:failed|failures?|errors?)\b|[1-9]\d* issues?:|.*\bexit (?:code|status) [1-9]|Found [1-9]\d* errors?|panic:|\*\* \(\w+Error\)|Traceback \(most recent|== Compilation error|.*Command failed with exit code [1-9]|CONFLICT \(|fatal: )/m;
const successMarks =
  /^(?:PASS\b|ok\s+\S+|0 issues|.*\b0 (?:failures|errors|fail|failed)\b|.*test result: ok|.*found no issues|.*(?:build|compiled) success|.*BUILD SUCCESS|.*All (?:checks|tests|files) pass|.*✓ built in|Finished|Generated \w+ app|Done in|.*\(passed successfully\))/im;

const errorShapes: Array<[RegExp, number]> = [
  [
    /^\s*\S+\.\w{1,5}(?::\d+|\(\d+,\d+\)).{0,6}\s.*(?:error|undefined|cannot|expected|unexpected|not |missing|unused|undeclared|invalid|should)/i,
    9,
  ],
  [/^\s*\*\* \(\w+/, 9],
  [/^\s*(?:[\w.]*(?:Error|Exception)):\s+\S/, 8],
  [/^\s*(?:E\s{2,})(?!\s*assert\s*$)\S.*(?:Error|assert)/, 8],
  [/^\s*panic:\s/, 8],
  [/^\s*error(?:\[\w+\])?:\s+\S/i, 7],
  [/^\s*\S+\.\w{1,5}:\d+(?::\d+)?:?\s+\S.{8,}/, 7],
  [/^\s*(?:Expected|expected)\b.*|^\s*.*\b(?:want|got)\b[:= ].*/, 5],
  [/^\s*(?:Assertion with|left:|right:)/, 4],
  [/^\s*(?:CONFLICT \(|fatal:)/, 8],
  [/^\s*--- FAIL: /, 6],
  [/^\s*(?:●|✗|✖|✕|×|\(fail\))\s*\S/, 5],
  [/^\s*\d+\) test .+/, 6],
  [
    /\b(?:not found|no such file|permission denied|cannot find|undefined|does not exist|timed? ?out|refused|unresolved)\b/i,
    5,
  ],
];
const hollow =
  /^error: [|>][-+]?$|expect\(received\)|task failed|script ".*" exited|ELIFECYCLE|exit (?:code|status)|^npm (?:ERR|error) (?:A complete|code|path|command)|^\s*at\s|^\s*FAIL\s*$|Command failed|^make: \*\*\*|^error: (?:aborting|could not compile)|^error Command|Found \d+ errors?|\d+ (?:problems|issues)/i;
const failingShapes = [
  /--- FAIL: (\S+)/g,
  /^\s*(?:✗|✖|✕|×|\(fail\))\s+(.{3,100}?)(?:\s+[[(]?[\d.]+\s?m?s[\])]?)?$/gm,
  /^\s*● (.{3,100})$/gm,
  /^FAILED (\S+)/gm,
  /^\s*\d+\) test (.{3,100}?)(?: \([\w.]+\))?$/gm,
  /^test (\S+) \.\.\. FAILED$/gm,
  /^not ok \d+ - (.{3,100})$/gm,
];

/** Reads a run's output. `failed` is true when the client reported a failure; `piped` when an exit code says nothing. */
export function readOutput(
  output: string,
  context: { failed: boolean; piped: boolean; purpose: Purpose },
): RunOutcome {
  // Blank lines go: rules that start with `^\s*` would walk through a run of them from each of its lines.
  const text = ends(output, 40_000)
    .split("\n")
    .filter((line) => line.trim() !== "")
    .join("\n");
  let totals: Totals | undefined;
  for (const reader of readers) {
    totals = reader(text);
    if (totals !== undefined) break;
  }
  const checks =
    context.purpose !== "routine" &&
    context.purpose !== "run" &&
    context.purpose !== "install" &&
    context.purpose !== "commit";
  let passed: boolean | undefined;
  if (context.failed || (totals?.failed ?? 0) > 0) passed = false;
  else if (totals !== undefined && context.purpose === "test") passed = true;
  else if (checks && context.piped && failureMarks.test(text)) passed = false;
  else if (totals !== undefined || successMarks.test(text)) passed = true;
  else if (!context.piped) passed = true;
  else if (checks && text.trim() === "") passed = true;
  const outcome: RunOutcome = { passed, failing: [], errors: [] };
  if (totals !== undefined) outcome.totals = totals;
  if (passed === false) {
    outcome.failing = failingTests(text);
    outcome.errors = errorLines(text);
  }
  return outcome;
}

/** A text's beginning and end, in about `most` characters. */
export function ends(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most / 2)}\n${text.slice(-most / 2)}`;
}

function failingTests(text: string): string[] {
  const names = new Set<string>();
  for (const shape of failingShapes) {
    for (const match of text.matchAll(shape)) names.add((match[1] ?? "").trim());
    if (names.size > 0) break;
  }
  const all = [...names];
  return all.filter((name) => !all.some((other) => other.startsWith(`${name}/`))).slice(0, 8);
}

function errorLines(text: string): string[] {
  const scored: Array<{ line: string; score: number; at: number }> = [];
  for (const [at, raw] of text.split("\n").entries()) {
    const line = raw
      .replace(/^\[[\w:-]+\]\s*/, "")
      .replace(/^\s*\d+[→│|]\s?/, "")
      .trim();
    if (line.length < 8 || line.length > 600 || hollow.test(line)) continue;
    for (const [shape, score] of errorShapes) {
      if (!shape.test(line)) continue;
      scored.push({ line: line.replace(/^E\s{2,}/, ""), score, at });
      break;
    }
    if (at > 3_000) break;
  }
  // TAP, as Node's own test runner prints it: the message is a block of indented lines, the values stand beside it.
  const tap =
    /^\s*error: [|>][-+]?\n\s*(\S.*)$(?:[\s\S]{0,600}?^\s*expected: (.{1,80})\n\s*actual: (.{1,80})$)?/m.exec(
      text,
    );
  if (tap) {
    const [, message = "", expected, actual] = tap;
    const line = expected ? `expected ${expected}, received ${actual}` : message.trim();
    scored.push({ line, score: 7.5, at: 0 });
  }
  const assertion =
    /^\s*Expected(?: value)?:? +(\S.{0,80})\n(?:.*\n){0,2}?\s*Received(?: value)?:? +(\S.{0,80})$/m.exec(
      text,
    );
  if (assertion)
    scored.push({
      line: `expected ${assertion[1]?.trim()}, received ${assertion[2]?.trim()}`,
      score: 7.5,
      at: 0,
    });
  scored.sort((left, right) => right.score - left.score || left.at - right.at);
  return [...new Set(scored.map((entry) => entry.line))].slice(0, 3);
}
