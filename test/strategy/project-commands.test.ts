// Which commands work here, which never do, and which the user did not want.
import { expect, test } from "bun:test";
import {
  commandsOf,
  failingCommands,
  isNearCommand,
  projectCommands,
  refusedCommands,
  testForms,
  workarounds,
} from "../../src/strategy/project-commands.ts";
import { type ShortPiece, turn } from "../support/turns.ts";

const run = (number: number, ...pieces: ShortPiece[]) =>
  turn(number, [...pieces, ["closing", "Done."]], { session: `s${number}` });

test.each<[string, string[]]>([
  ["cd app && make lint && make test 2>&1 | tail -5", ["cd app", "make lint", "make test"]],
  ["CI=1 timeout 60 make test", ["make test"]],
  ["name=$(gh repo view --json name) && make test", ["make test"]],
  ["make lint && (cd app && make test) 2>&1", ["make lint", "make test"]],
  ["npm test -- --grep 'cart (new)'", ["npm test -- --grep 'cart (new)'"]],
  ['git commit -m "a && b"', []],
  ["cat > x.py <<'EOF'\nimport json\nEOF", []],
  ["Grep src/cart.ts", []],
  ["mcp__linear__get x", []],
])("the commands of %s", (line, commands) => {
  expect(commandsOf(run(1, ["passed", "", line])).map((one) => one.line)).toEqual(commands);
});

test("commands that pass again, of each purpose the most frequent first, and none that only looks", () => {
  const turns = [
    run(1, ["passed", "", "git status"], ["passed", "", "make lint && make test"]),
    run(2, ["ran", "", "git status"], ["ran", "", "make test 2>&1 | tail -3; make lint"]),
    run(
      3,
      ["passed", "", "make test"],
      ["passed", "", "make test-slow"],
      ["passed", "", "make deploy"],
    ),
    run(
      4,
      ["passed", "", "make deploy"],
      ["passed", "", "make once"],
      ["failure", "no", "make test"],
    ),
  ];
  const found = projectCommands(turns.toReversed()).map(({ line, purpose, sessions }) => [
    line,
    purpose,
    sessions,
  ]);
  expect(found).toEqual([
    ["make test", "test", 3],
    ["make lint", "lint", 2],
    ["make deploy", "build", 2],
  ]);
});

test("a check that failed and then passed is one after a single turn, a script by its name", () => {
  const lines = (...pieces: ShortPiece[]) =>
    projectCommands([run(1, ...pieces)]).map(({ line, purpose }) => [line, purpose]);
  expect(lines(["repair", "no", "node test.js"])).toEqual([["node test.js", "test"]]);
  expect(lines(["repair", "no", "node --test a.js"])).toEqual([["node --test a.js", "test"]]);
  expect(lines(["repair", "no", "node seed.js"], ["passed", "", "make test"])).toEqual([]);
});

test("a command that never works, with the one that passes in its place", () => {
  const fails: ShortPiece = ["failure", "not found", "pytest -q tests"];
  const works: ShortPiece = ["passed", "", "uv run pytest -q tests"];
  expect(workarounds([run(1, fails, works)])).toEqual([]);
  expect(workarounds([run(2, fails, works), run(1, fails, works)])).toEqual([
    expect.objectContaining({ fails: "pytest", works: "uv run pytest", sessions: 2 }),
  ]);
  const passed = run(3, ["passed", "", "pytest -q tests"]);
  expect(workarounds([passed, run(2, fails, works), run(1, fails, works)])).toEqual([]);
});

test.each<[string, ShortPiece[], string[]]>([
  ["passes as one of several", [["passed", "", "make lint && make test"]], []],
  ["passes with other arguments", [["passed", "", "make test -- -v"]], []],
  ["is passed by another of its purpose", [["passed", "", "npx jest"]], []],
  ["only looks pass", [["passed", "", "git status"]], ["make test"]],
  ["is committed after", [["commit", "Round"]], []],
  ["fails again", [["failure", "off again", "make test -v"]], ["make test -v"]],
])("a failed check that %s", (_, later, open) => {
  const turns = [run(1, ["failure", "off", "make test"]), run(2, ...later)];
  expect(failingCommands(turns).map(({ line }) => line)).toEqual(open);
});

test.each<[string, string, string, boolean]>([
  [
    "another command of the program",
    "go build -tags e2e ./a/...",
    "go test -tags e2e -c ./a/... -o /dev/null 2>&1",
    true,
  ],
  ["another path", "go build -tags e2e ./a/...", "go test -tags e2e ./b/...", false],
  ["another program", "go build -tags e2e ./a/...", "ls -tags e2e ./a/...", false],
  ["what says too little", "go test ./...", "go vet ./...", false],
])("a failed command is near one that passes: %s", (_, failed, later, isNear) => {
  expect(isNearCommand(failed, later)).toBe(isNear);
  const turns = [run(1, ["failure", "off", failed]), run(2, ["passed", "", later])];
  expect(failingCommands(turns).length).toBe(isNear ? 0 : 1);
});

test.each<[string, ShortPiece[], string[]]>([
  ["with words about the command", [["refusal", "never run e2e here", "make e2e"]], ["make e2e"]],
  [
    "twice",
    [
      ["refusal", "too slow", "make e2e"],
      ["refusal", "not now", "make e2e"],
    ],
    ["make e2e"],
  ],
  ["for the moment", [["refusal", "I'll take it from here", "make e2e"]], []],
  ["while another was run", [["refusal", "I run `make all` after a build", "make e2e"]], []],
  ["by its name", [["refusal", "never `make e2e` here", "make e2e"]], ["make e2e"]],
  ["without a reason", [["refusal", "", "make e2e"]], []],
  ["where it edits", [["refusal", "no edit here", "Edit a.ts"]], []],
  [
    "before another of its line, and named",
    [["refusal", "never run make e2e, it takes an hour", "make e2e && make lint"]],
    ["make e2e"],
  ],
  [
    "by a name with a colon, beside one that begins alike",
    [["refusal", "test:integration is too slow", "mise run test:integration && mise run test:ci"]],
    ["mise run test:integration"],
  ],
  [
    "where its reason denies one of two that it names",
    [["refusal", "lint is fine, don't run e2e", "make e2e && make lint"]],
    ["make e2e"],
  ],
  [
    "in plain words for a name of several",
    [["refusal", "the integration tests are too slow", "mise run test:integration"]],
    ["mise run test:integration"],
  ],
  [
    "by its script in backticks",
    [["refusal", "skip `test:integration`", "mise run test:integration"]],
    ["mise run test:integration"],
  ],
  [
    "with words about another that begins alike and never ran",
    [["refusal", "never run test:integration here", "mise run test:ci"]],
    [],
  ],
  [
    "with words about another that ran",
    [
      ["passed", "", "mise run test:integration -v"],
      ["refusal", "never run test:integration here", "mise run test:ci"],
    ],
    ["mise run test:integration"],
  ],
  [
    "to have another run first",
    [
      ["passed", "", "make lint-all"],
      ["refusal", "run lint-all first", "make e2e"],
    ],
    [],
  ],
  ["by the word that runs it", [["refusal", "let me run it", "mise run lint"]], []],
  [
    "and ran later",
    [
      ["refusal", "never run e2e", "make e2e"],
      ["passed", "", "make e2e -v"],
    ],
    [],
  ],
])("a check that the user refused %s", (_, pieces, lines) => {
  const turns = pieces.map((piece, at) => run(at + 1, piece));
  expect(refusedCommands(turns).map(({ line }) => line)).toEqual(lines);
});

test("a check that several sessions refused is wanted again where as many ran it since", () => {
  const turns = [
    run(1, ["refusal", "no e2e", "make e2e"]),
    run(2, ["refusal", "too slow", "make e2e"]),
    run(3, ["passed", "", "make e2e"]),
  ];
  expect(refusedCommands(turns)).toHaveLength(1);
  expect(refusedCommands([...turns, run(4, ["passed", "", "make e2e"])])).toEqual([]);
});

test("a check that several sessions refused stays refused though another ran it, with the reason that names it", () => {
  const turns = [
    run(1, ["refusal", "make the e2e tests optional", "make lint && make e2e"]),
    run(2, ["passed", "", "make e2e"]),
    run(3, ["refusal", "too slow", "make e2e"]),
    run(4, ["passed", "", "make e2e"], ["refusal", "", "make slow"]),
    run(5, ["refusal", "", "make slow"]),
    run(6, ["refusal", "not now", "make once"]),
  ];
  // Each with the turn that its words were said in.
  expect(
    refusedCommands(turns).map(({ turn: { session }, ...one }) => ({ session, ...one })),
  ).toEqual([
    { session: "s5", line: "make slow", reason: "", sessions: 2 },
    { session: "s1", line: "make e2e", reason: "make the e2e tests optional", sessions: 2 },
  ]);
});

test("how tests are narrowed down here: an option with its value, or handed on, in three sessions", () => {
  const of = (number: number, line: string) => run(number, ["ran", "", line]);
  const turns = [1, 2, 3].flatMap((at) => [
    of(at, `go test -v -tags=integration -run Test${at} ./${at}/...`),
    of(at, `npm test -- --grep name${at} src/${at}.ts`),
    of(at, `go build -tags=integration ./${at}`),
  ]);
  const forms = [
    ["go test -tags=integration …", 3],
    ["npm test -- --grep …", 3],
  ];
  const found = (all: typeof turns) =>
    testForms(all)
      .map(({ line, sessions }) => [line, sessions])
      .sort();
  expect(found(turns)).toEqual(forms);
  expect(found(turns.slice(0, 6))).toEqual([]);
});
