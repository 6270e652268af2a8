// What test runners print, runner by runner: what is told of a failure, of a total, and of what passed.
import { describe, expect, test } from "bun:test";
import { lookAgain } from "../../../../plugins/endless-live/look/look.ts";
import { shortenTests } from "../../../../plugins/endless-live/text/tests.ts";
import { defaultPolicy } from "../cases.ts";

const shorten = (lines: readonly string[], command = "bun test", moved = {}) =>
  shortenTests(lines.join("\n"), { ...defaultPolicy, ...moved }, { command });
const told = (...asked: Parameters<typeof shorten>) => shorten(...asked)?.text.split("\n") ?? [];
/** What is read in the end. */
const read = (...asked: Parameters<typeof shorten>) => {
  const short = shorten(...asked);
  return short ? lookAgain(asked[0].join("\n"), short).text.split("\n") : asked[0];
};
const passed = (count: number, form = (at: number) => `(pass) rounds the total ${at}`) =>
  Array.from({ length: count }, (_, at) => form(at));
const chatter = (count: number) =>
  Array.from({ length: count }, (_, at) => `served order ${at} of the many`);

describe("is told by its command", () => {
  const lines = passed(50);
  test.each([
    ...["bun test", "bun run test", "npm test", "npm run -s test:unit", "pnpm test", "yarn test"],
    ...["npx vitest run", "npx playwright test", "jest --ci", "cd x && mocha", "ava"],
    ...["deno test -A", "node --test", "pytest -q", "python -m pytest", "python3 -m unittest"],
    ...["tox", "go test ./...", "gotestsum", "cargo test", "cargo nextest run", "mix test"],
    ...["bundle exec rspec", "rake test", "./vendor/bin/phpunit", "dotnet test", "ctest"],
    ...["swift test", "mvn -q verify", "mvn test", "./gradlew :app:test", "PYTEST"],
  ])("%s", (command) => {
    expect(shorten(lines, command)?.how).toBe("kept failures and totals");
  });
  test.each(["cat test.log", "bun run build", "attest x", "go build", ""])(
    "not `%s`",
    (command) => {
      expect(shorten(lines, command)).toBeUndefined();
    },
  );
  test.each([
    ...["bun test v1.4.5", "===== test session starts =====", "running 3 tests", "TAP version 13"],
    ...[" RUN  v3.0.0", "=== RUN   TestTotal"],
  ])("or by the runner's own line: %s", (line) => {
    expect(shorten([line, ...lines], "./check")).toBeDefined();
  });
});

describe("passes, and is only counted", () => {
  test.each([
    ...["(pass) rounds", "  ✓ rounds", "√ rounds", "PASS src/a.test.ts", "PASSED rounds"],
    ...["ok 7 - rounds", "[       OK ] rounds", "[ RUN      ] rounds", "=== RUN   TestA"],
    ...["=== PAUSE TestA", "--- PASS: TestA (0.00s)", "    --- SKIP: TestA (0.00s)"],
    ...[
      "test cart::rounds ... ok",
      "test cart::slow ... ignored",
      "tests/a.py::rounds PASSED [ 3%]",
    ],
    ...["tests/a.py ..s.x  [ 40%]", "............", "..s.......  [ 12%]", "(skip) rounds"],
    ...["○ rounds (skipped)", "test_total (cart.Tests) ... ok", "# Subtest: rounds"],
    ...["[INFO] Running cart.TotalTest"],
    "[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s - in cart.TotalTest",
  ])("%s", (line) => {
    const short = shorten([...chatter(3), ...Array(9).fill(line), ...chatter(6).slice(3)]);
    expect(short?.leftOut).toBe("9 of 15 lines");
  });

  test.each([
    ...["ok  \tacme/cart\t0.31s", "ok acme/cart (cached)", "passes the basket on", "........."],
    "[INFO] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0 - in cart.TotalTest",
  ])("%s is not of them", (line) => {
    const short = shorten([...chatter(3), line, ...chatter(6).slice(3)]);
    expect(short).toBeUndefined();
  });
});

const between = (said: readonly string[]) => [...passed(40), ...said, ...passed(40)];

describe("a failure is told with what was said around it", () => {
  test.each([
    ...["(fail) rounds", "  ✗ rounds", "✘ rounds", "× rounds", "● rounds", "FAIL src/a.test.ts"],
    ...["FAILURE in rounds", "not ok 3 - rounds", "--- FAIL: TestA", "panic: no order"],
    ...["thread 'main' panicked at src/a.rs", "E   assert 3 == 4", "Traceback (most recent)"],
    ...["1) rounds the total", "tests/a.py::rounds FAILED", "AssertionError [ERR]: 3"],
    ...["[ERROR] rounds <<< FAILURE!", "==== FAILURES ====", "failures:", "Failures:"],
  ])("%s", (line) => {
    const said = [...chatter(30), line, ...chatter(60).slice(30)];
    expect(told(between(said), "bun test", { aroundLines: 0 })).toEqual(
      expect.arrayContaining(said),
    );
  });

  test.each([
    ...[
      "❯ rounds the total",
      "assertion `a == b` failed",
      "RangeError: too far",
      "error[E0308]: x",
    ],
    ...["  error: it broke", "Expected: 3", "   left: 3", "  right: 4", "java.lang.Exception: x"],
  ])("%s may be of a dump: the second look brings it back with what stands below it", (line) => {
    const said = [line, "      at total (src/cart.ts:88:3)", "      42, should be 41"];
    const kept = read(between([...chatter(100), ...said, ...chatter(200).slice(100)]));
    expect(kept).toEqual(expect.arrayContaining(said));
    expect(kept).not.toContain(chatter(100)[50] ?? "");
  });

  test("what a runner calls failed comes before any dump, whatever stands first", () => {
    const dump = ["Error: of the server under test", ...chatter(20)];
    const lines = [...between(dump), "(fail) rounds", ...chatter(300).slice(250), ...passed(40)];
    const kept = told(lines, "bun test", { failureCharacters: 1_600 });
    expect(kept).toEqual(expect.arrayContaining(["(fail) rounds", ...chatter(300).slice(250)]));
    expect(kept).not.toContain(chatter(20)[10] ?? "");
  });

  test("no more of all failures than there is room for", () => {
    const said = ["(fail) rounds", ...chatter(100)];
    const kept = told(between(said), "bun test", { failureCharacters: 300 });
    expect(kept).toContain(chatter(100)[5] ?? "");
    expect(kept).not.toContain(chatter(100)[20] ?? "");
  });
});

test.each([
  ...["Tests:       1 failed", "Test Suites: 3 passed", "Test Files  2 passed", "Snapshots: 1"],
  ...["Time:  2 s", "Duration  1.2s", "Start at 10:00", "Ran 12 tests across 2 files", " 12 pass"],
  ...[" 3 fail", "2 skip", "12 tests", "4 examples, 0 wrong", "7 passing", "1 pending"],
  ...["3 filtered out", "30 expect() calls", "# tests 12", "# pass 11", "# suites 2"],
  ...["test result: ok. 12 passed", "Tests run: 12, Wrong: 0", "ok  \tacme/cart\t0.31s"],
  ...["?   \tacme/cart\t[no test files]", "===== 12 passed in 3s =====", "Finished in 2 s"],
  ...["OK (12 tests)", "BUILD SUCCESS"],
])("the total `%s` comes back in the midst of other lines", (line) => {
  const lines = [...chatter(40), line, ...chatter(120).slice(40)];
  expect(read(lines)).toContain(line);
});

describe("Go", () => {
  const run = (name: string) => `=== RUN   ${name}`;
  test("what a failing test said stays, also where it was said before; what a passing one said goes", () => {
    const lines = [
      ...[run("TestA"), "    a_test.go:3: said by A", run("TestB"), "    b_test.go:3: said by B"],
      ...["=== CONT  TestA", "    a_test.go:9: said by A again"],
      ...["--- FAIL: TestB (0.00s)", "--- PASS: TestA (0.00s)", ...chatter(60)],
      ...["    --- PASS: TestC/sub (0.00s)", "FAIL"],
    ];
    const kept = told(lines, "go test -v ./...");
    expect(kept).toContain("    b_test.go:3: said by B");
    expect(kept.join("\n")).not.toContain("said by A");
  });
  test("a total between them comes back", () => {
    const lines = [
      run("TestA"),
      "12 tests in all of 3 packages, none skipped",
      "--- PASS: TestA",
      ...chatter(60),
    ];
    expect(read(lines, "go test")).toContain("12 tests in all of 3 packages, none skipped");
  });
});

test("TAP's notes below a test that passed go, below one that failed they stay", () => {
  const note = (at: number) => ["  ---", `  duration_ms: ${at}.25 of the whole run`, "  ..."];
  const lines = [
    "TAP version 13",
    ...["ok 1 - rounds", ...note(1), "not ok 2 - adds", ...note(2), "ok 3 - ends", ...note(3)],
    ...["said after the notes, at the end", "# pass 2"],
  ];
  const kept = told(lines, "node --test");
  expect(kept).toEqual(expect.arrayContaining(["not ok 2 - adds", ...note(2)]));
  expect(kept.join("\n")).not.toMatch(/duration_ms: [13]/);
  expect(kept).toContain("said after the notes, at the end");
});

test("of long chatter that is alike three lines stay at each end, and no more of its trouble", () => {
  expect(told(chatter(90)).slice(2, 5)).toEqual([
    chatter(3)[2] ?? "",
    "… lines 4–87",
    chatter(88)[87] ?? "",
  ]);
  const warned = chatter(300).map((line) => `warning: ${line}`);
  expect(told(warned).filter((line) => line.startsWith("warning:"))).toHaveLength(7);
});
