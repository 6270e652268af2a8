// Reading what people and assistants write: plain lines, statements, claims, goals, headlines, paths, backing.
import { describe, expect, test } from "bun:test";
import { vocabularyOf, withoutForeign } from "../../../src/text/prose/backing.ts";
import { claimsIn } from "../../../src/text/prose/claims.ts";
import { codeNames } from "../../../src/text/prose/code-names.ts";
import { fitCharacters, fitWords, isBalanced, overlap } from "../../../src/text/prose/fit.ts";
import { goalOf } from "../../../src/text/prose/goal.ts";
import { headlineOf } from "../../../src/text/prose/headline.ts";
import { pathsFrom, shortPath } from "../../../src/text/prose/paths.ts";
import { plainLine, withoutClientMarkup } from "../../../src/text/prose/plain.ts";
import { statementsOf } from "../../../src/text/prose/statements.ts";

describe("plain lines", () => {
  const lines: Array<[string, string]> = [
    [
      "**Bold** and *thin* with `code` and [a link](https://x.y/z)",
      "Bold and thin with code and a link",
    ],
    ["snake_case_name stays, _soft_ goes", "snake_case_name stays, soft goes"],
    ["✅ Done → next 🎉", "Done → next"],
    ["2 * 3 * 4 and **/*.ts", "2 * 3 * 4 and **/*.ts"],
    ["“quoted” – dashed", '"quoted" - dashed'],
  ];
  test.each(lines)("%s", (markdown, expected) => {
    expect(plainLine(markdown)).toBe(expected);
  });

  test("the client's markup goes with what it wraps", () => {
    expect(
      withoutClientMarkup(
        "<system-reminder>secret note</system-reminder>ok <tool_use_error>bad</tool_use_error>",
      )
        .replace(/\s+/g, " ")
        .trim(),
    ).toBe("ok bad");
  });
});

describe("statements", () => {
  test("know their heading, lead and kind", () => {
    const found = statementsOf(
      "## Changes\n\nIntro sentence. Second one!\n\n**src/a.ts:**\n- Added `x`. Removed y.\n1. Third\n\n| File | Change |\n|---|---|\n| `b.ts` | moved \\| split |\n\n```\ncode. is not prose.\n```\n",
    );
    expect(found.map((one) => [one.kind, one.text, one.lead])).toEqual([
      ["sentence", "Intro sentence.", ""],
      ["sentence", "Second one!", ""],
      ["item", "Added x.", "src/a.ts"],
      ["item", "Removed y.", "src/a.ts"],
      ["item", "Third", "src/a.ts"],
      ["row", "b.ts: moved | split", "src/a.ts"],
    ]);
    expect(found.every((one) => one.section === "Changes")).toBe(true);
  });

  test("do not break at dots of names, versions and abbreviations", () => {
    expect(
      statementsOf("Uses auth.ts in v1.2, e.g. for login (see a.b. c). Then it ends.").map(
        (one) => one.text,
      ),
    ).toEqual(["Uses auth.ts in v1.2, e.g. for login (see a.b. c).", "Then it ends."]);
  });
});

describe("claims", () => {
  const claims: Array<[string, string, string]> = [
    ["I've added a retry to `send()`.", "done", "Added a retry to send()."],
    ["Done. Removed the unused import.", "done", "Removed the unused import."],
    [
      "The issue was a missing import in `a.ts`.",
      "cause",
      "The issue was a missing import in a.ts.",
    ],
    ["`getUser` is defined in `api.ts`.", "finding", "getUser is defined in api.ts."],
    [
      "We decided to keep both formats for a year.",
      "decision",
      "Decided to keep both formats for a year.",
    ],
    [
      "You may want to run the migration on staging.",
      "next",
      "You may want to run the migration on staging.",
    ],
    [
      "The cart is done. Next: cover refunds in `cart.test.ts`.",
      "next",
      "Cover refunds in cart.test.ts.",
    ],
    ["All 12 tests pass.", "outcome", "All 12 tests pass."],
    ["Now the cart shows the discount.", "effect", "Now the cart shows the discount."],
    ["Want me to move both?", "question", "Want me to move both?"],
    ["Let me look at the file.", "noise", "Let me look at the file."],
    ["I found and fixed the issue.", "noise", "Found and fixed the issue."],
    ["resume.go: Removed the early return.", "done", "resume.go: Removed the early return."],
  ];
  test.each(claims)("%s", (text, kind, told) => {
    const found = claimsIn(text).at(-1);
    expect([found?.kind, found?.text]).toEqual([kind as "done", told]);
  });

  test("of a list of next steps are next steps, of a Next.js heading they are not", () => {
    expect(claimsIn("## Next steps\n- Deploy the worker").map((claim) => claim.kind)).toEqual([
      "next",
    ]);
    expect(
      claimsIn("## Next.js app\n- Created the start page with a form").map((claim) => claim.kind),
    ).toEqual(["done"]);
  });

  test("that only repeat earlier work are left out once the evidence backs another", () => {
    const claims = claimsIn("- Removed `oldHelper()` from `a.ts`\n- Added `buildTree()` in `b.ts`");
    expect(
      withoutForeign(claims, vocabularyOf(["src/a.ts", "function oldHelper() {}"])).map(
        (claim) => claim.text,
      ),
    ).toEqual(["Removed oldHelper() from a.ts"]);
    expect(withoutForeign(claims, vocabularyOf(["nothing known"]))).toHaveLength(2);
  });

  test("begin with their subject where `It` stood for code", () => {
    expect(
      claimsIn("`total()` is exported by `cart.ts`. It is called by the checkout only.").map(
        (claim) => claim.text,
      ),
    ).toEqual(["total() is exported by cart.ts.", "total() is called by the checkout only."]);
  });
});

describe("goals", () => {
  const goals: Array<[string, string, string]> = [
    ["can you please add a single retry?", "Add a single retry.", "request"],
    ["ok, now let's rename the cart module", "Rename the cart module.", "request"],
    ["hmm, the build is failing on CI", "The build is failing on CI.", "report"],
    ["where is getUser defined?", "Where is getUser defined?", "question"],
    ["/review please check the open pull request", "Check the open pull request.", "request"],
    ["continue", "", "report"],
    ["yes, all 3", "", "report"],
    ["/compact", "", "report"],
    [
      "This session is being continued from a previous conversation that ran out of context.",
      "",
      "report",
    ],
    [
      "why is this happy locally but failing in ci?\nnpm ERR! code 1\n    at run (a.js:1:2)\n$ npm test",
      "Why is this happy locally but failing in ci?",
      "question",
    ],
    ["--- FAIL: TestTotal (0.00s)\n    cart_test.go:12: want 3", "", "report"],
    ["ログイン画面を追加してください。", "ログイン画面を追加してください。", "report"],
  ];
  test.each(goals)("%s", (prompt, text, kind) => {
    const goal = goalOf(prompt, 1);
    expect([goal.text, goal.kind]).toEqual([text, kind as "request"]);
  });
});

describe("fitting", () => {
  test("words are cut at a pause, whole or not at all", () => {
    expect(fitWords("Add a retry to the step so that it holds", 5, 3)).toBe("Add a retry");
    expect(fitWords("one two three four five six seven", 3, 2)).toBeUndefined();
  });

  test("no cut falls inside quotes", () => {
    expect(
      fitWords('Show "a long, quoted text of many words" in the header', 6, 3),
    ).toBeUndefined();
  });

  test("characters are cut at a pause between the limits", () => {
    expect(
      fitCharacters("The cart keeps its totals in one place, which the checkout reads", 10, 45),
    ).toBe("The cart keeps its totals in one place");
    expect(fitCharacters("short", 10, 45)).toBeUndefined();
  });

  test("brackets and quotes must close", () => {
    expect([isBalanced("a (b [c]) {d}"), isBalanced('say "yes'), isBalanced("a) (b")]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test("overlap compares telling words", () => {
    expect(overlap("Added the retry to send()", "added a retry to send")).toBeGreaterThan(0.6);
    expect(overlap("alpha beta", "gamma delta")).toBe(0);
  });

  test("session headlines obey their own limits", () => {
    expect(headlineOf("Add dark mode to the settings page of the app", 3, 6)).toBe("Add dark mode");
  });
});

describe("paths", () => {
  const paths = pathsFrom("/home/kim/shop", ["/home/kim/shop-worktree"]);
  test("are told relative to the project, homes as ~", () => {
    expect(paths.relative("/home/kim/shop/src/a.ts")).toBe("src/a.ts");
    expect(paths.relative("/etc/hosts")).toBe("/etc/hosts");
    expect(
      paths.inText("see /home/kim/shop/src/a.ts and /home/kim/notes/b.md in /home/kim/shop"),
    ).toBe("see src/a.ts and ~/notes/b.md in the project root");
    expect(
      shortPath("/Users/kim/very/long/path/that/goes/on/and/on/and/on/until/it/ends.ts", 30),
    ).toBe("and/on/and/on/until/it/ends.ts");
  });

  test("are relative to the root, not to a working directory above or below it", () => {
    const nested = pathsFrom("/home/kim/shop", ["/home/kim", "/home/kim/shop/packages/a"]);
    expect(nested.relative("/home/kim/shop/packages/a/x.ts")).toBe("packages/a/x.ts");
    expect(nested.relative("/home/kim/notes.md")).toBe("/home/kim/notes.md");
  });

  test("names of code are told from words", () => {
    expect(
      codeNames("Run getUser in auth.ts and max_size, then stop() at 2.5 or e.g. now"),
    ).toEqual(["getUser", "auth.ts", "max_size", "stop"]);
  });
});

const hostile = [
  "(",
  "[",
  "`",
  "a.",
  "*_",
  "**",
  "_a",
  "| a ",
  "word ",
  "<system-reminder ",
  "<system-reminder>",
  "/home/a",
  "x-",
  '"',
  "#",
  "- - ",
  "git ",
  "<<A ",
  "and ",
  "\n",
  " \n",
  "1. ",
  "[a](b",
  "ok, ",
  "é",
];

test("long hostile texts end: no rule walks through them again and again", () => {
  for (const piece of hostile) {
    const text = piece.repeat(Math.ceil(300_000 / piece.length));
    const claims = claimsIn(`${text}x`);
    goalOf(`${text}x`);
    for (const claim of claims.slice(0, 3)) fitCharacters(claim.text, 50, 150);
    withoutForeign(claims, vocabularyOf([text]));
    expect(pathsFrom("/home/kim/shop").inText(text).length).toBeGreaterThan(0);
  }
});
