// Which repair belongs to a failure that comes back: the newest, by another session, and only where one is known.

import { describe, expect, test } from "bun:test";
import { type FailureIndex, repairedFiles } from "../../../plugins/context-moments/failures.ts";
import { readCommand } from "../../../plugins/context-moments/likeness.ts";
import type { Evidence } from "../../../src/sdk/turn.ts";
import { indexFailures } from "../../support/moments.ts";
import { piece, turn } from "./made-turns.ts";

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
  test.each([
    ["nothing but the program is shown", "'pulls/2' --paginate --silent", false],
    ["something is shown", "pulls/2 --paginate --silent", true],
  ])("is told with a repair in another way where of it %s", (_, rest, wanted) => {
    const line = "gh api pulls/1 --paginate --silent --jq '.x'";
    const said = "nothing is known of pulls/1 there";
    const past = turn("old", [failure(line, said), passed(`gh api ${rest} --jq '.x'`)]);
    expect(ask(indexFailures([past]), line, said) !== undefined).toBe(wanted);
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
  test.each([
    ["all that differs is quoted", [passed("psql shop -c 'select carts'")]],
    [
      "all that ran since is quoted",
      [passed("python3 -c 'mend()'"), passed("psql shop -c 'select cart'")],
    ],
  ])("is not told where %s", (_, since) => {
    const line = "psql shop -c 'select cart'";
    const said = "relation cart does not exist, try psql shop -c";
    const past = turn("old", [failure(line, said), ...since]);
    expect(ask(indexFailures([past]), line, said)).toBeUndefined();
  });
  test("is not told where all that differs is how often it ran", () => {
    const one = (id: number) => `gh api "pulls/1/comments/${id}" --jq '{id: .id}'`;
    const said = "gh: the comment was not found (HTTP 404)";
    const past = turn("old", [
      failure(`${one(2)}\n${one(3)}`, said),
      passed(`gh api "pulls/1/comments?all=1" --jq '.[]'`),
    ]);
    expect(ask(indexFailures([past]), one(7), said)).toBeUndefined();
    const own = (id: number) => `gh api pulls/1 --jq '.[${id}]'`;
    const other = turn("old", [failure(`${own(2)}\n${own(3)}`, said), passed(own(4))]);
    expect(ask(indexFailures([other]), own(7), said)).toBeUndefined();
  });
  test.each([
    ["where it may be of any test", "", false],
    ["where it stands by the one that failed", "--- FAIL: TestStages\n", true],
  ])("of a runner that lists what passed, is told by a line %s", (_, mark, wanted) => {
    const said = "half a cent must round to even";
    const out = (mark: string) => `ok  \tshop/orders\t0.2s\n${mark}${said}\nFAIL\tshop/cart\t0.3s`;
    const [line, more] = ["go test ./internal/fx -run TestStages", "go test ./internal/fx"];
    const past = turn("old", [failure(line, out(mark)), passed(more)], ["fx.go"]);
    const now = out("--- FAIL: TestStages\n");
    expect(ask(indexFailures([past]), line, now) !== undefined).toBe(wanted);
  });
  test.each([
    "src/cart.ts(12,5): error TS2304: Cannot find name 'totl'",
    "error: could not connect to the database server of the shop",
    "src/cart.ts(12,5): the total of this cart is never read",
  ])("of a runner that lists what passed, is told by an error of another program: %s", (said) => {
    const line = "bun test && tsc";
    const turns = [
      turn("old", [failure(line, `✓ adds a cart\n${said}`)]),
      turn("old", [passed(line)], ["src/cart.ts"]),
    ];
    expect(ask(indexFailures(turns), line, said)?.done).toEqual(["src/cart.ts"]);
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
  test("is told with what repaired it, where the same command then failed otherwise", () => {
    const [first, last] = ["useCart.tsx has a missing dependency", "totals.ts is never used"];
    const line = "npm run lint";
    const past = turn("old", [
      failure(line, `lint of all\n${last}`),
      piece("repair", line, `lint of all\n${first}\n\n→ useCart.tsx`),
      piece("repair", line, `lint of all\n${last}\n\n→ totals.ts`),
      passed(line),
    ]);
    const index = indexFailures([past]);
    expect(ask(index, line, `lint of all\n${first}`)?.done).toEqual(["useCart.tsx"]);
    expect(ask(index, line, `lint of all\n${last}`)?.done).toEqual(["totals.ts"]);
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
  // Where the exit is hidden, what else was printed may be all that passed.
  expect(ask(index, 'git commit -m "y" | cat', text(format), "new", true)).toBeUndefined();
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

test.each<[string, string[], string]>([
  ["bun test cart", ["bun test"], "bun"],
  ["cd shop && /usr/bin/git  push --force origin", ["git push"], "git"],
  ["CI=1 bun test; echo done || ls", ["bun test", "echo done", "ls"], "ls"],
  ['git commit -m "it\'s so; && done"', ["git commit"], "git"],
  ["git commit -m 'a && b'", ["git commit"], "git"],
  ["cat > a.sh <<'EOF'\nrm x && ls\nEOF", ["cat >"], "cat"],
  ['git commit -m "$(cat <<EOF\none && two\nEOF\n)"', ["git commit"], "git"],
  ["-v && A=1", [], ""],
  ["", [], ""],
])("%j runs %j, its program is %j", (about, steps, tool) => {
  expect(readCommand(about)).toMatchObject({ steps, tool });
});

test("the files of a repair stand behind its last arrow", () => {
  expect(repairedFiles("broke\n\n→ a.ts\nb.ts\n")).toEqual(["a.ts", "b.ts"]);
  expect(repairedFiles("said\n\n→ x\n\n→ y.ts")).toEqual(["y.ts"]);
  expect(repairedFiles("nothing → here")).toEqual([]);
});

describe("what a repair says", () => {
  const of = (pieces: Evidence[], files: string[] = []) => {
    const past = turn("old", [...repair("bun test cart", error, "src/cart.ts"), ...pieces], files);
    return { past, found: ask(indexFailures([past]), "bun test cart") };
  };
  test("its turn, session and time, the command, and the line that says most", () => {
    const { past, found } = of([]);
    expect(found).toEqual(
      expect.objectContaining({
        ...{ turn: past.id, session: "old", time: past.time, about: "bun test cart" },
        ...{ said: "TypeError: cart.total is no function", closing: "" },
        fingerprint: "bun TypeError: cart.total is no function",
      }),
    );
  });
  test("how its turn was closed: the commit's subject before the last words", () => {
    const said = (kind: Evidence["kind"], text: string): Evidence => ({ kind, text });
    const closings = [said("closing", "First."), said("closing", "Last.")];
    expect(of(closings).found?.closing).toBe("Last.");
    expect(of([said("commit", "Mend it\n\nWhy"), ...closings]).found?.closing).toBe("Mend it");
  });
  test("when it passed, where the piece knows", () => {
    const past = turn("old", [
      failure("bun test cart", error),
      { ...piece("repair", "bun test cart", "x\n\n→ src/cart.ts"), time: 77 },
    ]);
    expect(ask(indexFailures([past]), "bun test cart")?.time).toBe(77);
  });
});

describe("how much may lie between a failure and its repair", () => {
  const files = (count: number) => Array.from({ length: count }, (_, at) => `src/f${at}.ts`);
  const changing = (count: number) =>
    indexFailures([
      turn("old", [failure("bun test cart", error)]),
      turn("old", [passed("bun test cart")], files(count)),
    ]);
  test("twelve files, more were changed for other reasons as well", () => {
    expect(ask(changing(12), "bun test cart")?.done).toEqual(files(12));
    expect(ask(changing(13), "bun test cart")).toBeUndefined();
  });
  test("of commands that the failure named the last three", () => {
    const said = "Not formatted; run mix format, mix deps, mix lint or mix check before it";
    const runs = ["mix format", "mix deps", "mix lint", "mix check"];
    const past = turn("old", [
      failure('git commit -m "x"', said),
      ...runs.map((about) => piece("ran", about, "")),
      passed('git commit -m "x"'),
    ]);
    expect(ask(indexFailures([past]), 'git commit -m "y"', said)?.done).toEqual(
      runs.slice(1).map((about) => `\`${about}\``),
    );
  });
  test("of others the last one alone", () => {
    const past = turn("old", [
      failure("bun test cart", error),
      passed("ls src"),
      piece("ran", "bun install", ""),
      passed("bun test cart"),
    ]);
    expect(ask(indexFailures([past]), "bun test cart")?.done).toEqual(["`bun install`"]);
  });
  test.each([
    ["grep -n Cart src/cart.ts", undefined],
    ["cd src && cat cart.ts 2>/dev/null | head -20", undefined],
    ["cat template.ts > src/cart.ts", "`cat template.ts > src/cart.ts`"],
    ["ls src; touch src/cart.ts", "`ls src; touch src/cart.ts`"],
  ])("after %s: %s", (looked, done) => {
    const past = turn("old", [
      failure("bun test cart", error),
      piece("ran", looked, ""),
      passed("bun test cart"),
    ]);
    expect(ask(indexFailures([past]), "bun test cart")?.done[0]).toBe(done as string);
  });
  test("a command of another turn did nothing to it", () => {
    const turns = [
      turn("old", [failure("bun test cart", error)]),
      turn("old", [passed("bun install"), passed("bun test cart")]),
    ];
    expect(ask(indexFailures(turns), "bun test cart")).toBeUndefined();
  });
  test("that it only ran settles nothing", () => {
    const turns = [
      turn("old", [failure("bun test cart", error)]),
      turn("old", [piece("ran", "bun test cart", "")], ["src/wrong.ts"]),
      turn("old", [passed("bun test cart")], ["src/cart.ts"]),
    ];
    expect(ask(indexFailures(turns), "bun test cart")?.done).toEqual([
      "src/wrong.ts",
      "src/cart.ts",
    ]);
  });
  test("another session's success settles nothing either", () => {
    const turns = [
      turn("old", [failure("bun test cart", error)]),
      turn("other", [passed("bun test cart")], ["src/cart.ts"]),
    ];
    expect(ask(indexFailures(turns), "bun test cart")).toBeUndefined();
  });
  test("files that were only read changed nothing", () => {
    const read = turn("old", [passed("bun test cart")]);
    const turns = [
      turn("old", [failure("bun test cart", error)]),
      { ...read, files: [{ path: "src/cart.ts", changed: false }] },
    ];
    expect(ask(indexFailures(turns), "bun test cart")).toBeUndefined();
  });
});

describe("of several repairs of a failure", () => {
  const words = ["name", "price", "voucher", "total", "date", "mail", "stock", "tax"];
  const line = (word: string) => `the ${word} of the order is missing`;
  const said = (some: readonly string[]) => some.map(line).join("\n");
  test("that which fits best is told, of those that fit as well the newest", () => {
    const turns = (second: readonly string[]) => [
      turn("one", repair("bun test", said(words), "first.ts")),
      turn("two", repair("bun test a", said([...second]), "second.ts")),
    ];
    const found = (second: readonly string[]) =>
      ask(indexFailures(turns(second)), "bun test", said(words))?.done;
    expect(found(words)).toEqual(["second.ts"]);
    expect(found([...words.slice(0, 4), "w", "x", "y", "z"])).toEqual(["first.ts"]);
  });
});

test("how usual a line is counts kinds of failures, not failures", () => {
  const setup = "Setting up the database for the tests";
  const turns = ["cart", "login"].flatMap((name) =>
    [1, 2].map(() => turn("old", [failure(`bun test ${name}`, `${setup}\nno ${name} was found`)])),
  );
  const index = indexFailures([...turns, turn("old", [failure("cargo test", setup)])]);
  expect(index.usual("Setting up the database for the tests")).toBe(3);
  expect(index.usual("no such line in any of them")).toBe(1);
});

test("a line that four kinds of failures say tells a little, one that five say nothing", () => {
  const setup = "Setting up the database for the tests";
  const index = (names: readonly string[]) =>
    indexFailures(
      names.map((name) =>
        turn("old", repair(`bun test ${name}`, `${setup}\nno ${name} was there`, `${name}.ts`)),
      ),
    ).known.map(({ lines }) => lines.get(setup));
  expect(index(["cart", "login", "order", "mail"])).toEqual([0.25, 0.25, 0.25, 0.25]);
  expect(index(["cart", "login", "order", "mail", "tax"])).toEqual(Array(5).fill(undefined));
});

test("the newest two thousand repairs are kept, of open failures the newest hundred", () => {
  const letters = (at: number) =>
    [...String(at)].map((digit) => "abcdefghij"[Number(digit)]).join("");
  const many = Array.from({ length: 2_001 }, (_, at) =>
    turn("old", repair(`bun test ${letters(at)}`, `no ${letters(at)} was ever there`, "a.ts")),
  );
  expect(indexFailures(many).known.map(({ turn }) => turn)).toEqual(
    many.slice(1).map(({ id }) => id),
  );
  const open = (count: number) =>
    indexFailures([
      turn("old", [failure("bun test cart", error)]),
      ...Array.from({ length: count }, (_, at) =>
        turn("old", [failure(`bun test ${letters(at)}`, `no ${letters(at)} was there`)]),
      ),
      turn("old", [passed("bun test cart")], ["src/cart.ts"]),
    ]).known.length;
  expect([open(99), open(100)]).toEqual([1, 0]);
});

describe("what follows a failure", () => {
  const split = "python split.py";
  const unknown = "bash: python: command not found";
  const instead = passed("python3 split.py");
  test("in another way ends it: what passes later repairs it no more", () => {
    const turns = [
      turn("old", [failure(split, unknown), instead]),
      turn("old", [passed(split)], ["src/later.py"]),
    ];
    expect(ask(indexFailures(turns), split, unknown)?.done).toEqual(["`python3 split.py`"]);
  });
  test("repairs it only where it passed, in its own session", () => {
    const ran = turn("old", [failure(split, unknown), piece("ran", "python3 split.py", "")]);
    expect(ask(indexFailures([ran]), split, unknown)).toBeUndefined();
    const apart = [turn("old", [failure(split, unknown)]), turn("other", [instead])];
    expect(ask(indexFailures(apart), split, unknown)).toBeUndefined();
  });
  test("repairs it by what the failure told to run, not by files that changed as well", () => {
    const line = "go test ./internal/fx -run TestRounds";
    const said = "--- FAIL: TestRounds\nrun go generate before this test of rounding";
    const ran = [passed("go generate"), passed("go test ./internal/fx")];
    const past = turn("old", [failure(line, said), ...ran], ["fx.go"]);
    expect(ask(indexFailures([past]), line, said)?.done).toEqual([
      "`go generate`",
      "`go test ./internal/fx`",
    ]);
  });
  test("in an earlier turn is not what made it pass in a later one", () => {
    const said = "Code is not formatted: run mix format before a commit";
    const turns = [
      turn("old", [failure("git commit", said), passed("mix format lib")]),
      turn("old", [passed("git commit")]),
    ];
    expect(ask(indexFailures(turns), "git commit", said)).toBeUndefined();
  });
});

test("of a failure the line is told that no other failure has", () => {
  const setup = "Getting the extensions of the project ready";
  const turns = [
    turn("old", [failure("bun test login", `${setup}\nthe login has no user at all`)]),
    turn("old", repair("bun test cart", `${setup}\nthe cart has no total`, "src/cart.ts")),
  ];
  const said = `${setup}\nthe cart has no total`;
  expect(ask(indexFailures(turns), "bun test cart", said)?.said).toBe("the cart has no total");
});
