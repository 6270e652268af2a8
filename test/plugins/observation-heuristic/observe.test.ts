// What the observer makes of whole prompts: kinds, titles, facts, agents, and what it leaves alone.
import { describe, expect, test } from "bun:test";
import plugin from "../../../plugins/observation-heuristic/index.ts";
import { observe } from "../../../plugins/observation-heuristic/observe.ts";
import type { ObservationDraft } from "../../../src/sdk/model.ts";
import type { ToolUse } from "../../../src/sdk/work.ts";
import { batchBreaks, breaksOf } from "../../replay/rules.ts";
import { bash, bashFailure, batch, edit, grep, other, read, root, write } from "./batches.ts";

const failing =
  "Exit code 1\n12 pass\n1 fail\n(fail) cart > applies the discount\nsrc/cart.ts:14:3: error: expected 90, received 100";
const fix = edit(
  "src/cart.ts",
  "export function total(items) {\n  return sum(items);\n}",
  "export function total(items) {\n  return sum(items) - discountOf(items);\n}",
);

function only(observations: ObservationDraft[]): ObservationDraft {
  expect(observations).toHaveLength(1);
  const [first] = observations;
  if (first === undefined) throw new Error("no observation");
  return first;
}

describe("episodes become typed observations", () => {
  test("a failing test, its fix and the passing run are one bugfix with all three", () => {
    const uses = [
      bashFailure("bun test", failing),
      read("src/cart.ts", "export function total(items) {}"),
      fix,
      bash("bun test", "13 pass\n0 fail"),
    ];
    const { observations, skipped } = observe(
      batch(
        "The discount test fails, can you fix it?",
        uses,
        "Fixed. The problem was that `total()` in `src/cart.ts` never subtracted the discount.",
      ),
    );
    const found = only(observations);
    expect(found.type).toBe("bugfix");
    expect(found.filesModified).toEqual(["src/cart.ts"]);
    expect(found.facts.join("\n")).toContain(
      'bun test failed with "src/cart.ts:14:3: error: expected 90, received 100", passed after changing cart.ts',
    );
    expect(found.facts.join("\n")).toContain("never subtracted the discount");
    expect(found.toolUseIds).toEqual(uses.map((use) => use.id));
    expect(skipped).toEqual({});
  });

  test("new files with exports are a feature titled by the request", () => {
    const uses = [
      write(
        "src/coupon.ts",
        "export class CouponStore {}\nexport function redeem(code) {\n  return code;\n}",
      ),
    ];
    const found = only(
      observe(
        batch(
          "please add coupon codes to the checkout",
          uses,
          "Added `redeem()` in `src/coupon.ts`, which checks a code against `CouponStore`.",
        ),
      ).observations,
    );
    expect(found.type).toBe("feature");
    expect(found.title).toBe("Add coupon codes to the checkout");
    expect(found.facts).toContain("src/coupon.ts: new file (4 lines) with CouponStore and redeem");
  });

  test("a rename without other words is a refactor", () => {
    const uses = [
      edit("src/api.ts", "export function getUser(id) {", "export function fetchUser(id) {"),
    ];
    const found = only(observe(batch("rename getUser to fetchUser", uses)).observations);
    expect(found.type).toBe("refactor");
    expect(found.facts[0]).toContain("renamed getUser to fetchUser");
  });

  test("each commit closes an episode and gives its subject as the title", () => {
    const uses = [
      write("src/a.ts", "export function alpha() {}"),
      bash(`git commit -m "feat(core): add the alpha entry point"`),
      write("src/b.ts", "export function beta() {}"),
      bash(`git commit -m "fix: close the beta handle"`),
    ];
    const { observations } = observe(batch("do both tasks of the list", uses));
    expect(observations.map((one) => [one.type, one.title])).toEqual([
      ["feature", "Add the alpha entry point"],
      ["bugfix", "Close the beta handle"],
    ]);
    expect(observations[0]?.filesModified).toEqual(["src/a.ts"]);
  });

  test("exploring says what was established, and a question is its title", () => {
    const uses = [
      grep("func openRepository", "src/git.go:41:func openRepository(path string) error {"),
      read("src/git.go", "func openRepository(path string) error {\n}"),
    ];
    const found = only(
      observe(
        batch(
          "where is openRepository defined?",
          uses,
          "`openRepository` is defined in `src/git.go` (line 41). It is called by `Commit()` only, because every other command goes through `Session`.",
        ),
      ).observations,
    );
    expect(found.type).toBe("discovery");
    expect(
      found.facts.some((fact) => fact.includes("openRepository is defined in src/git.go")),
    ).toBe(true);
    expect(found.filesRead).toEqual(["src/git.go"]);
  });

  test("a failure nobody fixed is told as still failing", () => {
    const found = only(
      observe(batch("add the discount", [fix, bashFailure("bun test", failing)])).observations,
    );
    expect(found.facts.join("\n")).toContain(
      "bun test still failed at the end: src/cart.ts:14:3: error: expected 90, received 100",
    );
  });

  test("a failure before any change makes a neutral request a bugfix", () => {
    const uses = [bashFailure("bun test", failing), fix, bash("bun test", "13 pass\n0 fail")];
    expect(only(observe(batch("run the whole suite", uses)).observations).type).toBe("bugfix");
    expect(only(observe(batch("run the whole suite", uses.slice(1))).observations).type).not.toBe(
      "bugfix",
    );
  });

  test("a run that the user stopped is no failure", () => {
    const uses = [fix, bashFailure("bun test", failing, { interrupted: true })];
    expect(only(observe(batch("add the discount", uses)).observations).facts.join()).not.toContain(
      "still failed",
    );
  });

  test("what the message repeats of earlier prompts is left out", () => {
    const closing =
      "- Changed `total()` in `src/cart.ts` to take `discountOf` into account\n- Added `exportOrders()` in `src/orders.ts`, which writes a file for the accountant";
    const found = only(
      observe(batch("take the discount into account", [fix], closing)).observations,
    );
    expect(found.facts.join()).toContain("discountOf");
    expect(found.facts.join()).not.toContain("exportOrders");
    expect(found.narrative).not.toContain("exportOrders");
  });

  test("a subagent's work is an observation of its own", () => {
    const agent = { id: "a1", type: "Explore" };
    const uses = [
      read("src/queue.ts", "export class JobQueue {}", { agent }),
      other(
        "Task",
        { description: "Explore the job queue", prompt: "…" },
        {
          response: {
            agentId: "a1",
            content: [
              {
                type: "text",
                text: "The `JobQueue` class in src/queue.ts retries a failed job three times.",
              },
            ],
          },
        },
      ),
    ];
    const { observations } = observe(
      batch("how do jobs retry?", uses, "", {
        agentMessages: [
          {
            agent,
            text: "The `JobQueue` class in `src/queue.ts` retries a failed job three times before it parks the job.",
          },
        ],
      }),
    );
    const found = only(observations);
    expect(found.agent).toEqual(agent);
    expect(found.title).toBe("Explore the job queue");
  });
});

describe("titles from what was said", () => {
  const edited = [
    edit("src/session.ts", "export function open() {}", "export function open(path) {}"),
  ];
  const cases: Array<[string, string, string, string]> = [
    [
      "what the code does now",
      "sessions vanish, do something",
      "Sessions are now kept in SQLite by the new store in `src/session.ts`, opened in WAL mode.",
      "Sessions are now kept in SQLite",
    ],
    [
      "how things were, for a bugfix",
      "Users get logged out an hour too early since the clocks changed.",
      "",
      "Users get logged out an hour too early",
    ],
    [
      "the stated cause",
      "the build is failing",
      "The issue was a missing `path` argument in `open()`.",
      "Fix missing path argument in open()",
    ],
    [
      "a telling heading",
      "do it",
      "## Safer session files\n\n- `open()` takes a path",
      "Safer session files",
    ],
    [
      "the request, without its loose ends",
      "print the path here as well",
      "",
      "Print the path in session.ts",
    ],
    ["the change itself", "hmm", "", "Change open in session.ts"],
  ];
  test.each(cases)("%s", (_name, prompt, closing, title) => {
    expect(only(observe(batch(prompt, edited, closing)).observations).title).toBe(title);
  });
});

describe("decisions", () => {
  test("of the assistant are kept when it says that it decided", () => {
    const found = only(
      observe(
        batch(
          "which store should we take?",
          [],
          "We decided against Redis because one more server would have to be operated.",
        ),
      ).observations,
    );
    expect([found.type, found.title]).toEqual(["decision", "Decided against Redis"]);
  });

  test("too short for a fact are told with what was said beside them", () => {
    const found = only(
      observe(batch("Sessions vanish on every deploy. Always use WAL.", [])).observations,
    );
    expect(found.facts).toEqual([
      'User rule: Always use WAL (said with "Sessions vanish on every deploy")',
    ]);
  });

  const cases: Array<[string, string | undefined]> = [
    [
      "let's use postgres instead of sqlite for the order history. Then migrate the tables.",
      "Use postgres instead of sqlite",
    ],
    [
      "Never commit directly to the main branch of this repository",
      "Never commit directly to the main branch",
    ],
    [
      "I prefer small pull requests over one large branch for features",
      "Prefer small pull requests",
    ],
    [
      "Keep the sessions in files; I don't want a database to look after",
      "No database to look after",
    ],
    ["should we use postgres or sqlite?", undefined],
    ["the helper is never called anywhere in the codebase, remove it", undefined],
    ["let's remove the old handler", undefined],
  ];
  test.each(cases)("%s", (prompt, title) => {
    const found = observe(batch(prompt, [])).observations.find((one) => one.type === "decision");
    expect(found?.title.startsWith(title ?? "?")).toBe(title === undefined ? undefined : true);
  });

  test("an answer to a question of the client is a decision", () => {
    const uses = [
      other(
        "AskUserQuestion",
        {},
        {
          response: {
            questions: [],
            answers: {
              "Which database should keep the orders of the shop?": "Postgres with one schema",
            },
          },
        },
      ),
    ];
    const found = only(observe(batch("plan the order history", uses)).observations);
    expect(found.type).toBe("decision");
    expect(found.facts).toEqual([
      'User chose "Postgres with one schema" for the question "Which database should keep the orders of the shop?"',
    ]);
  });
});

describe("routine operations give nothing", () => {
  const routine: Array<[string, ToolUse[]]> = [
    ["git status", [bash("git status --short", "")]],
    ["ls and cd", [bash("cd src && ls -la", "total 8")]],
    ["a read without consequence", [read("README.md", "# Shop\n")]],
    ["a simple install", [bash("npm install", "added 12 packages")]],
    ["a todo list", [other("TodoWrite", { todos: [] }, { response: {} })]],
    [
      "a refused edit",
      [
        other(
          "Edit",
          { file_path: `${root}/a.ts` },
          { error: "String to replace not found in file." },
        ),
      ],
    ],
    ["an interrupted command", [bashFailure("sleep 100", "interrupted", { interrupted: true })]],
    ["withheld text", [{ ...fix, withheld: true }]],
  ];
  test.each(routine)("%s", (_name, uses) => {
    expect(observe(batch("continue", uses)).observations).toEqual([]);
  });

  test("and say why where it is not plain", () => {
    const use = { ...fix, withheld: true };
    expect(observe(batch("continue", [use])).skipped).toEqual({ [use.id]: "withheld" });
  });

  test.each(["continue", "yes", "ok thanks!", "/compact", "2", "go ahead"])(
    "the prompt %s never becomes a title",
    (prompt) => {
      const found = only(
        observe(batch(prompt, [write("src/new.ts", "export function fresh() {}")])).observations,
      );
      expect(found.title).toBe("Add fresh in new.ts");
      expect(found.subtitle.toLowerCase()).not.toContain(prompt);
    },
  );
});

describe("someone waits on one tool use", () => {
  test("a read tells the file's outline", () => {
    const content =
      "export class CartStore {}\nexport interface CartLine {}\nexport function addLine() {}\nexport function removeLine() {}";
    const found = only(
      observe(batch("look around", [read("src/cart/store.ts", content)], "", { waiting: true }))
        .observations,
    );
    expect(found.facts).toEqual([
      "src/cart/store.ts defines the types CartStore and CartLine",
      "src/cart/store.ts defines the functions addLine and removeLine",
    ]);
  });

  test("a test run tells its totals, a listing nothing", () => {
    const run = only(
      observe(
        batch("x", [bash("bun test test/cart.test.ts", "13 pass\n0 fail")], "", { waiting: true }),
      ).observations,
    );
    expect(run.facts).toEqual([
      "bun test passed with 13 passed and 0 failed tests (bun test test/cart.test.ts)",
    ]);
    expect(observe(batch("x", [bash("ls", "a b c")], "", { waiting: true })).observations).toEqual(
      [],
    );
  });
});

describe("odd payloads", () => {
  const odd: unknown[] = [
    undefined,
    null,
    0,
    "",
    "text",
    [],
    [null],
    {},
    { stdout: 5 },
    { structuredPatch: [{ lines: [1, null] }] },
    { structuredPatch: "x", originalFile: 7 },
    { file: "x" },
    { filenames: [1, {}] },
    { content: [{ text: 3 }] },
  ];
  const tools = [
    "Bash",
    "Edit",
    "MultiEdit",
    "Write",
    "NotebookEdit",
    "Read",
    "Grep",
    "Glob",
    "WebFetch",
    "WebSearch",
    "Task",
    "AskUserQuestion",
    "ExitPlanMode",
    "mcp__db__query",
    "Unknown",
    "",
  ];
  test("never throw and never make rule-breaking observations", () => {
    for (const name of tools) {
      for (const input of odd) {
        const uses = odd.map((response) => other(name, input, { response }));
        const { observations } = observe(
          batch("do it", [...uses, other(name, input, { error: "failed" })]),
        );
        expect(observations.flatMap(breaksOf)).toEqual([]);
      }
    }
  });

  test("a huge output is read in time and leaves whole facts", () => {
    const wall = `${"x".repeat(300_000)}\n${"at foo (bar.js:1:1)\n".repeat(20_000)}Error: ${"(".repeat(50_000)}`;
    const uses = [
      bashFailure("npm test", wall),
      edit("src/a.ts", wall, `${wall}b`),
      read("src/b.ts", wall),
      grep("a", wall),
    ];
    const { observations } = observe(batch(wall, uses, wall));
    expect(observations.flatMap(breaksOf)).toEqual([]);
  });

  test("hostile walls in every place end", () => {
    for (const piece of [
      "[",
      "x-",
      "git ",
      "<<A ",
      "\n",
      "<system-reminder ",
      "a.b",
      "0 pass ",
      "Expected: ",
      "'",
      '"',
      "/home/a",
    ]) {
      const wall = piece.repeat(Math.ceil(200_000 / piece.length));
      const uses = [
        bash(wall, wall),
        bashFailure(`bun test ${wall}`, wall),
        edit("src/a.ts", wall, `${wall}b`),
        read("src/b.ts", wall),
        grep(wall, wall),
      ];
      expect(observe(batch(wall, uses, wall)).observations.flatMap(breaksOf)).toEqual([]);
    }
  });

  test("prompts in other languages work passably", () => {
    const uses = [write("src/login.ts", "export function signIn() {}")];
    for (const prompt of [
      "ログイン画面を追加してください。パスワードは使いません。",
      "Kannst du bitte eine Anmeldeseite hinzufügen?",
      "добавь страницу входа, пожалуйста",
    ]) {
      const { observations } = observe(batch(prompt, uses));
      expect([...observations.flatMap(breaksOf), ...batchBreaks(observations)]).toEqual([]);
      expect(observations).toHaveLength(1);
    }
  });
});

test("the plugin declares what it lives from", () => {
  expect(plugin.name).toBe("heuristic");
  expect(plugin.slot).toBe("observation");
  expect(plugin.events).toEqual([
    "UserPromptSubmit",
    "PostToolUse",
    "PostToolUseFailure",
    "Stop",
    "SubagentStop",
    "SessionEnd",
  ]);
});
