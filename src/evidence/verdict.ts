// What a run says of itself where its exit is hidden, behind a pipe or by a later command: its tools' own last words. Pure.

/** Marks and labels that runners put before their words: `[test] `, `--- `, ` ✖ `. */
const label = String.raw`^\s*(?:\[[\w:.-]+\]\s+)?[^\p{L}\p{N}\s[\]]*\s*(?:Tests?:?\s+|Found )?`;
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
  "mu",
);

const passed = new RegExp(
  [
    String.raw`^\s*(?:\[[\w:.-]+\]\s+)?(?:ok|PASS|PASSED)(?=[:\s]|$)`,
    String.raw`${label}0 ${troubles}\b`,
    String.raw`\b${some} pass(?:ed|ing)?\b|\bresult: ok\b`,
  ].join("|"),
  "mu",
);

/** What an output says of its run, in the words of a runner, linter or compiler; undefined where it says nothing. */
export function verdictOf(output: string): "failed" | "passed" | undefined {
  if (failed.test(output)) return "failed";
  return passed.test(output) ? "passed" : undefined;
}
