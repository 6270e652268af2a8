// Which repair belongs to a failure that comes back: the newest, by another session, and only where one is known.
import { describe, expect, test } from "bun:test";
import { type FailureIndex, indexFailures } from "../../../plugins/context-moments/failures.ts";
import type { Evidence, Turn } from "../../../src/sdk/turn.ts";

let made = 0;
function turn(session: string, pieces: Evidence[], files: string[] = []): Turn {
  made++;
  return {
    ...{ id: `t${made}`, session, client: "claude-code", project: "shop", promptNumber: made },
    ...{ startedAt: made * 1_000, time: made * 1_000 + 500, end: "closed", pieces },
    files: files.map((path) => ({ path, changed: true })),
  };
}
const piece = (kind: Evidence["kind"], about: string, text: string): Evidence => ({
  kind,
  about,
  text,
});
const failure = (about: string, text: string) => piece("failure", about, text);
const passed = (about: string, text = "") => piece("passed", about, text);
const error = "TypeError: cart.total is no function\n  at checkout (src/cart.ts:12:3)";
const repair = (about: string, text: string, ...files: string[]) => [
  failure(about, text),
  piece("repair", about, `${text}\n\n→ ${files.join("\n")}`),
  passed(about),
];
const ask = (index: FailureIndex, about: string, text = error, session = "new", hidden = false) =>
  index.find({ session, about, text, hidden });

describe("a failure that comes back", () => {
  test("is told with the files that repaired it", () => {
    const past = turn("old", repair("bun test cart", error, "src/cart.ts"));
    const found = ask(indexFailures([past]), "bun test cart", error.replace("12:3", "140:9"));
    expect(found).toMatchObject({ turn: past.id, done: ["src/cart.ts"], files: ["src/cart.ts"] });
  });
  test("is told with what later turns changed before it passed", () => {
    const turns = [
      turn("old", [failure("bun test cart", error)], ["src/before.ts"]),
      turn("old", [passed("bun test cart")], ["src/cart.ts"]),
    ];
    expect(ask(indexFailures(turns), "bun test cart")?.done).toEqual(["src/cart.ts"]);
  });
  test("is told with the command that did it another way", () => {
    const said = "fatal: The current branch has no upstream branch.\nTo push it, use git push -u";
    const past = turn("old", [failure("git push 2>&1", said), passed("git push -u origin main")]);
    const found = ask(indexFailures([past]), "git push", said);
    expect(found).toMatchObject({ done: ["`git push -u origin main`"], files: [] });
  });
  test("is told with the command that leaves out what the failure named", () => {
    const said = "The following paths are ignored:\nlib/dist";
    const line = (rest: string) => `git add src/a.ts src/b.ts src/c.ts${rest} && git commit -m "x"`;
    const past = turn("old", [failure(line(" lib/dist/c.js"), said), passed(line(""))]);
    expect(ask(indexFailures([past]), line(" lib/dist/d.js"), said)?.done).toEqual([
      "`git add src/a.ts src/b.ts src/c.ts && git commit -m …`",
    ]);
  });
  test("is told with the command that the failure named", () => {
    const said = "Code is not formatted: run mix format before a commit";
    const past = turn("old", [
      failure('git commit -m "one"', said),
      passed("mix format lib"),
      passed("ls lib"),
      passed('git commit -m "one"'),
    ]);
    expect(ask(indexFailures([past]), 'git commit -m "x"', said)?.done).toEqual([
      "`mix format lib`",
    ]);
  });
  test("is told with the files, where more than what failed passed after they were changed", () => {
    const line = "go test ./internal/fx -run TestRounds";
    const said = "--- FAIL: TestRounds\nhalf a cent must round to even";
    const past = turn("old", [failure(line, said), passed("go test ./internal/fx")], ["fx.go"]);
    expect(ask(indexFailures([past]), line, said)?.done).toEqual(["fx.go"]);
  });
  test("is told with the files of a later turn, where what the failure named passed alone", () => {
    const said = "FAIL src/sum.test.js\nadds deposits of bottles";
    const turns = [
      turn("old", [failure("yarn jest", said)]),
      turn("other", [], ["src/elsewhere.js"]),
      turn("old", [passed("yarn jest src/sum.test.js")], ["src/sum.js"]),
    ];
    expect(ask(indexFailures(turns), "yarn jest", said)?.done).toEqual(["src/sum.js"]);
  });
  test.each([
    ["python split.py", "bash: python: command not found", "python3 split.py"],
    ["docker ps", "permission denied at the docker daemon socket", "sudo docker ps"],
    ["docker-compose up -d", "docker-compose: command not found", "docker compose up -d"],
  ])("is told with the program that did the same: %s", (line, said, instead) => {
    const past = turn("old", [failure(line, said), passed(instead)]);
    expect(ask(indexFailures([past]), line, said)?.done).toEqual([`\`${instead}\``]);
  });
  test("is told to another program that prints the same line, where it names something", () => {
    const said = "format.ts(3,27): error TS2307: Cannot find module 'currency-codes'";
    const past = turn("old", [
      failure("npm run build", `> web@2.1.0 build\n> tsc -p tsconfig.json\n${said}`),
      passed("npm install currency-codes"),
      passed("npm run build"),
    ]);
    expect(ask(indexFailures([past]), "npx tsc --noEmit", said)?.done).toEqual([
      "`npm install currency-codes`",
    ]);
  });
  test("is told with what its branch's name stands in, where the failure itself says so", () => {
    const said = (branch: string) =>
      `fatal: The branch ${branch} has no upstream branch.\nTo push it, use\n  git push --set-upstream origin ${branch}`;
    const past = turn("old", [
      failure("git push", said("feed-paging")),
      passed("git push --set-upstream origin feed-paging"),
    ]);
    expect(ask(indexFailures([past]), "git push", said("job-pool"))?.done).toEqual([
      "`git push --set-upstream origin feed-paging`",
    ]);
  });
  test("gets the newest repair", () => {
    const turns = [
      turn("one", repair("bun test cart", error, "src/wrong.ts")),
      turn("two", repair("bun test cart", error, "src/right.ts")),
    ];
    expect(ask(indexFailures(turns), "bun test cart")?.done).toEqual(["src/right.ts"]);
  });
});

describe("nothing is told", () => {
  const known = () => indexFailures([turn("old", repair("bun test cart", error, "src/cart.ts"))]);
  const cases: ReadonlyArray<readonly [string, () => unknown]> = [
    ["to the session that repaired it", () => ask(known(), "bun test cart", error, "old")],
    [
      "of another program that says only what is usual",
      () => ask(known(), "cargo test cart", "at checkout (src/cart.ts:12:3)"),
    ],
    ["of another failure", () => ask(known(), "bun test cart", "TypeError: login is no function")],
    [
      "where one line of many is the same",
      () =>
        ask(
          known(),
          "bun test",
          `at checkout (cart.ts)\n${["name", "price", "voucher", "total", "date"].map((word) => `${word} of the order is missing`).join("\n")}`,
        ),
    ],
    [
      "where no repair is known",
      () => ask(indexFailures([turn("old", [failure("bun test", error)])]), "bun test"),
    ],
    [
      "where it passed with nothing done",
      () =>
        ask(
          indexFailures([turn("old", [failure("bun test", error), passed("bun test")])]),
          "bun test",
        ),
    ],
    [
      "where something else of the same program passed",
      () =>
        ask(
          indexFailures([turn("old", [failure("bun test cart", error), passed("bun test login")])]),
          "bun test cart",
        ),
    ],
    [
      "where what passed says the same",
      () =>
        ask(
          indexFailures([
            turn("old", repair("bun test cart", error, "src/cart.ts")),
            turn("old", [passed("bun run log", error)]),
          ]),
          "bun test cart",
        ),
    ],
    [
      "where the repair is about a name that is not in it",
      () => {
        const said = (name: string) =>
          `File "run.py", line 4, in <module>\nimport of what is needed\nNo module named '${name}'`;
        const line = "python3 run.py";
        const past = turn("old", [
          failure(line, said("yaml")),
          passed("pip install pyyaml"),
          passed(line),
        ]);
        return ask(indexFailures([past]), line, said("requests"));
      },
    ],
    [
      "where the repair is about another port",
      () => {
        const said = (port: number) =>
          `error when starting the server:\nError: Port ${port} is already in use\nat Server.onError`;
        const past = turn("old", [
          failure("npm start", said(4173)),
          passed("fuser -k 4173/tcp"),
          passed("npm start"),
        ]);
        return ask(indexFailures([past]), "npm start", said(5432));
      },
    ],
    [
      "where files were changed for something that it does not name, whatever else is the same",
      () => {
        const said = (name: string) =>
          `error[E0502]: cannot borrow \`${name}\` as mutable\nimmutable borrow occurs here\nmutable borrow occurs here\ncould not compile \`core\` due to one error`;
        const past = turn("old", repair("cargo check", said("self.pool"), "src/pool.rs"));
        return ask(indexFailures([past]), "cargo check", said("self.clock"));
      },
    ],
    ["of a text that says nothing", () => ask(known(), "bun test cart", "Exit code 1")],
    ["of an empty memory", () => ask(indexFailures([]), "bun test cart")],
  ];
  test.each(cases)("%s", (_, found) => expect(found()).toBeUndefined());
});

test("a failure that differs from one time to the next, by a branch's name say, is told every time", () => {
  const said = (branch: string) =>
    [
      `fatal: The current branch ${branch} has no upstream branch.`,
      "To push the current branch and set the remote as upstream, use",
      `    git push --set-upstream origin ${branch}`,
      "To have this happen automatically for branches without a tracking",
      "upstream, see 'push.autoSetupRemote' in 'git help config'.",
    ].join("\n");
  const turns = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta"].map((branch) =>
    turn(branch, [failure("git push", said(branch)), passed(`git push -u origin ${branch}`)]),
  );
  for (let known = 1; known <= turns.length; known++)
    expect(ask(indexFailures(turns.slice(0, known)), "git push", said("eta"))?.turn).toBe(
      turns[known - 1]?.id,
    );
});

test("a failure that is met wholly is told whatever else failed, and one that is met by a usual line is not", () => {
  const format =
    "Validation of the commit failed\nThe code is not formatted\nRun mix format to fix it";
  const index = indexFailures([
    turn("old", [
      failure('git commit -m "x"', format),
      passed("mix format"),
      passed('git commit -m "x"'),
    ]),
  ]);
  const more = Array.from(
    { length: 20 },
    (_, at) => `another finding named ${"abcdefghijklmnopqrst"[at]}`,
  );
  const text = (first: string) => [first, ...more].join("\n");
  expect(ask(index, 'git commit -m "y"', text(format))?.done).toEqual(["`mix format`"]);
  expect(ask(index, 'git commit -m "y"', text("Validation of the commit failed"))).toBeUndefined();
});

test("lines that stand in all kinds of failures do not count", () => {
  const setup = "Setting up the database for the tests";
  const turns = ["cart", "login", "order", "voucher", "mail"].map((name) =>
    turn(
      "old",
      repair(`bun test ${name}`, `${setup}\nno ${name} was found anywhere`, `${name}.ts`),
    ),
  );
  const index = indexFailures(turns);
  expect(ask(index, "bun test x", setup)).toBeUndefined();
  expect(ask(index, "bun test x", `${setup}\nno login was found anywhere`)?.done).toEqual([
    "login.ts",
  ]);
});

test("where the exit is hidden, most of the failure has to be printed", () => {
  const index = indexFailures([turn("old", repair("bun test cart", error, "src/cart.ts"))]);
  const printed = `${"another line of the log\n".repeat(3)}${error}`;
  expect(ask(index, "bun test cart | tail", printed, "new", true)?.done).toEqual(["src/cart.ts"]);
  expect(ask(index, "bun test | tail", "at checkout (cart.ts:1:1)", "new", true)).toBeUndefined();
});
