// Turns made of moments: commands that failed, passed, repaired or repeated, and files.
import { describe, expect, test } from "bun:test";
import { edit, failing, lines, run, tool, turn } from "./made-turn.ts";

describe("commands", () => {
  test("what failed, what was changed, what then passed", () => {
    const made = turn(
      failing("npm test", "Exit code 1\nexpected 90, received 80"),
      edit("src/cart.ts"),
      edit("src/cart.ts"),
      run("cd /app && npm test", "3 pass"),
    );
    expect(lines(made)).toEqual([
      "failure: npm test: Exit code 1\nexpected 90, received 80",
      "repair: cd /app && npm test: Exit code 1\nexpected 90, received 80\n\n→ src/cart.ts",
      "passed: cd /app && npm test: 3 pass",
    ]);
    expect(made.pieces.at(-1)?.described).toBe("As described");
    expect(made.files).toEqual([{ path: "src/cart.ts", changed: true }]);
  });

  test("passing again without a change repairs nothing", () => {
    const made = turn(failing("npm test", "flaky"), run("npm test"));
    expect(made.pieces.map(({ kind }) => kind)).toEqual(["failure", "passed"]);
  });

  test("a repair is told once: passing again later repairs nothing", () => {
    const made = turn(
      failing("npm test", "expected 90"),
      edit("a.ts"),
      run("npm test", "1"),
      edit("b.ts"),
      run("npm test && echo", "2"),
      run("npm test", "3"),
    );
    expect(made.pieces.filter(({ kind }) => kind === "repair")).toHaveLength(1);
  });

  test("what goes on in the background passed nothing and committed nothing yet", () => {
    const response = { stdout: "", backgroundTaskId: "b1" };
    const made = turn(run("git commit -m Later", "", { response }));
    expect(lines(made)).toEqual(["ran: git commit -m Later"]);
  });

  const words: Array<[kind: string, line: string, output: string]> = [
    ["failure", "npm test | tail -1", " 1 fail"],
    [
      "failure",
      "go test ./... 2>&1 | grep -v ok",
      "--- FAIL: TestCart (0.00s)\nFAIL\tshop/cart\t0.1s",
    ],
    ["failure", "mise run lint 2>&1 | tail -3", "2 issues:\n[lint] ERROR task failed"],
    ["failure", "git stash && mise run lint | tail; git stash pop", "[lint:go] 1 issues:"],
    ["failure", "npx jest | tail -5", "Tests:       1 failed, 3 passed, 4 total"],
    ["failure", "pytest -q | tail -1", "======= 2 failed, 5 passed in 0.31s ======="],
    ["failure", "cargo test; date", "test result: FAILED. 3 passed; 1 failed; 0 ignored"],
    ["failure", "cargo build | head", "error[E0308]: mismatched types"],
    ["failure", "npx tsc | head -5", "src/cart.ts(3,4): error TS2304: Cannot find name 'Cart'."],
    ["failure", "make 2>&1 | tail -2", "cart.c:3:9: error: expected ';'\nmake: *** [all] Error 1"],
    ["failure", "npm run build | tail", "npm ERR! code ELIFECYCLE"],
    ["failure", "npx eslint . || true", "✖ 3 problems (1 error, 2 warnings)"],
    ["failure", "go run ./cart | head", "no basket\nexit status 1"],
    ["passed", "go test ./... | tail -3", "ok  \tshop/cart\t0.1s"],
    ["passed", "mise run lint | tail -3", "[lint:go] 0 issues."],
    ["passed", "bun test | tail -4", " 5 pass\n 0 fail"],
    ["passed", "cargo test | tail -1", "test result: ok. 3 passed; 0 failed; 0 ignored"],
    ["ran", "go test -v ./... | head -1", "--- PASS: TestCart (0.00s)"],
    ["ran", "npm test | tail -1", "error handling is in cart.ts:3:9, not here"],
    ["ran", "cat test.log | tail -1", "FAIL\tshop/cart\t0.1s"],
    ["passed", "cd shop; go vet ./...", ""],
    ["passed", "npm test", "FAIL is what the log says, and it exits with 0"],
  ];
  test.each(words)(
    "is a %s by its own words, where its exit is hidden: %s",
    (kind, line, output) => {
      expect(turn(run(line, output)).pieces.map((piece) => piece.kind)).toEqual([kind] as never);
    },
  );

  test.each(["\n", " ", "-\n", "[1 ", "a:1\n"])(
    "reads an output of many %p by itself in the time of its length",
    (part) => {
      const made = turn(run("npm test | tail -1", `${part.repeat(50_000)}\n1 fail`));
      expect(made.pieces.map((piece) => piece.kind)).toEqual(["failure"]);
    },
  );

  test("is repaired behind a pipe as without one", () => {
    const made = turn(
      run("go test ./... | tail -3", "FAIL\tshop/cart\t0.1s"),
      edit("cart.go"),
      run("go test ./... | tail -9", "ok  \tshop/cart\t0.1s"),
    );
    expect(made.pieces.map(({ kind }) => kind as string)).toContain("repair");
  });

  test("repeats are told once, where they ran last", () => {
    const made = turn(run("npm test", "1"), run("ls"), run("npm test", "2"));
    expect(made.pieces.map(({ about, text, times }) => [about, text, times])).toEqual([
      ["ls", "", undefined],
      ["npm test", "2", 2],
    ]);
  });

  test("a commit has subject and body, and its id where git tells it", () => {
    const made = turn(
      run(
        'git commit -m "Fix the cart" -m "The voucher was taken twice."',
        "[main 1a2b3c4] Fix the cart\n 1 file changed",
      ),
      run("git commit -q -m 'Quiet'"),
      failing("git commit -m 'Never'", "hook failed"),
      run("git commit --amend --no-edit | cat", "[main 5d6e7f8] Quiet"),
    );
    expect(lines(made).filter((line) => line.startsWith("commit"))).toEqual([
      "commit: 1a2b3c4 (main): Fix the cart\n\nThe voucher was taken twice.",
      "commit: Quiet",
      "commit: 5d6e7f8 (main): Quiet",
    ]);
  });
});

test("files: read, changed, with what was touched; changed ones first", () => {
  const patch = [{ oldStart: 1, lines: [" function total() {", "-  a", "+  b"] }];
  const made = turn(
    tool("Read", { file_path: "/app/a.ts" }),
    tool("Read", { file_path: "/etc/hosts" }),
    tool("Edit", { file_path: "/app/b.ts" }, { response: { structuredPatch: patch } }),
    tool("Edit", { file_path: "/app/c.ts" }, { error: "not found" }),
  );
  expect(made.files).toEqual([
    { path: "b.ts", changed: true, symbols: ["total"] },
    { path: "a.ts", changed: false },
    { path: "/etc/hosts", changed: false },
  ]);
});

test("a pull request and a tag are told with where they are, a failed or hidden one is not", () => {
  const create = 'gh pr create --title "Count in cents"';
  const at = "https://github.com/a/b/pull/12";
  expect(
    lines(
      turn(
        run(create, `Creating pull request\n${at}\n`),
        failing(create, "Exit code 1"),
        run(`${create} | cat`, "no remote"),
        run("git tag v1.2.0"),
        tool("mcp__github__create_pull_request", { title: "Round late", body: "By cart" }),
      ),
    ).filter((line) => line.startsWith("published")),
  ).toEqual([
    `published: pull request ${at}: Count in cents`,
    "published: tag v1.2.0: v1.2.0",
    "published: mcp__github__create_pull_request: Round late\n\nBy cart",
  ]);
});
