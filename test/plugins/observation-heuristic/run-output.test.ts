// Outputs of test runners, compilers and linters: passed or failed, totals, failing tests, the telling error line.
import { describe, expect, test } from "bun:test";
import type { Purpose } from "../../../plugins/observation-heuristic/command.ts";
import { readOutput, type Totals } from "../../../plugins/observation-heuristic/run-output.ts";

const run = (output: string, purpose: Purpose = "test", failed = false, piped = true) =>
  readOutput(output, { failed, piped, purpose });

describe("totals", () => {
  const totals: Array<[string, string, Totals]> = [
    [
      "jest",
      "Tests:       1 failed, 2 skipped, 12 passed, 15 total",
      { passed: 12, failed: 1, skipped: 2 },
    ],
    [
      "vitest",
      " Test Files  1 failed | 3 passed (4)\n      Tests  2 failed | 10 passed (12)",
      { passed: 10, failed: 2, skipped: 0 },
    ],
    ["bun", " 12 pass\n 1 skip\n 0 fail\n", { passed: 12, failed: 0, skipped: 1 }],
    [
      "pytest",
      "=========== 1 failed, 11 passed, 2 skipped in 0.12s ===========",
      { passed: 11, failed: 1, skipped: 2 },
    ],
    [
      "cargo",
      "test result: ok. 7 passed; 0 failed; 1 ignored; 0 measured\ntest result: ok. 3 passed; 0 failed; 0 ignored",
      { passed: 10, failed: 0, skipped: 1 },
    ],
    ["mix", "14 doctests, 127 tests, 2 failures", { passed: 139, failed: 2, skipped: 0 }],
    ["rspec", "12 examples, 1 failure", { passed: 11, failed: 1, skipped: 0 }],
    ["node", "# tests 5\n# pass 4\n# fail 1\n# skipped 0", { passed: 4, failed: 1, skipped: 0 }],
    [
      "maven",
      "Tests run: 12, Failures: 1, Errors: 1, Skipped: 2",
      { passed: 8, failed: 2, skipped: 2 },
    ],
  ];
  test.each(totals)("%s", (_runner, output, expected) => {
    const outcome = run(output);
    expect(outcome.totals).toEqual(expected);
    expect(outcome.passed).toBe(expected.failed === 0);
  });
});

describe("passed or failed", () => {
  const verdicts: Array<[string, string, Purpose, boolean, boolean, boolean | undefined]> = [
    [
      "go, behind a pipe",
      "ok  \tshop/cart\t0.2s\n--- FAIL: TestTotal (0.00s)\nFAIL\tshop/api",
      "test",
      false,
      true,
      false,
    ],
    ["go, all ok", "ok  \tshop/cart\t(cached)\nok  \tshop/api\t1.2s", "test", false, true, true],
    [
      "golangci-lint, piped",
      "a.go:3:1: string x has 3 occurrences (goconst)\n1 issues:\n* goconst: 1",
      "lint",
      false,
      true,
      false,
    ],
    ["golangci-lint, clean", "0 issues.", "lint", false, true, true],
    ["tsc, silent", "", "types", false, false, true],
    ["tsc, piped, silent", "", "types", false, true, true],
    [
      "a script whose output names errors",
      "parsed 3 files, error: none found",
      "run",
      false,
      false,
      true,
    ],
    ["an exit code", "anything", "run", true, false, false],
    ["cut output that does not tell", "compiling…", "build", false, true, undefined],
  ];
  test.each(verdicts)("%s", (_name, output, purpose, failed, piped, passed) => {
    expect(run(output, purpose, failed, piped).passed).toBe(passed);
  });
});

describe("the error's own line", () => {
  const errors: Array<[string, string, string]> = [
    [
      "tsc",
      "src/a.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.\nFound 1 error.",
      "src/a.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.",
    ],
    [
      "go",
      "# shop/cart\n./cart.go:12:9: undefined: discount\nFAIL",
      "./cart.go:12:9: undefined: discount",
    ],
    [
      "node",
      "node:internal/modules:1\n  throw err;\nTypeError: total is not a function\n    at run (a.js:1:1)",
      "TypeError: total is not a function",
    ],
    [
      "rust",
      "error[E0425]: cannot find value `x` in this scope\n --> src/main.rs:2:5\nerror: could not compile `shop`",
      "error[E0425]: cannot find value `x` in this scope",
    ],
    [
      "elixir",
      "== Compilation error in file lib/a.ex ==\n** (CompileError) lib/a.ex:3: undefined function total/1",
      "** (CompileError) lib/a.ex:3: undefined function total/1",
    ],
    [
      "npm",
      "npm ERR! code ELIFECYCLE\nnpm ERR! errno 1\nError: listen EADDRINUSE: address already in use",
      "Error: listen EADDRINUSE: address already in use",
    ],
    [
      "node --test, with values",
      "not ok 1 - takes ten percent off\n  ---\n  error: |-\n    Expected values to be strictly equal:\n    \n    80 !== 90\n    \n  code: 'ERR_ASSERTION'\n  expected: 90\n  actual: 80\n  ...\n# pass 0\n# fail 1",
      "expected 90, received 80",
    ],
    [
      "node --test, with a message",
      "not ok 1 - opens\n  ---\n  error: |-\n    The till is locked by another process\n  code: 'ERR'\n  ...",
      "The till is locked by another process",
    ],
  ];
  test.each(errors)("%s", (_tool, output, line) => {
    expect(run(output, "build", true, false).errors[0]).toBe(line);
  });

  test("is looked for in failures only, and failing tests are named once", () => {
    expect(run("Error: nothing wrong\n3 pass\n0 fail").errors).toEqual([]);
    expect(
      run("--- FAIL: TestA (0.1s)\n    --- FAIL: TestA/sub (0.0s)\nFAIL", "test", true).failing,
    ).toEqual(["TestA/sub"]);
  });
});
