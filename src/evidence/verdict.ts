// What a run says of itself where its exit is hidden, behind a pipe or by a later command: its tools' own last words. Pure.

/** Marks and labels that runners put before their words: `[test] `, `--- `, ` ✖ `. */
const label = String.raw`^[ \t]*(?:\[[\w:.-]+\] +)?[^\p{L}\p{N}\s[\]]* *(?:Tests?:? +|Found )?`;
const some = String.raw`[1-9]\d*(?: \p{L}+)?`;
const troubles = "(?:failed|failures?|fail|failing|errors?|issues?|problems?)";

/** By a first word in capitals, by a count, or as compilers write. Each has an example in the tests. */
const failed = new RegExp(
  [
    String.raw`${label}(?:FAIL|FAILED|ERROR)(?=[:\s]|$)`,
    String.raw`${label}${some} ${troubles}\b`,
    String.raw`\b${some} failed\b|\bFAILED\. `,
    String.raw`^(?:error(?:\[\w+\])?:|make(?:\[\d+\])?: \*\*\*|npm (?:ERR!|error) |exit status [1-9])`,
    String.raw`^[^\s:(]+\.\w+[:(]\d+[:,]\d+\)?:? error(?::| [A-Z]+\d+:)`,
  ].join("|"),
  "u",
);

const passed = new RegExp(
  [
    String.raw`^[ \t]*(?:\[[\w:.-]+\] +)?(?:ok|PASS|PASSED)(?=[:\s]|$)`,
    String.raw`${label}0 ${troubles}\b`,
    String.raw`\b${some} pass(?:ed|ing)?\b|\bresult: ok\b`,
  ].join("|"),
  "u",
);

/** Of a longer line the beginning is read. */
const longestLine = 400;

/** What an output says of its run, in the words of a runner, linter or compiler; undefined where it says nothing. Each line is read by itself, whatever an output is made of. */
export function runVerdict(output: string): "failed" | "passed" | undefined {
  const lines = output.split("\n").map((line) => line.slice(0, longestLine).trimEnd());
  if (lines.some((line) => failed.test(line))) return "failed";
  return lines.some((line) => passed.test(line)) ? "passed" : undefined;
}
